// What exporters in the field write, line by line.

package promtext

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParseReadsWhatExportersWrite(t *testing.T) {
	labels := func(pairs ...string) map[string]string {
		m := make(map[string]string)
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	for _, test := range []struct {
		name, page string
		want       []Sample
	}{
		{"a bare sample", "up 1\n", []Sample{{Name: "up", Value: 1}}},
		{"no final newline", "a 1\nb 2", []Sample{{Name: "a", Value: 1}, {Name: "b", Value: 2}}},
		{"CRLF", "a 1\r\nb{c=\"d\"} 2\r\n", []Sample{{Name: "a", Value: 1}, {Name: "b", Labels: labels("c", "d"), Value: 2}}},
		{"a byte order mark", "\ufeffa 1\n", []Sample{{Name: "a", Value: 1}}},
		{"a colon in the name", "vllm:num_requests_running 3", []Sample{{Name: "vllm:num_requests_running", Value: 3}}},
		{"a dot in the name", "jvm.heap-used 3", []Sample{{Name: "jvm.heap-used", Value: 3}}},
		{"a UTF-8 name in quotes", `{"gpu.power", "k.1"="v"} 3`, []Sample{{Name: "gpu.power", Labels: labels("k.1", "v"), Value: 3}}},
		{"spaces wherever they may be", " a { b = \"c\" , d=\"e\" , }  5\t6 ", []Sample{{Name: "a", Labels: labels("b", "c", "d", "e"), Value: 5, TimestampMS: 6}}},
		{"no space before the value", `a{b="c"}5`, []Sample{{Name: "a", Labels: labels("b", "c"), Value: 5}}},
		{"empty braces", "a{} 5", []Sample{{Name: "a", Value: 5}}},
		{"escapes", `a{b="x\\y\"z\n}\t"} 5`, []Sample{{Name: "a", Labels: labels("b", "x\\y\"z\n}\\t"), Value: 5}}},
		{"braces, commas and hashes in a value", `a{b="}{,#",c=""} 5`, []Sample{{Name: "a", Labels: labels("b", "}{,#", "c", ""), Value: 5}}},
		{"a timestamp in ms", "a 1 1700000000123", []Sample{{Name: "a", Value: 1, TimestampMS: 1700000000123}}},
		{"OpenMetrics' timestamp in s", "a 1 1700000000.5\n# EOF\n", []Sample{{Name: "a", Value: 1, TimestampMS: 1700000000500}}},
		{"OpenMetrics' whole seconds", "a 1 1700000000\n# EOF", []Sample{{Name: "a", Value: 1, TimestampMS: 1700000000000}}},
		{"an exemplar", `a_bucket{le="0.5"} 8 # {trace_id="K}"} 0.4 1700000000.1`, []Sample{{Name: "a_bucket", Labels: labels("le", "0.5"), Value: 8}}},
		{"an exemplar after a timestamp", "a 8 12 # {} 0.4", []Sample{{Name: "a", Value: 8, TimestampMS: 12}}},
		{"comments and blank lines", "# HELP a b\n\n#\n# a 7\na 1", []Sample{{Name: "a", Value: 1}}},
		{"exponents and signs", "a -1.5e-3\nb +2E6", []Sample{{Name: "a", Value: -0.0015}, {Name: "b", Value: 2e6}}},
		{"infinities", "a +Inf\nb -inf\nc Infinity\nd 1.#INF", []Sample{{Name: "a", Value: math.Inf(1)}, {Name: "b", Value: math.Inf(-1)}, {Name: "c", Value: math.Inf(1)}}},
		{
			"NaN as languages print it", "a NaN\nb nan\nc -nan\nd +NaN\ne -nan(ind)\nf -1.#IND\ng 1.#QNAN",
			[]Sample{
				{Name: "a", Value: math.NaN()},
				{Name: "b", Value: math.NaN()},
				{Name: "c", Value: math.NaN()},
				{Name: "d", Value: math.NaN()},
				{Name: "e", Value: math.NaN()},
				{Name: "f", Value: math.NaN()},
				{Name: "g", Value: math.NaN()},
			},
		},
		{"DCGM's blank", "a 9223372036854775794", []Sample{{Name: "a", Value: 9223372036854775794}}},
		{"a page in a JSON string", `"# TYPE a gauge\na{b=\"c\"} 5\n"` + "\n", []Sample{{Name: "a", Labels: labels("b", "c"), Value: 5}}},
		{"a quote that is no JSON", "\"oops\na 5", []Sample{{Name: "a", Value: 5}}},
		{"a repeated label", `a{b="1",b="2"} 5`, []Sample{{Name: "a", Labels: labels("b", "2"), Value: 5}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Parse([]byte(test.page)).Samples
			if diff := cmp.Diff(test.want, got, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.page, diff)
			}
		})
	}
}

