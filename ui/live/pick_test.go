package live

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/knob"
)

func TestEnlargedPanelsArePointedInto(t *testing.T) {
	var out pagetest.Sheet
	for _, s := range []struct {
		name string
		keys []string
	}{
		{"a chart, untouched", []string{"enter"}},
		{"seconds back", []string{"enter", "left", "left", "up"}},
		{"goodput", []string{"shift+tab", "shift+tab", "shift+tab", "enter", "up"}},
		{"a percentile", []string{"shift+tab", "shift+tab", "enter"}},
		{"another percentile", []string{"shift+tab", "shift+tab", "enter", "down", "down", "right"}},
	} {
		m := pagetest.Open(t, New(knob.NewDesk()), scene.Busy(), 100, 24)
		m.Press(s.keys...)
		out.Add(t, s.name, m.View(), 100, 21)
	}
	out.Check(t, "picked")
}

// What is pointed at leads to the requests that its figure is over.
func TestWhatIsPointedAtLeadsToItsRequests(t *testing.T) {
	window := func(w stats.Window) func(*snapshot.Snapshot) {
		return func(s *snapshot.Snapshot) { s.Knobs.Window = w }
	}
	for _, tt := range []struct {
		keys   string
		change func(*snapshot.Snapshot)
		want   string
	}{
		{"enter enter", nil, "first 02:40..02:41 by ttft"},
		{"enter enter", func(s *snapshot.Snapshot) { s.Begun = s.Begun.Add(30 * time.Second) }, "first 02:10..02:11 by ttft"},
		{"enter left left up enter", nil, "first 02:28..02:29 by ttft"},
		{"enter left right right right enter", nil, "first 02:40..02:41 by ttft"},
		{"tab enter left b", nil, "at 02:39..02:40 by gap"},
		{"tab tab enter enter", nil, "ok ended 02:40..02:41 by tpot"},
		{"tab tab tab enter enter", nil, "at 02:40..02:41 by tokens"},
		{"tab tab tab tab enter enter", nil, "missed ended 02:40..02:41 by e2el"},
		{"tab tab tab tab tab enter enter", nil, "beyond ttft p95 first 02:11..02:41.1 by ttft"},
		{"tab tab tab tab tab enter right enter", window(stats.Last10s), "beyond ttft p99 first 02:31..02:41.1 by ttft"},
		{"tab tab tab tab tab enter right right right enter", nil, "first 02:11..02:41.1 by ttft"},
		{"tab tab tab tab tab enter down left enter", window(stats.ThisStage), "beyond gap p90 stage 4 by gap"},
		{"tab tab tab tab tab enter down down down down down enter", window(stats.WholeRun), "beyond e2el p95 by e2el"},
		{"tab tab tab tab tab enter right enter", func(s *snapshot.Snapshot) { s.Live.TTFT.P99 = s.Live.TTFT.Max }, "first 02:11..02:41.1 by ttft"},
		{"tab tab tab tab tab tab enter enter", nil, ""},
	} {
		s := scene.Busy()
		for i := range s.History {
			s.History[i].Completed = 50
		}
		if tt.change != nil {
			tt.change(s)
		}
		m := pagetest.Open(t, New(knob.NewDesk()), s, 120, 36)
		m.Press(strings.Fields(tt.keys)...)
		if m.Asked != tt.want || (m.Asked == "") != (m.Said != "") {
			t.Errorf("%s: it asks for %q, want %q; it says %q", tt.keys, m.Asked, tt.want, m.Said)
		}
		filter, _, _ := strings.Cut(m.Asked, " by ")
		if f, err := query.Parse(filter); err != nil || f.String() != filter {
			t.Errorf("%s: %q is the filter %q, %v", tt.keys, filter, f, err)
		}
	}
}

// A point's percentiles reach back where there were few requests, and so do the requests behind it.
func TestAPointReachesBackWhereThereWereFew(t *testing.T) {
	s := scene.Busy()
	for i := range s.History {
		s.History[i].Completed = 7
	}
	m := pagetest.Open(t, New(knob.NewDesk()), s, 120, 36)
	m.Press("enter", "enter")
	if m.Asked != "first 02:38..02:41 by ttft" {
		t.Errorf("of seven requests a second, it asks for %q", m.Asked)
	}
}
