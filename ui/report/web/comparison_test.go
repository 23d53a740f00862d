package web

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/report"
)

// writtenComparison is the page of a comparison, as text and parsed.
func writtenComparison(t *testing.T, d *compare.Document) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteComparison(&b, d); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), root
}

// between compares runs with a first one.
func between(t *testing.T, a compare.Measured, b ...compare.Measured) *compare.Document {
	t.Helper()
	d, err := compare.Of("1.2.3", []compare.Measured{a}, b, compare.Usual(), compare.Noise)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheComparisonIsWellFormedAndRefersToNothing(t *testing.T) {
	alike, slower := scene.Measured("alike", scene.Minute(1, 1, false)), scene.Measured("slower", scene.Minute(2, 1.2, true))
	none := scene.Measured("none", &compare.Series{})
	for name, d := range map[string]*compare.Document{
		"two runs": scene.Comparison(), "several": between(t, alike, slower, alike), "equal": between(t, alike, alike),
		"nothing measured": between(t, none, none), "only one has figures": between(t, alike, none),
	} {
		page, root := writtenComparison(t, d)
		wellFormed(t, name, page, root)
		if n := len(elements(root, "script")); n != 3 {
			t.Errorf("%s: %d scripts", name, n)
		}
	}
}

func TestTheComparisonBeginsWithTheAnswerAndHasItsFigures(t *testing.T) {
	d := scene.Comparison()
	_, root := writtenComparison(t, d)
	body := content(elements(root, "body")[0])
	c := &d.Runs[0]
	at := 0
	for _, want := range append([]string{"✗ worse", strings.ReplaceAll(report.Says(c)[0], " %", "\u00a0%")},
		"these don't compare: prompt tokens 512 against 1024", "c=32: only one of the two has it",
		"before|upgrade of 2026-11-30 04:25:23",
		"last of 2026-11-30 04:25:23", "Qwen3-8B", "are not to be trusted: streams are buffered",
		"All levels", "c=16", "Measured 1m and 1m") {
		i := strings.Index(body[at:], want)
		if i < 0 {
			t.Fatalf("%q is not on the page, or too early", want)
		}
		at += i
	}
	for _, l := range c.Levels {
		for _, row := range report.ComparedRows(&l) {
			if want := row.Title + row.A + row.B + row.Change + row.Interval + row.Answer; !strings.Contains(body, want) {
				t.Errorf("no row %q", want)
			}
		}
	}
	data := dataOf(t, root)
	if len(data.Charts) != 6 {
		t.Fatalf("%d charts", len(data.Charts))
	}
	if n := len(elements(root, "svg")); n < len(data.Charts)+14 {
		t.Errorf("%d pictures", n)
	}
	if at := len(data.Charts[0].X) / 2; *data.Charts[0].Series[0].Y[at] < 10+*data.Charts[0].Series[1].Y[at] {
		t.Error("A is not faster")
	}
	for _, chart := range data.Charts {
		if len(chart.Series) != 2 || chart.Series[0].Name != "A" || chart.Series[1].Name != "B" {
			t.Errorf("%s has %v", chart.ID, chart.Series)
		}
		for _, s := range chart.Series {
			before := 0.0
			for i, y := range s.Y {
				if y == nil || *y < before || *y > 100 || *chart.X[i] <= 0 {
					t.Fatalf("%s, %s: share %d is %v", chart.ID, s.Name, i, y)
				}
				before = *y
			}
		}
		last := len(chart.X) - 1
		if a, b := *chart.Series[0].Y[last], *chart.Series[1].Y[last]; a != 100 || b != 100 {
			t.Errorf("%s: the curves end at %v and %v", chart.ID, a, b)
		}
	}
}

// TestWhatRunsAreCalledIsText has names and servers that would be scripts.
func TestWhatRunsAreCalledIsText(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>"'&{{.}}`
	a, b := scene.Measured(evil, scene.Minute(1, 1, false)), scene.Measured(evil+"\u202e", scene.Minute(2, 1.2, false))
	b.Model, b.URL, b.Load, b.Doubt, b.Levels[0].Name, b.ShapeHash = evil, evil, evil, evil, evil, evil
	server := evil
	b.Server = &server
	page, root := writtenComparison(t, between(t, a, b, b))
	wellFormed(t, "evil", page, root)
	if n := len(elements(root, "img")); n > 0 {
		t.Errorf("%d images", n)
	}
	if strings.Contains(page, evil) {
		t.Error("it stands on the page as it came")
	}
	if body := content(elements(root, "body")[0]); !strings.Contains(body, evil) {
		t.Error("it is not on the page")
	}
}

func TestACheckAgainstABaselineHasItsDifferencesOnThePage(t *testing.T) {
	before := scene.Measured("good", scene.Minute(1, 1, false))
	d := between(t, before, scene.Measured("this run", scene.Minute(2, 1.2, false)))
	allowed, err := compare.ParseAllowances("ttft p50 5%")
	if err != nil {
		t.Fatal(err)
	}
	s := curved()
	s.State = snapshot.Ended
	doc := document(s)
	doc.Report.Baseline = run.NewBaseline(d, allowed)
	var b bytes.Buffer
	if err := Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, "baseline", b.String(), root)
	if class := attribute(elements(root, "section")[0], "class"); class != "answer missed" {
		t.Errorf("the answer looks like %q", class)
	}
	body := content(elements(root, "body")[0])
	for _, want := range []string{
		"✗ worse than the baseline, though the SLO held", "Against the baseline", "A is good of 2026-11-30",
		report.ComparedRows(&d.Runs[0].Levels[0])[0].Interval,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

func TestIntervalsAreDrawnOnOneAxis(t *testing.T) {
	part := func(v float64) *float64 { return &v }
	row := func(low, change, high *float64, answer compare.Answer) report.ComparedRow {
		return report.ComparedRow{Difference: &compare.Difference{Low: low, Change: change, High: high, Noise: 0.05, Answer: answer}}
	}
	s := newForestScale([]report.ComparedRow{
		row(part(0.1), part(0.2), part(0.3), compare.Worse), row(part(-0.4), part(0), part(5), compare.Unknown),
	})
	if s.top != 30 { // not to 500
		t.Errorf("it reaches to %v", s.top)
	}
	if zero, far := s.place(0), s.place(s.top); zero != forestWidth/2 || math.Abs(far-(zero+forestReach)) > 1e-9 {
		t.Errorf("0 is at %v, the end at %v", zero, far)
	}
	shown := string(s.draw(row(part(-0.1), part(-0.05), part(5), compare.Better).Difference))
	for _, want := range []string{`class="noise"`, `class="whisker"`, "l6 6l-6 6l-6 -6z", "l-5 4"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
	if open := string(s.draw(row(nil, part(0), nil, compare.Unknown).Difference)); strings.Contains(open, "whisker") {
		t.Errorf("an interval of nothing: %s", open)
	}
}

func TestShortAxesHaveLabels(t *testing.T) {
	for _, c := range []struct{ from, to float64 }{{3.2, 3.9}, {13, 45}, {459, 900}, {0.01, 3}, {7, 80}, {1, 1e5}} {
		ticks := latencyTicks(c.from, c.to)
		if len(ticks) < 3 {
			t.Errorf("%v to %v: %v", c.from, c.to, ticks)
		}
		for _, v := range ticks {
			if v < c.from || v > c.to {
				t.Errorf("%v to %v: %v", c.from, c.to, v)
			}
		}
	}
}
