// This file tests how files are split into lines.

package lines

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// all reads every entry by Line or by Element; the bytes are copied.
func all(t interface{ Fatal(...any) }, next func() (Entry, error)) []Entry {
	var entries []Entry
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		e.Bytes = bytes.Clone(e.Bytes)
		entries = append(entries, e)
	}
}

func TestLineEndings(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"no last ending", "a\nb", "a|b"},
		{"a last ending is no line", "a\nb\n", "a|b"},
		{"as Windows writes them", "a\r\nb\r\n", "a|b"},
		{"blank lines are lines", "\n\na\n", "||a"},
		{"a carriage return alone ends none", "a\rb\n", "a\rb"},
		{"byte order mark", "\xef\xbb\xbfa\nb", "a|b"},
		{"only the first bytes are a mark", "a\n\xef\xbb\xbfb", "a|\xef\xbb\xbfb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for i, e := range all(t, NewReader(strings.NewReader(tt.in)).Line) {
				if e.Line != i+1 || e.Fault != nil {
					t.Errorf("entry %d is line %d with fault %v", i, e.Line, e.Fault)
				}
				got = append(got, string(e.Bytes))
			}
			if joined := strings.Join(got, "|"); joined != tt.want {
				t.Errorf("%q, want %q", joined, tt.want)
			}
		})
	}
}

func TestUnfitLinesAreNamedAndPassedOver(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"not UTF-8", "ab\xffc", "byte 3 is not valid UTF-8"},
		{"UTF-8 cut short", "ab\xe2\x82", "byte 3 is not valid UTF-8"},
		{"a replacement character is not the fault", "a�\xff", "byte 5 is not valid UTF-8"},
		{"NUL", "ab\x00", "byte 3 is a NUL, which no text has"},
		{"one byte too long", strings.Repeat("x", 1<<20+1), "the line is longer than 1 MiB"},
		{"far too long", strings.Repeat("x", 3<<20), "the line is longer than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader(strings.NewReader("first\n" + tt.line + "\nlast"))
			r.limit = 1 << 20
			entries := all(t, r.Line)
			if len(entries) != 3 {
				t.Fatalf("%d lines, want 3", len(entries))
			}
			if bad := entries[1]; bad.Fault == nil || bad.Fault.Error() != tt.want || bad.Line != 2 || bad.Offset != 6 {
				t.Errorf("line %d at %d: %v, want %q", bad.Line, bad.Offset, bad.Fault, tt.want)
			}
			if last := entries[2]; string(last.Bytes) != "last" || last.Line != 3 || last.Offset != int64(len(tt.line))+7 || last.Fault != nil {
				t.Errorf("then line %d at %d: %q, %v", last.Line, last.Offset, last.Bytes, last.Fault)
			}
		})
	}
}

func TestLongestLineIsStillRead(t *testing.T) {
	const limit = 1 << 20
	longest := strings.Repeat("x", limit)
	file := io.MultiReader(strings.NewReader(longest), strings.NewReader("\n"), strings.NewReader(longest), strings.NewReader("y"))
	r := NewReader(file)
	if r.limit != 16<<20 {
		t.Errorf("the longest line has %d bytes", r.limit)
	}
	r.limit = limit
	entries := all(t, r.Line)
	if len(entries) != 2 || len(entries[0].Bytes) != limit || entries[0].Fault != nil || entries[1].Fault == nil {
		t.Errorf("%d lines, the first of %d bytes with fault %v", len(entries), len(entries[0].Bytes), entries[0].Fault)
	}
}

// TestLinesAreThoseOfTheFile splits files of any lines, larger than the window, and finds each at its offset.
func TestLinesAreThoseOfTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		filler := strings.Repeat("z", rapid.IntRange(0, 2*firstWindow).Draw(t, "filler"))
		lines := rapid.SliceOf(rapid.StringMatching(`[a-c ]{0,5}`)).Draw(t, "lines")
		at := rapid.IntRange(0, len(lines)).Draw(t, "at")
		lines = append(lines[:at:at], append([]string{filler}, lines[at:]...)...)
		file := strings.Join(lines, "\n") + "\n"
		r := NewReader(iotest.HalfReader(strings.NewReader(file)))
		for i, e := range all(t, r.Line) {
			if string(e.Bytes) != lines[i] || !strings.HasPrefix(file[e.Offset:], lines[i]) || e.Line != i+1 {
				t.Fatalf("line %d is given as line %d at %d, of %d bytes", i+1, e.Line, e.Offset, len(e.Bytes))
			}
		}
		if r.Offset() != int64(len(file)) {
			t.Fatalf("%d of %d bytes passed", r.Offset(), len(file))
		}
	})
}

func TestHeadTakesNothingAway(t *testing.T) {
	r := NewReader(strings.NewReader("\xef\xbb\xbfone\ntwo"))
	if head := string(r.Head()); head != "one\ntwo" {
		t.Errorf("head is %q", head)
	}
	if entries := all(t, r.Line); len(entries) != 2 || string(entries[0].Bytes) != "one" {
		t.Errorf("then come %v", entries)
	}
}

func TestReadErrorsAreHandedOn(t *testing.T) {
	broken := errors.New("broken disk")
	for name, next := range map[string]func(*Reader) (Entry, error){"line": (*Reader).Line, "element": (*Reader).Element} {
		r := NewReader(io.MultiReader(strings.NewReader(`[{"a":`), iotest.ErrReader(broken)))
		if e, err := next(r); !errors.Is(err, broken) {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	r := NewReader(io.MultiReader(strings.NewReader(strings.Repeat("x", 2<<20)), iotest.ErrReader(broken)))
	r.limit = 1 << 20
	if e, err := r.Line(); !errors.Is(err, broken) {
		t.Errorf("long line: %+v, %v", e, err)
	}
}

func BenchmarkLine(b *testing.B) {
	file := bytes.Repeat([]byte(strings.Repeat("word ", 40)+"\n"), 20_000)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(file))
		for {
			if _, err := r.Line(); err != nil {
				break
			}
		}
	}
}
