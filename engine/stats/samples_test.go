package stats

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// A request that failed before it was sent belongs to the part of its stage in which it was taken up: without that, a server
// that goes away in a steady part would fail in none.
func TestARequestThatWasNeverSentBelongsWhereItWasTakenUp(t *testing.T) {
	c := newTestCollector(slo.Criteria{slo.TTFT: 500 * ms})
	play(c, closed(0, 100*ms, 10*ms, 2))
	c.Fold(at(time.Second))
	c.MarkSteady(at(time.Second))
	play(c, closed(1100*ms, 100*ms, 10*ms, 2))
	r := record.New(7)
	r.Stage, r.Started, r.End, r.Outcome, r.Kind = 1, at(1200*ms), at(1300*ms), record.Failed, record.KindConnect
	c.Begin(r, 1).Finish(r)
	c.Fold(at(2 * time.Second))
	s := c.StageSummary(1, at(2*time.Second))
	if want := (Counts{Started: 2, OK: 1, Failed: 1}); s.Requests != want || s.Score.Failed != 1 {
		t.Errorf("the steady part has %+v, want %+v", s.Requests, want)
	}
	if s := c.Summary(WholeRun, at(2*time.Second)); s.Requests.Failed != 1 {
		t.Errorf("the run's steady parts have %+v", s.Requests)
	}
}

// The age of a request counts from when it was sent; while it waits for its connection, from when it was taken up.
func TestARequestThatWaitsForItsConnectionAges(t *testing.T) {
	c := newTestCollector(slo.Criteria{})
	r := record.New(1)
	r.Stage, r.Started = 1, at(time.Second)
	f := c.Begin(r, 1)
	c.Fold(at(3 * time.Second))
	if age := c.InFlight(at(3 * time.Second)).Oldest; age != 2*time.Second {
		t.Errorf("it is %v old, want 2s", age)
	}
	f.Sent(at(2500 * ms))
	c.Fold(at(3 * time.Second))
	if age := c.InFlight(at(3 * time.Second)).Oldest; age != 500*ms {
		t.Errorf("once sent it is %v old, want 500ms", age)
	}
}
