// This file writes rows for other programs: as lines of JSON, or as a table with commas.

package query

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// member is a figure as it is written.
type member struct {
	name string
	of   func(*Row) any // nil: unknown
}

// members are those of a row, in their published order; the side stands only in a duel's. Instants are seconds of the run's clock, durations milliseconds.
func members() []member {
	ms := func(of func(*Row) time.Duration) func(*Row) any {
		return func(r *Row) any {
			if d := of(r); d != slo.Undefined {
				return float64(d) / float64(time.Millisecond)
			}
			return nil
		}
	}
	seconds := func(of func(*Row) record.Instant) func(*Row) any {
		return func(r *Row) any {
			if at := of(r); at != 0 {
				return at.Elapsed().Seconds()
			}
			return nil
		}
	}
	count := func(of func(*Row) int64, least int64) func(*Row) any {
		return func(r *Row) any {
			if n := of(r); n >= least {
				return n
			}
			return nil
		}
	}
	word := func(of func(*Row) string) func(*Row) any {
		return func(r *Row) any {
			if s := of(r); s != "" {
				return s
			}
			return nil
		}
	}
	return []member{
		{"side", word(func(r *Row) string { return r.Side })},
		{"id", func(r *Row) any { return r.ID }},
		{"stage", count(func(r *Row) int64 { return int64(r.Stage) }, 1)},
		{"slot", count(func(r *Row) int64 { return int64(r.Slot) }, 1)},
		{"endpoint", count(func(r *Row) int64 { return int64(r.Endpoint) }, 1)},
		{"began_s", seconds(func(r *Row) record.Instant { return r.Began })},
		{"sent_s", seconds(func(r *Row) record.Instant { return r.Sent })},
		{"end_s", seconds(func(r *Row) record.Instant { return r.End })},
		{"lag_ms", ms(func(r *Row) time.Duration { return r.Lag })},
		{"connect_ms", ms(func(r *Row) time.Duration { return r.Connect })},
		{"ttft_ms", ms(func(r *Row) time.Duration { return r.TTFT })},
		{"ttfa_ms", ms(func(r *Row) time.Duration { return r.TTFA })},
		{"tpot_ms", ms(func(r *Row) time.Duration { return r.TPOT })},
		{"e2el_ms", ms(func(r *Row) time.Duration { return r.E2EL })},
		{"chunk_gap_max_ms", ms(func(r *Row) time.Duration { return r.Gap })},
		{"input_tokens", count(func(r *Row) int64 { return r.Input }, 0)},
		{"output_tokens", count(func(r *Row) int64 { return r.Output }, 0)},
		{"reasoning_tokens", count(func(r *Row) int64 { return r.Reasoning }, 0)},
		{"estimated", func(r *Row) any { return r.Estimated }},
		{"chunks", func(r *Row) any { return r.Chunks }},
		{"stalls", func(r *Row) any { return len(r.Stalls) }},
		{"outcome", func(r *Row) any {
			return [...]record.Outcome{slo.OK: record.OK, slo.Failed: record.Failed, slo.Cancelled: record.Cancelled}[r.Ending]
		}},
		{"kind", word(func(r *Row) string { return string(r.Kind) })},
		{"missed", word(func(r *Row) string {
			var names []string
			for _, m := range r.Missed {
				names = append(names, m.String())
			}
			return strings.Join(names, " ")
		})},
	}
}

// membersOf are those that rows like this one have.
func membersOf(r *Row) []member {
	all := members()
	if r.Side == "" {
		return all[1:]
	}
	return all
}

// Writer writes rows, one after the other.
type Writer interface {
	Row(*Row) error
	// Close ends the document, but closes nothing else.
	Close() error
}

// NewWriter returns what writes rows in the form that the name of a file asks for by its ending: ".csv" a table, ".json" a
// trace that ui.perfetto.dev and chrome://tracing open, and any other lines of JSON.
func NewWriter(to io.Writer, name string) Writer {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
		return table(to)
	case ".json":
		return NewTrace(to)
	}
	return lines(to)
}

// each writes rows, and needs no end.
type each func(*Row) error

// Row writes one.
func (e each) Row(r *Row) error { return e(r) }

// Close does nothing.
func (e each) Close() error { return nil }

// lines writes rows as lines of JSON; what is unknown is null.
func lines(to io.Writer) each {
	var all []member
	return func(r *Row) error {
		if all == nil {
			all = membersOf(r)
		}
		line := []byte{'{'}
		for i, m := range all {
			if i > 0 {
				line = append(line, ',')
			}
			value, err := json.Marshal(m.of(r))
			if err != nil {
				return err
			}
			line = append(append(strconv.AppendQuote(line, m.name), ':'), value...)
		}
		_, err := to.Write(append(line, '}', '\n'))
		return err
	}
}

// table writes rows as CSV, behind a line of headings; what is unknown is empty.
func table(to io.Writer) each {
	out := csv.NewWriter(to)
	var all []member
	var cells []string
	return func(r *Row) error {
		if all == nil {
			all = membersOf(r)
			cells = make([]string, len(all))
			for i, m := range all {
				cells[i] = m.name
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		for i, m := range all {
			cells[i] = ""
			switch value := m.of(r).(type) {
			case nil:
			case string:
				cells[i] = value
			case record.Outcome:
				cells[i] = string(value)
			default:
				text, err := json.Marshal(value)
				if err != nil {
					return err
				}
				cells[i] = string(text)
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	}
}
