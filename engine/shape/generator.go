// This file is the generator: its seed, its streams of random numbers, and what it writes prompts with.

package shape

import (
	"math/rand/v2"
	"strings"
	"sync/atomic"
)

// Generator makes prompts. They depend only on the seed, their number, their shape and what the calibration knows, not on
// what was made before (but for where FromTrace cuts blocks). All methods may be called from any goroutine.
//
// Another run with the same seed makes the same prompts again, and a server's prefix cache may remember them: where that
// matters, take another seed.
type Generator struct {
	seed        uint64
	lexicons    [texts]lexicon
	calibration Calibration
	blockRates  [texts]atomic.Uint64 // see blockRate
}

// NewGenerator returns a generator of the prompts of that seed, with a calibration that knows nothing yet.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{seed: seed}
	for t := range texts {
		g.lexicons[t] = lexiconOf(t)
	}
	return g
}

// Calibration returns what the generator measures its texts by. Tell it what servers count, and the next prompts have the
// lengths that were asked for.
func (g *Generator) Calibration() *Calibration { return &g.calibration }

// saltUnits makes the salt: one unit for each byte of a 64-bit number.
const saltUnits = 8

// salt returns a number of its own for every i: mix maps different numbers to different ones.
func (g *Generator) salt(i uint64) uint64 { return mix(i ^ mix(g.seed)) }

// text writes out the first turn of the script i by its layout.
func (g *Generator) text(i, prefix uint64, t Text, l layout) string {
	lexicon := &g.lexicons[t]
	var text strings.Builder
	text.Grow(lexicon.room(l.prefix + l.salt + l.body))

	var source rand.PCG
	g.seek(&source, prefixText, 0, prefix)
	lexicon.write(&text, l.prefix, &source)
	lexicon.writeChosen(&text, l.salt, g.salt(i))
	g.seek(&source, bodyText, 0, i)
	lexicon.write(&text, l.body, &source)
	return lexicon.finish(&text, l.instructed)
}

// stream sets apart the random numbers that are drawn for different purposes, so that a change of one (a length of
// another kind, say) leaves the others as they are.
type stream uint64

const (
	promptLengths stream = iota + 1
	outputLengths
	prefixText
	bodyText
	turnCounts
	thinkTimes
	prefixChoice
	blockText
	itemOrder
	idBodies
	idPrefixes
)

// seek puts the source to the beginning of a stream of the number i (a script's, a prefix's, a block's) and the turn.
func (g *Generator) seek(source *rand.PCG, s stream, turn int, i uint64) {
	source.Seed(mix(g.seed^mix(uint64(s)|uint64(turn)<<8)), mix(i))
}

// mix maps a number to another that looks unrelated, one to one: the finalizer of SplitMix64 (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
