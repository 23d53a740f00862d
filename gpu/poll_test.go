package gpu

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/gpu/optional"
)

// stuck is a source of which every Read after the first hangs until it is let go, whatever its context says.
type stuck struct {
	letGo chan struct{}
	reads int
}

func (*stuck) Name() string    { return "stuck" }
func (*stuck) Simulated() bool { return false }
func (*stuck) Close() error    { return nil }
func (s *stuck) Read(context.Context) ([]Device, error) {
	if s.reads++; s.reads > 1 {
		<-s.letGo
	}
	return []Device{{UUID: "u", UtilPercent: optional.Of(float64(s.reads))}}, nil
}

func TestPollMarksAReadingStaleAfterThreeIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 6500*time.Millisecond)
		defer cancel()
		src := &stuck{letGo: make(chan struct{})}
		begun := time.Now()
		var readings []Reading
		Poll(ctx, src, time.Second, func(r Reading) { readings = append(readings, r) })
		if took := time.Since(begun); took != 6500*time.Millisecond+Farewell {
			t.Errorf("returned after %v", took)
		}
		if len(readings) != 4 { // at 0; asked again at 1 s, so stale at 4, 5 and 6 s
			t.Fatalf("%d readings", len(readings))
		}
		for i, r := range readings {
			want := time.Duration(0)
			if i > 0 {
				want = time.Duration(2+i) * time.Second
			}
			if r.Stale != want || len(r.Devices) != 1 || r.Devices[0].UtilPercent != optional.Of(1) || r.Err != nil || !r.At.Equal(begun) {
				t.Errorf("reading %d: %+v", i, r)
			}
		}
		close(src.letGo)
		synctest.Wait()
		if len(readings) != 4 {
			t.Error("a reading came after Poll returned")
		}
	})
}

func TestPollGoesOnWhenTheDriverAnswersAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 7500*time.Millisecond)
		defer cancel()
		src := &stuck{letGo: make(chan struct{})}
		time.AfterFunc(5500*time.Millisecond, func() { close(src.letGo) })
		var stale []bool
		Poll(ctx, src, time.Second, func(r Reading) { stale = append(stale, r.Stale > 0) })
		// At 0; stale at 4 and 5; answered at 5.5, asked at 6 and 7.
		want := []bool{false, true, true, false, false, false}
		if len(stale) != len(want) {
			t.Fatalf("%v, want %v", stale, want)
		}
		for i := range want {
			if stale[i] != want[i] {
				t.Errorf("%v, want %v", stale, want)
			}
		}
	})
}

func TestPollNeverReadsMoreOftenThanADriverLikes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for every, want := range map[time.Duration]int{0: 1, time.Nanosecond: 10, 200 * time.Millisecond: 5} {
			ctx, cancel := context.WithTimeout(t.Context(), 950*time.Millisecond)
			src := &counter{}
			Poll(ctx, src, every, func(Reading) {})
			cancel()
			if src.reads != want {
				t.Errorf("every %v: %d readings in 0.95 s, want %d", every, src.reads, want)
			}
		}
	})
}

func TestADriverThatNeverAnswersGivesAReadingThatSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		src := &stuck{letGo: make(chan struct{}), reads: 1}
		var readings []Reading
		Poll(ctx, src, time.Second, func(r Reading) { readings = append(readings, r) })
		if len(readings) != 1 || readings[0].Err == nil || readings[0].Stale != 3*time.Second || !readings[0].At.IsZero() {
			t.Errorf("%+v", readings)
		}
		close(src.letGo)
	})
}
