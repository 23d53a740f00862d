// This file tests the parts that need no network: shares, numbers, the clock, the outbox, and who may be put load on.

package remote

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/health"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

func capacities(t *rapid.T) []capacity {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) capacity {
		return capacity{float64(rapid.IntRange(1, 128).Draw(t, "cores")), rapid.IntRange(1, 500).Draw(t, "most")}
	}), 1, 20).Draw(t, "workers")
}

func TestSharesAddUpAndFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		among, total := capacities(t), rapid.IntRange(1, 5000).Draw(t, "total")
		shares, missing := divide(total, among)
		sum, room := 0, 0
		for i, s := range shares {
			sum, room = sum+s, room+among[i].most
			if s < 0 || s > among[i].most {
				t.Fatalf("a worker that takes %d gets %d", among[i].most, s)
			}
		}
		if sum+missing != total || missing != max(total-room, 0) {
			t.Fatalf("%d of %d are divided, %d missing, with room for %d", sum, total, missing, room)
		}
	})
}

func TestSharesFollowTheWeights(t *testing.T) {
	for _, c := range []struct {
		total  int
		among  []capacity
		shares []int
	}{
		{10, []capacity{{1, 99}, {1, 99}, {1, 99}}, []int{4, 3, 3}},
		{10, []capacity{{8, 99}, {2, 99}}, []int{8, 2}},
		{7, []capacity{{2, 99}, {1, 99}, {1, 99}}, []int{3, 2, 2}}, // 3.5, 1.75, 1.75: the largest remainders
		{10, []capacity{{8, 3}, {2, 99}}, []int{3, 7}},
		{2, []capacity{{1, 9}, {1, 9}, {1, 9}, {1, 9}}, []int{1, 1, 0, 0}},
	} {
		if got, _ := divide(c.total, c.among); !slices.Equal(got, c.shares) {
			t.Errorf("%d among %v: %v, want %v", c.total, c.among, got, c.shares)
		}
	}
}

func TestArrivalsAreDealtByWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		among := capacities(t)
		owners, sum := deal(among), 0.0
		for _, c := range among {
			sum += c.weight
		}
		got := make([]int, len(among))
		for _, o := range owners {
			got[o]++
		}
		for i, c := range among {
			exact := float64(len(owners)) * c.weight / sum
			if d := float64(got[i]) - exact; d > 1 || d < -1 {
				t.Fatalf("worker %d has %d of %d, want %.1f", i, got[i], len(owners), exact)
			}
		}
	})
	if got := deal([]capacity{{4, 9}, {4, 9}, {4, 9}}); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("equal workers do not take turns: %v", got)
	}
}

// Whatever messages are repeated or lost, and whoever goes, no number comes twice, and no more are used than there are.
func TestNoNumberIsHandedOutTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(0, 300).Draw(t, "most")
		s := source{most: most}
		type worker struct {
			supply supply
			used   used
			have   load.Numbers
		}
		workers := []*worker{{}, {}, {}}
		seen := make(map[uint64]bool)
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			w := workers[rapid.IntRange(0, len(workers)-1).Draw(t, "worker")]
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				s.refill(&w.supply, rapid.IntRange(0, 20).Draw(t, "share"), len(workers))
			case 1: // orders arrive, maybe again
				w.used.take(w.supply.grants(), &w.have)
			case 2: // requests start
				for range rapid.IntRange(1, 30).Draw(t, "requests") {
					n, ok := w.have.Take()
					if !ok {
						break
					}
					if seen[n] {
						t.Fatalf("number %d came twice", n)
					}
					seen[n] = true
				}
			case 3: // a report arrives
				w.used.Left = w.have.Left()
				w.supply.told(w.used)
			case 4: // it dies, having reported; another one comes
				w.used.Left = w.have.Left()
				w.supply.told(w.used)
				s.back(&w.supply)
				*w = worker{}
			}
		}
		if most > 0 && len(seen) > most {
			t.Fatalf("%d numbers are used of %d", len(seen), most)
		}
	})
}

func TestTheClockGoesByTheShortestRoundTrip(t *testing.T) {
	const ms = record.Instant(time.Millisecond)
	var o offset
	if _, _, ok := o.best(); ok {
		t.Error("an offset is known before anything was measured")
	}
	o.add(100*ms, 110*ms, 5105*ms+2*ms, 0) // held up on its way back
	o.add(200*ms, 201*ms, 5200*ms+ms/2, 0)
	o.add(300*ms, 340*ms, 5301*ms, 0)
	ahead, within, ok := o.best()
	if !ok || ahead != 5000*ms || within != time.Millisecond/2 {
		t.Errorf("%v ahead, within %v", ahead, within)
	}
	for i := range record.Instant(pings) { // the clock has drifted since
		o.add(i*ms, i*ms+4*ms, i*ms+2*ms+5003*ms, 0)
	}
	if ahead, _, _ = o.best(); ahead != 5003*ms {
		t.Errorf("%v ahead once the old round trips are forgotten", ahead)
	}
}

