// This file makes scripts of a trace's events.

package shape

import (
	"math"
	"math/rand/v2"
	"strings"

	"tokdyno/engine/shape/trace"
)

// FromTrace returns a script of one turn for an event, as the number i. Its lengths are the event's, or the shape's
// where the event has none; of the shape, Text, PrefixOverlap and Prefixes count.
//
// Where the event has blocks, the text is built of them, and the prefixes of the shape do not count: the same block is
// the same text in every prompt, so that a server's prefix cache sees the reuse that the trace has. The last block is
// cut to the length, and ends with the instruction to write at length where it was not whole in the trace either; what
// goes beyond the blocks is the script's own. Without blocks the text is as Script makes it.
func (g *Generator) FromTrace(i uint64, e trace.Event, s Shape) Script {
	one := &single{}
	t := &one.turn[0]
	t.Tokens, t.OutputTokens = min(e.Input, MaxTokens), min(e.Output, MaxTokens)
	if t.Tokens < 1 {
		t.Tokens = g.draw(&one.source, promptLengths, 0, i, s.Prompt)
	}
	if t.OutputTokens < 1 {
		t.OutputTokens = g.draw(&one.source, outputLengths, 0, i, s.Output)
	}
	if len(e.Blocks) > 0 && e.BlockTokens > 0 {
		g.openBlocks(t, i, e, s.Text.orWords())
	} else {
		g.open(t, &one.source, i, s)
	}
	return Script{Turns: one.turn[:]}
}

// openBlocks writes the turn's text, of the tokens asked, block by block.
func (g *Generator) openBlocks(t *Turn, i uint64, e trace.Event, text Text) {
	lexicon := &g.lexicons[text]
	rate := g.blockRate(text)
	_, overhead, _ := g.calibration.State(text)
	t.Words = unitsOf((float64(t.Tokens) - overhead) * rate)
	block := unitsOf(float64(e.BlockTokens) * rate)

	rest, instructed := t.Words, false
	if whole := len(e.Blocks) * e.BlockTokens; t.Tokens < whole && rest > lexicon.instructionUnits {
		rest -= lexicon.instructionUnits
		instructed = true
	}
	var written strings.Builder
	written.Grow(lexicon.room(t.Words))
	var source rand.PCG
	for _, id := range e.Blocks {
		g.seek(&source, blockText, 0, id)
		lexicon.write(&written, min(block, rest), &source)
		if rest -= min(block, rest); rest == 0 {
			break
		}
	}
	g.seek(&source, bodyText, 0, i)
	lexicon.write(&written, rest, &source)
	t.Text = lexicon.finish(&written, instructed)
}

// blockDrift is how far the units per token may move until blocks are cut anew.
const blockDrift = 0.02

// blockRate returns the units per token of blocks. It stays as it is while what the calibration learns moves less than
// blockDrift away from it: otherwise each prompt would cut the same block a little longer or shorter than the one
// before, and share no more than its first.
func (g *Generator) blockRate(t Text) float64 {
	rate, _, _ := g.calibration.State(t)
	for {
		bits := g.blockRates[t].Load()
		if held := math.Float64frombits(bits); held > 0 && math.Abs(rate/held-1) <= blockDrift {
			return held
		}
		if g.blockRates[t].CompareAndSwap(bits, math.Float64bits(rate)) {
			return rate
		}
	}
}
