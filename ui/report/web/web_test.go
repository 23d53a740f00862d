package web

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/scene"
)

// document is a run's.
func document(s *snapshot.Snapshot) *run.Document {
	return &run.Document{Report: run.NewReport(s, "1.2.3"), Last: s}
}

// written is the page of a run, as text and parsed.
func written(t *testing.T, s *snapshot.Snapshot) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, document(s)); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), root
}

// elements are those of a tag.
func elements(root *html.Node, tag string) (found []*html.Node) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// curved is a run up a ladder.
func curved() *snapshot.Snapshot { return scene.Curved(1, 2, 4, 8, 16, 32) }

// TestThePageIsWellFormedAndRefersToNothing opens and closes every element in order, and looks at every attribute.
func TestThePageIsWellFormedAndRefersToNothing(t *testing.T) {
	for name, s := range map[string]*snapshot.Snapshot{
		"a ladder": curved(), "one load": scene.Ended(), "no SLO": scene.NoSLO(), "failing": scene.Failing(), "nothing yet": scene.Starting(),
		"newborn": scene.Newborn(), "reshaped": scene.Reshaped(), "eight GPUs": scene.EightGPUs(), "no history": {Endpoint: curved().Endpoint},
	} {
		page, root := written(t, s)
		wellFormed(t, name, page, root)
	}
}

func wellFormed(t *testing.T, name, page string, root *html.Node) {
	t.Helper()
	void := map[string]bool{"meta": true}
	var open []string
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() != io.EOF {
				t.Errorf("%s: %v", name, z.Err())
			}
			break
		}
		switch token := z.Token(); kind {
		case html.StartTagToken:
			if !void[token.Data] {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if n := len(open); n == 0 || open[n-1] != token.Data {
				t.Fatalf("%s: </%s> ends %v", name, token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %v stay open", name, open)
	}
	ids := make(map[string]bool)
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "src" || a.Key == "href" || strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.Contains(a.Val, "url(") {
				t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
			}
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("%s: two elements are %q", name, a.Val)
			}
			ids[a.Val] = ids[a.Val] || a.Key == "id"
		}
	}
	for _, style := range elements(root, "style") {
		if text := content(style); strings.Contains(text, "url(") || strings.Contains(text, "@import") {
			t.Errorf("%s: a style refers to something", name)
		}
	}
	for _, c := range page {
		if c < ' ' && c != '\n' || c == '\u202e' {
			t.Fatalf("%s: a character %q", name, c)
		}
	}
	if strings.Contains(page, "NaN") && strings.Contains(strings.Split(page, "uPlot=function")[0], "NaN") {
		t.Errorf("%s: NaN on the page", name)
	}
}

// TestWhatAServerSaysIsText has it say what would be a script.
func TestWhatAServerSaysIsText(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>"'&{{.}}`
	s := curved()
	s.Endpoint.Server, s.Endpoint.Model, s.Endpoint.URL = evil, evil, "http://h/"+evil
	s.Problems = []stats.Problem{{Kind: record.Kind(evil), Count: 1, Example: evil}}
	s.Marks = []snapshot.Mark{{At: s.At, Label: evil}}
	s.Malformed = evil
	page, root := written(t, s)
	if n := len(elements(root, "img")); n > 0 {
		t.Errorf("%d images", n)
	}
	if n := len(elements(root, "script")); n != 3 {
		t.Errorf("%d scripts", n)
	}
	if got := content(elements(root, "h1")[0]); got != evil {
		t.Errorf("the model is %q", got)
	}
	if strings.Contains(page, evil) {
		t.Error("it stands on the page as it came")
	}
	if marks := dataOf(t, root).Time.Marks; len(marks) != 1 || marks[0].Text != evil {
		t.Errorf("marks %v", marks)
	}
}

// pageData is what the script has.
type pageData struct {
	Charts []struct {
		ID     string
		X      []*float64
		Series []struct {
			Name string
			Y    []*float64
		}
	}
	Time timeAxis
}

