// The reader against prometheus/common/expfmt, on clean pages.

package promtext

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"
)

// flatten lists the samples of families as lines that can be compared: expfmt gathers what we leave apart.
func flatten(families map[string]*dto.MetricFamily) map[string]int {
	lines := make(map[string]int)
	for name, family := range families {
		for _, m := range family.GetMetric() {
			add := func(suffix string, v float64, more ...string) {
				labels := make(map[string]string)
				for _, pair := range m.GetLabel() {
					labels[pair.GetName()] = pair.GetValue()
				}
				for i := 0; i < len(more); i += 2 {
					labels[more[i]] = more[i+1]
				}
				lines[line(Sample{Name: name + suffix, Labels: labels, Value: v, TimestampMS: m.GetTimestampMs()})]++
			}
			switch {
			case m.Gauge != nil:
				add("", m.GetGauge().GetValue())
			case m.Counter != nil:
				add("", m.GetCounter().GetValue())
			case m.Untyped != nil:
				add("", m.GetUntyped().GetValue())
			case m.Histogram != nil:
				add("_sum", m.GetHistogram().GetSampleSum())
				add("_count", float64(m.GetHistogram().GetSampleCount()))
				for _, b := range m.GetHistogram().GetBucket() {
					add("_bucket", float64(b.GetCumulativeCount()), "le", fmt.Sprint(b.GetUpperBound()))
				}
			}
		}
	}
	return lines
}

func line(s Sample) string {
	if bound, ok := number(s.Labels["le"]); ok && strings.HasSuffix(s.Name, "_bucket") {
		s.Labels = maps.Clone(s.Labels)
		s.Labels["le"] = fmt.Sprint(bound)
	}
	return fmt.Sprintf("%s%q %v %d", s.Name, s.Labels, s.Value, s.TimestampMS)
}

func compare(t interface{ Fatalf(string, ...any) }, text []byte) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("expfmt does not understand the page: %v\n%s", err, text)
	}
	want := flatten(families)
	got := make(map[string]int)
	page := Parse(text)
	for _, s := range page.Samples {
		got[line(s)]++
	}
	if !maps.Equal(want, got) {
		t.Fatalf("%q:\nexpfmt  %v\npromtext %v", text, want, got)
	}
	for name, family := range families {
		if want, got := strings.ToLower(family.GetType().String()), page.Types[name]; want != got {
			t.Fatalf("%s is a %q, expfmt says %q", name, got, want)
		}
	}
}

func TestCleanPagesReadLikeExpfmt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, write(cleanPages.Draw(t, "page"))) })
}

func TestARealPageReadsLikeExpfmt(t *testing.T) {
	text, err := os.ReadFile("testdata/vllm.txt")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, text)
}
