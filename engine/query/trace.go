// This file writes rows as a trace that ui.perfetto.dev opens: a lane for each slot, with phases and stalls.

package query

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"tokdyno/engine/record"
)

// Trace writes Chrome's trace events (Trace Event Format, the JSON object form): https://docs.google.com/document/d/
// 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. Times are microseconds of the run's clock.
type Trace struct {
	to    io.Writer
	begun bool
	lanes map[int]bool
}

// traceEvent is one event. Dur is of a complete event, "X".
type traceEvent struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	TS   float64        `json:"ts"`
	Dur  *float64       `json:"dur,omitempty"`
	PID  int            `json:"pid"`
	TID  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// NewTrace writes to a document of its own, which Close ends.
func NewTrace(to io.Writer) *Trace { return &Trace{to: to} }

// Counter writes what figures were at an instant, as a track of its own. Those that are unknown (NaN) are left out.
func (t *Trace) Counter(name string, at record.Instant, figures map[string]float64) error {
	args := make(map[string]any)
	for figure, v := range figures {
		if !math.IsNaN(v) {
			args[figure] = v
		}
	}
	if len(args) == 0 {
		return nil
	}
	return t.write(traceEvent{Name: name, Ph: "C", TS: micros(at.Elapsed()), Args: args})
}

// write writes an event, behind what begins the document.
func (t *Trace) write(e traceEvent) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	before := ",\n"
	if !t.begun {
		t.begun, before = true, `{"displayTimeUnit":"ms","traceEvents":[`+"\n"
	}
	_, err = fmt.Fprintf(t.to, "%s%s", before, text)
	return err
}

// span writes a stretch of a request's lane.
func (t *Trace) span(r *Row, name, category string, from, to record.Instant, args map[string]any) error {
	if to <= from {
		return nil
	}
	dur := micros(time.Duration(to - from))
	return t.write(traceEvent{
		Name: name, Cat: category, Ph: "X", TS: micros(from.Elapsed()), Dur: &dur, PID: r.process(), TID: r.Slot, Args: args,
	})
}

// process is whose lane it is in: its endpoint's, or its side's, from 1.
func (r *Row) process() int {
	if r.Side != "" {
		return int(r.Side[0]-'A') + 1
	}
	return max(r.Endpoint, 1)
}

// Row writes a request: a stretch for the whole, in it one for each phase, and in these the stalls.
func (t *Trace) Row(r *Row) error {
	lane := r.process()<<32 | r.Slot
	if !t.lanes[lane] {
		if t.lanes == nil {
			t.lanes = make(map[int]bool)
		}
		t.lanes[lane] = true
		name := fmt.Sprintf("slot %d", r.Slot)
		if r.Side != "" {
			name = r.Side + " " + name
		}
		err := t.write(traceEvent{
			Name: "thread_name", Ph: "M", PID: r.process(), TID: r.Slot, Args: map[string]any{"name": name},
		})
		if err != nil {
			return err
		}
	}
	args := make(map[string]any)
	for _, m := range members() {
		if value := m.of(r); value != nil {
			args[m.name] = value
		}
	}
	from, ends := r.Bar()
	if err := t.span(r, fmt.Sprintf("#%d", r.ID), "request", from, max(r.End, ends[Decode]), args); err != nil {
		return err
	}
	for phase := range Phases {
		if err := t.span(r, phase.String(), "phase", from, ends[phase], nil); err != nil {
			return err
		}
		from = max(from, ends[phase])
	}
	for _, s := range r.Stalls {
		if err := t.span(r, "stall", "stall", s.From, s.To(), nil); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the document; without a row it is an empty trace.
func (t *Trace) Close() error {
	if !t.begun {
		_, err := io.WriteString(t.to, `{"traceEvents":[]}`+"\n")
		return err
	}
	_, err := io.WriteString(t.to, "\n]}\n")
	return err
}
