// This file tests the kinds of text.

package shape

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// allTexts is every kind of text.
var allTexts = []Text{Words, Chinese, Code}

// vocabulary is the units that texts of the kind are made of, without what parts them in a text.
func vocabulary(kind Text) []string {
	l := lexiconOf(kind)
	units := make([]string, len(l.units))
	for i, unit := range l.units {
		var text [8]byte
		binary.LittleEndian.PutUint64(text[:], uint64(unit))
		units[i] = strings.TrimRight(string(text[:unit.len()]), " \n")
	}
	return units
}

// unitsIn parts a text into its units, as a reader of it would, and reports whether all are of the vocabulary.
func unitsIn(text string, kind Text) (units []string) {
	switch kind {
	case Chinese:
		for chunk := range slices.Chunk([]rune(text), 2) {
			units = append(units, string(chunk))
		}
	case Code:
		units = strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' })
	default:
		units = strings.Split(text, " ")
	}
	return units
}

func TestVocabulariesAreDistinctUnitsOfTheirKind(t *testing.T) {
	for _, kind := range allTexts {
		units := vocabulary(kind)
		distinct := slices.Compact(slices.Sorted(slices.Values(units)))
		if len(distinct) != 256 || len(units) != 256 {
			t.Errorf("%v: %d units, %d of them distinct", kind, len(units), len(distinct))
		}
		for _, unit := range units {
			good := unit != "" && len(unit) <= 6
			switch kind {
			case Words:
				good = good && strings.Trim(unit, "abcdefghijklmnopqrstuvwxyz") == ""
			case Chinese:
				good = utf8.RuneCountInString(unit) == 2 && strings.IndexFunc(unit, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) < 0
			case Code:
				good = good && strings.IndexFunc(unit, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
			}
			if !good {
				t.Errorf("%v: unit %q", kind, unit)
			}
		}
	}
	for _, fragment := range codeFragments {
		if end := strings.IndexAny(fragment, " \n"); end != len(fragment)-1 || len(fragment) > 7 {
			t.Errorf("the fragment %q has its end at %d", fragment, end)
		}
	}
}

func TestInstructionsAreCountedInUnits(t *testing.T) {
	for kind, want := range map[Text]int{Words: englishUnits, Chinese: 8, Code: 8} {
		if l := lexiconOf(kind); l.instructionUnits != want || len(unitsIn(l.instruction, kind)) != want {
			t.Errorf("%v: %d units said, %d in it, want %d", kind, l.instructionUnits, len(unitsIn(l.instruction, kind)), want)
		}
	}
}

func TestParseText(t *testing.T) {
	for text, want := range map[string]Text{"": Words, "words": Words, " Chinese": Chinese, "CODE": Code} {
		if got, err := ParseText(text); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := ParseText("Klingon"); err == nil || err.Error() != `there is no text "Klingon"; write words, chinese or code` {
		t.Error(err)
	}
	for _, want := range allTexts {
		var got struct{ T Text }
		text, err := json.Marshal(struct{ T Text }{want})
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if got.T != want || err != nil {
			t.Errorf("%s is read as %v, %v", text, got.T, err)
		}
	}
}
