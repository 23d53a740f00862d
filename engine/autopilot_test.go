package engine

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// overloaded is a run whose autopilot has just decided to let an overload end, to go on at 5 requests a second.
func overloaded(t *testing.T) (*Engine, <-chan error) {
	t.Helper()
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Knobs.Load = load.Setting{Mode: load.Open, Rate: 1000, Arrival: load.Constant, MaxInFlight: 50}
	cfg.Knobs.Shape.Output = shape.Fixed(200)
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "an overload", func(s *snapshot.Snapshot) bool { return s.Backlog > 20 })
	eng.mu.Lock()
	defer eng.mu.Unlock()
	pilot, err := snapshot.NewPilot(snapshot.AutopilotRun{Kind: snapshot.Ladder, Levels: load.Levels{Values: []float64{5, 10}}}, eng.knobs)
	if err != nil {
		t.Fatal(err)
	}
	eng.autopilot.take(&snapshot.AutopilotRun{Kind: snapshot.Ladder}, pilot, &eng.knobs, eng.generator.State())
	pilot.Next(stage.Status{})
	eng.autopilot.drainedTo, eng.autopilot.before = 5, eng.generator.State().Dropped
	eng.endMeasuring(eng.fold())
	eng.command()
	return eng, ended
}

func stopped(t *testing.T, eng *Engine, ended <-chan error) {
	t.Helper()
	eng.Stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

func TestAnOverloadEndsBeforeTheNextLevel(t *testing.T) {
	t.Parallel()
	eng, ended := overloaded(t)
	k := eng.Snapshot().Knobs
	k.Window = stats.Last10s // no matter of the load's, so the autopilot goes on
	if err := eng.Apply(k); err != nil {
		t.Fatal(err)
	}
	started := eng.generator.State().Started
	await(t, eng, "the next stage", func(s *snapshot.Snapshot) bool { return s.Knobs.Load.Rate == 5 && len(s.Stages) > 1 })
	eng.mu.Lock()
	row := eng.points.rows[len(eng.points.rows)-1]
	eng.mu.Unlock()
	if now := eng.generator.State(); now.Started > started+2 || now.Paused {
		t.Errorf("%d requests were started while the overload was to end; paused: %v", now.Started-started, now.Paused)
	}
	if s := eng.Snapshot(); s.InFlight.Total > 2 || row.Knobs.Load.Rate != 5 {
		t.Errorf("the stage of %g/s opened with %d in flight", row.Knobs.Load.Rate, s.InFlight.Total)
	}
	stopped(t, eng, ended)
	if dropped := run.NewReport(eng.Snapshot(), "test").Client.Dropped; dropped > 0 {
		t.Errorf("%d arrivals are said to have been dropped for want of slots; the autopilot dropped them", dropped)
	}
}

func TestAHandThatCutsAnOverloadShortOpensOneStage(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]func(*snapshot.Knobs){
		"another load": func(k *snapshot.Knobs) { k.Load.Rate = 7 },
		"another SLO":  func(k *snapshot.Knobs) { k.Target = 0.5 },
	} {
		t.Run(name, func(t *testing.T) {
			eng, ended := overloaded(t)
			before := len(eng.Snapshot().Stages)
			k := eng.Snapshot().Knobs
			turn(&k)
			if err := eng.Apply(k); err != nil {
				t.Fatal(err)
			}
			eng.mu.Lock()
			rows := len(eng.points.rows)
			for i := 1; i < rows; i++ {
				if r := eng.points.rows[i-1]; r.Closed < r.Opened || r.Closed > eng.points.rows[i].Opened {
					t.Errorf("stage %d goes from %v to %v, the next begins at %v", i, r.Opened, r.Closed, eng.points.rows[i].Opened)
				}
			}
			eng.mu.Unlock()
			if rows != before+1 {
				t.Errorf("%d stages after %d", rows, before)
			}
			if s := eng.generator.State(); s.Paused {
				t.Error("the load is still held back")
			}
			stopped(t, eng, ended)
		})
	}
}

func TestALevelThatDoesNotFitIsRefusedBeforeTheAutopilotStarts(t *testing.T) {
	streams, _ := wire.StreamsThatFit()
	if streams >= load.MaxConcurrency {
		t.Skipf("this machine holds %d streams", streams)
	}
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Autopilot = &snapshot.AutopilotRun{Kind: snapshot.Steps, Levels: load.Levels{Values: []float64{1, float64(streams + 1)}, Dwell: time.Second}}
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "don't fit") {
		t.Errorf("%v", err)
	}
}

func TestARunEndsWithAnAutopilotThatCanNotGoOn(t *testing.T) {
	t.Parallel()
	cfg := closedLoop(startSim(t).URL(), 1)
	cfg.Autopilot = &snapshot.AutopilotRun{Kind: snapshot.Steps, Levels: load.Levels{Values: []float64{1, 2}, Dwell: time.Hour}}
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "requests", func(s *snapshot.Snapshot) bool { return s.Counts.OK > 0 })
	eng.mu.Lock()
	k := eng.knobs
	k.Load.Concurrency = load.MaxConcurrency + 1
	if err := eng.moveTo(k, eng.fold()); err == nil {
		t.Error("a level beyond all limits was loaded")
	} else {
		eng.giveUpAutopilot(err, false, eng.fold())
	}
	eng.mu.Unlock()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s := run.NewReport(eng.Snapshot(), "test").Sweep; s == nil || s.Done || !strings.Contains(s.Sentence, "out of range") {
		t.Errorf("%+v", s)
	}
}
