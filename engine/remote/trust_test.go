// This file tests that shares follow how well workers keep up.

package remote

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
)

func TestTrustMovesSeldom(t *testing.T) {
	type during struct {
		verdict health.Verdict
		seconds int
	}
	const ok, strained, bound = health.OK, health.Strained, health.ClientBound
	for _, tt := range []struct {
		name  string
		lived []during
		steps int
	}{
		{"well", []during{{ok, 300}}, 0},
		{"unknown", []during{{health.Unknown, 300}}, 0},
		{"bound for a moment", []during{{bound, 9}, {ok, 5}, {bound, 9}}, 0},
		{"bound", []during{{bound, 12}}, 1},
		{"bound for longer", []during{{bound, 22}}, 2},
		{"bound for good: some load stays", []during{{bound, 300}}, 3},
		{"strained for a moment", []during{{strained, 19}}, 0},
		{"strained", []during{{strained, 300}}, 1},
		{"strained, then bound", []during{{strained, 15}, {bound, 1}}, 1},
		{"bound, then well, not for long", []during{{bound, 32}, {ok, 55}}, 3},
		{"bound, then well", []during{{bound, 32}, {ok, 62}}, 2},
		{"bound, then well for long", []during{{bound, 32}, {ok, 300}}, 0},
		{"bound, then strained: it stays", []during{{bound, 32}, {strained, 300}}, 3},
		{"neither well nor strained for long", []during{{bound, 32}, {ok, 50}, {strained, 1}, {ok, 50}}, 3},
	} {
		var trusted trust
		now := time.Unix(1000, 0)
		for _, d := range tt.lived {
			for range d.seconds {
				now = now.Add(time.Second)
				trusted.hear(now, d.verdict, "slow")
			}
		}
		if trusted.steps != tt.steps {
			t.Errorf("%s: %d steps, want %d", tt.name, trusted.steps, tt.steps)
		}
	}
}

func TestAWorkerThatDoesNotKeepUpGivesLoadToTheOthers(t *testing.T) {
	now := time.Unix(1000, 0)
	f := &Fleet{
		cfg: FleetConfig{Now: func() time.Time { return now }}, members: make(map[string]*member), term: 1,
		setting: load.Setting{Mode: load.Closed, Concurrency: 60},
	}
	for i, id := range []string{"a", "b"} {
		m := &member{
			hello: hello{ID: id, Name: id, Cores: 4, Most: 100, Protocol: Protocol, State: running}, heard: now, lane: uint64(i + 1), intake: newIntake(),
			clock: offset{recent: []ping{{}}},
		}
		f.members[id], f.joined = m, append(f.joined, m)
	}
	seq := uint64(0)
	live := func(seconds int, a, b health.Verdict) (first, second snapshot.Worker) {
		t.Helper()
		for range seconds {
			now = now.Add(time.Second)
			seq++
			for id, verdict := range map[string]health.Verdict{"a": a, "b": b} {
				r := report{ID: id, Term: 1, Incarnation: 1, Seq: seq, State: running, Client: &client{}}
				r.Client.Recent = snapshot.Health{Verdict: verdict, Reason: "slow"}
				message, err := r.packed(nil)
				if err != nil {
					t.Fatal(err)
				}
				f.takeReport(&nats.Msg{Data: message})
			}
		}
		var s snapshot.Snapshot
		f.Show(&s, 1)
		return s.Workers.List[0], s.Workers.List[1]
	}
	if a, b := live(1, health.OK, health.OK); a.Share != 30 || b.Share != 30 || a.Reduced+b.Reduced != "" {
		t.Errorf("both are well: %+v, %+v", a, b)
	}
	a, b := live(12, health.OK, health.ClientBound)
	if a.Share != 40 || b.Share != 20 || b.Part < 0.33 || b.Part > 0.34 {
		t.Errorf("b does not keep up: %+v, %+v", a, b)
	}
	if a.Reduced != "" || !strings.Contains(b.Reduced, "1/2 of what") || !strings.Contains(b.Reduced, "slow") {
		t.Errorf("why: %q, %q", a.Reduced, b.Reduced)
	}
	if a, b := live(12, health.ClientBound, health.Strained); a.Share != 30 || b.Share != 30 || b.Reduced != "" {
		t.Errorf("neither does: %+v, %+v", a, b)
	}
	if a, b := live(70, health.ClientBound, health.OK); a.Share >= 30 || b.Share <= 30 || a.Reduced == "" {
		t.Errorf("b does again, a does not: %+v, %+v", a, b)
	}
}
