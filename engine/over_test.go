package engine

import (
	"reflect"
	"testing"
	"time"

	"tokdyno/engine/sim"
	"tokdyno/engine/stats"
)

// Whoever looks besides sees what the person at the knobs would see with that window, who notices nothing of it.
func TestOverIsWhatTheKnobWouldShow(t *testing.T) {
	cfg := closedLoop(startSimulator(t, sim.Config{Seed: 1, TimeScale: 20}).URL(), 4)
	cfg.Budget.Requests = 40
	eng, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if first := eng.Over(stats.WholeRun); first.Knobs.Window != stats.WholeRun {
		t.Errorf("before the run it is over %v", first.Knobs.Window)
	}
	if err := eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := eng.Snapshot()
	for w := stats.Last10s; w <= stats.WholeRun; w++ {
		got := eng.Over(w)
		if eng.Snapshot() != before {
			t.Fatalf("over %v: it published another moment", w)
		}
		if again := eng.Over(w); again != got {
			t.Errorf("over %v: it is made anew for everybody who asks", w)
		}
		k := before.Knobs
		k.Window = w
		if err := eng.Apply(k); err != nil {
			t.Fatal(err)
		}
		want := eng.Snapshot()
		if got.Knobs != want.Knobs || got.At != before.At || got.Live.TTFT.N == 0 {
			t.Errorf("over %v: knobs %+v at %v with n=%d", w, got.Knobs, got.At, got.Live.TTFT.N)
		}
		if !reflect.DeepEqual(got.Live, want.Live) {
			t.Errorf("over %v it is\n%+v, with the knob\n%+v", w, got.Live, want.Live)
		}
		if err := eng.Apply(before.Knobs); err != nil {
			t.Fatal(err)
		}
		before = eng.Snapshot()
	}
	if s := eng.Snapshot(); eng.Over(stats.WholeRun+1) != s || eng.Over(s.Knobs.Window) != s {
		t.Error("a window that there is not, or that of the knobs, is not the snapshot itself")
	}
}

// Of a recording it is likewise, wherever one has gone.
func TestOverOfARecordingIsWhatTheKnobWouldShow(t *testing.T) {
	t.Parallel()
	p := playerOf(t, longRun{Requests: 1200, PerS: 20, Chunks: 4, StageS: 25}.write(t, t.TempDir()))
	for _, at := range []time.Duration{50 * time.Second, 20 * time.Second} {
		if err := p.Seek(at); err != nil {
			t.Fatal(err)
		}
		for w := stats.Last10s; w <= stats.WholeRun; w++ {
			before := p.Snapshot()
			got := p.Over(w)
			if p.Snapshot() != before || p.Over(w) != got {
				t.Errorf("over %v: another moment shows, or it is made anew for everybody who asks", w)
			}
			k := before.Knobs
			k.Window = w
			if err := p.Apply(k); err != nil {
				t.Fatal(err)
			}
			want := p.Snapshot()
			if got.Knobs.Window != w || got.Live.TTFT.N == 0 || !reflect.DeepEqual(got.Live, want.Live) {
				t.Errorf("at %v over %v it is\n%+v, with the knob\n%+v", at, w, got.Live, want.Live)
			}
			if err := p.Apply(before.Knobs); err != nil {
				t.Fatal(err)
			}
		}
	}
}