func dataOf(t *testing.T, root *html.Node) (d pageData) {
	t.Helper()
	for _, script := range elements(root, "script") {
		if attribute(script, "id") == "data" {
			if err := json.Unmarshal([]byte(content(script)), &d); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d
}

func TestThePageBeginsWithTheAnswerAndHasItsFigures(t *testing.T) {
	s := curved()
	s.State = snapshot.Ended
	r := run.NewReport(s, "1.2.3")
	page, root := written(t, s)
	body := content(elements(root, "body")[0])
	answer, levels := strings.Index(body, "c=16 held, the highest level"), strings.Index(body, "Levels")
	if answer < 0 || levels < answer {
		t.Errorf("the answer is at %d, the levels at %d", answer, levels)
	}
	for _, want := range []string{"SIMULATED", "Qwen3-8B-FP8", "localhost:8000", "c=16", "a level of load, in requests in flight.", "tokdyno 1.2.3", "--concurrency", "no SLO"} {
		if has := strings.Contains(body, want); has != (want != "no SLO") {
			t.Errorf("%q: %t", want, has)
		}
	}
	if !strings.Contains(page, "Content-Security-Policy") {
		t.Error("no policy")
	}
	d := dataOf(t, root)
	charts := make(map[string]int)
	for i, c := range d.Charts {
		charts[c.ID] = i
		for _, y := range c.Series {
			if len(y.Y) != len(c.X) {
				t.Errorf("%s, %s: %d values at %d places", c.ID, y.Name, len(y.Y), len(c.X))
			}
		}
	}
	for _, id := range []string{"level-ttft", "level-tpot", "level-output", "level-goodput", "ttft", "itl", "output", "inflight", "gpu"} {
		if _, ok := charts[id]; !ok {
			t.Errorf("no chart %s", id)
		}
	}
	if got := *d.Charts[charts["level-ttft"]].Series[1].Y[2]; math.Abs(got-*r.Levels[2].TTFT.P95) > 0.001*got {
		t.Errorf("TTFT p95 at c=4 is %v, want %v", got, *r.Levels[2].TTFT.P95)
	}
	if n := len(elements(root, "svg")); n < len(d.Charts) {
		t.Errorf("%d still pictures of %d charts", n, len(d.Charts))
	}
}

func TestWhatIsNotKnownIsNotDrawn(t *testing.T) {
	s := scene.NoSLO()
	for i := range s.History {
		s.History[i].Good = math.NaN()
	}
	_, root := written(t, s)
	for _, c := range dataOf(t, root).Charts {
		if c.ID == "within" {
			t.Error("attainment without an SLO")
		}
		for _, y := range c.Series {
			if strings.HasPrefix(y.Name, "good") {
				t.Error("goodput without an SLO")
			}
		}
	}
}

// long is a run of as many points as are kept of any, in which one second stood out.
func long() *snapshot.Snapshot {
	s := curved()
	const seconds = 3 * 3600
	s.At = record.Instant(1).Add(seconds * time.Second)
	s.Elapsed = seconds * time.Second
	s.History = scene.History(seconds, s.At)
	s.History[5000].TTFTP95 = 77 * time.Second
	s.GPUHistory, s.ServerHistory = nil, nil
	for i := range s.History {
		p := &s.History[i]
		v := float64(i % 97)
		s.GPUHistory = append(s.GPUHistory, snapshot.GPUPoint{At: p.At, SMActivePercent: v, UtilPercent: 99 - v/2, MemUsedFraction: v / 200, PowerW: 300 + v})
		s.ServerHistory = append(s.ServerHistory, snapshot.ServerPoint{At: p.At, Running: v, Waiting: v / 7, KVUsage: v / 100})
	}
	return s
}

func BenchmarkPage(b *testing.B) {
	s := long()
	for b.Loop() {
		if err := Write(io.Discard, document(s)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestALongRunsPageIsSmallAndKeepsSpikes is of one of which as much is kept as of any.
func TestALongRunsPageIsSmallAndKeepsSpikes(t *testing.T) {
	page, root := written(t, long())
	if len(page) > 2_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	for _, c := range dataOf(t, root).Charts {
		if len(c.X) > mostPoints {
			t.Errorf("%s has %d points", c.ID, len(c.X))
		}
		if c.ID != "ttft" {
			continue
		}
		most := 0.0
		for _, v := range c.Series[1].Y {
			most = max(most, *v)
		}
		if most != 77_000 {
			t.Errorf("the most is %v", most)
		}
	}
}

func TestExtremesKeepTheirOrder(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{3, 1, 2, 9, 4}, []float64{1, 9}},
		{[]float64{3, 9, 2, 1, 4}, []float64{9, 1}},
		{[]float64{math.NaN(), 5, math.NaN()}, []float64{5, 5}},
	} {
		if a, b := extremes(c.values); a != c.want[0] || b != c.want[1] {
			t.Errorf("%v: %v, %v", c.values, a, b)
		}
	}
	if a, b := extremes([]float64{math.NaN()}); !math.IsNaN(a) || !math.IsNaN(b) {
		t.Errorf("of nothing: %v, %v", a, b)
	}
}

func TestNumbersAreShort(t *testing.T) {
	got, err := json.Marshal(numbers{0, 1, 1234567, 12.345678, 0.00123456, math.NaN(), math.Inf(1), 1e-12})
	if want := "[0,1,1234567,12.35,0.001235,null,null,0]"; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestRulersAreRound(t *testing.T) {
	for most, want := range map[float64][2]float64{0: {1, 1}, 7: {2, 8}, 100: {50, 100}, 345: {100, 400}, 0.03: {0.01, 0.03}, math.NaN(): {1, 1}} {
		if step, top := ruler(most); math.Abs(step-want[0]) > 1e-9 || math.Abs(top-want[1]) > 1e-9 {
			t.Errorf("%v: %v up to %v", most, step, top)
		}
	}
}
