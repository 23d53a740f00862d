// This file is what a snapshot says of workers.

package remote

import (
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// Show implements engine.Generator.
func (f *Fleet) Show(s *snapshot.Snapshot, now record.Instant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wall, total := f.cfg.Now(), 0.0
	list, among, best := f.sorted()
	for _, c := range among {
		total += c.weight
	}
	s.Workers = &snapshot.Workers{Missing: f.missing}
	if !f.begun {
		s.Workers.Wanted = max(f.cfg.Want, 1)
	}
	for _, m := range f.joined {
		if m.able(wall) {
			s.Workers.Ready++
		}
		part := 0.0
		if i := slices.Index(list, m); i >= 0 {
			part = among[i].weight / total
		}
		s.Workers.List = append(s.Workers.List, m.shown(wall, now, f.run, part, best))
		if m.client != nil {
			showClient(s, m, !m.gone && !m.silent(wall))
		}
	}
}

// showClient takes a member into what a snapshot says of the load generator: it is as good as its worst worker. One that is not
// heard any more is in the run's figures, and in none of the present.
func showClient(s *snapshot.Snapshot, m *member, heard bool) {
	c := m.client
	if recent := c.Recent; heard && worse(&recent, &s.Health) {
		if recent.Reason != "" {
			recent.Reason = m.hello.Name + ": " + recent.Reason
		}
		s.Health = recent
	}
	stamps, reconnects, closed := s.Client.Stamps, s.Client.Reconnects, s.Client.Closed
	if run := c.Run.Health; worse(&run, &s.Client.Health) {
		if run.Reason != "" {
			run.Reason = m.hello.Name + ": " + run.Reason
		}
		s.Client.Health = run
	}
	if s.Client.Stamps = c.Run.Stamps; stamps != "" && stamps != c.Run.Stamps {
		s.Client.Stamps = stamps
	}
	s.Client.Reconnects, s.Client.Closed = reconnects+c.Run.Reconnects, closed+c.Run.Closed
	s.Again.Add(c.Again)
	s.Prompts.Add(&c.Prompts)
	s.Answers.Add(&c.Answers)
	for i := range s.Stages {
		if row := &s.Stages[i]; row.Number == c.Stage {
			row.Prompts, row.Answers = s.Prompts, s.Answers
		}
	}
}

// worse reports whether one is to be trusted less than another.
func worse(a, b *snapshot.Health) bool {
	if a.Verdict != b.Verdict {
		return a.Verdict.Rank() > b.Verdict.Rank()
	}
	return a.Late() >= b.Late()
}
