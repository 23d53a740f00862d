// This file is the generator: prompts of a given length that no prefix cache has seen, unless it is meant to.

package shape

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
)

// Prompt is one request's prompt, and what it asks for.
type Prompt struct {
	Text         string
	Words        int // in Text, parted by single spaces
	Tokens       int // the length that was asked for; what the server counts is known from its usage
	OutputTokens int // the answer's length that is asked for
}

// saltWords makes the salt: one word for each byte of a 64-bit number.
const saltWords = 8

// instruction ends a prompt, so that a server that can't be told to ignore the end of text has a reason to go on. It is
// words like the others, without punctuation, because that would cost tokens that are no words.
const (
	instruction      = "Write a very long story about this"
	instructionWords = 7
)

// Generator makes prompts. A prompt depends only on the seed, the prompt's number, its shape and the words per token in
// force, not on what was made before. All methods may be called from any goroutine.
//
// Another run with the same seed makes the same prompts again, and a server's prefix cache may remember them: where that
// matters, take another seed.
type Generator struct {
	seed          uint64
	lexicon       [256]packedWord
	wordsPerToken atomic.Uint64 // bits of a float64
}

// packedWord is a word of the vocabulary and the space behind it, in the low bytes of a number, with their length in the
// highest. It is copied without a branch, which makes prompts several times cheaper than copying strings does.
type packedWord uint64

func pack(word string) packedWord {
	var bytes [8]byte
	copy(bytes[:], word+" ")
	bytes[7] = byte(len(word) + 1)
	return packedWord(binary.LittleEndian.Uint64(bytes[:]))
}

func (w packedWord) len() int { return int(w >> 56) }

// NewGenerator returns a generator of the prompts of that seed, with one word a token.
func NewGenerator(seed uint64) *Generator {
	g := &Generator{seed: seed}
	for i, word := range vocabulary {
		g.lexicon[i] = pack(word)
	}
	g.SetWordsPerToken(1)
	return g
}

// SetWordsPerToken sets how many words of a prompt stand for a token, from the next prompt on. The 1 that a generator
// starts with is an estimate: nearly all words of its vocabulary are one token in the common tokenizers, but how a
// server's tokenizer, and the chat template round the prompt, see it is known only from the server's own count. A value
// that is not positive and finite is ignored.
func (g *Generator) SetWordsPerToken(words float64) {
	if words > 0 && !math.IsInf(words, 1) {
		g.wordsPerToken.Store(math.Float64bits(words))
	}
}

// Prompt returns the prompt with the number i.
//
// It begins with a salt, eight words that no other prompt of the seed begins with, so that no prefix cache holds it; or,
// with a prefix overlap p, with a common prefix of the p-th share of its words, and then the salt. It ends with an
// instruction to write at length. Salt and instruction are part of the length. Where there is no room for both behind
// the prefix (less than 15 words), the instruction is left out; where there is none for the salt (less than 8), it is
// cut short, and only then may two prompts be the same. With p = 1 there is no salt: prompts of the same length are the
// same, instruction and all.
//
// A shape that is not valid gives a prompt of the nearest lengths and share that are.
func (g *Generator) Prompt(i uint64, s Shape) Prompt {
	var source rand.PCG
	random := rand.New(&source)
	g.seek(&source, promptLengths, i)
	tokens := s.Prompt.Draw(random)
	g.seek(&source, outputLengths, i)
	output := s.Output.Draw(random)

	words := g.words(tokens)
	return Prompt{Text: g.text(i, plan(words, s.PrefixOverlap)), Words: words, Tokens: tokens, OutputTokens: output}
}

// maxWords bounds a prompt, whatever the words per token: sixteen times the longest there is reason for.
const maxWords = 16 * MaxTokens

// words returns how many words make that many tokens, at least one.
func (g *Generator) words(tokens int) int {
	words := math.Round(float64(tokens) * math.Float64frombits(g.wordsPerToken.Load()))
	return int(min(max(words, 1), maxWords))
}

// layout is how many words each part of a prompt has, in their order.
type layout struct {
	prefix, salt, body int
	instructed         bool
}

// plan lays out a prompt of that many words, of which the share overlap is common to all.
func plan(words int, overlap float64) layout {
	if overlap >= 1 {
		if words < saltWords+instructionWords {
			return layout{prefix: words}
		}
		return layout{prefix: words - instructionWords, instructed: true}
	}
	var l layout
	if overlap > 0 { // false for NaN too
		l.prefix = min(int(math.Round(overlap*float64(words))), words-1) // what is not all is not quite all
	}
	rest := words - l.prefix
	l.salt = min(saltWords, rest)
	rest -= l.salt
	if rest >= instructionWords {
		l.instructed = true
		rest -= instructionWords
	}
	l.body = rest
	return l
}

// text writes out a prompt.
func (g *Generator) text(i uint64, l layout) string {
	words := l.prefix + l.salt + l.body
	var text strings.Builder
	text.Grow(words*(maxWordLength+1) + len(instruction))

	var source rand.PCG
	g.seek(&source, prefixWords, 0)
	g.write(&text, l.prefix, source.Uint64)
	// A number of its own for every i: mix maps different numbers to different ones.
	g.write(&text, l.salt, func() uint64 { return mix(i ^ mix(g.seed)) })
	g.seek(&source, bodyWords, i)
	g.write(&text, l.body, source.Uint64)
	if l.instructed {
		text.WriteString(instruction)
		return text.String()
	}
	return strings.TrimSuffix(text.String(), " ")
}

// write writes n words, each with a space behind it, by numbers whose every byte chooses one.
func (g *Generator) write(text *strings.Builder, n int, next func() uint64) {
	var choice [8]byte
	var eight [8 * 8]byte
	for ; n > 0; n -= len(choice) {
		binary.LittleEndian.PutUint64(choice[:], next())
		end := 0
		for _, c := range choice[:min(n, len(choice))] {
			word := g.lexicon[c]
			binary.LittleEndian.PutUint64(eight[end:], uint64(word))
			end += word.len()
		}
		text.Write(eight[:end])
	}
}

// stream sets apart the random numbers that are drawn for different purposes, so that a change of one (a length of
// another kind, say) leaves the others as they are.
type stream uint64

const (
	promptLengths stream = iota + 1
	outputLengths
	prefixWords
	bodyWords
)

// seek puts the source to the beginning of a stream of the prompt i.
func (g *Generator) seek(source *rand.PCG, s stream, i uint64) {
	source.Seed(mix(g.seed^mix(uint64(s))), mix(i))
}

// mix maps a number to another that looks unrelated, one to one: the finalizer of SplitMix64 (Steele, Lea and Flood,
// "Fast splittable pseudorandom number generators", 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
