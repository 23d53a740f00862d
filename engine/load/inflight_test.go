package load

import (
	"context"
	"slices"
	"testing"
)

// The next request in a slot has its number, and the numbers are the lowest that are free.
func TestSlotsAreNumbered(t *testing.T) {
	var f inFlight
	take := func() *slot { return f.take(context.Background(), Job{}) }
	a, b, c := take(), take(), take()
	f.release(b)
	again := take()
	f.cancelYoungest(2, ErrSurplus)
	f.release(again)
	f.release(c)
	d, e, g := take(), take(), take()
	got := []int{a.job.Slot, again.job.Slot, c.job.Slot, d.job.Slot, e.job.Slot, g.job.Slot}
	if want := []int{1, 2, 3, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("slots %v, want %v", got, want)
	}
}
