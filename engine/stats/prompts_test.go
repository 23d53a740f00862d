package stats

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

func TestInputIsKnownWhenNearlyAllOfItIsCounted(t *testing.T) {
	// Each stream has its first token at 100 ms and is over within the first second.
	told := closed(0, 100*ms, 10*ms, 3)
	told.input = record.Known(200)
	untold := closed(0, 100*ms, 10*ms, 3)
	guessed := untold
	guessed.asked = 100
	corrected := told
	corrected.asked = 100
	running := untold
	running.running = true
	cancelled := untold
	cancelled.outcome = record.Cancelled
	failed := untold
	failed.outcome = record.Failed
	silent := stream{scheduled: -1, end: 500 * ms, output: record.Known(3)} // one JSON document

	type some struct {
		n int
		stream
	}
	for _, tt := range []struct {
		name  string
		load  []some
		known bool
		input float64
	}{
		{"nothing came", nil, true, 0},
		{"by usage", []some{{3, told}}, true, 600},
		{"as asked for", []some{{3, guessed}}, true, 300},
		{"usage instead of what was asked for", []some{{3, corrected}}, true, 600},
		{"never told", []some{{3, untold}}, false, 0},
		{"99 of 100 told", []some{{99, told}, {1, untold}}, true, 99 * 200},
		{"98 of 99 told", []some{{98, told}, {1, untold}}, false, 98 * 200},
		{"99 of 100 told or asked for", []some{{50, told}, {49, guessed}, {1, untold}}, true, 50*200 + 49*100},
		{"nothing but a running one", []some{{1, running}}, false, 0},
		{"running ones beside a told one", []some{{8, running}, {1, told}}, true, 200},
		{"nothing but a cancelled one", []some{{1, cancelled}}, false, 0},
		{"cancelled ones beside a told one", []some{{8, cancelled}, {1, told}}, true, 200},
		{"failed ones count for nothing", []some{{50, failed}, {1, told}}, true, 200},
		{"nothing but failed ones", []some{{5, failed}}, true, 0},
		{"answered at once, untold", []some{{1, silent}}, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newTestCollector(slo.Criteria{})
			for _, s := range tt.load {
				for range s.n {
					play(c, s.stream)
				}
			}
			now := at(2 * time.Second)
			c.Fold(now)
			for _, w := range []Window{Last10s, ThisStage, WholeRun} {
				got := c.Summary(w, now).Throughput
				if got.InputKnown != tt.known || math.Abs(got.Input*2-tt.input) > 1e-6 || math.Abs(got.Total-got.Input-got.Output) > 1e-6 {
					t.Errorf("%s: input %v tok/s, known %t, want %v in 2 s, known %t", w, got.Input, got.InputKnown, tt.input, tt.known)
				}
			}
		})
	}
}
