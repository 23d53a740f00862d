// This file is the workers of a run, as JSON has them.

package run

import (
	"tokdyno/engine/health"
	"tokdyno/engine/snapshot"
)

// Worker is a process that made a part of the load.
type Worker struct {
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Tokdyno string  `json:"tokdyno"` // its version
	Cores   int     `json:"cores"`
	State   string  `json:"state"`   // at the end: "ended", "lost", "failed", "busy", "joining", "working", "idle"
	Problem *string `json:"problem"` // null: nothing was wrong
	Started int     `json:"started"` // requests
	// Lost is how many requests it had in flight when it was given up; they are among the cancelled.
	Lost   int     `json:"lost"`
	Client string  `json:"client"` // whether it was itself the bottleneck lately: "ok", "strained", "client-bound"; "": unknown
	Reason *string `json:"reason"` // unless it is ok
	// ClockMS is by how much its clock is ahead of the console's, and ClockWithinMS how well that is known; null: it was never measured.
	ClockMS       *float64 `json:"clock_ms"`
	ClockWithinMS *float64 `json:"clock_within_ms"`
	Bytes         int64    `json:"reported_bytes"`
}

// newWorkers are those of a snapshot; empty where this process made the load.
func newWorkers(s *snapshot.Snapshot) []Worker {
	list := []Worker{} // never nil: a list is a list
	if s.Workers == nil {
		return list
	}
	for i := range s.Workers.List {
		w := &s.Workers.List[i]
		one := Worker{
			Name: w.Name, Host: w.Host, Tokdyno: w.Version, Cores: w.Cores, State: string(w.State), Started: w.Started, Lost: w.Lost,
			Client: string(w.Health.Verdict), Bytes: w.Bytes, Problem: said(w.Problem),
		}
		if w.Health.Verdict != health.OK {
			one.Reason = said(w.Health.Reason)
		}
		if w.Within > 0 {
			ahead, within := w.Ahead.Seconds()*1000, w.Within.Seconds()*1000
			one.ClockMS, one.ClockWithinMS = &ahead, &within
		}
		list = append(list, one)
	}
	return list
}

// workerNotes say which workers were not there to the end, and what they had in flight.
func workerNotes(s *snapshot.Snapshot, add func(format string, args ...any)) {
	if s.Workers == nil {
		return
	}
	for i := range s.Workers.List {
		w := &s.Workers.List[i]
		if w.Lost > 0 {
			add("the worker %s was lost with %d requests in flight: they count as cancelled, neither done nor failed", w.Name, w.Lost)
		} else if w.State == snapshot.WorkerLost || w.State == snapshot.WorkerFailed {
			add("the worker %s was %s at the end: %s", w.Name, w.State, w.Problem)
		}
	}
	if n := s.Workers.Missing; n > 0 {
		add("%d of the requests in flight were missing at the end: no worker had room for them", n)
	}
}

// said is a text; nil where nothing is said.
func said(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
