package stats

import (
	"strings"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// whole is an answer of 64 tokens that came at so many times, the first after 500 ms.
func whole(sent time.Duration, times int) stream {
	s := closed(sent, 500*ms, 0, 64)
	for i := range s.gaps {
		if times > 1 && (i+1)%(64/times) == 0 {
			s.gaps[i] = 300 * ms
		}
	}
	s.came = record.Arrivals{Events: 64, Times: times, Opening: 64 / times}
	return s
}

func TestBufferedStreamsHaveNoLatenciesWithin(t *testing.T) {
	tight := slo.Criteria{slo.TPOT: 40 * ms}
	for _, tt := range []struct {
		name     string
		criteria slo.Criteria
		times    []int // that each answer came at
		late     time.Duration
		buffered bool
		judged   bool
	}{
		{"one by one", tight, []int{64, 64, 64, 64}, 0, false, true},
		{"all in one read", tight, []int{1, 1, 1, 1}, 0, true, false},
		{"clumps of 16", tight, []int{4, 4, 4, 4}, 0, true, false},
		{"clumps, and a limit on TTFT", slo.Criteria{slo.TTFT: time.Second}, []int{4, 4, 4, 4}, 0, true, false},
		{"clumps, and a limit on E2EL", slo.Criteria{slo.E2EL: 2 * time.Second}, []int{4, 4, 4, 4}, 0, true, true},
		{"half of them", tight, []int{4, 64, 4, 64}, 0, false, true},
		{"most of them", tight, []int{4, 4, 4, 64}, 0, true, false},
		{"too few", tight, []int{4, 4}, 0, false, true},
		{"a client that reads as late as that", tight, []int{4, 4, 4, 4}, 80 * ms, false, true},
		{"a client that is late, but not that late", tight, []int{4, 4, 4, 4}, 50 * ms, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newTestCollector(tt.criteria)
			c.ClientLate(tt.late)
			for i, times := range tt.times {
				play(c, whole(time.Duration(i)*10*ms, times))
			}
			end := at(4 * time.Second)
			c.Fold(end)
			for _, s := range []Summary{c.Summary(Last10s, end), c.StageSummary(1, end), c.Summary(WholeRun, end)} {
				if s.Clumps.Buffered() != tt.buffered || strings.Contains(s.Clumps.Sentence(), "buffered") != tt.buffered {
					t.Errorf("%s: %+v, %q", s.Window, s.Clumps, s.Clumps.Sentence())
				}
				if (s.TPOT.N == 0) != tt.buffered || (s.ITL.N == 0) != tt.buffered || s.TTFT.N != len(tt.times) || s.E2EL.N != len(tt.times) {
					t.Errorf("%s: n of TPOT %d, ITL %d, TTFT %d, E2EL %d", s.Window, s.TPOT.N, s.ITL.N, s.TTFT.N, s.E2EL.N)
				}
				if _, judged := s.Score.Attainment(tt.criteria); judged != tt.judged || s.GoodputKnown != tt.judged {
					t.Errorf("%s: judged %v, goodput known %v", s.Window, judged, s.GoodputKnown)
				}
			}
		})
	}
}
