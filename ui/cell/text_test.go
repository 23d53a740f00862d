package cell

import (
	"strings"
	"testing"
)

func TestAFlagIsNotBrokenWhereLinesAre(t *testing.T) {
	for _, tt := range []struct {
		text string
		w    int
		want string
	}{
		{"take more with -n 5", 16, "take more with|-n 5"},
		{"more (--max-tokens 9) of it", 13, "more|(--max-tokens|9) of it"},
		{"a closed-loop load", 10, "a closed-|loop load"},
		{"x --max-tokens", 6, "x|--max-|tokens"},
	} {
		if got := strings.Join(Wrapped(tt.text, tt.w), "|"); got != tt.want {
			t.Errorf("%q in %d cells: %q, want %q", tt.text, tt.w, got, tt.want)
		}
	}
}
