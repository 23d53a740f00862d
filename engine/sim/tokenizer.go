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
	tokenTemplate // and those after it: what Config.TemplateTokens puts first
)

// tokenizer cuts text into tokens. The zero tokenizer goes by pieces (see appendPieces) and adds nothing to a chat but
// the messages' own frames.
type tokenizer struct {
	wordsPerToken float64 // 0: by pieces; else see appendWords
	template      int     // tokens before the first message of every chat
}

// append returns the ids of the text's tokens, appended to ids. An id is a hash: the same token has the same id in every
// server.
func (t tokenizer) append(ids []uint32, text string) []uint32 {
	if t.wordsPerToken == 0 {
		return appendPieces(ids, text)
	}
	return t.appendWords(ids, text)
}

// appendPieces makes a token of every piece of a text. A space belongs to the word after it, a word of up to seven
// letters is one token and a longer one is cut in pieces of seven, digits go by threes, and every other sign counts as one.
// So plain English makes about 1.2 tokens a word.
func appendPieces(ids []uint32, text string) []uint32 {
	for len(text) > 0 {
		n := tokenLength(text)
		ids = append(ids, tokenID(text[:n]))
		text = text[n:]
	}
	return ids
}

// tokenLength returns the bytes of the first piece of a text that is not empty.
func tokenLength(text string) int { return pieceLength(text, pieceRunes) }

// pieceLength is tokenLength with another limit to the letters of a piece.
func pieceLength(text string, letters int) int {
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
		return start + runLength(text[start:], letters, isWordRune)
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

// The parameters of 32-bit FNV-1a.
const (
	fnvBasis = 2166136261
	fnvPrime = 16777619
)

// fnv1a goes on with a hash. It is written out because a hash.Hash would cost an allocation a token.
func fnv1a(h uint32, piece string) uint32 {
	for i := range len(piece) {
		h = (h ^ uint32(piece[i])) * fnvPrime
	}
	return h
}

func tokenID(piece string) uint32 { return fnv1a(fnvBasis, piece) % vocabulary }

// chat returns the ids of a chat in its template, ready for the answer where open is set.
func (t tokenizer) chat(messages []chatMessage, open bool) []uint32 {
	var ids []uint32
	for i := range t.template {
		ids = append(ids, tokenTemplate+uint32(i))
	}
	for _, m := range messages {
		ids = append(ids, tokenStart, tokenID(m.Role), tokenNewline)
		ids = t.append(ids, string(m.Content))
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
