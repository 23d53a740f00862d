// The draws: which faults a request meets.

package sim

import (
	"math"
	"sync/atomic"
	"time"
)

// faultDraws are the faults in force, and how many requests they were drawn for.
type faultDraws struct {
	faults Faults
	seed   uint64
	drawn  atomic.Uint64
}

// ending is how a request ends.
type ending int

const (
	endWhole ending = iota
	endDisconnect
	endHTTP429
	endHTTP5xx
	endErrorMid
	endTruncateMid
)

// String returns the name of the fault; "" for none.
func (e ending) String() string {
	return [...]string{"", "disconnect", "http_429", "http_5xx", "error_mid", "truncate_mid"}[e]
}

// fate is what one request meets.
type fate struct {
	faults     Faults
	ending     ending
	cut        int           // tokens before an ending amid the stream; no answer has so many where there is none
	stallFirst time.Duration // 0: none
	stallMid   time.Duration
}

// next draws for one request.
func (d *faultDraws) next() fate {
	f := fate{faults: d.faults, cut: math.MaxInt}
	if d.faults == (Faults{}) {
		return f
	}
	key := mix(d.seed + d.drawn.Add(1))
	f.ending = d.faults.ending(draw(key, 0))
	switch f.ending {
	case endErrorMid:
		f.cut = max(d.faults.ErrorMid.Tokens, 0)
	case endTruncateMid:
		f.cut = max(d.faults.TruncateMid.Tokens, 0)
	case endWhole, endDisconnect, endHTTP429, endHTTP5xx:
	}
	if draw(key, 1) < d.faults.StallFirst.Share {
		f.stallFirst = d.faults.StallFirst.For
	}
	if draw(key, 2) < d.faults.StallMid.Share {
		f.stallMid = d.faults.StallMid.For
	}
	return f
}

// spare takes back what cannot happen to an answer that is not streamed.
func (f *fate) spare(streamed bool) {
	if !streamed && (f.ending == endErrorMid || f.ending == endTruncateMid) {
		f.ending = endWhole
	}
}

// ending returns the ending that a draw falls on.
func (f *Faults) ending(drawn Percent) ending {
	for _, one := range []struct {
		share  Percent
		ending ending
	}{
		{f.Disconnect, endDisconnect},
		{f.HTTP429.Share, endHTTP429},
		{f.HTTP5xx.Share, endHTTP5xx},
		{f.ErrorMid.Share, endErrorMid},
		{f.TruncateMid.Share, endTruncateMid},
	} {
		share := max(one.share, 0)
		if drawn < share {
			return one.ending
		}
		drawn -= share
	}
	return endWhole
}

// draw returns the i-th number that belongs to the key, from 0 to below 100.
func draw(key, i uint64) Percent { return Percent(mix(key+i)>>11) / (1 << 53) * 100 }
