// This file is by how much a run may be worse than its baseline.

package compare

import (
	"fmt"
	"strings"

	"tokdyno/engine/units"
)

// Allowance is by how much a figure may be worse: a part of the baseline's, or, of a share, so many points.
type Allowance struct {
	Metric
	Allowed float64
}

// ParseAllowances reads what may be worse, and by how much: "ttft p95 10%, output_tok_s 5%".
func ParseAllowances(text string) ([]Allowance, error) {
	var list []Allowance
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) < 2 {
			return nil, fmt.Errorf("%q is no allowance; write a metric and a share, like 'ttft p95 10%%, output_tok_s 5%%'",
				strings.TrimSpace(part))
		}
		m, err := Find(strings.Join(words[:len(words)-1], " "))
		if err != nil {
			return nil, err
		}
		share, err := units.ParseShare(words[len(words)-1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if share <= 0 || share >= 1 {
			return nil, fmt.Errorf("%s: %s is no allowance; it lies between 0 and 100%%", m.Name, words[len(words)-1])
		}
		list = append(list, Allowance{m, share})
	}
	return list, nil
}

// Criterion says whether a figure is worse than allowed.
type Criterion struct {
	Metric  string   `json:"metric"`
	Title   string   `json:"title"`
	Level   string   `json:"level"`   // "c=8"
	Allowed float64  `json:"allowed"` // a part of the baseline's figure, or points of a share
	Change  *float64 `json:"change"`
	Low     *float64 `json:"low"` // the 95 % interval of the change
	High    *float64 `json:"high"`
	// Verdict is "missed" where the whole interval is worse than allowed, "held" where none of it is, else "unknown".
	Verdict string   `json:"verdict"`
	NeedS   *float64 `json:"need_s"` // about how long to measure, each, until it is known; null: it is, or no sensible time would do

	Share bool `json:"-"`
}

// The verdicts, as reports have them.
const (
	Held        = "held"
	Missed      = "missed"
	NotYetKnown = "unknown"
)

// Judge judges the levels of a comparison by what is allowed. It has to be of all of these metrics.
func (c *Comparison) Judge(allowed []Allowance) []Criterion {
	list := []Criterion{}
	for i := range c.Levels {
		for j := range c.Levels[i].Differences {
			d := &c.Levels[i].Differences[j]
			for k := range allowed {
				if allowed[k].Name == d.Metric {
					list = append(list, d.judge(c.Levels[i].Name, &allowed[k]))
				}
			}
		}
	}
	return list
}

func (d *Difference) judge(level string, a *Allowance) Criterion {
	c := Criterion{
		Metric: d.Metric, Title: d.Title, Level: level, Allowed: a.Allowed, Change: d.Change, Low: d.Low, High: d.High,
		Verdict: NotYetKnown, NeedS: d.NeedS, Share: a.Share,
	}
	if d.bounds == nil {
		return c
	}
	limit, low, high := a.on1(a.Allowed), d.low, d.high
	if !a.Less { // less of it is worse
		limit, low, high = -a.on1(-a.Allowed), -d.high, -d.low
	}
	switch {
	case low > limit:
		c.Verdict, c.NeedS = Missed, nil
	case high <= limit:
		c.Verdict, c.NeedS = Held, nil
	default:
		c.NeedS = duration(max(d.until(limit, limit), d.unseen))
	}
	return c
}

// Worst is the verdict on several criteria: missed as soon as one is, held only if all are.
func Worst(list []Criterion) string {
	verdict := Held
	for i := range list {
		switch list[i].Verdict {
		case Missed:
			return Missed
		case NotYetKnown:
			verdict = NotYetKnown
		}
	}
	if len(list) == 0 {
		return NotYetKnown
	}
	return verdict
}
