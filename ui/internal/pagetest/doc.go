// Package pagetest shows a page by itself, without a console around it: its keys are pressed, its panels drawn.
//
// The files:
//
//	mouse.go     finds what is drawn, for the mouse
//	pagetest.go  a page by itself
//	sheet.go     puts drawings of one panel below each other into one golden file
package pagetest
