// What a chunk says of tokens: usage, under all the names that servers have for it, and llama.cpp's timings.

package wire

import (
	"bytes"

	"tokdyno/engine/jsonscan"
)

// usage holds token counts. Absent counts are -1.
type usage struct {
	present                               bool // an object was there
	negative                              bool // with a total below -1; both that and -1, "unknown", count as absent
	prompt, completion, reasoning, cached int64
	total                                 int64
	apart                                 int64  // tokens of the prompt that the prompt's count leaves out, by the names that it has
	names                                 string // under which the totals stand; "": as the OpenAI API has them
	below                                 []byte // the name of the member in which the usage stood; nil: where it belongs
}

// told reports whether the usage says anything: some servers put one with nothing but zeros into every frame.
func (u *usage) told() bool { return u.present && (u.prompt > 0 || u.completion > 0) }

// timings are llama.cpp's own figures. Absent counts are -1.
type timings struct{ predicted, prompt, cached int64 }

func noUsage() usage {
	return usage{prompt: -1, completion: -1, reasoning: -1, cached: -1, total: -1}
}

func noTimings() timings { return timings{predicted: -1, prompt: -1, cached: -1} }

// The names of the totals in other APIs, as gateways pass them on: those of Anthropic and OpenAI's Responses, and Gemini's.
const (
	namesInput  = "input_tokens and output_tokens"
	namesGemini = "promptTokenCount and candidatesTokenCount"
)

// others are counts under names that are looked at where the usual ones say nothing.
type others struct {
	prompt, completion int64
	names              string
	reasoning, cached  int64 // beside the totals
	read, written      int64 // of a cache, which Anthropic's input_tokens leave out
	inside             usage // in an object of the usage, such as Cohere's "tokens"
	billed             bool  // that object is of what is billed, which is not all
}

// usage reads the usage object at the cursor. Reasoning and cached tokens stand in its details, or (SGLang, DeepSeek)
// beside the totals.
func (s *scanner) usage() usage { return s.usageAt(true) }

// usageAt is usage; outermost: totals may stand in one of its members.
func (s *scanner) usageAt(outermost bool) usage {
	u := noUsage()
	if !s.Object() {
		return u
	}
	u.present = true
	o := others{prompt: -1, completion: -1, reasoning: -1, cached: -1, read: -1, written: -1}
	for name, ok := s.Key(); ok; name, ok = s.Key() {
		switch string(name) {
		case "prompt_tokens":
			s.pattern.prompts++
			u.prompt = s.total(holePrompt, &u)
		case "completion_tokens":
			s.pattern.completers++
			u.completion = s.total(holeCompletion, &u)
		case "total_tokens":
			s.pattern.totals++
			_, u.total = s.tally(holeTotal)
		case "completion_tokens_details", "output_tokens_details":
			u.reasoning = s.detail("reasoning_tokens")
		case "prompt_tokens_details", "input_tokens_details":
			u.cached = s.detail("cached_tokens")
		case "reasoning_tokens":
			o.reasoning = s.countOr(-1)
		case "prompt_cache_hit_tokens", "cached_tokens":
			o.cached = s.countOr(-1)
		default:
			s.otherCount(name, &u, &o, outermost)
		}
	}
	u.complete(&o)
	return u
}

// otherCount reads a member of a usage that only some servers have.
func (s *scanner) otherCount(name []byte, u *usage, o *others, outermost bool) {
	switch string(name) {
	case "input_tokens":
		s.pattern.prompts++
		o.names, o.prompt = namesInput, s.total(holePrompt, u)
	case "output_tokens":
		s.pattern.completers++
		o.names, o.completion = namesInput, s.total(holeCompletion, u)
	case "promptTokenCount":
		s.pattern.prompts++
		o.names, o.prompt = namesGemini, s.total(holePrompt, u)
	case "candidatesTokenCount":
		s.pattern.completers++
		o.names, o.completion = namesGemini, s.total(holeCompletion, u)
	case "totalTokenCount":
		s.pattern.totals++
		_, u.total = s.tally(holeTotal)
	case "thoughtsTokenCount":
		o.reasoning = s.countOr(-1)
	case "cachedContentTokenCount":
		o.cached = s.countOr(-1)
	case "cache_read_input_tokens":
		o.read = s.countOr(-1)
	case "cache_creation_input_tokens":
		o.written = s.countOr(-1)
	default:
		if !outermost || s.Peek() != '{' {
			s.Skip()
			return
		}
		billed := string(name) == "billed_units"
		if in := s.usageAt(false); in.told() && (!o.inside.present || o.billed) {
			o.inside, o.billed = in, billed
			o.inside.below = name
		}
	}
}

// complete fills in, from the other names, what the usual ones leave open.
func (u *usage) complete(o *others) {
	if u.prompt <= 0 && u.completion <= 0 && (o.prompt > 0 || o.completion > 0) {
		u.prompt, u.completion, u.names = o.prompt, o.completion, o.names
		if o.names == namesInput {
			u.apart = max(o.read, 0) + max(o.written, 0)
		}
	}
	if u.prompt <= 0 && u.completion <= 0 && o.inside.present {
		negative := u.negative
		*u = o.inside
		u.negative = u.negative || negative
	}
	if u.reasoning < 0 {
		u.reasoning = o.reasoning
	}
	for _, n := range [...]int64{o.cached, o.read} {
		if u.cached < 0 {
			u.cached = n
		}
	}
}

// below reads the value at the cursor for a usage that stands in it, as Groq's does in "x_groq".
func (s *scanner) below(name []byte) usage {
	found := noUsage()
	if s.Peek() != '{' {
		s.Skip()
		return found
	}
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if string(key) == "usage" {
			found = s.usage()
			found.below = name
		} else {
			s.Skip()
		}
	}
	return found
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
	return raw, number(raw)
}

// number is the count that a value is, be it in quotes, as some gateways have it; -1 if it is none.
func number(raw []byte) int64 {
	if len(raw) > 2 && raw[0] == '"' {
		if raw = raw[1 : len(raw)-1]; bytes.IndexByte(raw, '\\') >= 0 {
			raw = []byte(jsonscan.Unescape(raw)) // nobody writes numbers so
		}
	}
	if n, ok := jsonscan.Whole(raw); ok && n >= 0 {
		return n
	}
	return -1
}

func (s *scanner) countOr(alt int64) int64 {
	if n := number(s.Value()); n >= 0 {
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