func TestAReportIsSentAgainUntilTheConsoleHasIt(t *testing.T) {
	var sent []string
	broken := false
	o := newOutbox(func(m []byte) error {
		if broken {
			return errors.New("no connection")
		}
		sent = append(sent, string(m))
		return nil
	})
	now := time.Unix(1000, 0)
	add := func() {
		if err := o.add(now, func(seq uint64) ([]byte, error) { return fmt.Appendf(nil, "%d", seq), nil }); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(sent, want) {
			t.Errorf("%s: sent %v, want %v", what, sent, want)
		}
		sent = nil
	}
	add()
	broken = true
	add()
	broken = false
	add()
	expect("at first", "1", "3")
	o.again(now.Add(againAfter/2), false)
	expect("before it is due")
	o.again(now.Add(againAfter/2), true)
	expect("where the console asks", "1", "2", "3")
	o.has(now, 2)
	o.again(now.Add(2*againAfter), false)
	expect("where two have come", "3")
	o.has(now, 3)
	o.again(now.Add(9*againAfter), true)
	expect("where all have")
	add()
	expect("the next", "4")
}

func TestAWorkerPutsLoadOnlyOnWhatItIsAllowedTo(t *testing.T) {
	for _, c := range []struct {
		list []string
		url  string
		ok   bool
	}{
		{nil, "http://127.0.0.1:8000", true},
		{nil, "http://10.1.2.3:8000/v1", true},
		{nil, "https://api.example.com", false},
		{[]string{"api.example.com"}, "https://api.example.com/v1", true},
		{[]string{"api.example.com:443"}, "https://api.example.com/v1", true},
		{[]string{"api.example.com:8443"}, "https://api.example.com/v1", false},
		{[]string{"gpu-1:8000"}, "gpu-1:8000", true},
		{[]string{"gpu-1"}, "http://GPU-1:9000", true},
		{[]string{"gpu-1"}, "http://127.0.0.1:8000", false},
		{[]string{"example.com"}, "http://example.com.evil.net", false},
		{[]string{"example.com"}, "http://example.com@evil.net", false},
		{[]string{"[::1]"}, "http://[::1]/v1", true},
		{[]string{"[::1]"}, "http://[::1]:8000", true},
		{[]string{"::1"}, "http://[::1]:8000", true},
		{[]string{"[::1]:8000"}, "http://[::1]:8000/v1", true},
		{[]string{"[::1]:8000"}, "http://[::1]:8001", false},
		{[]string{"gpu-1:80"}, "gpu-1", true},
	} {
		e := wire.Endpoint{URL: c.url}
		if err := allowed(c.list, &e); (err == nil) != c.ok {
			t.Errorf("%v, %s: %v", c.list, c.url, err)
		}
	}
}

// A worker that is not heard any more says nothing of how far the load can be trusted now; what it said stays in the run's figures.
func TestALostWorkerIsInThePresentNoMore(t *testing.T) {
	now := time.Unix(1000, 0)
	strained := snapshot.Health{Verdict: health.Strained, Reason: "slow"}
	shown := func(heard time.Time) (s snapshot.Snapshot) {
		f := Fleet{cfg: FleetConfig{Now: func() time.Time { return now }}, joined: []*member{
			{hello: hello{Name: "a"}, heard: now, client: &client{Recent: snapshot.Health{Verdict: health.OK}}},
			{hello: hello{Name: "b"}, heard: heard, client: &client{Recent: strained, Run: snapshot.Client{Health: strained, Reconnects: 2}}},
		}}
		f.Show(&s, 1)
		return s
	}
	if s := shown(now); s.Health.Verdict != health.Strained || s.Health.Reason != "b: slow" {
		t.Errorf("with a worker that is strained: %+v", s.Health)
	}
	s := shown(now.Add(-2 * LostAfter))
	if s.Health.Verdict != health.OK || s.Client.Verdict != health.Strained || s.Client.Reconnects != 2 {
		t.Errorf("with one that was: %+v, and of the run %+v", s.Health, s.Client)
	}
}
