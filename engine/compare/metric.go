// This file is the figures that are compared.

package compare

import (
	"fmt"
	"math"
	"strings"
)

// Metric is a figure that is compared.
type Metric struct {
	Name  string  // as it is typed and as JSON has it: "ttft_p95"
	Title string  // as it is shown: "TTFT p95"
	Unit  string  // "ms", "/s", or "" of a share
	P     float64 // the percentile, 0–1; 0: it is none
	Less  bool    // less of it is better
	Share bool    // it is a share, whose differences are in points
	Minor bool    // it is compared only where it is asked for

	values func(*Series) *Values
	sums   func(*Series) *Sums
}

// Metrics returns every figure that can be compared, in the order in which they are shown.
func Metrics() []Metric {
	var list []Metric
	latency := func(name string, of func(*Series) *Values, minor string) {
		for _, p := range []int{50, 90, 95, 99} {
			title := fmt.Sprintf("%s p%d", name, p)
			list = append(list, Metric{
				Name: key(title), Title: title, Unit: "ms", P: float64(p) / 100, Less: true, values: of,
				Minor: strings.Contains(minor, title[len(title)-2:]),
			})
		}
	}
	latency("TTFT", func(s *Series) *Values { return &s.TTFT }, "90")
	latency("TPOT", func(s *Series) *Values { return &s.TPOT }, "90 99")
	latency("ITL", func(s *Series) *Values { return &s.ITL }, "50 90")
	latency("E2EL", func(s *Series) *Values { return &s.E2EL }, "90 99")
	sum := func(m Metric, of func(*Series) *Sums) {
		m.Name, m.sums = key(m.Title), of
		list = append(list, m)
	}
	sum(Metric{Title: "output tok/s", Unit: "/s"}, func(s *Series) *Sums { return &s.Output })
	sum(Metric{Title: "requests/s", Unit: "/s"}, func(s *Series) *Sums { return &s.Requests })
	sum(Metric{Title: "goodput/s", Unit: "/s"}, func(s *Series) *Sums { return &s.Goodput })
	sum(Metric{Title: "attainment", Share: true}, func(s *Series) *Sums { return &s.Good })
	sum(Metric{Title: "failed", Share: true, Less: true}, func(s *Series) *Sums { return &s.Failed })
	return list
}

// Usual are the metrics that are compared where nobody chose others.
func Usual() []Metric {
	var list []Metric
	for _, m := range Metrics() {
		if !m.Minor {
			list = append(list, m)
		}
	}
	return list
}

// key is a name in one form, however it is written: "TTFT p95" and "ttft-p95" are ttft_p95.
func key(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" \t_-/", r) }), "_")
}

// Find finds a metric by its name. The error lists those that there are.
func Find(name string) (Metric, error) {
	var names []string
	for _, m := range Metrics() {
		if m.Name == key(name) {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Metric{}, fmt.Errorf("there is no metric %q; there are %s", strings.TrimSpace(name), strings.Join(names, ", "))
}

// Parse reads names of metrics, between commas.
func Parse(text string) ([]Metric, error) {
	var list []Metric
	for name := range strings.SplitSeq(text, ",") {
		m, err := Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// Shares are compared by their difference, of which a fifth of the noise counts: one point where it is 5 %. A ratio says
// little of them: 99 % and 97 % are nearly the same, and three times the failures.
const sharePart = 5

// threshold is the noise of a figure.
func (m *Metric) threshold(noise float64) float64 {
	if m.Share {
		return noise / sharePart
	}
	return noise
}

// on is a value on the scale on which figures are compared: its logarithm, since differences of these are ratios, but for
// shares.
func (m *Metric) on(value float64) float64 {
	if m.Share {
		return value
	}
	return math.Log(value)
}

// on1 is a change on that scale; off is a change from it.
func (m *Metric) on1(change float64) float64 {
	if m.Share {
		return change
	}
	return math.Log1p(change)
}

func (m *Metric) off(by float64) float64 {
	if m.Share {
		return by
	}
	return math.Expm1(by)
}
