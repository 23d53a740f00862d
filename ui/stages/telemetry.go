// This file adds to the table of stages, and to the comparison of two, what accelerators and the server showed.

package stages

import (
	"math"

	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
)

// telemetryFigure is one of those figures.
type telemetryFigure struct {
	name  string // of the column
	cells int    // of the column, with the gap before it
	rank  int    // of the column: the highest is left out first
	order int    // of the row: likewise; rows and columns are short of room at different places
	row   string // of the row in a comparison
	write func(float64) cell.Figure
	apart func(float64) cell.Figure // writes a difference's size; nil: as write does
	less  bool                      // less of it is better
	of    func(r *snapshot.StageRow) optional.Value
	rough func(r *snapshot.StageRow) bool // it rests on an estimate; nil: never
}

func telemetryFigures() []telemetryFigure {
	estimated := func(r *snapshot.StageRow) bool { return r.Efficiency.Estimated }
	return []telemetryFigure{
		{
			name: "SM act", cells: 8, rank: 9, row: "SM active mean", order: 6, write: in("%", cell.Whole),
			apart: func(x float64) cell.Figure { return points(x / 100) }, of: func(r *snapshot.StageRow) optional.Value {
				return gpu.Mean(r.Telemetry.GPUs, func(t *gpu.Total) optional.Value { return t.SMActiveMean })
			},
		},
		{
			name: "power", cells: 9, rank: 14, row: "power mean", order: 9, write: in("W", cell.Whole),
			less: true, of: func(r *snapshot.StageRow) optional.Value {
				return gpu.Complete(r.Telemetry.GPUs, func(t *gpu.Total) optional.Value { return t.PowerMeanW })
			},
		},
		{
			name: "tok/J", cells: 8, rank: 10, row: "tok/J", order: 4, write: in("", cell.Digits), rough: estimated,
			of: func(r *snapshot.StageRow) optional.Value { return r.Efficiency.TokensPerJoule },
		},
		{
			name: "tok/s/GPU", cells: 11, rank: 16, row: "tok/s per GPU", order: 8, write: perSecond,
			of: func(r *snapshot.StageRow) optional.Value { return r.Efficiency.OutputPerGPU },
		},
		{
			name: "KV max", cells: 8, rank: 11, row: "KV cache max", order: 7, write: in("%", cell.Hundredths),
			apart: points, less: true,
			of: serverFigure(func(r *snapshot.StageRow) optional.Value { return r.Telemetry.Server.KVUsageMax }),
		},
		{
			name: "wait max", cells: 10, rank: 13, row: "waiting max", order: 7, write: in("", cell.Whole),
			less: true, of: serverFigure(func(r *snapshot.StageRow) optional.Value { return r.Telemetry.Server.WaitingMax }),
		},
		{
			name: "hit", cells: 8, rank: 15, row: "prefix hit rate", order: 9, write: in("%", cell.Tenths), apart: points,
			of: serverFigure(func(r *snapshot.StageRow) optional.Value { return r.Telemetry.Server.Window.HitRate }),
		},
		{
			name: "accept", cells: 8, rank: 12, row: "drafts accepted", order: 5, write: in("%", cell.Tenths), apart: points,
			of: serverFigure(func(r *snapshot.StageRow) optional.Value { return r.Telemetry.Server.Window.Speculation.Rate }),
		},
		{
			name: "tok/step", cells: 10, rank: 17, row: "tok per step", order: 9, write: in("", cell.Digits),
			of: serverFigure(func(r *snapshot.StageRow) optional.Value { return r.Telemetry.Server.Window.Speculation.Length }),
		},
	}
}

// in writes a figure in a unit.
func in(unit string, write func(float64) string) func(float64) cell.Figure {
	return func(x float64) cell.Figure { return cell.Figure{Number: write(x), Unit: unit} }
}

func serverFigure(of func(*snapshot.StageRow) optional.Value) func(*snapshot.StageRow) optional.Value {
	return func(r *snapshot.StageRow) optional.Value {
		if r.Telemetry.Server == nil {
			return optional.NA(optional.ReasonNone)
		}
		return of(r)
	}
}

// knownFigures are those that one of the stages has: nobody misses a column of what nobody reads.
func knownFigures(rows []snapshot.StageRow) []telemetryFigure {
	var known []telemetryFigure
	for _, f := range telemetryFigures() {
		for i := range rows {
			if f.of(&rows[i]).OK() {
				known = append(known, f)
				break
			}
		}
	}
	return known
}

// telemetryColumns are further columns of the table of stages.
func telemetryColumns(v *page.Frame) []figure.Column {
	var columns []figure.Column
	for _, f := range knownFigures(v.Shown.Stages) {
		write := func(_ *page.Frame, r *snapshot.StageRow) []cell.Piece {
			value := f.of(r)
			if !value.OK() {
				return cell.NA()
			}
			written := f.write(value.V)
			if f.rough != nil && f.rough(r) {
				written.Number = "~" + written.Number
			}
			out := cell.Plain(written.Number)
			if written.Unit != "" {
				out = append(out, cell.Muted(" "+written.Unit))
			}
			return out
		}
		columns = append(columns, figure.Column{Name: f.name, Cells: f.cells, Rank: f.rank, Cell: write})
	}
	return columns
}

// telemetryRows are further rows of the comparison of two stages.
func telemetryRows(a, b *snapshot.StageRow) []pairRow {
	number := func(v optional.Value) float64 {
		if !v.OK() {
			return math.NaN()
		}
		return v.V
	}
	var rows []pairRow
	for _, f := range knownFigures([]snapshot.StageRow{*a, *b}) {
		write := f.write
		if f.rough != nil && (f.rough(a) || f.rough(b)) {
			write = func(x float64) cell.Figure {
				rough := f.write(x)
				rough.Number = "~" + rough.Number
				return rough
			}
		}
		rows = append(rows, pairRow{
			name: f.row, a: number(f.of(a)), b: number(f.of(b)), write: write, apart: f.apart, less: f.less, rank: f.order,
		})
	}
	return rows
}
