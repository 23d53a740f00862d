// This file learns how much text makes a token, from what servers count.

package shape

import (
	"math"
	"sync"
)

// Calibration learns how many units of text make a token, and what a chat template adds to a prompt, from what servers
// count. The model is
//
//	tokens = overhead + units / unitsPerToken
//
// for each kind of text on its own. All methods may be called from any goroutine. The zero Calibration is ready to use.
//
// Before anything is known there is no overhead, and a word is a token, a Chinese word 1.25 tokens, and a fragment of
// code 1.5: what common tokenizers make of them (see the lists of them).
type Calibration struct {
	mu   sync.Mutex
	fits [texts]fit
}

// Observe learns from one whole prompt: how many units it had, and how many tokens the server counted in it, all that
// its template added included. A prompt with anything else in it (a conversation's history, a system message) must not
// be told. A count that is far from what all before it make likely (a server that counts only what its cache did not
// hold, or that cut the prompt short) is left out, unless more of the kind follow. What is not positive is ignored, and so
// is what no tokenizer makes: less than one token for unitsPerTokenMost units. Such a count leaves something out, mostly
// what the server's cache held; prompts would grow to make up for it, and the count would not follow.
func (c *Calibration) Observe(t Text, units int, tokens int64) {
	if t >= texts || units < 1 || tokens < 1 || tokens < int64(units)/unitsPerTokenMost {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fits[t].observe(float64(units), float64(tokens), tokensPerUnit(t))
}

// Units returns how many units make a prompt of that many tokens, the overhead included: at least 1.
func (c *Calibration) Units(t Text, tokens int) int {
	rate, overhead, _ := c.State(t)
	return unitsOf((float64(tokens) - overhead) * rate)
}

// State returns the units per token and the overhead in tokens as they are known now, and of how many observations:
// with 0 they are estimates.
func (c *Calibration) State(t Text) (unitsPerToken, overheadTokens float64, samples int) {
	t = t.orWords()
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &c.fits[t]
	if f.samples == 0 {
		return 1 / tokensPerUnit(t), 0, 0
	}
	return f.rate, f.overhead, f.samples
}

// Take takes over all that another one knows.
func (c *Calibration) Take(from *Calibration) {
	from.mu.Lock()
	fits := from.fits
	from.mu.Unlock()
	c.mu.Lock()
	c.fits = fits
	c.mu.Unlock()
}

// maxUnits bounds a text, whatever is learned.
const maxUnits = unitsPerTokenMost * MaxTokens

// unitsOf rounds to a number of units that a text can have.
func unitsOf(x float64) int { return int(math.Round(min(max(x, 1), maxUnits))) }

// tokensPerUnit is the estimate of the tokens in a unit before anything is known.
func tokensPerUnit(t Text) float64 {
	switch t {
	case Chinese:
		return 1.25
	case Code:
		return 1.5
	default:
		return 1
	}
}

// What is likely before anything is observed, as standard deviations: templates add up to some sixty tokens, and words
// of common tokenizers have from less than half a token to several.
const (
	overheadSpread = 30.0
	perUnitSpread  = 1.0
)

// unitsPerTokenMost bounds how far the calibration may move in a run, whatever servers count: a prompt never has more
// units for each token that was asked for. Tokenizers make a token of at most two plain words or so.
const unitsPerTokenMost = 4

// Limits of what is learned, in tokens per unit.
const (
	leastPerUnit = 1.0 / unitsPerTokenMost
	mostPerUnit  = 16 // of bytes
)

// forget is what an observation counts after each that follows it: the last hundred count for most.
const forget = 0.99

// An observation further than this many standard deviations from the fit is an outlier; so many of them in a row are not,
// but say that what was learned no longer holds.
const (
	outlierDistance = 4
	outliersInARow  = 4
)

// fit is a line fitted by least squares to observations of units u and tokens t, each with the weight of its age over its
// variance, and to what was likely before. It keeps the sums of the normal equations, which is all that recursive
// least squares needs of the past; what was likely before is added at each solution, so that it is never forgotten, and
// a direction that no observation tells of (all prompts of one length leave one) doesn't run away.
type fit struct {
	overhead float64 // tokens; this and rate are the solution, where there are samples
	rate     float64 // units per token
	samples  int
	outliers int // in a row, up to the last observation

	w, wu, wuu, wt, wut float64
}

// observe takes in one observation; prior is the estimate of the tokens in a unit.
func (f *fit) observe(u, t, prior float64) {
	// Each word of a text has a number of tokens of its own, so that the variance of their sum grows with them; the
	// constant is for what does not grow.
	variance := 4 + u/4
	if f.samples > 0 {
		e := t - f.overhead - u/f.rate
		if e*e > outlierDistance*outlierDistance*(variance+f.uncertainty(u)) {
			if f.outliers++; f.outliers < outliersInARow {
				return
			}
			*f = fit{}
		}
		f.outliers = 0
	}
	f.samples++
	for _, sum := range []*float64{&f.w, &f.wu, &f.wuu, &f.wt, &f.wut} {
		*sum *= forget
	}
	w := 1 / variance
	f.w, f.wu, f.wuu = f.w+w, f.wu+w*u, f.wuu+w*u*u
	f.wt, f.wut = f.wt+w*t, f.wut+w*u*t
	f.solve(prior)
}

// precision returns the matrix of the normal equations, (a b; b c), for overhead and tokens per unit.
func (f *fit) precision() (a, b, c float64) {
	return f.w + 1/(overheadSpread*overheadSpread), f.wu, f.wuu + 1/(perUnitSpread*perUnitSpread)
}

// uncertainty returns the variance of the fit itself at u.
func (f *fit) uncertainty(u float64) float64 {
	a, b, c := f.precision()
	return (c - 2*b*u + a*u*u) / (a*c - b*b)
}

// solve finds the most likely overhead, which is not negative, and tokens per unit within its limits.
func (f *fit) solve(prior float64) {
	a, b, c := f.precision()
	x, y := f.wt, f.wut+prior/(perUnitSpread*perUnitSpread)
	determinant := a*c - b*b
	overhead, perUnit := (c*x-b*y)/determinant, (a*y-b*x)/determinant
	if overhead < 0 {
		overhead, perUnit = 0, y/c
	}
	if limited := min(max(perUnit, leastPerUnit), mostPerUnit); limited != perUnit {
		overhead, perUnit = max((x-b*limited)/a, 0), limited
	}
	f.overhead, f.rate = min(overhead, MaxTokens), 1/perUnit
}
