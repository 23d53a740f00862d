// This file is the kinds of text that synthetic prompts are made of, and how a kind is written out.

package shape

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Text is what synthetic prompts are made of. Its units, by which lengths are counted, are words, or fragments of code.
// The zero Text is Words.
type Text uint8

// The kinds of text.
const (
	Words   Text = iota // English words, parted by spaces
	Chinese             // Chinese words of two characters, with nothing between them
	Code                // fragments of code, each with a space or a new line behind it
	texts               // how many kinds there are
)

var textNames = [texts]string{"words", "chinese", "code"}

// ParseText reads a kind of text by its name: "words" (or nothing), "chinese" or "code", in any case. The error is a
// sentence that says what may be written.
func ParseText(s string) (Text, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if name == "" {
		return Words, nil
	}
	for t, known := range textNames {
		if name == known {
			return Text(t), nil
		}
	}
	return Words, fmt.Errorf("there is no text %q; write words, chinese or code", s)
}

// String returns the name that ParseText reads.
func (t Text) String() string {
	if t >= texts {
		return fmt.Sprintf("text %d", uint8(t))
	}
	return textNames[t]
}

// MarshalText writes the kind as String does, for JSON and YAML.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the kind as ParseText does.
func (t *Text) UnmarshalText(text []byte) (err error) {
	*t, err = ParseText(string(text))
	return err
}

// Validate returns nil, or a sentence that says that there is no such kind.
func (t Text) Validate() error {
	if t >= texts {
		return fmt.Errorf("there is no %s; it is words, chinese or code", t)
	}
	return nil
}

// orWords returns a kind that there is.
func (t Text) orWords() Text {
	if t >= texts {
		return Words
	}
	return t
}

// lexicon is a kind of text, laid out to be written fast.
type lexicon struct {
	units            [256]packedUnit
	unitLength       int // no unit is longer, in bytes, with what parts it from the next
	parted           bool
	instruction      string
	instructionUnits int
}

// lexiconOf lays out a kind of text.
func lexiconOf(t Text) lexicon {
	var l lexicon
	units, separator := &englishWords, " "
	l.instruction = englishInstruction
	switch t {
	case Chinese:
		units, separator, l.instruction = &chineseWords, "", chineseInstruction
	case Code:
		units, separator, l.instruction = &codeFragments, "", codeInstruction
	}
	for i, unit := range units {
		l.units[i] = pack(unit + separator)
		l.unitLength = max(l.unitLength, l.units[i].len())
	}
	if l.parted = t != Chinese; l.parted {
		l.instructionUnits = len(strings.Fields(l.instruction))
	} else {
		l.instructionUnits = utf8.RuneCountInString(l.instruction) / 2
	}
	return l
}

// room returns the bytes that that many units and the instruction can take.
func (l *lexicon) room(units int) int { return units*l.unitLength + len(l.instruction) }

// write writes n units by the source's numbers, whose every byte chooses one.
func (l *lexicon) write(text *strings.Builder, n int, source *rand.PCG) {
	var chunk [64 * 8]byte
	end := 0
	for ; n >= 8; n -= 8 {
		choice := source.Uint64()
		for range 8 {
			end += l.put(chunk[end:], byte(choice))
			choice >>= 8
		}
		if end > len(chunk)-8*8 {
			text.Write(chunk[:end])
			end = 0
		}
	}
	text.Write(chunk[:end])
	if n > 0 {
		l.writeChosen(text, n, source.Uint64())
	}
}

// writeChosen writes n units, at most eight, chosen by the bytes of a number from its lowest on.
func (l *lexicon) writeChosen(text *strings.Builder, n int, choice uint64) {
	var eight [8 * 8]byte
	end := 0
	for range n {
		end += l.put(eight[end:], byte(choice))
		choice >>= 8
	}
	text.Write(eight[:end])
}

// put puts a unit into at least eight bytes and returns how many of them it takes.
func (l *lexicon) put(into []byte, choice byte) int {
	unit := l.units[choice]
	binary.LittleEndian.PutUint64(into, uint64(unit))
	return unit.len()
}

// finish ends a text with the instruction, where it has one, and else without what parts the last unit from a next.
func (l *lexicon) finish(text *strings.Builder, instructed bool) string {
	if instructed {
		text.WriteString(l.instruction)
		return text.String()
	}
	s := text.String()
	if l.parted && s != "" {
		s = s[:len(s)-1]
	}
	return s
}

// packedUnit is a unit of text in the low bytes of a number, lowest first, with its length in the highest. It is copied
// without a branch, which makes prompts several times cheaper than copying strings does.
type packedUnit uint64

// pack packs a unit of at most seven bytes.
func pack(unit string) packedUnit {
	var bytes [8]byte
	copy(bytes[:7], unit)
	bytes[7] = byte(len(unit))
	return packedUnit(binary.LittleEndian.Uint64(bytes[:]))
}

func (u packedUnit) len() int { return int(u >> 56) }
