// This file tests a console that takes over the run of one that has died.

package remote

import (
	"testing"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/snapshot"
)

func TestAConsoleTakesOverTheRunOfOneThatDied(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]load.Setting{
		"closed": {Mode: load.Closed, Concurrency: 8},
		"open":   {Mode: load.Open, Rate: 60, Arrival: load.Poisson},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.times = Times{Orders: quick, Hello: 2 * quick, Lost: 10 * quick, Alone: 60 * quick}
			r.worker(WorkerConfig{Name: "a"})
			r.worker(WorkerConfig{Name: "b"})
			first := r.begin(2, func(c *engine.Config) { c.Knobs.Load = setting })
			first.await("answers", answered(40))
			r.consoles[0].Close() // it is not heard any more
			conn, err := r.link.Connect("another", false)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(conn.Close)
			found, err := Find(t.Context(), conn, r.times)
			if err != nil {
				t.Fatal(err)
			}
			second := r.begin(0, func(c *engine.Config) {
				if err := found.Into(c); err != nil {
					t.Fatal(err)
				}
				c.Generator = func(m engine.Making) (engine.Generator, error) {
					return NewFleet(FleetConfig{Conn: conn, Safe: true, Take: found, Times: r.times}, m)
				}
			})
			s := second.await("both at work", func(s *snapshot.Snapshot) bool {
				return s.Counts.OK > 60 && named(s, "a").Started > 10 && named(s, "b").Started > 10
			})
			if s.Knobs.Load.Mode != setting.Mode || s.Knobs.Load.Level() != setting.Level() || s.Seed != 1 {
				t.Errorf("the run that was taken over has the knobs %+v and the seed %d", s.Knobs.Load, s.Seed)
			}
			if lost := named(s, "a").Lost + named(s, "b").Lost; lost > 0 {
				t.Errorf("%d requests were given up", lost)
			}
			second.finish()
			first.Stop()
			<-first.ended
			first.mu.Lock()
			defer first.mu.Unlock()
			twice := 0
			for id := range first.seen {
				if second.seen[id] > 0 {
					twice++
				}
			}
			if twice > 0 {
				t.Errorf("%d numbers came twice", twice)
			}
		})
	}
}
