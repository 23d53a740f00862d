package engine

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
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
			path := longFile(t, longRun{Requests: seconds * 30, PerS: 30, Chunks: 12, StageS: 33, Options: opt})
			p, q := playerOf(t, path), playerOf(t, path)
			rng := rand.New(rand.NewPCG(5, 6))
			compare := func(n int) {
				t.Helper()
				goals, played := make([]time.Duration, n), make(map[time.Duration]*snapshot.Snapshot)
				for i := range goals {
					goals[i] = time.Duration(rng.Int64N(int64((seconds + 3) * time.Second)))
				}
				from := q.rewound
				for _, at := range slices.Sorted(slices.Values(goals)) { // one after the other, in one go
					if err := from(at); err != nil {
						t.Fatal(err)
					}
					from, played[at] = q.on, q.Snapshot()
				}
				for _, at := range goals {
					if err := errors.Join(p.Seek(at), p.settle()); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(played[at], p.Snapshot(), same()); diff != "" {
						t.Fatalf("at %v, seeking shows other than playing (-play +seek):\n%s", at, diff)
					}
				}
			}
			if err := p.begin(); err != nil {
				t.Fatal(err)
			}
			compare(8)
			if n := len(p.checkpoints.list); n < 4 {
				t.Errorf("%d checkpoints: too few to be of any use", n)
			}
			turn := func(change func(*snapshot.Knobs)) {
				t.Helper()
				for _, of := range []*Player{p, q} {
					if err := errors.Join(of.Seek(0), of.settle()); err != nil {
						t.Fatal(err)
					}
					k := of.Snapshot().Knobs
					change(&k)
					if err := errors.Join(of.Apply(k), of.settle()); err != nil {
						t.Fatal(err)
					}
				}
			}
			turn(func(k *snapshot.Knobs) {
				k.SLO = slo.Criteria{slo.TTFT: 60 * time.Millisecond, slo.TPOT: 13 * time.Millisecond}
			})
			compare(6)
			objectives, err := slo.ParseObjectives("tpot p90 <= 13ms over 10s for 90%")
			if err != nil {
				t.Fatal(err)
			}
			turn(func(k *snapshot.Knobs) { k.Objectives, k.Window = objectives, stats.Last5m })
			compare(6)
		})
	}
}

// TestASeekIsNotWaitedFor asks for all there is while the player is busy: whoever asks would wait for ever if it waited at all.
func TestASeekIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	p := playerOf(t, longFile(t, longRun{Requests: 90 * 20, PerS: 20, Chunks: 4, StageS: 25}))
	if err := p.begin(); err != nil {
		t.Fatal(err)
	}
	stands := func(seeking bool, at, target time.Duration) {
		t.Helper()
		r := p.Snapshot().Replay
		if r.Seeking != seeking || r.At != at || r.Target != target || seeking && (r.Progress < 0 || r.Progress >= 1) {
			t.Errorf("%+v, want it at %v and to go to %v", r, at, target)
		}
	}
	k := p.Snapshot().Knobs
	k.SLO = slo.Criteria{slo.TTFT: time.Nanosecond}
	p.mu.Lock()
	for _, do := range []func() error{
		func() error { return p.Play(true) },
		func() error { return p.Apply(k) },
		func() error { return p.Seek(75 * time.Second) },
		func() error { p.SetSpeed(2); return nil },
	} {
		if err := do(); err != nil {
			t.Error(err)
		}
	}
	stands(true, 0, 75*time.Second)
	if r := p.Snapshot().Replay; !r.Playing || r.Speed != 2 {
		t.Errorf("%+v: it does not say what was asked for", r)
	}
	p.mu.Unlock()
	for range 20 {
		if !p.step() {
			t.Fatal("75 seconds are there at once")
		}
	}
	stands(true, 0, 75*time.Second)
	if come := p.Snapshot().Replay.Progress; come < 0.1 {
		t.Errorf("%v of the way", come)
	}
	if err := errors.Join(p.Jump(-1), p.advance(time.Hour)); err != nil { // what is sought takes the place of what was, and nothing plays meanwhile
		t.Fatal(err)
	}
	stop := p.Snapshot().Replay.Target
	if stop < 45*time.Second || stop >= 75*time.Second {
		t.Errorf("the stage before 75 s begins at %v", stop)
	}
	if err := p.settle(); err != nil {
		t.Fatal(err)
	}
	stands(false, stop, 0)
	stop += 10 * time.Second
	if err := errors.Join(p.Seek(stop), p.settle()); err != nil {
		t.Fatal(err)
	}
	if a, ok := p.Snapshot().Stage.Score.Attainment(k.SLO); !ok || a != 0 || p.Snapshot().Knobs.SLO != k.SLO {
		t.Errorf("attainment %v, %v by the SLO that was turned", a, ok)
	}
	shown := p.Snapshot()
	if err := p.Seek(80 * time.Second); err != nil || !p.step() || !p.step() {
		t.Fatal("it does not set out")
	}
	if err := errors.Join(p.Seek(stop), p.settle()); err != nil { // it is given up
		t.Fatal(err)
	}
	if diff := cmp.Diff(shown, p.Snapshot(), same()); diff != "" {
		t.Errorf("a seek that is given up leaves (-before +after):\n%s", diff)
	}
	stands(false, stop, 0)
}

// TestPlayingToTheEnd shows what a player that keeps all of a recording shows at its end, and can be gone back in.
func TestPlayingToTheEnd(t *testing.T) {
	t.Parallel()
	_, path := shortRun(t)
	want := playerOf(t, path)
	if err := want.Finish(); err != nil {
		t.Fatal(err)
	}
	got, err := PlayToEnd(func() (io.ReadCloser, error) { return os.Open(path) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(got.Close)
	compare := func(when string) {
		t.Helper()
		if diff := cmp.Diff(want.Snapshot(), got.Snapshot(), same()); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	compare("at the end")
	for _, p := range []*Player{want, got} {
		if err := p.Seek(time.Second); err != nil {
			t.Fatal(err)
		}
	}
	compare("gone back")
	one, ok := got.OpenRequest(1)
	if !ok || one.Record.ID != 1 || len(one.Gaps) == 0 {
		t.Errorf("a request that ended opens as %+v, %v", one, ok)
	}
}
