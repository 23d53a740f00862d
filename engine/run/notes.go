// This file says in sentences what a reader of the figures should know of the endpoint and of the run.

package run

import (
	"fmt"
	"slices"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/dataset"
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
	workerNotes(s, add)
	fileNotes(&s.Knobs, add)
	if share, ok := unaskedHits(s); ok {
		add("%.0f %% of the prompt tokens came from the server's prefix cache, though none were to be in common: "+
			"the cache is being measured", 100*share)
	}
	if s.Retried > 0 {
		add("%d requests were sent again after a failure; their latencies are from the first attempt", s.Retried)
	}
	if s.Unspoken > 0 {
		add("%d answers amid conversations had no text, but reasoning or a tool call alone; the next turn was sent in one message "+
			"with the one before", s.Unspoken)
	}
	if s.Shed > 0 {
		add("%d arrivals were left out while nothing succeeded", s.Shed)
	}
	for _, r := range s.Again.Refused {
		if r.Starting {
			continue // how long the server was waited for is said among the endpoint's warnings
		}
		add("refused with %s, to be sent again: %d × %s", snapshot.Refused(r.Refusal), r.Count, r.Example)
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

// fileNotes say what of the load's files was used, and what was not.
func fileNotes(k *snapshot.Knobs, add func(string, ...any)) {
	if set, ok := k.Shape.Data.(*dataset.Set); ok && k.Load.Mode != load.Replay {
		text := fmt.Sprintf("%s: %d prompts (%s)", set.Name(), set.Len(), set.Format())
		if skipped := set.Skipped(); skipped.Count > 0 {
			text += "; " + skipped.String()
		}
		add("%s", text)
	}
	if t, ok := k.Load.Timetable.(interface{ Account() string }); ok && k.Load.Mode == load.Replay {
		add("%s", t.Account())
	}
}

// surprise is the share of prompt tokens from a prefix cache from which on it is worth a word.
const surprise = 0.01

// unaskedHits is the share of prompt tokens that came from a prefix cache where no prompts were to have anything in
// common; false where it is small, was asked for, or is no more than what a chat template puts before every prompt.
func unaskedHits(s *snapshot.Snapshot) (share float64, ok bool) {
	k := &s.Knobs
	if k.Load.Mode == load.Replay || k.Shape.Data == nil && (k.Shape.PrefixOverlap > 0 || k.Shape.Converses()) {
		return 0, false
	}
	cached, known := s.Tokens.Cached.Get()
	input, also := s.Tokens.Input.Get()
	if !known || !also || input == 0 || float64(cached) <= s.Prompts.Common()*float64(s.Counts.OK) {
		return 0, false
	}
	share = float64(cached) / float64(input)
	return share, share >= surprise
}

// unlikeAnswers says that stages of one shape got answers of other lengths; "" if they did not.
func unlikeAnswers(stages []snapshot.StageRow) string {
	for i := range stages {
		for k := range i {
			a, b := &stages[k], &stages[i]
			if a.Knobs.Shape == b.Knobs.Shape && a.Answers.Differ(b.Answers) {
				return fmt.Sprintf("answers had %.1f tokens on average in stage %d and %.1f in stage %d: TPOT and throughput don't "+
					"compare from stage to stage", a.Answers.Achieved, a.Number, b.Answers.Achieved, b.Number)
			}
		}
	}
	return ""
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
