// This file tests the dispatcher turn by turn, at instants that fake time can't arrange: when it wakes late or early.

package load

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// bell is an alarm that rings when the test says so.
type bell struct {
	ring chan time.Time
	set  []record.Instant
}

func (b *bell) C() <-chan time.Time   { return b.ring }
func (b *bell) Set(at record.Instant) { b.set = append(b.set, at) }
func (b *bell) Stop()                 {}
func (b *bell) Close()                {}

// byHand returns a dispatcher of that setting whose turns the test takes, its alarm, and the jobs it will launch.
func byHand(s Setting, b Budget) (*dispatcher, *bell, *[]Job) {
	alarm, jobs := &bell{ring: make(chan time.Time, 1)}, new([]Job)
	d := newDispatcher(NewPool(nil, 1, s, b, nil))
	d.alarm = alarm
	d.jobs, d.cancel = context.Background(), func(error) {}
	d.launch = func(s *slot) { *jobs = append(*jobs, s.job) }
	return d, alarm, jobs
}

// at returns the instant that long after the run's start.
func at(d time.Duration) record.Instant { return record.Instant(1).Add(d) }

func TestLateDispatcherTakesUpEveryArrivalWithItsOwnSchedule(t *testing.T) {
	d, _, jobs := byHand(open(10, 0), Budget{})
	d.turn(t.Context(), at(0))
	d.turn(t.Context(), at(350*ms))
	d.turn(t.Context(), at(400*ms))
	want := []Job{
		{Seq: 1, Slot: 1, Scheduled: at(100 * ms), Taken: at(350 * ms)},
		{Seq: 2, Slot: 2, Scheduled: at(200 * ms), Taken: at(350 * ms)},
		{Seq: 3, Slot: 3, Scheduled: at(300 * ms), Taken: at(350 * ms)},
		{Seq: 4, Slot: 4, Scheduled: at(400 * ms), Taken: at(400 * ms)},
	}
	if diff := cmp.Diff(want, *jobs); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestArrivalsBeforeAnOrderCountEvenWhenTheDispatcherIsLate(t *testing.T) {
	for name, order := range map[string]func(*Pool){
		"another rate": func(p *Pool) { p.Set(open(1, 1)) },
		"pause":        func(p *Pool) { p.Pause(true) },
		"drain":        (*Pool).Drain,
		"closed loop":  func(p *Pool) { p.Set(closed(1)) },
	} {
		t.Run(name, func(t *testing.T) {
			d, _, _ := byHand(open(10, 1), Budget{})
			d.turn(t.Context(), at(0))
			d.turn(t.Context(), at(100*ms))
			order(d.pool)
			d.turn(t.Context(), at(350*ms))
			if s := d.pool.State(); s.Started+s.Backlog+s.Dropped != 3 {
				t.Errorf("of three arrivals the state has %+v", s)
			}
		})
	}
}

func TestAlarmIsSetOnceForAnArrivalAndAgainWhenItRangEarly(t *testing.T) {
	d, alarm, _ := byHand(open(10, 1), Budget{Duration: 150 * ms})
	d.deadline = at(150 * ms)
	d.turn(t.Context(), at(0))
	d.turn(t.Context(), at(40*ms)) // woken by something else: the alarm stands
	alarm.ring <- time.Time{}
	d.sleep(context.Background())
	d.turn(t.Context(), at(99*ms))
	d.turn(t.Context(), at(100*ms)) // now the deadline is next
	if diff := cmp.Diff([]record.Instant{at(100 * ms), at(100 * ms), at(150 * ms)}, alarm.set); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
