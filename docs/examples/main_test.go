package main

import (
	"os"
	"strings"
	"testing"
)

func TestTheReadmesExamplesAreFound(t *testing.T) {
	text, err := os.ReadFile("../../" + readme)
	if err != nil {
		t.Fatal(err)
	}
	examples := find(string(text))
	if len(examples) != 2 {
		t.Fatalf("%d examples, want one of check and one of sweep", len(examples))
	}
	for _, e := range examples {
		if !strings.Contains(e.command, " "+server+" ") || !answer.MatchString(e.output) || string(text[e.from:e.to]) != e.output {
			t.Errorf("%q, with %q", e.command, e.output)
		}
		if err := e.compare(e.output, true); err != nil {
			t.Errorf("%s does not agree with itself: %v", e.command, err)
		}
	}
}

func TestWhatDiffersIsFound(t *testing.T) {
	const printed = "…\nanswer      c=12 is the highest\nbeyond      c=13 missed\nnext        stay\n\nlevel  n\nc=4  1\n…\n"
	e := example{output: printed, after: "It lies from c=9 to\nc=14.\n"}
	for name, c := range map[string]struct {
		got  string
		says string // "": they agree
	}{
		"the same":                {printed, ""},
		"other figures":           {strings.ReplaceAll(printed, "c=12", "c=9"), ""},
		"nothing beyond":          {strings.ReplaceAll(printed, "beyond      c=13 missed\n", ""), ""},
		"another answer":          {strings.ReplaceAll(printed, "c=12", "c=15"), "the answer is c=15"},
		"no answer":               {strings.ReplaceAll(printed, "c=12 is", "no level"), "names no level"},
		"a line that is not here": {strings.ReplaceAll(printed, "next ", "then "), "lines"},
	} {
		err := e.compare(c.got, true)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
