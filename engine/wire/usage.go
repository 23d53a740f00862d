// What a chunk says of tokens: usage, and llama.cpp's timings.

package wire

import "tokdyno/engine/jsonscan"

// usage holds token counts. Absent counts are -1.
type usage struct {
	present                               bool // an object was there
	negative                              bool // with a total below -1; both that and -1, "unknown", count as absent
	prompt, completion, reasoning, cached int64
}

// told reports whether the usage says anything: some servers put one with nothing but zeros into every frame.
func (u *usage) told() bool { return u.present && (u.prompt > 0 || u.completion > 0) }

// timings are llama.cpp's own figures. Absent counts are -1.
type timings struct{ predicted, prompt, cached int64 }

func noUsage() usage { return usage{prompt: -1, completion: -1, reasoning: -1, cached: -1} }

func noTimings() timings { return timings{predicted: -1, prompt: -1, cached: -1} }

// usage reads the usage object at the cursor. Reasoning and cached tokens stand in its details, or (SGLang, DeepSeek)
// beside the totals.
func (s *scanner) usage() usage {
	u := noUsage()
	if !s.Object() {
		return u
	}
	u.present = true
	besideReasoning, besideCached := int64(-1), int64(-1)
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case "prompt_tokens":
			s.pattern.prompts++
			u.prompt = s.total(holePrompt, &u)
		case "completion_tokens":
			s.pattern.completers++
			u.completion = s.total(holeCompletion, &u)
		case "total_tokens":
			s.tally(holeIgnored)
		case "completion_tokens_details":
			u.reasoning = s.detail("reasoning_tokens")
		case "prompt_tokens_details":
			u.cached = s.detail("cached_tokens")
		case "reasoning_tokens":
			besideReasoning = s.countOr(-1)
		case "prompt_cache_hit_tokens":
			besideCached = s.countOr(-1)
		default:
			s.Skip()
		}
	}
	if u.reasoning < 0 {
		u.reasoning = besideReasoning
	}
	if u.cached < 0 {
		u.cached = besideCached
	}
	return u
}

// total is tally for a total of a usage, which notes one that cannot be true.
func (s *scanner) total(kind holeKind, u *usage) int64 {
	raw, n := s.tally(kind)
	if n < 0 && len(raw) > 0 && raw[0] == '-' && string(raw) != "-1" {
		u.negative = true
	}
	return n
}

// tally returns the value at the cursor, and the count that it is; -1 if it is none.
func (s *scanner) tally(kind holeKind) (raw []byte, n int64) {
	raw = s.Value()
	if n, length := jsonscan.Digits(raw); length > 0 && length == len(raw) {
		s.pattern.mark(kind, s.At()-length, s.At())
		return raw, n
	}
	if n, ok := jsonscan.Whole(raw); ok && n >= 0 {
		return raw, n
	}
	return raw, -1
}

func (s *scanner) countOr(alt int64) int64 {
	if n, ok := s.Count(); ok {
		return n
	}
	return alt
}

// detail returns one count of the object at the cursor, -1 if it is absent.
func (s *scanner) detail(wanted string) int64 {
	n := int64(-1)
	if !s.Object() {
		return n
	}
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		if string(name) == wanted {
			n = s.countOr(-1)
		} else {
			s.Skip()
		}
	}
	return n
}

func (s *scanner) timings() timings {
	t := noTimings()
	if !s.Object() {
		return t
	}
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case "predicted_n":
			t.predicted = s.countOr(-1)
		case "prompt_n":
			t.prompt = s.countOr(-1)
		case "cache_n":
			t.cached = s.countOr(-1)
		default:
			s.Skip()
		}
	}
	return t
}
