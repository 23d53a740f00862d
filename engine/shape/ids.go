// This file makes prompts of token ids.

package shape

import (
	"math"
	"math/rand/v2"
)

// IDs returns a prompt of exactly that many tokens (from 1 to MaxTokens), as ids drawn from the vocabulary, which are
// different ids that are safe to send. It is laid out as Script lays
// out a text, with a common prefix of the share overlap, one of so many prefixes, and a salt, but no instruction. The
// salt is as many ids as it takes to tell 2⁶⁴ prompts apart: eight of a vocabulary of 256, fewer of a larger one. Of an
// empty vocabulary there is no prompt: nil.
func (g *Generator) IDs(i uint64, tokens int, overlap float64, prefixes int, vocabulary []int) []int {
	size := uint64(len(vocabulary))
	if size == 0 {
		return nil
	}
	l := plan(clamp(float64(tokens)), overlap, saltDigits(size), 0)
	ids := make([]int, 0, l.prefix+l.salt+l.body)
	var source rand.PCG
	random := rand.New(&source)
	draw := func(n int) {
		for range n {
			ids = append(ids, vocabulary[random.Uint64N(size)])
		}
	}
	prefix := g.prefix(&source, i, prefixes)
	g.seek(&source, idPrefixes, 0, prefix)
	draw(l.prefix)
	for salt, n := g.salt(i), l.salt; n > 0; n-- {
		ids = append(ids, vocabulary[salt%size])
		salt /= size
	}
	g.seek(&source, idBodies, 0, i)
	draw(l.body)
	return ids
}

// saltDigits returns how many digits a 64-bit number has to that base; 64 to the base 1, where no number is enough.
func saltDigits(base uint64) int {
	if base == 1 {
		return 64
	}
	digits := 0
	for rest := uint64(math.MaxUint64); rest > 0; rest /= base {
		digits++
	}
	return digits
}
