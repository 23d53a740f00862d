// This file prints how a run stands against an earlier one.

package report

import (
	"fmt"
	"strings"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/units"
)

// baseline says right after the answer whether the run is worse than its baseline by more than is allowed.
func (p *sheet) baseline(r *run.Report) {
	b := r.Baseline
	if b == nil {
		return
	}
	name := RunName(&b.Run)
	switch {
	case b.Verdict == nil:
		c := compare.Comparison{Letter: "B", Levels: b.Levels}
		p.line("baseline", "against %s: %s", name, Verdict(&c))
	case b.Is(compare.Missed):
		p.line("baseline", "WORSE than %s by more than is allowed: %s", name, criteria(b.Criteria, compare.Missed))
	case b.Is(compare.NotYetKnown):
		p.line("baseline", "it can't be told whether it is worse than %s: %s", name, criteria(b.Criteria, compare.NotYetKnown))
	default:
		p.line("baseline", "no worse than %s by more than is allowed: %s", name, criteria(b.Criteria, compare.Held))
	}
	if need := longest(b.Criteria); b.Is(compare.NotYetKnown) && need != "" {
		p.line("", "measure for longer, each: --for %s", need)
	}
	if len(b.First) > 0 {
		said := "does not confirm"
		if b.Is(compare.Missed) {
			said = "confirms"
		}
		p.line("", "this second run %s a first one, which was worse: %s", said, criteria(b.First, compare.Missed))
	}
	for _, note := range b.Notes {
		p.line("", "%s", note)
	}
}

// criteria are those with a verdict, in words.
func criteria(list []compare.Criterion, verdict string) string {
	var words []string
	for i := range list {
		if c := &list[i]; c.Verdict == verdict {
			words = append(words, criterion(c))
		}
	}
	if len(words) == 0 {
		return "nothing could be measured on both"
	}
	return strings.Join(words, "; ")
}

// longest is how long to measure until every criterion is known; "" where no sensible time would do for one.
func longest(list []compare.Criterion) string {
	need := 0.0
	for i := range list {
		switch c := &list[i]; {
		case c.Verdict != compare.NotYetKnown:
		case c.NeedS == nil:
			return ""
		default:
			need = max(need, *c.NeedS)
		}
	}
	return compare.Length(need)
}

// criterion is one in words: "TTFT p95 +12.3 % (+10.9 … +14.1 %) at c=8, 10 % allowed".
func criterion(c *compare.Criterion) string {
	unit := "%"
	if c.Share {
		unit = "pt"
	}
	text := c.Title + " n/a"
	if c.Change != nil {
		text = fmt.Sprintf("%s %s %s", c.Title, signed(c.Change), unit)
	}
	if c.Low != nil || c.High != nil {
		text += fmt.Sprintf(" (%s … %s %s)", signed(c.Low), signed(c.High), unit)
	}
	text += fmt.Sprintf(" at %s, %s %s allowed", c.Level, units.Number(100*c.Allowed), unit)
	return text
}
