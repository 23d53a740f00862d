// Package chart draws line charts, sparklines and bars into lines of text.
//
// Everything here is a function from values to text of exactly the size asked for, at any size and for any values: what
// is not a finite number is a gap, what is negative counts as zero. Braille dots are composed by ntcharts; the rows are
// painted run by run, because a style per cell costs more than a frame may.
//
// The files:
//
//	axis.go   axes: which range a chart has, in 1-2-5 steps from zero, and its labels
//	bar.go    bars: a fraction of a whole, such as memory in use
//	cells.go  cells: the buffer a chart is drawn into, and how its rows become text
//	chart.go  charts: what one shows, and how its parts are put together
//	field.go  fields: how lines, spots, names and labels are drawn into a plane
//	mark.go   marks: vertical lines with a label at the top
//	plane.go  planes: what one is, and how its parts are put together
//	ruler.go  rulers: where on the width of a plane a value stands
//	scale.go  scales: the memory that keeps an axis still while the data move
//	spark.go  sparklines: one line of blocks, the trend beside a number
//	trace.go  traces: how a series becomes dots, without losing a peak and without joining what a gap parts
//
// The way through it: Values in, lines of text out: scale and axis choose the range, plane and trace put dots, marks
// and the SLO's line on a grid, field and cells turn the grid into runs of text.
package chart
