// The watchdog, on fake time.

package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/engine/record"
)

func TestWatchdog(t *testing.T) {
	for _, test := range []struct {
		name  string
		run   func(w *watchdog)
		cause error
		after time.Duration
	}{
		{"silence", func(*watchdog) {}, errFirstByte, time.Minute},
		{"a sign of life postpones", func(w *watchdog) { time.Sleep(50 * time.Second); w.beat() }, errFirstByte, 110 * time.Second},
		{"many signs of life", func(w *watchdog) {
			for range 100 {
				time.Sleep(59 * time.Second)
				w.beat()
			}
		}, errFirstByte, 5960 * time.Second},
		{"a shorter limit", func(w *watchdog) { time.Sleep(time.Second); w.watch(250*time.Millisecond, errDrained) }, errDrained, 1250 * time.Millisecond},
		{"a longer limit", func(w *watchdog) { w.watch(time.Hour, errIdle) }, errIdle, time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ctx, cancel := context.WithCancelCause(t.Context())
				w := newWatchdog(record.NewClock(), cancel, time.Minute, errFirstByte)
				test.run(w)
				<-ctx.Done()
				if got := time.Since(began); got != test.after || context.Cause(ctx) != test.cause {
					t.Errorf("after %v: %v; want after %v: %v", got, context.Cause(ctx), test.after, test.cause)
				}
			})
		})
	}
}

func TestStoppedWatchdogIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		w := newWatchdog(record.NewClock(), cancel, time.Minute, errFirstByte)
		w.stop()
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Errorf("cancelled: %v", context.Cause(ctx))
		}
	})
}
