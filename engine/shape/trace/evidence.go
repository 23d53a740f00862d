// This file finds out from a file's data what its timestamps count and how many tokens its blocks have: several who write
// Mooncake's lines write seconds for its milliseconds, and blocks of 16 tokens for its 512.

package trace

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"tokdyno/engine/jsonscan"
)

// evidence is what a pass over a file has seen that tells its unit and its blocks. The zero evidence has seen nothing.
type evidence struct {
	stamps      int     // that are numbers
	least, most float64 // of them
	parts       bool    // some have fractions
	fine        bool    // with more than three decimals

	listed     int // prompts that have ids
	low, high  int // the sizes of blocks that fill each prompt exactly, the last block perhaps in part; low > high: none does
	exact, fit [sizes]int
}

// sizes is how many powers of two are tried for the size of a block: from 1 to MaxBlock.
const sizes = 21

// stamp takes a timestamp in. What is no number is none of its concern.
func (e *evidence) stamp(text []byte) {
	f, ok := jsonscan.Decimal(text)
	if !ok {
		return
	}
	if e.stamps == 0 {
		e.least, e.most = f, f
	}
	e.stamps++
	e.least, e.most = min(e.least, f), max(e.most, f)
	if f != math.Trunc(f) {
		e.parts = true
		_, decimals, _ := bytes.Cut(text, []byte("."))
		e.fine = e.fine || len(bytes.TrimRight(decimals, "0")) > 3
	}
}

// blocks takes in that a prompt of so many tokens has so many ids.
func (e *evidence) blocks(input, ids int) {
	if ids == 0 {
		return
	}
	if e.listed == 0 {
		e.low, e.high = 1, MaxBlock
	}
	e.listed++
	e.low = max(e.low, (input+ids-1)/ids)
	if ids > 1 {
		e.high = min(e.high, (input-1)/(ids-1))
	}
	for i := range sizes {
		size := 1 << i
		if (input+size-1)/size == ids {
			e.exact[i]++
		}
		if whole := input / size; whole == ids || whole == ids-1 { // only whole blocks have ids; or one too many has
			e.fit[i]++
		}
	}
}

// The rates of requests in which recorded traffic lies, as far as anyone has published it, with room on both sides. A trace
// is of a service, or of a good part of one; none has thousands of requests a second, or one in an hour.
const (
	slowest = 0.01 // requests a second
	busiest = 200
	unheard = 1000 // were there no fractions to say so
)

// unit says what Mooncake's timestamps count. Those who write seconds write fractions of them; and of two units that are a
// thousandfold apart, one at most gives a rate of requests that a service has. The error asks for what can't be told.
func (e *evidence) unit() (Unit, error) {
	const s, ms = Unit(time.Second), Unit(time.Millisecond)
	switch {
	case e.least >= 1e17: // since 1970
		return Unit(time.Nanosecond), nil
	case e.least >= 1e14:
		return Unit(time.Microsecond), nil
	case e.least >= 1e11 || e.stamps < 2 || e.most == e.least:
		return ms, nil
	}
	rate := float64(e.stamps-1) / (e.most - e.least) // by the second, were they seconds
	switch {
	case 1000*rate > unheard, e.parts && 1000*rate > busiest, e.parts && !e.fine && rate >= slowest:
		return s, nil
	case rate >= slowest:
		return 0, fmt.Errorf("are its timestamps, which span %.4g, seconds or milliseconds? "+
			"It would be %.3g or %.3g requests/s; say trace-unit s or trace-unit ms",
			e.most-e.least, rate, 1000*rate)
	case 1000*rate < slowest*slowest:
		return 0, fmt.Errorf("are its timestamps, which span %.4g, milliseconds or microseconds? "+
			"It would be a request in %.3g s or in %.3g s; say trace-unit ms or trace-unit us",
			e.most-e.least, 1/rate/1e3, 1/rate/1e6)
	}
	return ms, nil
}

// block says how many tokens a block has: the size of which each prompt, or nearly each, has as many ids as it has blocks.
// Where every prompt has a single id, sizes that hold the longest make the same prompts, and the documented one will do. The
// error asks for what can't be told.
func (e *evidence) block(documented int) (int, error) {
	if e.listed == 0 {
		return 0, nil
	}
	if e.low == e.high {
		return e.low, nil
	}
	best := -1
	for i := range sizes {
		better := best < 0 || e.exact[i] > e.exact[best] || e.exact[i] == e.exact[best] &&
			(e.fit[i] > e.fit[best] || e.fit[i] == e.fit[best] && 1<<i == documented)
		if better {
			best = i
		}
	}
	if most := max(e.exact[best], e.fit[best]); 10*most >= 9*e.listed {
		return 1 << best, nil
	}
	seen := fmt.Sprintf("%d of %d prompts have as many ids as blocks of %d would be", e.fit[best], e.listed, 1<<best)
	if e.low <= e.high {
		seen = fmt.Sprintf("its prompts have an id for %d to %d", e.low, e.high)
	}
	return 0, fmt.Errorf("how many tokens has a block? %s; say block and how many, such as block %d", seen, documented)
}
