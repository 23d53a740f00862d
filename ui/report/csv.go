// This file writes a report as CSV: a row a level, for spreadsheets.

package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"tokdyno/engine/run"
)

// WriteCSV writes a row for every level of a run, and for every stage that is in none, after a row of names that have their
// units (RFC 4180). What is not known is an empty cell.
func WriteCSV(w io.Writer, r *run.Report) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	columns := csvColumns()
	rows := csvRows(r)
	record := make([]string, len(columns))
	for i, c := range columns {
		record[i] = c.name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for i := range rows {
		for j, c := range columns {
			record[j] = c.of(&rows[i])
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvRow is a level or a stage.
type csvRow struct {
	report     *run.Report
	kind, name string
	load       *run.Load
	measured   float64
	settled    bool
	*run.Figures
}

func csvRows(r *run.Report) (rows []csvRow) {
	for i := range r.Levels {
		l := &r.Levels[i]
		rows = append(rows, csvRow{r, "level", l.Name, &l.Load, l.MeasuredS, l.Settled, &l.Figures})
	}
	for _, s := range apart(r) {
		rows = append(rows, csvRow{r, "stage", "stage " + strconv.Itoa(s.Number), &s.Load, s.MeasuredS, s.SettledS != nil, &s.Figures})
	}
	return rows
}

// csvColumn is one of the table.
type csvColumn struct {
	name string
	of   func(*csvRow) string
}

func csvColumns() []csvColumn {
	text := func(name string, of func(*csvRow) string) csvColumn {
		return csvColumn{name, func(r *csvRow) string { return inert(of(r)) }}
	}
	number := func(name string, of func(*csvRow) *float64) csvColumn {
		return csvColumn{name, func(r *csvRow) string { return csvNumber(of(r)) }}
	}
	count := func(name string, of func(*csvRow) int) csvColumn {
		return csvColumn{name, func(r *csvRow) string { return strconv.Itoa(of(r)) }}
	}
	maybe := func(name string, of func(*csvRow) *int) csvColumn {
		return csvColumn{name, func(r *csvRow) string {
			if v := of(r); v != nil {
				return strconv.Itoa(*v)
			}
			return ""
		}}
	}
	said := func(name string, of func(*csvRow) *string) csvColumn {
		return text(name, func(r *csvRow) string {
			if v := of(r); v != nil {
				return *v
			}
			return ""
		})
	}
	columns := []csvColumn{
		text("kind", func(r *csvRow) string { return r.kind }),
		text("name", func(r *csvRow) string { return r.name }),
		text("mode", func(r *csvRow) string { return r.load.Mode }),
		maybe("concurrency", func(r *csvRow) *int { return r.load.Concurrency }),
		number("rate_per_s", func(r *csvRow) *float64 { return r.load.Rate }),
		number("speed", func(r *csvRow) *float64 { return r.load.Speed }),
		text("prompt_tokens", func(r *csvRow) string { return r.load.Shape.PromptTokens }),
		text("output_tokens", func(r *csvRow) string { return r.load.Shape.OutputTokens }),
		text("shape_hash", func(r *csvRow) string { return r.load.ShapeHash }),
		said("verdict", func(r *csvRow) *string { return r.SLO.Verdict }),
		text("slo", func(r *csvRow) string { return r.SLO.Text }),
		number("slo_target", func(r *csvRow) *float64 {
			if r.SLO.Text == "" {
				return nil
			}
			return &r.SLO.Target
		}),
		number("attainment", func(r *csvRow) *float64 { return r.SLO.Attainment }),
		number("attainment_low", func(r *csvRow) *float64 { return bound(r, 0) }),
		number("attainment_high", func(r *csvRow) *float64 { return bound(r, 1) }),
		said("binding", func(r *csvRow) *string { return r.SLO.Binding }),
		count("requests_judged", func(r *csvRow) int { return r.SLO.N }),
		text("settled", func(r *csvRow) string { return strconv.FormatBool(r.settled) }),
		number("measured_s", func(r *csvRow) *float64 { return &r.measured }),
		count("ok", func(r *csvRow) int { return r.Requests.OK }),
		count("failed", func(r *csvRow) int { return r.Requests.Failed }),
		count("cancelled", func(r *csvRow) int { return r.Requests.Cancelled }),
		number("requests_per_s", func(r *csvRow) *float64 { return r.Throughput.Requests }),
		number("goodput_per_s", func(r *csvRow) *float64 { return r.SLO.Goodput }),
		number("output_tok_per_s", func(r *csvRow) *float64 { return r.Throughput.Output }),
		number("input_tok_per_s", func(r *csvRow) *float64 { return r.Throughput.Input }),
		number("total_tok_per_s", func(r *csvRow) *float64 { return r.Throughput.Total }),
		said("token_source", func(r *csvRow) *string { return r.Tokens.Source }),
		said("untrusted", func(r *csvRow) *string { return r.Untrusted }),
	}
	for _, d := range []struct {
		name string
		of   func(*csvRow) *run.Distribution
	}{
		{"ttft", func(r *csvRow) *run.Distribution { return &r.TTFT }},
		{"tpot", func(r *csvRow) *run.Distribution { return &r.TPOT }},
		{"itl", func(r *csvRow) *run.Distribution { return &r.ITL }},
		{"chunk_gap", func(r *csvRow) *run.Distribution { return &r.ChunkGap }},
		{"e2el", func(r *csvRow) *run.Distribution { return &r.E2EL }},
		{"ttft_from_schedule", func(r *csvRow) *run.Distribution { return &r.TTFTFromSchedule }},
		{"dispatch_lag", func(r *csvRow) *run.Distribution { return &r.DispatchLag }},
	} {
		columns = append(columns,
			count(d.name+"_n", func(r *csvRow) int { return d.of(r).N }),
			number(d.name+"_mean_ms", func(r *csvRow) *float64 { return d.of(r).Mean }),
			number(d.name+"_p50_ms", func(r *csvRow) *float64 { return d.of(r).P50 }),
			number(d.name+"_p90_ms", func(r *csvRow) *float64 { return d.of(r).P90 }),
			number(d.name+"_p95_ms", func(r *csvRow) *float64 { return d.of(r).P95 }),
			number(d.name+"_p99_ms", func(r *csvRow) *float64 { return d.of(r).P99 }),
			number(d.name+"_max_ms", func(r *csvRow) *float64 { return d.of(r).Max }))
	}
	return append(columns,
		text("model", func(r *csvRow) string { return r.report.Endpoint.Model }),
		said("server", func(r *csvRow) *string { return r.report.Endpoint.Server }),
		text("url", func(r *csvRow) string { return r.report.Endpoint.URL }),
		text("simulated", func(r *csvRow) string { return strconv.FormatBool(r.report.Simulated) }),
		text("started", func(r *csvRow) string {
			if r.report.Started == nil {
				return ""
			}
			return r.report.Started.Format("2006-01-02T15:04:05Z07:00")
		}),
		text("tokdyno", func(r *csvRow) string { return r.report.Tokdyno }))
}

// bound is an end of the interval of the attainment.
func bound(r *csvRow, i int) *float64 {
	if len(r.SLO.Interval) != 2 {
		return nil
	}
	return &r.SLO.Interval[i]
}

func csvNumber(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// inert is text that no spreadsheet takes for a formula.
func inert(s string) string {
	s = strings.TrimSpace(Plain(s))
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
