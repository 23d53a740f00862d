// This file tests what a replay plays, and when.

package load

import (
	"cmp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

// replay is a setting in short.
func replay(tt Timetable, speed float64) Setting {
	return Setting{Mode: Replay, Timetable: tt, Speed: speed}
}

// played is an arrival as a Runner got it.
type played struct {
	Seconds float64 // scheduled
	Work    any
}

// expectPlayed checks what has been played, in order, and that it was taken up as scheduled.
func (r *rig) expectPlayed(want ...played) {
	r.t.Helper()
	var got []played
	ended := r.ended()
	slices.SortFunc(ended, func(a, b served) int { return cmp.Compare(a.seq, b.seq) })
	for _, s := range ended {
		got = append(got, played{s.scheduled.Seconds(), s.work})
		if s.taken != s.scheduled {
			r.t.Errorf("request %d was taken up %v late", s.seq, s.taken-s.scheduled)
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		r.t.Errorf("played (-want +got):\n%s", diff)
	}
}

func TestReplayPlaysTheRecordingAndEndsWithIt(t *testing.T) {
	for speed, factor := range map[float64]float64{0: 1, 1: 1, 2: 2, 0.5: 0.5} {
		synctest.Test(t, func(t *testing.T) {
			tt := seconds(0, 1, 1, 2.5)
			r := start(t, replay(tt, speed), Budget{}, 10*ms)
			if err := r.finish(); err != nil {
				t.Errorf("Run returned %v", err)
			}
			r.expect(State{Started: 4, Exhausted: true})
			var want []played
			for i, at := range tt.at {
				want = append(want, played{at.Seconds() / factor, i + 1})
			}
			r.expectPlayed(want...)
			if last := time.Duration(2.5e9/factor) + 10*ms; r.clock().Elapsed() != last {
				t.Errorf("Run returned after %v, want %v", r.clock().Elapsed(), last)
			}
			if tt.opened != 1 || tt.closed != 1 {
				t.Errorf("opened %d times, closed %d times", tt.opened, tt.closed)
			}
		})
	}
}

func TestChangedSpeedScalesWhatIsLeftOfTheGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 10, 20)
		r := start(t, replay(tt, 1), Budget{}, ms)
		r.wait(4 * time.Second)
		r.pool.Set(replay(tt, 3)) // six recorded seconds are left: two
		r.wait(5 * time.Second)   // nine: recorded 19
		r.pool.Set(replay(tt, 0.1))
		_ = r.finish()
		r.expectPlayed(played{0, 1}, played{6, 2}, played{19, 3})
	})
}

func TestSpeedCanRamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 4, 16, 21)
		r := start(t, replay(tt, 1), Budget{}, ms)
		r.wait(4 * time.Second)
		s := replay(tt, 5) // 1 → 5 in 4 s: 12 recorded seconds
		s.Ramp = Ramp{Linear, 4 * time.Second}
		r.pool.Set(s)
		r.wait(3 * time.Second)
		r.expectLevel(4, true)
		_ = r.finish()
		r.expectPlayed(played{0, 1}, played{4, 2}, played{8, 3}, played{9, 4})
	})
}

func TestRecordedTimeStandsStillInAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 10, 12)
		r := start(t, replay(tt, 2), Budget{}, ms)
		r.wait(3 * time.Second)
		r.pool.Pause(true)
		r.wait(100 * time.Second)
		r.pool.Set(replay(tt, 1)) // a speed for later
		r.wait(100 * time.Second)
		r.expect(State{Started: 1, Paused: true})
		r.pool.Pause(false) // at 203 s, with 6 recorded seconds played
		_ = r.finish()
		r.expectPlayed(played{0, 1}, played{207, 2}, played{209, 3})
	})
}

func TestReplayThatBeginsPausedBeginsWithThePausesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, clock: record.NewClock(), service: ms, result: make(chan error, 1), cancel: func(error) {}}
		r.pool = bubblePool(r.clock, 1, replay(seconds(0, 1), 1), Budget{}, r.serve)
		r.pool.Pause(true)
		go func() { r.result <- r.pool.Run(t.Context()) }()
		r.wait(5 * time.Second)
		r.pool.Pause(false)
		_ = r.finish()
		r.expectPlayed(played{5, 1}, played{6, 2})
	})
}

