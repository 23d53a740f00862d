// This file is what a snapshot says of waiting: for the load to begin, and of requests to be sent again.

package snapshot

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
)

// Waits says which requests wait to be sent again, for how long, after what, and whether they will in this run, a sentence for
// each kind of refusal: "2 wait 58 s: 429, Retry-After 60 s".
func (s *Snapshot) Waits() []string {
	var all []string
	for i := range s.Again.Waiting {
		w := &s.Again.Waiting[i]
		verb := "wait"
		if w.N == 1 {
			verb = "waits"
		}
		left := max(time.Duration(w.Until-s.At), 0)
		if w.Starting {
			all = append(all, fmt.Sprintf("not ready, asked again in %s: %s", wholeSeconds(left), w.Example))
			continue
		}
		text := fmt.Sprintf("%d %s %s: %s", w.N, verb, wholeSeconds(left), Refused(w.Refusal))
		if w.Asked > 0 {
			text += fmt.Sprintf(", Retry-After %g s", w.Asked.Seconds())
		}
		if end, ends := s.remaining(); ends && left > end {
			text += fmt.Sprintf("; the run ends before that, in %s", wholeSeconds(end))
		}
		all = append(all, text)
	}
	return all
}

// Preparing says what goes on before the load begins: "waiting for workers, 1 of 4 are ready".
func (s *Snapshot) Preparing() string {
	starting := func(w endpoint.Waiting) bool { return w.Starting }
	switch w := s.Workers; {
	case w != nil && w.Ready < w.Wanted:
		return fmt.Sprintf("waiting for workers, %d of %d are ready", w.Ready, w.Wanted)
	case slices.ContainsFunc(s.Again.Waiting, starting):
		return "waiting for the server"
	}
	return "finding out what the endpoint takes"
}

// Refused names a refusal: by its status, or else in words.
func Refused(r endpoint.Refusal) string {
	if r.Status != 0 {
		return fmt.Sprint(r.Status)
	}
	return strings.ReplaceAll(string(r.Kind), "_", " ")
}

// remaining is how long the run goes on; false where its length is not limited, or the load has not begun.
func (s *Snapshot) remaining() (time.Duration, bool) {
	if s.Budget.Duration == 0 || s.State == Probing {
		return 0, false
	}
	return max(s.Budget.Duration-s.Elapsed, 0), true
}

func wholeSeconds(d time.Duration) string { return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds())) }
