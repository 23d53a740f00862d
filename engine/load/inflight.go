// This file is the running requests, in order of their age, and the contexts they run in.

package load

import (
	"context"
	"slices"

	"tokdyno/engine/record"
)

// slot is a place to run a request in. It is used again for one request after another: a context of its own for each is
// what makes a single one cancellable, and to make it anew every time would cost more than all else that the pool does.
type slot struct {
	number  int // from 1, the lowest that no other has
	job     Job
	ctx     context.Context
	cancel  context.CancelCauseFunc
	freed   record.Instant // since when, see Freed; 0: it was not told
	failure *PanicError    // with which the request ended; nil: it just ended
	surplus bool           // it has been cancelled, alone: the slot is spent

	older, younger *slot // among the running; older also links the free ones
}

// slotKey is the context's key of the slot that a job runs in.
type slotKey struct{}

// Freed tells, by a Runner's context, that its request was over at an instant that was noticed only later; 0: that is not known.
// The request that follows in its slot at once counts as taken up then.
func Freed(ctx context.Context, since record.Instant) {
	if s, ok := ctx.Value(slotKey{}).(*slot); ok {
		s.freed = since
	}
}

// inFlight keeps the slots. The zero inFlight has none.
type inFlight struct {
	oldest, youngest *slot
	free             *slot
	leaving          int   // surplus that has been cancelled and has not ended
	made             int   // slots that there have been at once, at most
	vacant           []int // numbers of those that are spent
}

// take returns a slot for a job that starts now: it is the youngest.
func (f *inFlight) take(ctx context.Context, job Job) *slot {
	s := f.free
	if s == nil {
		s = &slot{number: f.number()}
		s.ctx, s.cancel = context.WithCancelCause(context.WithValue(ctx, slotKey{}, s))
	} else {
		f.free = s.older
	}
	job.Slot = s.number
	s.job, s.older = job, f.youngest
	if s.older != nil {
		s.older.younger = s
	} else {
		f.oldest = s
	}
	f.youngest = s
	return s
}

// number is that of a new slot.
func (f *inFlight) number() int {
	if len(f.vacant) > 0 {
		lowest := slices.Min(f.vacant)
		f.vacant = slices.DeleteFunc(f.vacant, func(v int) bool { return v == lowest })
		return lowest
	}
	f.made++
	return f.made
}

// release takes back the slot of a request that has ended.
func (f *inFlight) release(s *slot) {
	if s.surplus {
		f.leaving--
		f.vacant = append(f.vacant, s.number)
		return
	}
	f.unlink(s)
	s.job, s.failure, s.freed = Job{}, nil, 0
	s.older, f.free = f.free, s
}

// cancelYoungest cancels the youngest requests, as many as that, or as there are.
func (f *inFlight) cancelYoungest(n int, cause error) {
	for ; n > 0 && f.youngest != nil; n-- {
		s := f.youngest
		f.unlink(s)
		f.leaving++
		s.surplus = true
		s.cancel(cause)
	}
}

func (f *inFlight) unlink(s *slot) {
	if s.older != nil {
		s.older.younger = s.younger
	} else {
		f.oldest = s.younger
	}
	if s.younger != nil {
		s.younger.older = s.older
	} else {
		f.youngest = s.older
	}
	s.older, s.younger = nil, nil
}
