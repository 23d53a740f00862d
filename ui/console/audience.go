// This file tells the person who else looks at the run.

package console

import (
	"cmp"
	"slices"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/theme"
)

// audience is who else looks at the run. What it tells is this console's own: it is kept with no run.
type audience struct {
	watching func() []string // nil: nobody can
	shared   string          // where, in a sentence; "" once it was said
	present  []string        // at the last look
	told     []snapshot.Event

	of, with *snapshot.Snapshot // the last snapshot that this was added to, and what came of it
}

// attended looks who has come and gone, and returns the snapshot with all that was told of that among its events.
func (c *control) attended(s *snapshot.Snapshot) *snapshot.Snapshot {
	a := &c.audience
	if a.watching == nil {
		return s
	}
	before, now := len(a.told), a.watching()
	if a.shared != "" {
		c.tell(s, a.shared)
		a.shared = ""
	}
	for _, name := range now {
		if !slices.Contains(a.present, name) {
			c.tell(s, name+" is watching")
		}
	}
	for _, name := range a.present {
		if !slices.Contains(now, name) {
			c.tell(s, name+" no longer watches")
		}
	}
	a.present = now
	if a.of != s || len(a.told) > before {
		with := *s
		with.Events = slices.Concat(s.Events, a.told)
		slices.SortStableFunc(with.Events, func(a, b snapshot.Event) int { return cmp.Compare(a.At, b.At) })
		a.of, a.with = s, &with
	}
	return a.with
}

// tell puts a sentence into the log and shows it for a while.
func (c *control) tell(s *snapshot.Snapshot, sentence string) {
	c.audience.told = append(c.audience.told, snapshot.Event{At: s.At, Topic: snapshot.OfRun, Text: sentence})
	c.say(theme.Accent, "%s", sentence)
}
