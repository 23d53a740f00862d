// This file tests the scripts that a trace's events give.

package shape

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/shape/trace"
)

func TestEventWithoutBlocksIsLikeAScriptOfItsLengths(t *testing.T) {
	g := NewGenerator(1)
	s := Shape{Prompt: Fixed(10), Output: Fixed(10), PrefixOverlap: 0.3, Prefixes: 5, Text: Chinese}
	for i := range uint64(30) {
		want := made(g, i, Shape{Prompt: Fixed(300), Output: Fixed(44), PrefixOverlap: 0.3, Prefixes: 5, Text: Chinese})
		if diff := cmp.Diff(want, g.FromTrace(i, trace.Event{Input: 300, Output: 44}, s)); diff != "" {
			t.Fatal(diff)
		}
		// What the trace does not tell, the shape does.
		if diff := cmp.Diff(made(g, i, s), g.FromTrace(i, trace.Event{}, s)); diff != "" {
			t.Fatal(diff)
		}
	}
	long := trace.Event{Input: 2 * MaxTokens, Output: 2 * MaxTokens}
	if got := g.FromTrace(1, long, Shape{}).Turns[0]; got.Tokens != MaxTokens || got.OutputTokens != MaxTokens {
		t.Errorf("%d and %d tokens", got.Tokens, got.OutputTokens)
	}
}

// blocks returns an event of that many tokens in blocks of 100.
func blocks(input int, ids ...uint64) trace.Event {
	return trace.Event{Input: input, Output: 5, Blocks: ids, BlockTokens: 100}
}

func TestBlocksThatAreSharedAreTheSameText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		kind := rapid.SampledFrom(allTexts).Draw(t, "text")
		rate := rapid.Float64Range(0.5, 2).Draw(t, "rate")
		g.Calibration().learned(kind, rate, 0)
		s := Shape{Prompt: Fixed(1), Output: Fixed(1), Text: kind}
		one := unitsIn(g.FromTrace(1, blocks(450, 7, 8, 9, 1, 2), s).Turns[0].Text, kind)
		two := unitsIn(g.FromTrace(2, blocks(500, 7, 8, 9, 3, 4), s).Turns[0].Text, kind)
		block := int(math.Round(100 * rate))
		n := 0
		for n < min(len(one), len(two)) && one[n] == two[n] {
			n++
		}
		if n < 3*block || n > 3*block+5 {
			t.Fatalf("%d units in common, want %d", n, 3*block)
		}
		if want := int(math.Round(450 * rate)); len(one) != want {
			t.Fatalf("%d units, want %d", len(one), want)
		}
		// The same block elsewhere is the same text too.
		three := unitsIn(g.FromTrace(3, blocks(250, 9, 8, 7), s).Turns[0].Text, kind)
		if diff := cmp.Diff(one[2*block:3*block], three[:block]); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestBlocksEndAsTheTraceEnds(t *testing.T) {
	g := NewGenerator(1)
	s := Shape{Prompt: Fixed(1), Output: Fixed(1)}
	text := func(i uint64, e trace.Event) string { return g.FromTrace(i, e, s).Turns[0].Text }
	if got := text(1, blocks(150, 1, 2)); !strings.HasSuffix(got, " "+englishInstruction) {
		t.Errorf("a last block that is not whole: %q", got)
	}
	whole, continued := text(1, blocks(200, 1, 2)), text(2, blocks(300, 1, 2, 3))
	if strings.HasSuffix(whole, englishInstruction) || !strings.HasPrefix(continued, whole) {
		t.Errorf("a whole last block: %q, continued: %q", whole, continued)
	}
	if got := text(1, blocks(5, 1)); common(got, text(2, blocks(100, 1))) != 5 || len(strings.Fields(got)) != 5 {
		t.Errorf("five tokens: %q", got)
	}
	if n := common(text(1, blocks(300, 1)), text(2, blocks(300, 1))); n < 100 || n > 102 {
		t.Errorf("tokens beyond the blocks: %d in common", n)
	}
	if a, b := text(1, blocks(150, 1, 2)), text(2, blocks(150, 1, 2)); a != b {
		t.Error("two prompts of the same blocks differ")
	}
	// The template's tokens are taken off the end, where they hurt no reuse.
	g.Calibration().learned(Words, 1, 30)
	if n := len(strings.Fields(text(1, blocks(200, 1, 2)))); n != 170 {
		t.Errorf("%d words beside 30 tokens of a template", n)
	}
}

// A calibration that still settles must not cut each block otherwise than the last time.
func TestBlocksAreCutAnewOnlyForAReason(t *testing.T) {
	g := NewGenerator(1)
	s := Shape{Prompt: Fixed(1), Output: Fixed(1)}
	cut := func(rate float64) int {
		g.Calibration().learned(Words, rate, 0)
		return common(g.FromTrace(1, blocks(200, 1, 2), s).Turns[0].Text, g.FromTrace(2, blocks(200, 1, 3), s).Turns[0].Text)
	}
	for _, c := range []struct {
		rate float64
		want int
	}{{1, 100}, {1.019, 100}, {0.985, 100}, {1.03, 103}, {1.049, 103}, {0.5, 50}} {
		if got := cut(c.rate); got != c.want && got != c.want+1 {
			t.Errorf("%v words a token: a block of %d words, want %d", c.rate, got, c.want)
		}
	}
}
