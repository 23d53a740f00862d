package engine

import (
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
)

// scripted is a pilot that says one decision after another.
type scripted struct {
	decisions []stage.Decision
	asked     int
}

func (s *scripted) Next(stage.Status) stage.Decision {
	s.asked++
	return s.decisions[s.asked-1]
}

func (*scripted) Progress(time.Duration) stage.Progress { return stage.Progress{} }
func (*scripted) Result() (stage.Result, bool)          { return stage.Result{Found: true, Level: 2}, true }

// The autopilot is asked at each tick, with nothing but what the load is at, and says what is to be done.
func TestWhatTheAutopilotWantsTickByTick(t *testing.T) {
	pilot := &scripted{decisions: []stage.Decision{
		{Level: 8, Moved: true}, {Level: 8, Why: "measuring"}, {Level: 2, Moved: true, Drain: true}, {Level: 2, Done: true},
	}}
	a := autopilot{whole: true}
	a.take(&snapshot.AutopilotRun{Kind: snapshot.Search}, pilot, &snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 1}}, load.State{})
	at := func(c int) load.Setting { return load.Setting{Mode: load.Closed, Concurrency: c, MaxInFlight: 3} }
	for i, tick := range []struct {
		at    int // the concurrency in force
		pool  load.State
		want  task
		held  bool // nothing new starts
		asked int  // how often the pilot was asked so far
	}{
		{1, load.State{}, task{open: true, load: at(8)}, false, 1},
		{8, load.State{InFlight: 8}, task{load: at(8)}, false, 2},
		{8, load.State{InFlight: 8, Dropped: 1}, task{drain: true}, true, 3},
		{8, load.State{InFlight: 5, Dropped: 4}, task{}, true, 3},
		{8, load.State{Dropped: 6}, task{open: true, load: at(2)}, false, 3},
		{2, load.State{InFlight: 2, Dropped: 6}, task{load: at(2), over: true}, false, 4},
		{2, load.State{InFlight: 2, Dropped: 9}, task{}, false, 4},
	} {
		k := snapshot.Knobs{Load: at(tick.at)}
		got := a.next(func() stage.Status { return stage.Status{} }, &k, tick.pool)
		setting, paused := a.told(&k)
		if got != tick.want || paused != tick.held || pilot.asked != tick.asked {
			t.Errorf("tick %d: %+v, paused %v, asked %d times; want %+v, %v, %d",
				i, got, paused, pilot.asked, tick.want, tick.held, tick.asked)
		}
		if !paused && setting != k.Load {
			t.Errorf("tick %d: the pool is told %v, want %v", i, setting, k.Load)
		}
	}
	var s snapshot.Snapshot
	a.show(&s, 0)
	if p := s.Pilot; p == nil || !p.Over || !p.Finished || p.Released || !p.Whole || p.Result.Level != 2 || s.Abandoned != 5 {
		t.Errorf("%+v, %d arrivals dropped with the overload; want it finished, and 5", p, s.Abandoned)
	}
}

// A hand that takes the load back while an overload ends has cut that short.
func TestAHandTakesTheLoadBackFromTheAutopilot(t *testing.T) {
	pilot := &scripted{decisions: []stage.Decision{{Level: 2, Moved: true, Drain: true}}}
	var a autopilot
	a.take(&snapshot.AutopilotRun{Kind: snapshot.Ladder}, pilot, &snapshot.Knobs{}, load.State{})
	a.next(func() stage.Status { return stage.Status{} }, &snapshot.Knobs{}, load.State{Dropped: 2})
	if !a.release("why", load.State{Dropped: 3}) || a.draining() || a.active() || a.abandoned != 1 {
		t.Errorf("%+v", a)
	}
	if a.release("again", load.State{}) || a.view.Why != "why" || !a.view.Released {
		t.Errorf("a second hand changed it: %+v", a.view)
	}
	if got := a.next(nil, &snapshot.Knobs{}, load.State{}); got != (task{}) {
		t.Errorf("after that it wants %+v", got)
	}
}