func TestLoopBeginsAgainOneMeanGapAfterTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 1, 4) // mean gap 2
		s := replay(tt, 1)
		s.Loop = true
		r := start(t, s, Budget{Requests: 8}, ms)
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v", err)
		}
		r.expectPlayed(played{0, 1}, played{1, 2}, played{4, 3}, played{6, 1}, played{7, 2}, played{10, 3},
			played{12, 1}, played{13, 2})
		r.expect(State{Started: 8})
		if tt.opened != tt.closed || tt.opened < 3 {
			t.Errorf("opened %d times, closed %d times", tt.opened, tt.closed)
		}
	})
}

func TestLoopCanBeTurnedOnAndOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := seconds(0, 2) // mean gap 2
		once := replay(tt, 1)
		looped := once
		looped.Loop = true
		r := start(t, once, Budget{}, ms)
		r.wait(time.Second) // by now it has been read to its end
		r.pool.Set(looped)
		r.wait(4 * time.Second)
		r.pool.Set(once) // in the second pass, with more passes read ahead
		if err := r.finish(); err != nil {
			t.Errorf("Run returned %v", err)
		}
		r.expectPlayed(played{0, 1}, played{2, 2}, played{4, 1}, played{6, 2})
		r.expect(State{Started: 4, Exhausted: true})
	})
}

func TestLoopOfARecordingWithoutGapsDoesNotRunAway(t *testing.T) {
	for name, c := range map[string]struct {
		tape *tape
		want time.Duration // of the third pass's beginning
	}{
		"one arrival":  {seconds(0), 2 * loneGap},
		"one instant":  {seconds(3, 3, 3), 2*loneGap + 3*time.Second},
		"an eye blink": {seconds(0, 1e-9), 2 * shortestLoop},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := replay(c.tape, 1)
				s.Loop = true
				r := start(t, s, Budget{Requests: 2*len(c.tape.at) + 1}, ms)
				_ = r.finish()
				ended := r.ended()
				if got := ended[len(ended)-1].scheduled; got != c.want {
					t.Errorf("the third pass began at %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestArrivalsOfAReplayWaitForASlotAndAreServedAfterItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay(seconds(0, 1, 2, 3), 1)
		s.MaxInFlight = 1
		r := start(t, s, Budget{}, 2*time.Second)
		r.wait(3 * time.Second)
		r.expect(State{InFlight: 1, Backlog: 2, Started: 2, Exhausted: true})
		r.pool.Set(closed(5)) // too late
		r.expect(State{InFlight: 1, Backlog: 2, Started: 2, Exhausted: true})
		s.MaxInFlight = 2 // not too late
		r.pool.Set(s)
		r.expect(State{InFlight: 2, Backlog: 1, Started: 3, Exhausted: true})
		if err := r.finish(); err != nil || r.clock().Elapsed() != 6*time.Second {
			t.Errorf("Run returned %v after %v", err, r.clock().Elapsed())
		}
		for i, got := range r.ended() {
			if got.work != i+1 || got.scheduled != time.Duration(i)*time.Second {
				t.Errorf("place %d: %+v", i+1, got)
			}
		}
	})
}

func TestPauseBehindTheEndKeepsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay(seconds(0, 1, 2), 1)
		s.MaxInFlight = 1
		r := start(t, s, Budget{}, 3*time.Second)
		r.wait(2500 * ms)
		r.pool.Pause(true)
		r.wait(time.Hour)
		r.expect(State{Backlog: 2, Started: 1, Paused: true, Exhausted: true})
		r.pool.Pause(false)
		_ = r.finish()
		r.expect(State{Started: 3, Exhausted: true})
	})
}

func TestChangesOfModeAndRecordingDropWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := seconds(0, 1, 2, 3, 50), seconds(0, 1, 100)
		s := open(1, 1)
		r := start(t, s, Budget{}, 10*time.Hour)
		r.wait(2500 * ms) // arrivals at 1 and 2
		r.expect(State{InFlight: 1, Backlog: 1, Started: 1})
		s = replay(first, 1)
		s.MaxInFlight = 1
		r.pool.Set(s)
		r.expect(State{InFlight: 1, Backlog: 1, Started: 1, Dropped: 1}) // the first of the recording waits
		r.wait(2 * time.Second)
		r.expect(State{InFlight: 1, Backlog: 3, Started: 1, Dropped: 1})
		s.Timetable = second
		r.pool.Set(s)
		r.expect(State{InFlight: 1, Backlog: 1, Started: 1, Dropped: 4})
		r.pool.Set(closed(2))
		r.expect(State{InFlight: 2, Started: 2, Dropped: 5})
		if first.closed != 1 || second.closed != 1 {
			t.Errorf("the recordings were closed %d and %d times", first.closed, second.closed)
		}
		s.MaxInFlight = 0
		r.pool.Set(s) // from the beginning
		r.wait(1500 * ms)
		r.expect(State{InFlight: 4, Started: 4, Dropped: 5})
		r.pool.Drain()
		r.cancel(nil)
		_ = r.finish()
		if second.opened != 2 || second.closed != 2 {
			t.Errorf("the second was opened %d times, closed %d times", second.opened, second.closed)
		}
	})
}

func TestBudgetsEndAReplay(t *testing.T) {
	for name, b := range map[string]Budget{"requests": {Requests: 3}, "time": {Duration: 2500 * ms}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt := seconds(0, 1, 2, 3, 4)
				r := start(t, replay(tt, 1), b, 100*ms)
				if err := r.finish(); err != nil {
					t.Errorf("Run returned %v", err)
				}
				r.expect(State{Started: 3})
				if tt.closed != 1 {
					t.Errorf("closed %d times", tt.closed)
				}
			})
		})
	}
}

// Whatever is done to the speed, an arrival comes when the speeds until then have played the recording to it.
func TestReplayFollowsAnySpeeds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		gaps := rapid.SliceOfN(rapid.IntRange(0, 5000), 1, 20).Draw(rt, "gaps")
		speeds := rapid.SliceOfN(rapid.Float64Range(0.1, 10), 1, 4).Draw(rt, "speeds")
		ramp := rapid.SampledFrom([]Ramp{{}, {Linear, 3 * time.Second}, {Exponential, time.Second}}).Draw(rt, "ramp")
		tt := &tape{at: []time.Duration{0}}
		for _, gap := range gaps {
			tt.at = append(tt.at, tt.at[len(tt.at)-1]+time.Duration(gap)*ms)
		}
		synctest.Test(t, func(t *testing.T) {
			r := start(t, replay(tt, 1), Budget{}, 0)
			synctest.Wait()
			position, at := 0.0, time.Duration(0) // by steps of a millisecond
			positions := []float64{0}
			for _, speed := range speeds {
				s := replay(tt, speed)
				s.Ramp = ramp
				r.pool.Set(s)
				synctest.Wait()
				for range 500 {
					from, _ := r.pool.Level()
					r.wait(ms)
					to, _ := r.pool.Level()
					position += (from + to) / 2 * float64(ms)
					at += ms
					positions = append(positions, position)
				}
			}
			r.cancel(nil)
			_ = r.finish()
			for _, s := range r.ended() {
				i := int(s.scheduled / ms)
				lo, hi := positions[i], positions[min(i+1, len(positions)-1)]
				due := float64(tt.at[s.work.(int)-1])
				if due < lo-1e5 || due > hi+1e5 { // 0.1 ms of the recording, for the steps
					t.Errorf("recorded %v came at %v, where the recording was from %v to %v", time.Duration(due),
						s.scheduled, time.Duration(lo), time.Duration(hi))
				}
			}
			if played := positions[len(positions)-1]; len(r.ended()) < len(tt.at) && played > float64(tt.at[len(r.ended())])+1e5 {
				t.Errorf("%d arrivals came of %v that was played", len(r.ended()), time.Duration(played))
			}
		})
	})
}
