// The answers: how long they are and what they say, both decided by the seed and the prompt.

package sim

import (
	"math"
	"math/rand/v2"
)

// How long the model speaks when nothing stops it: log-normal, as answers in chat logs are.
const (
	answerMedian = 180
	answerSigma  = 0.6
	answerMin    = 8
	answerMax    = 2048
)

// sentenceTokens is the length of every sentence in words, its full stop included.
const sentenceTokens = 12

// answer is a text of any length, one word or sign for each token, or as the tokenizer counts.
type answer struct {
	key    uint64
	tokens tokenizer
}

// newAnswer returns what the model says to the prompt: with one seed, always the same.
func newAnswer(seed, prompt uint64, tokens tokenizer) answer {
	return answer{key: mix(seed ^ mix(prompt)), tokens: tokens}
}

// naturalLength returns after how many tokens the model stops by itself.
func (a answer) naturalLength() int {
	rng := rand.New(rand.NewPCG(a.key, 0))
	n := answerMedian * math.Exp(answerSigma*rng.NormFloat64())
	return int(min(max(n, answerMin), answerMax))
}

// appendToken appends the i-th token's text, from 0. It needs no escaping in JSON, and the tokenizer makes exactly one
// token of it.
func (a answer) appendToken(dst []byte, i int) []byte {
	if a.tokens.wordsPerToken == 0 {
		return a.appendWord(dst, i)
	}
	return a.appendWordsOf(dst, i)
}

// appendWord appends the i-th word or sign.
func (a answer) appendWord(dst []byte, i int) []byte {
	at := i % sentenceTokens
	fullStop := at == sentenceTokens-1
	if fullStop && !a.tokens.splits() {
		return append(dst, '.')
	}
	if i > 0 {
		dst = append(dst, ' ')
	}
	n := mix(a.key+uint64(i)) % uint64(len(words))
	word := words[n]
	if len(word) == 1 && a.tokens.splits() {
		word = words[n+1] // the one word of a letter is the first
	}
	if at > 0 {
		return append(dst, word...)
	}
	dst = append(dst, word[0]-'a'+'A')
	return append(dst, word[1:]...)
}

// mix spreads the bits of x: the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// words are lower-case ASCII and no longer than the tokenizer's longest piece. Nothing changes them.
var words = [...]string{
	"a", "about", "after", "again", "all", "along", "also", "and", "answer", "any", "are", "around", "as", "at",
	"batch", "because", "before", "better", "between", "both", "bridge", "by", "cache", "can", "change", "clear",
	"close", "could", "day", "each", "early", "engine", "enough", "every", "fast", "few", "field", "first", "follow",
	"for", "from", "full", "garden", "give", "good", "great", "hand", "has", "have", "help", "here", "high", "house",
	"idea", "if", "in", "into", "is", "it", "keep", "kind", "large", "last", "later", "learn", "light", "line",
	"little", "long", "look", "make", "many", "measure", "memory", "might", "model", "more", "most", "move", "much",
	"near", "never", "new", "next", "number", "of", "often", "on", "one", "open", "or", "order", "other", "our",
	"over", "part", "people", "place", "plain", "point", "queue", "quiet", "read", "right", "river", "same", "second",
	"server", "short", "should", "simple", "since", "slow", "small", "so", "some", "state", "step", "still", "system",
	"than", "that", "the", "their", "then", "there", "these", "they", "thing", "this", "time", "to", "token",
	"toward", "turn", "two", "under", "until", "use", "very", "wait", "water", "way", "we", "well", "what", "when",
	"where", "which", "while", "will", "with", "word", "work", "world", "would", "write", "year", "yet", "you",
}
