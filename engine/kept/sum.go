// This file sums a run up for a list.

package kept

import (
	"encoding/json"
	"strconv"
)

// Sum is what a list says of a run that came to its end.
type Sum struct {
	Seconds    float64
	OK, Failed int
	Best       string // the highest level that held the SLO; without an SLO, the one with the most output; "": none is known
	Verdict    string // "held", "missed" or "unknown", of the level that the report's answer is of; "": nothing was asked for
}

// Sum is false where the run has no end, or none that can be read.
func (r *Run) Sum() (Sum, bool) {
	if r.End == nil {
		return Sum{}, false
	}
	var report summed
	if err := json.Unmarshal(r.End.Report, &report); err != nil || report.Schema == 0 {
		return Sum{}, false
	}
	return Sum{
		Seconds: report.DurationS, OK: report.Requests.OK, Failed: report.Requests.Failed,
		Best: report.best(), Verdict: report.SLO.Verdict,
	}, true
}

// summed is what is looked at of a report.
type summed struct {
	Schema    int     `json:"schema"`
	DurationS float64 `json:"duration_s"`
	Requests  struct {
		OK     int `json:"ok"`
		Failed int `json:"failed"`
	} `json:"requests"`
	SLO struct {
		Verdict string `json:"verdict"` // null, so "": nothing was asked for
	} `json:"slo"`
	Answer struct {
		Level *float64 `json:"level"`
	} `json:"answer"`
	Load   level `json:"load"` // that the answer is of
	Levels []struct {
		Load       level `json:"load"`
		Settled    bool  `json:"settled"`
		Throughput struct {
			Output *float64 `json:"output_tok_per_s"`
		} `json:"throughput"`
	} `json:"levels"`
}

type level struct {
	Concurrency *float64 `json:"concurrency"`
	Rate        *float64 `json:"rate"`
	Speed       *float64 `json:"speed"`
}

func (l level) name() string {
	switch {
	case l.Concurrency != nil:
		return "c=" + number(*l.Concurrency)
	case l.Rate != nil:
		return number(*l.Rate) + "/s"
	case l.Speed != nil:
		return "×" + number(*l.Speed)
	}
	return ""
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// best is the level of the report's answer; where nothing was asked for, the settled one with the most output.
func (s *summed) best() string {
	if s.SLO.Verdict != "" {
		if s.Answer.Level == nil {
			return ""
		}
		return s.Load.name()
	}
	best, most := "", 0.0
	for i := range s.Levels {
		if l := &s.Levels[i]; l.Settled && l.Throughput.Output != nil && *l.Throughput.Output > most {
			best, most = l.Load.name(), *l.Throughput.Output
		}
	}
	return best
}
