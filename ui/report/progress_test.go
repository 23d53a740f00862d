package report

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
)

// running is a run that goes on, of whose requests so many have been judged.
func running(good, n int) *snapshot.Snapshot {
	s := over(tried{8, good, n})
	s.State, s.InFlight.Total, s.Elapsed = snapshot.Running, 8, 25*time.Second
	s.Live = s.Stage
	s.Live.TTFT.N = 92
	s.Knobs.Window, s.Budget, s.Simulated = stats.Last30s, load.Budget{Duration: time.Minute}, true
	return s
}

// Each figure of a line of progress stands behind the name of the requests that it counts.
func TestALineOfProgressNamesWhatItCounts(t *testing.T) {
	settling := running(3, 3)
	settling.Stage.Settling = true
	bare := running(200, 215)
	bare.Knobs.SLO = slo.Criteria{}
	longer := running(60, 60)
	longer.Enough = 20 * time.Second
	for name, c := range map[string]struct {
		s    *snapshot.Snapshot
		want string
	}{
		"held":          {running(215, 215), "00:25  c=8  in flight 8  run: 223 ok  last 30 s: n=92 TTFT p95 960 ms  out 111 tok/s  ITL p95 24.0 ms  judged 215  held, 100 % within SLO  SIMULATED"},
		"missed":        {running(58, 100), "  judged 100  missed, 58.0 % within SLO  SIMULATED"},
		"not yet known": {running(60, 60), "  judged 60 of 100 needed  not yet known, 100 % within SLO  SIMULATED"},
		"settling":      {settling, "  ITL p95 24.0 ms  settling  SIMULATED"},
		"no SLO":        {bare, "  ITL p95 24.0 ms  SIMULATED"},
		"goes on":       {longer, "  judged 60 of 100 needed  not yet known, 100 % within SLO  past 00:20 until the verdict is known, 01:00 at most  SIMULATED"},
	} {
		if got := progressLine(c.s, 0); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want it to end in %q", name, got, c.want)
		}
	}
}

// What it leaves out where the terminal is narrow is said by the report; where the run stands is not.
func TestALineOfProgressFitsItsTerminal(t *testing.T) {
	s := running(60, 60)
	s.Enough, s.Backlog, s.Counts.Failed = 20*time.Second, 12, 3
	piloted := *s
	piloted.Pilot = &snapshot.PilotView{Kind: snapshot.Search, Axis: stage.Concurrency, Why: "c=8: 42 of 100, steady 12 s"}
	for w := 80; w < 280; w++ {
		for _, c := range []struct {
			s    *snapshot.Snapshot
			want string
		}{{s, "judged 60 of 100 needed"}, {&piloted, "search: c=8: 42 of 100, steady 12 s"}} {
			got := progressLine(c.s, w)
			if cell.Width(got) > w || !strings.HasPrefix(got, "00:25  c=8  ") || !strings.Contains(got, "run: 68 ok, 3 failed  ") || !strings.Contains(got, c.want) {
				t.Errorf("into %d cells goes %q", w, got)
			}
		}
	}
}