func TestABadLineCostsOnlyItself(t *testing.T) {
	for _, test := range []struct{ bad, why string }{
		{"a", "there is no value"},
		{"a{b=\"c\"}", "there is no value"},
		{"a # {} 1", "there is no value"},
		{"a zero", `"zero" is not a number`},
		{"a 0x1p-2", `"0x1p-2" is not a number`},
		{"a 1_000", `"1_000" is not a number`},
		{"a 0,5", `"0,5" is not a number`},
		{"a 1e999", `"1e999" is not a number`},
		{"a 1 tomorrow", `"tomorrow" is not a timestamp`},
		{"a 1 NaN", `"NaN" is not a timestamp`},
		{"a 1 1e40", `"1e40" is not a timestamp`},
		{"a 1 2 3", "there is more text after the value"},
		{`a{b="c" 1`, "the labels do not end"},
		{`a{b="c} 1`, "the labels do not end"},
		{`a{b=c} 1`, `the labels are not written as name="value"`},
		{`a{b} 1`, `the labels are not written as name="value"`},
		{`a{="c"} 1`, `the labels are not written as name="value"`},
		{`a{b="c"d="e"} 1`, `the labels are not written as name="value"`},
		{`{b="c"} 1`, "it does not begin with a metric's name"},
		{"<html>", "it does not begin with a metric's name"},
		{"9a 1", "it does not begin with a metric's name"},
		{"a;b 1", "it does not begin with a metric's name"},
	} {
		t.Run(test.bad, func(t *testing.T) {
			page := Parse([]byte("before 1\n# TYPE x gauge\n" + test.bad + "\n" + test.bad + "\nafter 2\n"))
			want := Page{
				Samples:      []Sample{{Name: "before", Value: 1}, {Name: "after", Value: 2}},
				Types:        map[string]string{"x": "gauge"},
				Skipped:      2,
				FirstSkipped: "line 3: " + test.why,
			}
			if diff := cmp.Diff(want, page); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTypesAreKeptAsFirstGiven(t *testing.T) {
	page := Parse([]byte("# TYPE a gauge\n# TYPE a counter\n#TYPE b\thistogram\r\n# TYPE\n# TYPES c gauge\n# TYPE d\n# TYPE \"e.f\" gauge\n# HELP g h\n"))
	want := map[string]string{"a": "gauge", "b": "histogram", "e.f": "gauge"}
	if diff := cmp.Diff(want, page.Types); diff != "" || page.Skipped != 0 {
		t.Errorf("%d skipped; (-want +got):\n%s", page.Skipped, diff)
	}
}

func TestARealPageIsReadWhole(t *testing.T) {
	text, err := os.ReadFile("testdata/vllm.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := Parse(text)
	lines := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	if page.Skipped != 0 || len(page.Samples) != lines {
		t.Errorf("%d samples of %d lines, %d skipped: %s", len(page.Samples), lines, page.Skipped, page.FirstSkipped)
	}
	if got := page.Types["vllm:time_to_first_token_seconds"]; got != "histogram" {
		t.Errorf("type %q, want histogram", got)
	}
	var tokens []float64
	for sample := range page.All("vllm:generation_tokens_total", Label{"model_name", "sim-8b"}) {
		tokens = append(tokens, sample.Value)
	}
	if !slices.Equal(tokens, []float64{44}) {
		t.Errorf("generation tokens %v", tokens)
	}
}

func TestLookUps(t *testing.T) {
	page := Parse([]byte("a{g=\"0\"} 3\na{g=\"1\"} 4\na{g=\"1\",m=\"x\"} -5\nb 6\n"))
	for _, test := range []struct {
		name  string
		where []Label
		want  []float64
	}{
		{"a", nil, []float64{3, 4, -5}},
		{"a", []Label{{"g", "1"}}, []float64{4, -5}},
		{"a", []Label{{"g", "1"}, {"m", "x"}}, []float64{-5}},
		{"a", []Label{{"g", "2"}}, nil},
		{"a", []Label{{"m", ""}}, nil},
		{"c", nil, nil},
	} {
		var got []float64
		for s := range page.All(test.name, test.where...) {
			got = append(got, s.Value)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("All(%s, %v) gives %v, want %v", test.name, test.where, got, test.want)
		}
	}
}
