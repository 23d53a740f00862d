package requests

import (
	"strings"
	"testing"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
)

func TestOneRequest(t *testing.T) {
	var sheet pagetest.Sheet
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		m := open(t, 120, size[0], size[1], plain(t))
		press(m, "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "enter")
		sheet.Add(t, "a request", m.View(), size[0], size[1]-3)
		press(m, "esc", "/")
		enter(m, "failed")
		press(m, "enter")
		sheet.Add(t, "one that failed", m.View(), size[0], size[1]-3)
		press(m, "esc", "esc", "esc", "k", "enter")
		sheet.Add(t, "one that runs", m.View(), size[0], size[1]-3)
	}
	sheet.Check(t, "one")
}

func TestACurlCommandIsCopied(t *testing.T) {
	m := open(t, 40, 120, 36, plain(t))
	press(m, "enter", "c")
	if m.Copied != "" || !strings.Contains(m.Said, "was not kept") {
		t.Errorf("of a request whose text was not kept, it copies %q and says %q", m.Copied, m.Said)
	}
	pageOf(m).one.whole.Said = stats.Said{Body: []byte(`{"messages":[{"role":"user","content":"it's"}]}`), Answer: "an answer", Told: []record.Told{{Name: "timings.prompt_ms", Value: "41.2"}}}
	m.Shows("asked", "user: it's", "answer", "an answer", "In the server's own words", "timings.prompt_ms 41.2")
	press(m, "c")
	want := `curl -N 'http://localhost:8000/v1/chat/completions' -H 'Content-Type: application/json' ` +
		`-H "Authorization: Bearer $OPENAI_API_KEY" -d '{"messages":[{"role":"user","content":"it'\''s"}]}'`
	if m.Copied != want {
		t.Errorf("it copies %q, want %q", m.Copied, want)
	}
	for i := range 40 {
		pageOf(m).one.whole.Said.Told = append(pageOf(m).one.whole.Said.Told, record.Told{Name: strings.Repeat("n", i+1), Value: "1"})
	}
	pagetest.Fits(t, m.View(), 120, 33)
	m.Engine.Change(func(s *snapshot.Snapshot) { s.Replay = &snapshot.Replay{} })
	pageOf(m).one.whole.Said = stats.Said{}
	m.Settle(m.Look())
	m.Shows("are not in the recording", "--record-text")
	pageOf(m).one.whole.Said = stats.Said{Body: []byte("{}")}
	pageOf(m).one.whole.Said.BodyCut = true
	if _, err := query.Curl("x", &pageOf(m).one.whole.Said); err == nil {
		t.Error("half of a request is a command")
	}
}

func TestTimesToTheMicrosecond(t *testing.T) {
	for want, got := range map[string]string{
		"1,234.567 ms": micro(1234567*1000, 'm'), "0.000 ms": micro(0, 'm'), "12.000005 s": micro(12_000_005_000, 's'),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
