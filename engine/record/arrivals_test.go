package record

import (
	"testing"
	"time"
)

func TestWhatIsHandedOutByABufferIsClumped(t *testing.T) {
	for _, tt := range []struct {
		name string
		came Arrivals
		wait time.Duration // 0: none
		not  bool          // known
	}{
		{"one by one", Arrivals{Events: 64, Times: 64, Opening: 1}, 0, false},
		{"all at once", Arrivals{Events: 64, Times: 1, Opening: 64}, 700 * time.Millisecond, false},
		{"short, and all at once", Arrivals{Events: 4, Times: 1, Opening: 4}, 700 * time.Millisecond, false},
		{"in clumps", Arrivals{Events: 64, Times: 3, Opening: 20}, 600 * time.Millisecond, false},
		{"in small clumps from the first on", Arrivals{Events: 64, Times: 13, Opening: 5}, 100 * time.Millisecond, false},
		{"the first at once, the others in clumps", Arrivals{Events: 64, Times: 7, Opening: 1}, 200 * time.Millisecond, false},
		{"four tokens a step of speculative decoding", Arrivals{Events: 65, Times: 17, Opening: 1}, 0, false},
		{"eight a step", Arrivals{Events: 65, Times: 9, Opening: 1}, 0, false},
		{"two now and then", Arrivals{Events: 64, Times: 40, Opening: 2}, 0, false},
		{"three at first, then one by one", Arrivals{Events: 64, Times: 62, Opening: 3}, 0, false},
		{"too few to tell", Arrivals{Events: 3, Times: 1, Opening: 3}, 0, true},
		{"not streamed", Arrivals{}, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &Record{Sent: 1, FirstToken: 1 + 700*ms, LastToken: 1 + 1900*ms, Arrivals: tt.came}
			wait, clumped, known := r.Clumped()
			if known == tt.not || clumped != (tt.wait > 0) || wait != tt.wait {
				t.Errorf("clumped %v after %v, known %v", clumped, wait, known)
			}
		})
	}
}

// No time between tokens was measured of what came in one read, and 0 would meet any limit.
func TestTPOTOfASingleReadIsUndefined(t *testing.T) {
	r := &Record{Sent: 1, FirstToken: 1 + 700*ms, LastToken: 1 + 700*ms, Chunks: 64, OutputTokens: Known(64)}
	if tpot, ok := r.TPOT(); ok {
		t.Errorf("TPOT %v", tpot)
	}
}
