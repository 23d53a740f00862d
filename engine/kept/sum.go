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
	Best       string // the highest level that held the SLO; without an SLO, the one with the most output; "": none
	Verdict    string // "held", "missed" or "unknown", where too few requests were judged; "": there was no SLO
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
		Best: report.best(), Verdict: report.verdict(),
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
	SLO   judged `json:"slo"`
	Sweep *struct {
		Axis  string   `json:"axis"`
		Found bool     `json:"found"`
		Level *float64 `json:"level"`
	} `json:"sweep"`
	Stages []struct {
		Load       level    `json:"load"`
		SettledS   *float64 `json:"settled_s"`
		SLO        judged   `json:"slo"`
		Throughput struct {
			Output *float64 `json:"output_tok_per_s"`
		} `json:"throughput"`
	} `json:"stages"`
}

type judged struct {
	Held    json.RawMessage `json:"held"`
	Verdict string          `json:"verdict"`
}

// verdict is "held", "missed", "unknown" or "". A report says it by a word; one of an earlier tokdyno by true or false.
func (j judged) verdict() string {
	switch string(j.Held) {
	case "true", `"held"`:
		return "held"
	case "false", `"missed"`:
		return "missed"
	}
	return j.Verdict
}

type level struct {
	Concurrency *float64 `json:"concurrency"`
	Rate        *float64 `json:"rate"`
	Speed       *float64 `json:"speed"`
}

func (l level) value() (name string, v float64) {
	switch {
	case l.Concurrency != nil:
		return "c=" + number(*l.Concurrency), *l.Concurrency
	case l.Rate != nil:
		return number(*l.Rate) + "/s", *l.Rate
	case l.Speed != nil:
		return "×" + number(*l.Speed), *l.Speed
	}
	return "", 0
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// best is the level that the autopilot found, or else that of the best stage: of those that are not known to hold an SLO, none.
func (s *summed) best() string {
	if s.Sweep != nil {
		if s.Sweep.Found && s.Sweep.Level != nil {
			return s.Sweep.Axis + " " + number(*s.Sweep.Level)
		}
		return ""
	}
	best, most := "", 0.0
	for i := range s.Stages {
		st := &s.Stages[i]
		name, rank := st.Load.value()
		switch st.SLO.verdict() {
		case "missed", "unknown":
			continue
		case "":
			if s.SLO.verdict() != "" || st.Throughput.Output == nil {
				continue
			}
			rank = *st.Throughput.Output
		}
		if st.SettledS != nil && rank > most {
			best, most = name, rank
		}
	}
	return best
}

func (s *summed) verdict() string {
	if s.Sweep != nil && s.Sweep.Found && s.SLO.verdict() != "" {
		return "held"
	}
	return s.SLO.verdict()
}
