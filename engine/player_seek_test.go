package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// same compares two moments of a recording in all there is, but for what is remembered of an earlier look: whether requests
// move in step, for a second, and how late the client was when a stage that is over was summed up.
func same() cmp.Options {
	return cmp.Options{
		cmpopts.EquateNaNs(), cmpopts.EquateComparable(snapshot.Knobs{}, slo.Objectives{}),
		cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) }),
		cmp.Comparer(func(a, b record.Count) bool { return a == b }),
		cmpopts.IgnoreFields(stats.Summary{}, "InStep"), cmpopts.IgnoreFields(stats.Clumps{}, "Late"),
	}
}

// TestASeekShowsWhatPlayingShows goes to and fro in a recording, while all of it is played beside, and then with an SLO and with
// objectives of the viewer's.
func TestASeekShowsWhatPlayingShows(t *testing.T) {
	t.Parallel()
	const seconds = 150
	for name, opt := range map[string]runfile.Options{"": {}, "by number only": {NoGaps: true}} {
		t.Run(name, func(t *testing.T) {
			path := longFile(t, longRun{Requests: seconds * 60, PerS: 60, Chunks: 12, StageS: 33, Options: opt})
			p, q := playerOf(t, path), playerOf(t, path)
			rng := rand.New(rand.NewPCG(5, 6))
			compare := func(n int) {
				t.Helper()
				for range n {
					at := time.Duration(rng.Int64N(int64((seconds + 3) * time.Second)))
					if err := p.Seek(at); err != nil {
						t.Fatal(err)
					}
					if err := q.rewound(at); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(q.Snapshot(), p.Snapshot(), same()); diff != "" {
						t.Fatalf("at %v, seeking shows other than playing (-play +seek):\n%s", at, diff)
					}
				}
			}
			if err := p.begin(); err != nil {
				t.Fatal(err)
			}
			compare(12)
			if n := len(p.checkpoints.list); n < 4 {
				t.Errorf("%d checkpoints: too few to be of any use", n)
			}
			turn := func(change func(*snapshot.Knobs)) {
				t.Helper()
				for _, of := range []*Player{p, q} {
					if err := of.Seek(0); err != nil {
						t.Fatal(err)
					}
					k := of.Snapshot().Knobs
					change(&k)
					if err := of.Apply(k); err != nil {
						t.Fatal(err)
					}
				}
			}
			turn(func(k *snapshot.Knobs) {
				k.SLO = slo.Criteria{slo.TTFT: 60 * time.Millisecond, slo.TPOT: 13 * time.Millisecond}
			})
			compare(8)
			objectives, err := slo.ParseObjectives("tpot p90 <= 13ms over 10s for 90%")
			if err != nil {
				t.Fatal(err)
			}
			turn(func(k *snapshot.Knobs) { k.Objectives, k.Window = objectives, stats.Last5m })
			compare(8)
		})
	}
}
