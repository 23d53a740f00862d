// This file tests the prompts.

package shape

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixedShape is prompts of n tokens with the share p in common.
func fixedShape(n int, p float64) Shape {
	return Shape{Prompt: Fixed(n), Output: Fixed(16), PrefixOverlap: p}
}

// englishUnits is how many units the instruction to write at length has.
const englishUnits = 7

// first returns the first turn of a script without a data set.
func first(g *Generator, i uint64, s Shape) Turn {
	script, err := g.Script(i, s)
	if err != nil {
		panic(err) // there is none without a data set
	}
	return script.Turns[0]
}

// common returns how many words a and b have in common at their front.
func common(a, b string) int {
	x, y := strings.Fields(a), strings.Fields(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

func TestPromptHasTheLengthThatWasAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "tokens")
		overlap := rapid.Float64Range(0, 1).Draw(t, "overlap")
		perToken := rapid.Float64Range(0.1, 2).Draw(t, "words per token")
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		g.Calibration().learned(Words, perToken, 0)
		p := first(g, rapid.Uint64().Draw(t, "i"), fixedShape(n, overlap))
		want := max(1, int(math.Round(float64(n)*perToken)))
		words := strings.Split(p.Text, " ")
		if p.Tokens != n || p.OutputTokens != 16 || p.Words != want || len(words) != want || slices.Contains(words, "") {
			t.Fatalf("%d tokens, %d words asked: %+v", n, want, p)
		}
	})
}

func TestPromptDrawsItsLengthsFromTheShape(t *testing.T) {
	s := Shape{Prompt: Normal(200, 40), Output: Uniform(10, 20)}
	g := NewGenerator(3)
	const n = 5000
	var prompt, output float64
	for i := range uint64(n) {
		p := first(g, i, s)
		prompt, output = prompt+float64(p.Tokens), output+float64(p.OutputTokens)
	}
	if math.Abs(prompt/n-200) > 2 || math.Abs(output/n-15) > 0.2 {
		t.Errorf("means %.1f and %.2f, want 200 and 15", prompt/n, output/n)
	}
	// Turning one knob must not change what the other draws.
	for i := range uint64(100) {
		if a, b := first(g, i, s), first(g, i, Shape{Prompt: Fixed(9), Output: s.Output}); a.OutputTokens != b.OutputTokens {
			t.Fatalf("prompt %d: the output length %d became %d with another prompt length", i, a.OutputTokens, b.OutputTokens)
		}
	}
}

func TestPromptDependsOnlyOnSeedNumberAndShape(t *testing.T) {
	s := Shape{Prompt: Uniform(1, 400), Output: Normal(50, 20), PrefixOverlap: 0.3}
	const n = 200
	want := make([]Turn, n)
	for i := range want {
		want[i] = first(NewGenerator(5), uint64(i), s)
	}
	got := make([]Turn, n)
	g := NewGenerator(5)
	var hands sync.WaitGroup
	for hand := range 4 { // together and in another order
		hands.Go(func() {
			for i := n - 4 + hand; i >= 0; i -= 4 {
				g.Calibration().learned(Words, 1, 0)
				got[i] = first(g, uint64(i), s)
			}
		})
	}
	hands.Wait()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-one by one +together):\n%s", diff)
	}
	if a, b := first(g, 1, s), first(NewGenerator(6), 1, s); a.Text == b.Text || common(a.Text, b.Text) > 2 {
		t.Error("another seed begins the same")
	}
}

func TestPromptBeginsUnlikeAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		i, j := rapid.Uint64().Draw(t, "i"), rapid.Uint64().Draw(t, "j")
		if i == j {
			t.Skip()
		}
		s := fixedShape(rapid.IntRange(saltUnits, 100).Draw(t, "tokens"), 0)
		if a, b := first(g, i, s).Text, first(g, j, s).Text; common(a, b) >= saltUnits {
			t.Fatalf("prompts %d and %d begin the same:\n%s\n%s", i, j, a, b)
		}
	})
	// Not only the salt as a whole: the very first word tells most apart, so that a cache finds next to nothing.
	g, same := NewGenerator(1), 0
	const n = 2560
	for i := range uint64(n) {
		same += common(first(g, i, fixedShape(64, 0)).Text, first(g, i+1, fixedShape(64, 0)).Text)
	}
	if same > n/256*4 {
		t.Errorf("%d neighbours share %d words", n, same)
	}
}

func TestPrefixShareIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		n := rapid.IntRange(200, 2000).Draw(t, "tokens")
		overlap := rapid.Float64Range(0, 0.9).Draw(t, "overlap")
		// Of many prompts together: two salts may begin alike, all of them do not.
		front := strings.Fields(first(g, 0, fixedShape(n, overlap)).Text)
		shared := len(front)
		for i := range uint64(20) {
			shared = min(shared, common(first(g, i+1, fixedShape(n, overlap)).Text, strings.Join(front, " ")))
		}
		if want := int(math.Round(overlap * float64(n))); shared != want {
			t.Fatalf("%d of %d words are common, want %d", shared, n, want)
		}
	})
}

