// This file says in sentences what a reader of the figures should know of the endpoint and of the run.

package engine

import (
	"fmt"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// notes are never nil: a list is a list.
func (e *Engine) notes() []string {
	notes := e.endpoints.notes()
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if e.stood > 0 {
		add("tokdyno was suspended or starved for %.0f s; what ran then is in no figure", e.stood.Seconds())
	}
	e.fileNotes(add)
	if share, ok := unaskedHits(e.collector.Tokens(), e.knobs); ok {
		add("%.0f %% of the prompt tokens came from the server's prefix cache, though none were to be in common: the cache is being measured", 100*share)
	}
	if n := e.finished.retriedSoFar(); n > 0 {
		add("%d requests were sent again after a failure; their latencies are from the first attempt", n)
	}
	if flaws := e.finished.malformedSoFar(); flaws != "" {
		add("%s", flaws)
	}
	if r := e.telemetry.devices; r != nil && r.Err != nil {
		add("GPU: %v", r.Err)
	}
	if r := e.telemetry.server; r != nil && !r.Known() && r.Err != nil {
		add("%v", r.Err)
	}
	return notes
}

// fileNotes say what of the load's files was used, and what was not.
func (e *Engine) fileNotes(add func(string, ...any)) {
	if set, ok := e.knobs.Shape.Data.(*dataset.Set); ok && e.knobs.Load.Mode != load.Replay {
		text := fmt.Sprintf("%s: %d prompts (%s)", set.Name(), set.Len(), set.Format())
		if skipped := set.Skipped(); skipped.Count > 0 {
			text += "; " + skipped.String()
		}
		add("%s", text)
	}
	t, ok := e.knobs.Load.Timetable.(timetable)
	if !ok || e.knobs.Load.Mode != load.Replay {
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
func unaskedHits(t stats.Tokens, k Knobs) (share float64, ok bool) {
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
func lateness(s *stats.Summary, k Knobs) string {
	limit := k.SLO[slo.TTFT]
	if limit == 0 || s.TTFTFromSchedule.N == 0 || s.TTFTFromSchedule.P95 <= limit || s.TTFT.P95 > limit {
		return ""
	}
	return fmt.Sprintf("the SLO is judged from when requests were sent; from when they were due, TTFT p95 is %.3g ms: arrivals waited for --max-in-flight",
		float64(s.TTFTFromSchedule.P95)/1e6)
}
