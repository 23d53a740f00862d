// Tokens of a given number of words: how a tokenizer of another language, or another model, counts.

package sim

import (
	"math"
	"unicode/utf8"
)

// The words to a token that can be asked for. English has about 0.75 in current models, and Chinese 0.7 to 1.5
// characters; above 1 whole phrases are tokens.
const (
	minWordsPerToken = 0.5
	maxWordsPerToken = 2.5
)

// appendWords makes a token of so many words. A word is a run of letters, however long, up to three digits, a Chinese
// character or one of its neighbours, and every other sign; a space belongs to the word after it. So the count of a text
// is its words / wordsPerToken, rounded up, in every script: at 1 a Chinese text counts by characters and at 2 by pairs of
// them, and code counts by its names and signs. A token is cut out of a word, or put together from words that follow each
// other, and the tokens of a text do not change when more text is put behind it, but for the last one.
func (t tokenizer) appendWords(ids []uint32, text string) []uint32 {
	var h uint32 // of the token that is under way, the last of ids
	for k := 0; text != ""; k++ {
		n := pieceLength(text, math.MaxInt)
		word := text[:n]
		text = text[n:]
		begun := t.begun(k)
		fresh := t.begun(k+1) - begun
		if fresh == 0 {
			h = fnv1a(h, word)
			ids[len(ids)-1] = h % vocabulary
			continue
		}
		for i := range fresh {
			h = fnv1a(fnvBasis, part(word, i, fresh))
			ids = append(ids, h%vocabulary)
		}
	}
	return ids
}

// begun returns how many tokens have begun in the first n words.
func (t tokenizer) begun(n int) int {
	const rounding = 1e-9 // n/wordsPerToken may come out a little above a whole number that it is
	return int(math.Ceil(float64(n)/t.wordsPerToken - rounding))
}

// firstWord returns the word in which a token begins, counted from 0 like the tokens.
func (t tokenizer) firstWord(token int) int {
	k := int(float64(token) * t.wordsPerToken)
	for k > 0 && t.begun(k) > token {
		k--
	}
	for t.begun(k+1) <= token {
		k++
	}
	return k
}

// part returns the i-th of n parts of a word, about as long as each other; some are empty if it has too few letters.
func part(word string, i, n int) string {
	if n == 1 {
		return word
	}
	letters := utf8.RuneCountInString(word)
	return word[runeOffset(word, i*letters/n):runeOffset(word, (i+1)*letters/n)]
}

// runeOffset returns where the n-th rune begins.
func runeOffset(text string, n int) int {
	for at := range text {
		if n == 0 {
			return at
		}
		n--
	}
	return len(text)
}

// appendWordsOf appends what the i-th token of an answer says, from 0, by a tokenizer that counts words: the tokenizer
// makes exactly those tokens of the answer.
func (a answer) appendWordsOf(dst []byte, i int) []byte {
	t := a.tokens
	k := t.firstWord(i)
	begun := t.begun(k)
	fresh := t.begun(k+1) - begun
	from := len(dst)
	dst = a.appendWord(dst, k)
	dst = append(dst[:from], part(string(dst[from:]), i-begun, fresh)...)
	if i-begun < fresh-1 {
		return dst // the rest of the word is the next token
	}
	for k++; t.begun(k+1) == i+1; k++ {
		dst = a.appendWord(dst, k)
	}
	return dst
}

// splits reports whether some words have several tokens. Then an answer has no words of a single letter, nor full stops:
// a token that says nothing would be none to a client that counts what it sees.
func (t tokenizer) splits() bool { return t.wordsPerToken > 0 && t.wordsPerToken < 1 }
