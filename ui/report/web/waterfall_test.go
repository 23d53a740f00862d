package web

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"tokdyno/engine/run"
	"tokdyno/ui/internal/scene"
)

// asked is the page of a run whose requests are at hand.
func asked(t *testing.T, ended int, change func(*run.Document)) (string, *html.Node) {
	t.Helper()
	s, store := scene.Requested(ended)
	engine := scene.New(s)
	engine.Store = store
	d := document(s)
	d.Report.Reasoned, d.Source = 3, engine
	if change != nil {
		change(d)
	}
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), root
}

func TestTheSlowestAndTheFailedAreDrawn(t *testing.T) {
	page, root := asked(t, 120, nil)
	wellFormed(t, "requests", page, root)
	text := content(root)
	for _, want := range []string{
		"The 20 slowest of 110 that completed", "All 6 that failed, the last first", "✗ truncated", "✗ ttft", "TTFA",
		"the server closed the connection amid its answer",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	shapes := make(map[string]int)
	for _, table := range elements(root, "table") {
		if attribute(table, "class") != "waterfall" {
			continue
		}
		for _, tag := range []string{"rect", "path"} {
			for _, n := range elements(table, tag) {
				shapes[attribute(n, "class")]++
			}
		}
	}
	for _, class := range []string{"dispatch", "wait", "reasoning", "decode", "stall", "fail"} {
		if shapes[class] == 0 {
			t.Errorf("nothing of the shape %s: %v", class, shapes)
		}
	}
	if shapes["fail"] != 6 {
		t.Errorf("%d of 6 failures end with a cross", shapes["fail"])
	}
}

func TestWhatIsKnownOfFailuresStandsOnce(t *testing.T) {
	const why = "the server closed the connection amid its answer"
	_, root := asked(t, 120, func(d *run.Document) {
		d.Report.Errors = []run.Problem{{Kind: "truncated", Count: 6, Example: why}}
	})
	if n := strings.Count(content(root), why); n != 1 {
		t.Errorf("it stands on the page %d times", n)
	}
}

func TestWithoutSingleRequestsNoneAreDrawn(t *testing.T) {
	_, root := asked(t, 120, func(d *run.Document) { d.Source = nil })
	if strings.Contains(content(root), "slowest") {
		t.Error("requests that are not at hand are drawn")
	}
}
