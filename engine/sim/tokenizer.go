// The tokenizer: text to token ids, and prompts to the block hashes of the prefix cache.

package sim

import (
	"encoding/binary"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	vocabulary = 128_000 // ids are below it; about the size of a current model's
	pieceRunes = 7       // longest piece of a word that is one token
	pieceDigit = 3       // digits to a token, as in Llama 3
	wideScript = 0x2E80  // from here on (CJK, kana, hangul, …) a letter is a token of its own
)

// The chat template, as in ChatML: <|im_start|> role \n content <|im_end|> \n for each message, and
// <|im_start|> assistant \n before the answer. So a message costs five tokens more than its text, and a chat three more.
const (
	tokenStart = vocabulary + iota
	tokenEnd
	tokenNewline
)

// tokenize returns the ids of the text's tokens, appended to ids. A space belongs to the word after it, a word of up to seven
// letters is one token and a longer one is cut in pieces of seven, digits go by threes, and every other sign counts as one.
// So plain English makes about 1.2 tokens a word. An id is a hash: the same piece has the same id in every server.
func tokenize(ids []uint32, text string) []uint32 {
	for len(text) > 0 {
		n := tokenLength(text)
		ids = append(ids, tokenID(text[:n]))
		text = text[n:]
	}
	return ids
}

// tokenLength returns the bytes of the first token of a text that is not empty.
func tokenLength(text string) int {
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	r, size := utf8.DecodeRuneInString(text[start:])
	switch {
	case size == 0: // a lone space at the end
		return start
	case unicode.IsSpace(r):
		// A run of white space before which no word's own space is left: indentation, an empty line.
		rest := strings.TrimLeftFunc(text, unicode.IsSpace)
		run := len(text) - len(rest)
		if rest != "" && text[run-1] == ' ' {
			run-- // the last space belongs to the word
		}
		return run
	case unicode.IsDigit(r):
		return start + runLength(text[start:], pieceDigit, unicode.IsDigit)
	case isWordRune(r):
		return start + runLength(text[start:], pieceRunes, isWordRune)
	default:
		return start + size
	}
}

// runLength returns the bytes of the leading runes of the kind, at most limit of them.
func runLength(text string, limit int, kind func(rune) bool) int {
	n := 0
	for i, r := range text {
		if n == limit || !kind(r) {
			return i
		}
		n++
	}
	return len(text)
}

func isWordRune(r rune) bool { return r < wideScript && (unicode.IsLetter(r) || unicode.IsMark(r)) }

// tokenID is FNV-1a, written out because a hash.Hash would cost an allocation a token.
func tokenID(piece string) uint32 {
	h := uint32(2166136261)
	for i := range len(piece) {
		h = (h ^ uint32(piece[i])) * 16777619
	}
	return h % vocabulary
}

// tokenizeChat returns the ids of a chat in its template, ready for the answer where open is set.
func tokenizeChat(messages []chatMessage, open bool) []uint32 {
	var ids []uint32
	for _, m := range messages {
		ids = append(ids, tokenStart, tokenID(m.Role), tokenNewline)
		ids = tokenize(ids, string(m.Content))
		ids = append(ids, tokenEnd, tokenNewline)
	}
	if open {
		ids = append(ids, tokenStart, tokenID("assistant"), tokenNewline)
	}
	return ids
}

// hashBlocks returns one hash for each full block of the prompt. Each covers everything before it too, so that equal
// hashes mean equal prefixes.
func hashBlocks(ids []uint32, size int) []uint64 {
	hashes := make([]uint64, 0, len(ids)/size)
	h := fnv.New64a()
	var buf [4]byte
	for len(ids) >= size {
		for _, id := range ids[:size] {
			binary.LittleEndian.PutUint32(buf[:], id)
			_, _ = h.Write(buf[:]) // a hash never fails
		}
		hashes = append(hashes, h.Sum64())
		ids = ids[size:]
	}
	return hashes
}

// hashPrompt returns a hash of the whole prompt.
func hashPrompt(ids []uint32) uint64 {
	h := uint64(14695981039346656037)
	for _, id := range ids {
		h = (h ^ uint64(id)) * 1099511628211
	}
	return h
}
