// Package live is the Live page: gauges, charts, percentiles, rates, accelerators, knobs and notes of the present.
//
//   - page.go: keys, focus and zoom; layout.go: what stands where at which size
//   - gauges.go, bignumber.go, charts.go, percentiles.go, rates.go, devices.go, objectives.go, notes.go: a panel each
package live
