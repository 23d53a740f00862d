// This file says in sentences what a reader of the figures should know of the endpoint and of the run.

package run

import (
	"fmt"
	"slices"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// notes are never nil: a list is a list.
func notes(s *snapshot.Snapshot) []string {
	notes := endpointNotes(s)
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if s.Stood > 0 {
		add("tokdyno was suspended or starved for %.0f s; what ran then is in no figure", s.Stood.Seconds())
	}
	fileNotes(&s.Knobs, add)
	if share, ok := unaskedHits(s.Tokens, &s.Knobs); ok {
		add("%.0f %% of the prompt tokens came from the server's prefix cache, though none were to be in common: "+
			"the cache is being measured", 100*share)
	}
	if s.Retried > 0 {
		add("%d requests were sent again after a failure; their latencies are from the first attempt", s.Retried)
	}
	if s.Malformed != "" {
		add("%s", s.Malformed)
	}
	if s.Replay != nil && s.Replay.Note != "" {
		add("%s", s.Replay.Note)
	}
	if s.Kept.Problem != "" {
		add("%s", s.Kept.Problem)
	}
	if r := s.GPU; r != nil && r.Err != nil {
		add("GPU: %v", r.Err)
	}
	if r := s.Server; r != nil && !r.Known() && r.Err != nil {
		add("%v", r.Err)
	}
	return notes
}

// endpointNotes are what a reader should know of each endpoint, with its URL in front where there are several.
func endpointNotes(s *snapshot.Snapshot) []string {
	notes := []string{}
	if len(s.Endpoints) == 0 {
		return append(append(notes, s.Endpoint.Dropped...), s.Endpoint.Warnings...)
	}
	for i := range s.Endpoints {
		p := &s.Endpoints[i].Profile
		for _, n := range slices.Concat(p.Dropped, p.Warnings) {
			notes = append(notes, p.URL+": "+n)
		}
	}
	return notes
}

// recording is what a replay's trace says of itself.
type recording interface {
	Name() string
	Len() int
	Duration() time.Duration
	Format() trace.Format
	Unanswered() int
	Skipped() trace.Skipped
}

// fileNotes say what of the load's files was used, and what was not.
func fileNotes(k *snapshot.Knobs, add func(string, ...any)) {
	if set, ok := k.Shape.Data.(*dataset.Set); ok && k.Load.Mode != load.Replay {
		text := fmt.Sprintf("%s: %d prompts (%s)", set.Name(), set.Len(), set.Format())
		if skipped := set.Skipped(); skipped.Count > 0 {
			text += "; " + skipped.String()
		}
		add("%s", text)
	}
	t, ok := k.Load.Timetable.(recording)
	if !ok || k.Load.Mode != load.Replay {
		return
	}
	text := fmt.Sprintf("%s: %d requests in %.0f s (%s)", t.Name(), t.Len(), t.Duration().Seconds(), t.Format())
	if n := t.Unanswered(); n > 0 {
		text += fmt.Sprintf("; %d without an answer left out", n)
	}
	if skipped := t.Skipped(); skipped.Count > 0 {
		text += "; " + skipped.String()
	}
	add("%s", text)
}

// surprise is the share of prompt tokens from a prefix cache from which on it is worth a word.
const surprise = 0.01

// unaskedHits is the share of prompt tokens that came from a prefix cache where no prompts were to have anything in
// common; false where it is small, or was asked for.
func unaskedHits(t stats.Tokens, k *snapshot.Knobs) (share float64, ok bool) {
	if k.Load.Mode == load.Replay || k.Shape.Data == nil && (k.Shape.PrefixOverlap > 0 || k.Shape.Converses()) {
		return 0, false
	}
	cached, known := t.Cached.Get()
	input, also := t.Input.Get()
	if !known || !also || input == 0 {
		return 0, false
	}
	share = float64(cached) / float64(input)
	return share, share >= surprise
}

// lateness says where an open loop's TTFT limit holds only because the wait inside tokdyno does not count; "" if it
// does not.
func lateness(s *stats.Summary, k *snapshot.Knobs) string {
	limit := k.SLO[slo.TTFT]
	if limit == 0 || s.TTFTFromSchedule.N == 0 || s.TTFTFromSchedule.P95 <= limit || s.TTFT.P95 > limit {
		return ""
	}
	return fmt.Sprintf("the SLO is judged from when requests were sent; from when they were due, TTFT p95 is %.3g ms: "+
		"arrivals waited for --max-in-flight", float64(s.TTFTFromSchedule.P95)/1e6)
}
