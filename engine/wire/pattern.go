// Chunks that differ from the one before only in their text and their counts.

package wire

import "tokdyno/engine/jsonscan"

// Within an answer nearly all chunks are alike, byte for byte, but for the text that they carry and, with continuous
// usage, the token counts. So the latest chunk is kept as a pattern: where the next one is the same outside those
// places, and has there what means the same, it needs no walk. All that decoding takes from a text is whether it is
// empty, and an empty one is no such place.

const (
	maxPattern = 2 << 10 // longer chunks are always walked
	maxHoles   = 6       // more are taken for fixed text
)

// holeKind says what may stand in a hole.
type holeKind uint8

const (
	holeText       holeKind = iota // the inside of a string that is not empty
	holeTotal                      // usage's count of both
	holePrompt                     // usage's count of the prompt, under any of its names
	holeCompletion                 // usage's count of the completion, likewise
)

// hole is a place in the pattern.
type hole struct {
	from, to int
	kind     holeKind
}

// pattern is a chunk with holes. The zero pattern fits nothing.
type pattern struct {
	text  []byte
	holes [maxHoles]hole
	n     int
	ready bool

	prompts, completers, totals int // members of those names, in whatever usage
}

// begin takes a chunk that is about to be walked, and returns the copy of it that is to be walked instead.
func (p *pattern) begin(payload []byte) []byte {
	p.ready, p.n, p.prompts, p.completers, p.totals = false, 0, 0, 0, 0
	if len(payload) > maxPattern {
		p.text = p.text[:0]
		return payload
	}
	p.text = append(p.text[:0], payload...)
	return p.text
}

// mark notes a hole. They come in order.
func (p *pattern) mark(kind holeKind, from, to int) {
	if p.n < maxHoles {
		p.holes[p.n] = hole{from, to, kind}
		p.n++
	}
}

// learn makes the pattern ready, after a valid chunk was walked that gave this usage. A count's place is a hole only if
// it is the one that the usage came from.
func (p *pattern) learn(u *usage) {
	if len(p.text) == 0 {
		return // it was too long to be kept
	}
	kept := 0
	for _, h := range p.holes[:p.n] {
		value, _ := jsonscan.Digits(p.text[h.from:])
		switch {
		case h.kind == holePrompt && (p.prompts != 1 || value != u.prompt),
			h.kind == holeCompletion && (p.completers != 1 || value != u.completion),
			h.kind == holeTotal && (p.totals != 1 || value != u.total):
			continue
		}
		p.holes[kept] = h
		kept++
	}
	p.n = kept
	p.ready = true
}

// fits reports whether a payload is the pattern with its holes filled in some way; then the counts in it go into u.
func (p *pattern) fits(payload []byte, u *usage) bool {
	if !p.ready {
		return false
	}
	prompt, completion, total := u.prompt, u.completion, u.total
	rest, from := payload, 0
	for i := range p.holes[:p.n] {
		h := &p.holes[i]
		fixed := p.text[from:h.from]
		if len(rest) < len(fixed) || string(rest[:len(fixed)]) != string(fixed) {
			return false
		}
		rest, from = rest[len(fixed):], h.to
		var length int
		if h.kind == holeText {
			length, _ = jsonscan.TextLength(rest)
		} else {
			var value int64
			value, length = jsonscan.Digits(rest)
			switch h.kind {
			case holePrompt:
				prompt = value
			case holeCompletion:
				completion = value
			case holeTotal:
				total = value
			}
		}
		if length <= 0 {
			return false
		}
		rest = rest[length:]
	}
	if string(rest) != string(p.text[from:]) {
		return false
	}
	u.prompt, u.completion, u.total = prompt, completion, total
	return true
}
