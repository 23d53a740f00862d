package lines_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/presets/lines"
)

func form() lines.Form {
	return lines.Form{Kind: "a file", Nested: func(key string) bool { return key == "deep" }}
}

func TestRead(t *testing.T) {
	at := func(line, column int) lines.Place { return lines.Place{File: "f", Line: line, Column: column} }
	for _, tt := range []struct {
		text string
		want []lines.Line
	}{
		{"", nil},
		{"# nothing\n", nil},
		{"a: 1", []lines.Line{{Key: "a", KeyAt: at(1, 1), Values: []string{"1"}, ValueAt: at(1, 4)}}},
		{"a: 'x: y'\nb: |\n  text\n", []lines.Line{
			{Key: "a", KeyAt: at(1, 1), Values: []string{"x: y"}, ValueAt: at(1, 4)},
			{Key: "b", KeyAt: at(2, 1), Values: []string{"text"}, ValueAt: at(2, 4)},
		}},
		{"a: [1, 2]", []lines.Line{{Key: "a", KeyAt: at(1, 1), Values: []string{"1", "2"}, ValueAt: at(1, 4)}}},
		{"deep:\n  one: {two: 3}", []lines.Line{{
			Key: "deep", KeyAt: at(1, 1), ValueAt: at(2, 6),
			Lines: []lines.Line{{
				Key: "one", KeyAt: at(2, 3), ValueAt: at(2, 8),
				Lines: []lines.Line{{Key: "two", KeyAt: at(2, 9), Values: []string{"3"}, ValueAt: at(2, 14)}},
			}},
		}}},
	} {
		got, err := lines.Read("f", []byte(tt.text), form())
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"a: 1\na: 2":       "f:2:1: ",
		"a:":               "a has no value",
		"a: &x 1":          "f:1:4: a is to be written out",
		"a: {b: 1}":        "a takes one value",
		"- a":              "f:1:1: a file is lines",
		"a: 1\n---\nb: 2":  "a file is one list of lines",
		"a: \"unfinished":  "f:1:4: ",
		"deep:\n  one: !x": "f:",
	} {
		if _, err := lines.Read("f", []byte(text), form()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want it to say %q", text, err, says)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"a: 1", "a: [1, {b: 2}]", "deep: {a: b}", "deep:\n  one:\n    - x", "? a\n: b", "a: !!str b", "{a: 1}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := lines.Read("f", []byte(text), form())
		for _, l := range all {
			if err != nil || l.KeyAt.Line < 1 || l.Values == nil && l.Lines == nil && l.Key != "deep" {
				t.Errorf("%+v, %v", l, err)
			}
		}
	})
}
