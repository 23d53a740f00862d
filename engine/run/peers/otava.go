// This file writes a row of CSV for change detection by Apache Otava.

package peers

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"tokdyno/engine/run"
)

// otavaColumn is a column of the row.
type otavaColumn struct {
	name  string
	value func(d *run.Document) string // "": not known
}

// WriteOtava writes a run as a CSV file of one row, to which AddOtava adds others. Its columns are the time, by which Otava orders, then attributes, which it shows, then metrics, in which it looks for changes. The figures are the
// report's own: times in milliseconds, rates by the second. What is not known is empty.
func WriteOtava(w io.Writer, d *run.Document) error {
	out := csv.NewWriter(w)
	_ = out.Write(OtavaHeader()) // Error tells
	out.Flush()
	return errors.Join(out.Error(), AddOtava(w, d))
}

// AddOtava writes a run as a row.
func AddOtava(w io.Writer, d *run.Document) error {
	switch {
	case d.Report.Judged == 0:
		return errNothing
	case d.Header.Started.IsZero():
		return errors.New("when the run began is not known, and rows are ordered by that")
	}
	columns := otavaColumns()
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = c.value(d)
	}
	out := csv.NewWriter(w)
	_ = out.Write(values) // Error tells
	out.Flush()
	return out.Error()
}

// OtavaHeader is the first line of a file that rows can be added to.
func OtavaHeader() []string {
	var names []string
	for _, c := range otavaColumns() {
		names = append(names, c.name)
	}
	return names
}

func otavaColumns() []otavaColumn {
	columns := []otavaColumn{
		{"time", func(d *run.Document) string { return d.Header.Started.UTC().Format("2006-01-02 15:04:05 -0700") }},
		{"tokdyno", func(d *run.Document) string { return d.Header.Tokdyno }},
		{"endpoint", func(d *run.Document) string { return d.Header.URL }},
		{"model", func(d *run.Document) string { return d.Header.Model }},
		{"server", func(d *run.Document) string { return d.Header.Server }},
		{"load", func(d *run.Document) string { return d.Report.Load.Text }},
		{"shape_hash", func(d *run.Document) string { return d.Report.Load.ShapeHash }},
	}
	metric := func(name string, of func(r *run.Report) *float64) {
		columns = append(columns, otavaColumn{name, func(d *run.Document) string {
			if v := of(d.Report); v != nil {
				return strconv.FormatFloat(*v, 'g', -1, 64)
			}
			return ""
		}})
	}
	latency := func(name string, of func(r *run.Report) *run.Distribution) {
		metric(name+"_p50_ms", func(r *run.Report) *float64 { return of(r).P50 })
		metric(name+"_p95_ms", func(r *run.Report) *float64 { return of(r).P95 })
		metric(name+"_p99_ms", func(r *run.Report) *float64 { return of(r).P99 })
	}
	latency("ttft", func(r *run.Report) *run.Distribution { return &r.TTFT })
	latency("tpot", func(r *run.Report) *run.Distribution { return &r.TPOT })
	latency("itl", func(r *run.Report) *run.Distribution { return &r.ITL })
	latency("e2el", func(r *run.Report) *run.Distribution { return &r.E2EL })
	metric("requests_per_s", func(r *run.Report) *float64 { return r.Throughput.Requests })
	metric("output_tok_per_s", func(r *run.Report) *float64 { return r.Throughput.Output })
	metric("total_tok_per_s", func(r *run.Report) *float64 { return r.Throughput.Total })
	metric("goodput_per_s", func(r *run.Report) *float64 { return r.SLO.Goodput })
	metric("attainment", func(r *run.Report) *float64 { return r.SLO.Attainment })
	metric("failed_share", func(r *run.Report) *float64 {
		q := &r.Figures.Requests
		share := float64(q.Failed) / float64(max(r.Judged, 1))
		return &share
	})
	return columns
}