func TestPrefixShareAtItsEnds(t *testing.T) {
	g := NewGenerator(1)
	for _, n := range []int{1, 7, 15, 100, 1000} {
		whole := first(g, 1, fixedShape(n, 1)).Text
		if other := first(g, 2, fixedShape(n, 1)).Text; other != whole {
			t.Errorf("overlap 1, %d tokens: prompts differ:\n%s\n%s", n, whole, other)
		}
		if other := first(NewGenerator(2), 1, fixedShape(n, 1)).Text; n >= 15 && other == whole {
			t.Errorf("overlap 1, %d tokens: seeds share a prefix", n)
		}
	}
	if n := common(first(g, 1, fixedShape(1000, 1)).Text, first(g, 1, fixedShape(500, 1)).Text); n != 500-englishUnits {
		t.Errorf("overlap 1: a prompt of 500 words has %d in common with one of 1000", n)
	}
	if n := common(first(g, 1, fixedShape(1000, 0)).Text, first(g, 2, fixedShape(1000, 0)).Text); n != 0 {
		t.Errorf("overlap 0: %d words in common", n)
	}
	// Nearly all is not all: a word is left to tell prompts apart.
	if a, b := first(g, 1, fixedShape(100, 0.9999)), first(g, 2, fixedShape(100, 0.9999)); common(a.Text, b.Text) != 99 {
		t.Errorf("overlap 0.9999: %d of 100 words in common", common(a.Text, b.Text))
	}
}

// Run files of the same seed and shape hash must have asked the same: a change here needs a new number in Shape.Hash.
func TestPromptIsStable(t *testing.T) {
	want := Turn{
		Text: "rain hand image paper slow clean cave week guard store fish help write trust trail green gray " +
			"Write a very long story about this",
		Words: 24, Tokens: 24, OutputTokens: 16,
	}
	if diff := cmp.Diff(want, first(NewGenerator(1), 1, fixedShape(24, 0.25))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s, lengths := Shape{Prompt: Normal(512, 128), Output: Uniform(1, 100)}, [][2]int{}
	for i := range uint64(4) {
		p := first(NewGenerator(1), i, s)
		lengths = append(lengths, [2]int{p.Tokens, p.OutputTokens})
	}
	if diff := cmp.Diff([][2]int{{388, 82}, {472, 78}, {379, 40}, {449, 11}}, lengths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		words   int
		overlap float64
		want    layout
	}{
		{1, 0, layout{salt: 1}},
		{8, 0, layout{salt: 8}},
		{14, 0, layout{salt: 8, body: 6}},
		{15, 0, layout{salt: 8, instructed: true}},
		{100, 0, layout{salt: 8, body: 85, instructed: true}},
		{100, 0.5, layout{prefix: 50, salt: 8, body: 35, instructed: true}},
		{100, 0.9, layout{prefix: 90, salt: 8, body: 2}},
		{100, 0.95, layout{prefix: 95, salt: 5}},
		{1, 0.9, layout{salt: 1}},
		{100, 1, layout{prefix: 93, instructed: true}},
		{14, 1, layout{prefix: 14}},
		{100, -1, layout{salt: 8, body: 85, instructed: true}},
		{100, math.NaN(), layout{salt: 8, body: 85, instructed: true}},
		{100, 7, layout{prefix: 93, instructed: true}},
	} {
		if got := plan(c.words, c.overlap, saltUnits, englishUnits); got != c.want {
			t.Errorf("%d words, overlap %v: %+v, want %+v", c.words, c.overlap, got, c.want)
		}
	}
}

func TestPromptEndsWithTheInstruction(t *testing.T) {
	for _, overlap := range []float64{0, 0.5, 1} {
		if p := first(NewGenerator(1), 1, fixedShape(40, overlap)); !strings.HasSuffix(p.Text, " "+englishInstruction) {
			t.Errorf("overlap %v: %s", overlap, p.Text)
		}
	}
}

func TestShapeThatIsNotValidStillGivesAPrompt(t *testing.T) {
	if p := first(NewGenerator(1), 1, Shape{PrefixOverlap: math.NaN()}); p.Words != 1 || p.Tokens != 1 || p.OutputTokens != 1 {
		t.Errorf("%+v", p)
	}
}

func BenchmarkScript(b *testing.B) {
	for name, s := range map[string]Shape{
		"1000-words":                fixedShape(1000, 0),
		"1000-words-half-common":    fixedShape(1000, 0.5),
		"1000-words-normal-lengths": {Prompt: Normal(1000, 200), Output: Normal(100, 20)},
		"100000-words":              fixedShape(100_000, 0),
		"1000-chinese":              {Prompt: Fixed(800), Output: Fixed(100), Text: Chinese},
		"1000-code":                 {Prompt: Fixed(667), Output: Fixed(100), Text: Code},
		"8-turns-of-125-words":      {Prompt: Fixed(125), Output: Fixed(100), Turns: Fixed(8)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			g, i := NewGenerator(1), uint64(0)
			for b.Loop() {
				i++
				if _, err := g.Script(i, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
