// This file is the scripts: what one conversation, or one request, will ask.

package shape

import (
	"math/rand/v2"
	"strings"
	"time"

	"tokdyno/engine/chat"
)

// Script is what one conversation will ask; a single request is a script of one turn.
type Script struct {
	System string // the system message; "" for none
	Turns  []Turn // at least one
}

// Turn is one request of a conversation.
type Turn struct {
	Messages []chat.Message // sent before Text as they are, and not to be written to; data sets only
	Text     string
	// Words is how many units of text (words, or fragments of code) Text is made of, as Calibration.Observe wants it; 0
	// for text from a data set.
	Words        int
	Tokens       int           // that this turn's text was asked to have; 0: unknown (data sets)
	OutputTokens int           // asked of the answer, at least 1
	Think        time.Duration // to wait after the answer before; 0 for the first turn
}

// Prompt is one request's prompt, and what it asks for.
type Prompt struct {
	Text         string
	Words        int // in Text, parted by single spaces
	Tokens       int // the length that was asked for; what the server counts is known from its usage
	OutputTokens int // the answer's length that is asked for
}

// Prompt returns the first turn of the script i that is made for the shape, whatever its Turns and Data.
func (g *Generator) Prompt(i uint64, s Shape) Prompt {
	s.Turns = Length{}
	t := &g.conversation(i, s).Turns[0]
	return Prompt{Text: t.Text, Words: t.Words, Tokens: t.Tokens, OutputTokens: t.OutputTokens}
}

// Script returns the script with the number i. Without a data set there is no error; with one, see Source: an item
// that can't be read gives place to the next few, and only when they can't be read either is the first error returned.
//
// A text that is made begins with a salt, eight units that no other script of the seed begins with, so that no prefix
// cache holds it; or, with a prefix overlap p, with a common prefix of the p-th share of its units, and then the salt.
// It ends with an instruction to write at length. Salt and instruction are part of the length. Where there is no room
// for both behind the prefix (less than 15 words), the instruction is left out; where there is none for the salt (less
// than 8), it is cut short, and only then may two texts be the same. With p = 1 there is no salt: texts of the same
// length and prefix are the same, instruction and all. Later turns have no prefix and no salt, because what stands
// before them is already unlike any other.
//
// A text has the units that make its tokens as the calibration knows them; the first turn's are less what a chat
// template adds to a prompt. Which unit stands where does not depend on the calibration.
//
// A shape that is not valid gives a script of the nearest lengths, share and text that are.
func (g *Generator) Script(i uint64, s Shape) (Script, error) {
	if s.Data != nil {
		return g.item(i, s)
	}
	return g.conversation(i, s), nil
}

// single holds a script's only turn and the source of its random numbers, so that they are allocated at once.
type single struct {
	turn   [1]Turn
	source rand.PCG
}

// conversation makes the script i.
func (g *Generator) conversation(i uint64, s Shape) Script {
	one := &single{}
	turns := one.turn[:]
	if s.Converses() {
		turns = make([]Turn, g.turns(&one.source, i, s))
	}
	for turn := range turns {
		t := &turns[turn]
		t.Tokens = g.draw(&one.source, promptLengths, turn, i, s.Prompt)
		t.OutputTokens = g.draw(&one.source, outputLengths, turn, i, s.Output)
		if turn == 0 {
			g.open(t, &one.source, i, s)
		} else {
			t.Think = g.think(&one.source, turn, i, s.Think)
			g.follow(t, turn, i, s.Text.orWords())
		}
	}
	return Script{Turns: turns}
}

// open writes the first turn's text, of the tokens asked.
func (g *Generator) open(t *Turn, source *rand.PCG, i uint64, s Shape) {
	text := s.Text.orWords()
	t.Words = g.calibration.Units(text, t.Tokens)
	l := plan(t.Words, s.PrefixOverlap, saltUnits, g.lexicons[text].instructionUnits)
	prefix := uint64(0)
	if l.prefix > 0 {
		prefix = g.prefix(source, i, s.Prefixes)
	}
	t.Text = g.text(i, prefix, text, l)
}

// follow writes a later turn's text, of the tokens asked. What a chat template adds to it is not known, and no part of
// its length.
func (g *Generator) follow(t *Turn, turn int, i uint64, text Text) {
	rate, _, _ := g.calibration.State(text)
	t.Words = unitsOf(float64(t.Tokens) * rate)
	lexicon := &g.lexicons[text]
	l := plan(t.Words, 0, 0, lexicon.instructionUnits)
	var written strings.Builder
	written.Grow(lexicon.room(t.Words))
	var source rand.PCG
	g.seek(&source, bodyText, turn, i)
	lexicon.write(&written, l.body, &source)
	t.Text = lexicon.finish(&written, l.instructed)
}

// draw draws a length.
func (g *Generator) draw(source *rand.PCG, s stream, turn int, i uint64, l Length) int {
	g.seek(source, s, turn, i)
	return l.Draw(rand.New(source))
}

// turns draws how many turns the script i has.
func (g *Generator) turns(source *rand.PCG, i uint64, s Shape) int {
	return min(g.draw(source, turnCounts, 0, i, s.Turns), MaxTurns)
}

// think draws the time before a turn.
func (g *Generator) think(source *rand.PCG, turn int, i uint64, mean time.Duration) time.Duration {
	if mean <= 0 {
		return 0
	}
	g.seek(source, thinkTimes, turn, i)
	return time.Duration(rand.New(source).ExpFloat64() * float64(min(mean, MaxThink)))
}

// prefix draws the number of the common prefix that the script i begins with.
func (g *Generator) prefix(source *rand.PCG, i uint64, prefixes int) uint64 {
	if prefixes <= 1 {
		return 0
	}
	g.seek(source, prefixChoice, 0, i)
	return rand.New(source).Uint64N(uint64(prefixes))
}
