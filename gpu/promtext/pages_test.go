// Pages made up at random, read back, and read by fuzzing; and what reading costs.

package promtext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// cleanPages gives pages as the format's definition wants them, with the samples that are on them. The families are
// gauges, one after another, with distinct labels.
var cleanPages = rapid.Custom(func(t *rapid.T) Page {
	page := Page{Types: make(map[string]string)}
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z_:][a-zA-Z0-9_:]{0,12}`), 0, 4, rapid.ID[string]).Draw(t, "names")
	for _, name := range names {
		page.Types[name] = "gauge"
		for i := range rapid.IntRange(1, 4).Draw(t, "series") {
			labels := rapid.MapOfN(rapid.StringMatching(`[a-zA-Z_][a-zA-Z0-9_]{0,6}`), rapid.String(), 0, 3).Draw(t, "labels")
			labels["series"] = strconv.Itoa(i)
			page.Samples = append(page.Samples, Sample{
				Name: name, Labels: labels,
				Value: rapid.OneOf(
					rapid.Float64(), rapid.Just(math.NaN()), rapid.Just(math.Inf(1)), rapid.Just(math.Inf(-1)),
					rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) }),
				).Draw(t, "value"),
				TimestampMS: rapid.OneOf(rapid.Just(int64(0)), rapid.Int64()).Draw(t, "timestamp"),
			})
		}
	}
	return page
})

// write writes a page the way its definition wants it.
func write(page Page) []byte {
	var b bytes.Buffer
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	last := ""
	for _, s := range page.Samples {
		if s.Name != last {
			fmt.Fprintf(&b, "# HELP %s Made up.\n# TYPE %s %s\n", s.Name, s.Name, page.Types[s.Name])
			last = s.Name
		}
		b.WriteString(s.Name)
		sep := byte('{')
		for name, value := range s.Labels {
			b.WriteByte(sep)
			fmt.Fprintf(&b, `%s="%s"`, name, escape.Replace(value))
			sep = ','
		}
		if sep == ',' {
			b.WriteByte('}')
		}
		b.WriteByte(' ')
		b.WriteString(strconv.FormatFloat(s.Value, 'g', -1, 64))
		if s.TimestampMS != 0 {
			fmt.Fprintf(&b, " %d", s.TimestampMS)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// samePage is how two readings of a page are compared.
var samePage = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}

func TestACleanPageIsReadBackHoweverItIsWrapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := cleanPages.Draw(t, "page")
		text := write(want)
		quoted := new(bytes.Buffer)
		if err := json.NewEncoder(quoted).Encode(string(text)); err != nil {
			t.Fatal(err)
		}
		wraps := map[string][]byte{
			"as it is":         text,
			"no final newline": bytes.TrimSuffix(text, []byte("\n")),
			"with CRLF":        bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
			"every TYPE twice": bytes.ReplaceAll(text, []byte("# TYPE"), []byte("# TYPE a:b:c untyped\n# TYPE")),
		}
		if !bytes.ContainsFunc(text, func(r rune) bool { return r == '\ufffd' }) { // JSON has no other bytes than UTF-8
			wraps["in a JSON string"] = quoted.Bytes()
		}
		for how, text := range wraps {
			got := Parse(text)
			delete(got.Types, "a:b:c")
			if diff := cmp.Diff(want, got, samePage); diff != "" {
				t.Fatalf("%s: %q (-want +got):\n%s", how, text, diff)
			}
		}
	})
}

func TestBadLinesBetweenGoodOnesAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := cleanPages.Draw(t, "page")
		bad := rapid.SampledFrom([]string{"<p>", "a", "a{", `a{b="c"`, "a b", "a 1 b", "{} 1"})
		var mixed []byte
		for line := range bytes.Lines(write(want)) {
			if rapid.Bool().Draw(t, "spoil") {
				mixed = append(append(mixed, bad.Draw(t, "line")...), '\n')
				want.Skipped++
			}
			mixed = append(mixed, line...)
		}
		got := Parse(mixed)
		if (got.FirstSkipped != "") != (want.Skipped > 0) {
			t.Errorf("%d skipped, the first: %q", want.Skipped, got.FirstSkipped)
		}
		got.FirstSkipped = ""
		if diff := cmp.Diff(want, got, samePage); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", mixed, diff)
		}
	})
}

// FuzzParse looks for pages that break what Parse promises for any text.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		page := Parse(text)
		if (page.FirstSkipped == "") != (page.Skipped == 0) {
			t.Errorf("%d skipped, the first: %q", page.Skipped, page.FirstSkipped)
		}
		if strings.Contains(page.FirstSkipped, "\n") {
			t.Errorf("FirstSkipped has more than one line: %q", page.FirstSkipped)
		}
		for _, s := range page.Samples {
			if s.Name == "" {
				t.Errorf("a sample without a name: %+v", s)
			}
			h, ok := page.Histogram(strings.TrimSuffix(s.Name, "_bucket"))
			if !ok {
				continue
			}
			for i, b := range h.Buckets {
				if i > 0 && (b.UpperBound <= h.Buckets[i-1].UpperBound || b.Count < h.Buckets[i-1].Count) {
					t.Errorf("buckets out of order: %+v", h.Buckets)
				}
			}
			if since, restarted := h.Since(h); restarted || since.Count != 0 {
				t.Errorf("%+v differs from itself by %+v", h, since)
			}
			if p50, p99 := h.Quantile(0.5), h.Quantile(0.99); p50 > p99 {
				t.Errorf("p50 %v is above p99 %v: %+v", p50, p99, h)
			}
		}
		// The understood part, written out, is a page that is understood whole.
		for i := range page.Samples {
			for name := range page.Samples[i].Labels {
				if nameEnd(name) != len(name) {
					return // quoted names, which write does not write
				}
			}
			if nameEnd(page.Samples[i].Name) != len(page.Samples[i].Name) {
				return
			}
		}
		again := Parse(write(page))
		if diff := cmp.Diff(page.Samples, again.Samples, samePage); diff != "" || again.Skipped != 0 {
			t.Errorf("read again: %d skipped (-first +again):\n%s", again.Skipped, diff)
		}
	})
}

// BenchmarkParse reads a page of 1 MB, as a server with many engines or a host with many GPUs gives it.
func BenchmarkParse(b *testing.B) {
	one, err := os.ReadFile("testdata/vllm.txt")
	if err != nil {
		b.Fatal(err)
	}
	var page []byte
	for engine := 0; len(page) < 1<<20; engine++ {
		page = append(page, strings.ReplaceAll(string(one), `model_name="sim-8b"`, fmt.Sprintf(`engine="%d",model_name="sim-8b"`, engine))...)
	}
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if p := Parse(page); p.Skipped != 0 {
			b.Fatal(p.FirstSkipped)
		}
	}
}
