// This file tests the lengths: how they are written, what they draw, how a knob turns them.

package shape

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyLength draws a valid length of any kind that needs no file.
func anyLength() *rapid.Generator[Length] {
	// Magnitudes rather than numbers: short lengths, where the edges are, are as likely as long ones.
	tokens := rapid.Custom(func(t *rapid.T) int {
		return clamp(math.Exp(rapid.Float64Range(0, math.Log(MaxTokens)).Draw(t, "log tokens")))
	})
	return rapid.Custom(func(t *rapid.T) Length {
		a, b := tokens.Draw(t, "a"), tokens.Draw(t, "b")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			return Fixed(a)
		case 1:
			return Uniform(min(a, b), max(a, b))
		case 2:
			return Lognormal(a, b)
		default:
			return Normal(a, b)
		}
	})
}

// anyKind draws a valid length of any kind.
func anyKind() *rapid.Generator[Length] {
	return rapid.OneOf(anyLength(), anyListed())
}

func TestParseLengthUnderstands(t *testing.T) {
	for text, want := range map[string]Length{
		"512":                Fixed(512),
		"1":                  Fixed(1),
		"1000000":            Fixed(MaxTokens),
		" 0512 ":             Fixed(512),
		"128-1024":           Uniform(128, 1024),
		"128 - 1024":         Uniform(128, 1024),
		"7-7":                Fixed(7),
		"512±128":            Normal(512, 128),
		"512 ± 128":          Normal(512, 128),
		"512+-128":           Normal(512, 128),
		"512+/-128":          Normal(512, 128),
		"512±0":              Fixed(512),
		"normal 512/128":     Normal(512, 128),
		"Normal  512 / 128 ": Normal(512, 128),
		"lognormal 512/256":  Lognormal(512, 256),
		"logn 512/256":       Lognormal(512, 256),
		"LogNormal 512 / 0":  Fixed(512),
	} {
		if got, err := ParseLength(text); got != want || err != nil {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseLengthSaysWhatWasWrong(t *testing.T) {
	for text, reason := range map[string]string{
		"":                     "there is nothing in it",
		"many":                 `"many" is not a whole number`,
		"0":                    "0 tokens is out of range: a length goes from 1 to 1000000",
		"1000001":              "1000001 tokens is out of range: a length goes from 1 to 1000000",
		"99999999999999999999": "99999999999999999999 is out of range: a length goes from 1 to 1000000",
		"+5":                   `"+5" is not a whole number`,
		"1.5":                  `"1.5" is not a whole number`,
		"-5":                   "a number is missing",
		"128-":                 "a number is missing",
		"1-2-3":                `"2-3" is not a whole number`,
		"0-5":                  "0 tokens is out of range: a length goes from 1 to 1000000",
		"5-2000000":            "2000000 tokens is out of range: a length goes from 1 to 1000000",
		"1024-128":             "the range ends (128) before it begins (1024)",
		"normal 512":           `after "normal" comes mean/spread`,
		"logn 512":             `after "logn" comes mean/spread`,
		"lognormal 0/5":        "0 tokens is out of range: a length goes from 1 to 1000000",
		"lognormal 512/2e6":    `"2e6" is not a whole number`,
		"lognormal 5/2000000":  "a spread of 2000000 is out of range: it goes from 0 to 1000000",
		"512±2000000":          "a spread of 2000000 is out of range: it goes from 0 to 1000000",
	} {
		want := `length "` + text + `": ` + reason + "; " + forms
		if got, err := ParseLength(text); err == nil || err.Error() != want || got != (Length{}) {
			t.Errorf("%q: %v, %v\nwant %s", text, got, err, want)
		}
	}
}

func TestLengthRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyLength().Draw(t, "length")
		if got, err := ParseLength(want.String()); got != want || err != nil {
			t.Fatalf("%q is read as %v, %v", want, got, err)
		}
		var got struct{ L Length }
		text, err := json.Marshal(struct{ L Length }{want})
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if got.L != want || err != nil {
			t.Fatalf("%s is read as %v, %v", text, got.L, err)
		}
	})
}

func FuzzParseLength(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ToLower(text), filePrefix) {
			t.Skip("a fuzzer shall not read files")
		}
		l, err := ParseLength(text)
		if err != nil {
			if l != (Length{}) {
				t.Errorf("%q: %v beside the error %v", text, l, err)
			}
			return
		}
		if err := l.Validate(); err != nil {
			t.Errorf("%q gives %#v, which is not valid: %v", text, l, err)
		}
		if again, err := ParseLength(l.String()); again != l || err != nil {
			t.Errorf("%q gives %s, which gives %v, %v", text, l, again, err)
		}
	})
}

func TestDrawStaysWithinTheLengthsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyKind().Draw(t, "length")
		lo, hi := 1, MaxTokens
		switch l.kind {
		case fixed:
			lo, hi = l.a, l.a
		case uniform:
			lo, hi = l.a, l.b
		case listed:
			hi = l.Reach()
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 100 {
			if n := l.Draw(random); n < lo || n > hi {
				t.Fatalf("%v gave %d", l, n)
			}
		}
	})
}

func TestDrawReachesBothEndsOfARange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	count := map[int]int{}
	for range 30_000 {
		count[Uniform(5, 7).Draw(random)]++
	}
	for n := 5; n <= 7; n++ {
		if math.Abs(float64(count[n])-10_000) > 400 {
			t.Errorf("%d came %d times in 30000", n, count[n])
		}
	}
}

func TestDrawHasTheMeanThatMeanGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4000
		l := anyKind().Draw(t, "length")
		if l.kind == lognormal && l.b > 3*l.a {
			t.Skip("too few draws reach into such a tail; see TestLognormalMeanIsThatOfTheLengths")
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var sum, squares float64
		for range n {
			x := float64(l.Draw(random))
			sum, squares = sum+x, squares+x*x
		}
		mean := sum / n
		// Seven standard errors, and what rounding to whole tokens may do: once in 10¹¹ this fails by chance.
		tolerance := 7*math.Sqrt(max(0, squares/n-mean*mean)/n) + 0.05
		if math.Abs(mean-l.mean()) > tolerance {
			t.Fatalf("%v: drawn %.3f, said %.3f, tolerance %.3f", l, mean, l.mean(), tolerance)
		}
	})
}

func TestDrawHasItsSpread(t *testing.T) {
	const n = 100_000
	for _, c := range []struct {
		length Length
		sd     float64
	}{
		{Fixed(512), 0},
		{Uniform(128, 1024), math.Sqrt((897.0*897 - 1) / 12)},
		{Normal(512, 64), math.Sqrt(64.0*64 + 1.0/12)}, // rounding adds 1/12 to the variance
		{Lognormal(512, 64), math.Sqrt(64.0*64 + 1.0/12)},
		{Lognormal(512, 512), 512}, // the cut at MaxTokens is ten standard deviations away
		{list("100 3\n300"), math.Sqrt(0.75 * 0.25 * 200 * 200)},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		var sum, squares float64
		for range n {
			x := float64(c.length.Draw(random))
			sum, squares = sum+x, squares+x*x
		}
		if sd := math.Sqrt(squares/n - sum/n*sum/n); math.Abs(sd-c.sd) > 0.01*c.sd {
			t.Errorf("%v: spread %.2f, want %.2f", c.length, sd, c.sd)
		}
	}
}

// Truncated, not clamped: a wide normal length must not pile up at 1, nor at the longest.
func TestNormalDoesNotPileUpAtItsEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	count := map[int]int{}
	for range 100_000 {
		count[Normal(10, 10).Draw(random)]++
	}
	if count[1] > count[2]+200 {
		t.Errorf("1 came %d times, 2 came %d", count[1], count[2])
	}
	for range 1000 {
		if n := Normal(MaxTokens, 1000).Draw(random); n == MaxTokens {
			count[n]++
		}
	}
	if count[MaxTokens] > 10 {
		t.Errorf("the longest came %d times in 1000", count[MaxTokens])
	}
}

func TestLengthsThatAreNotValidStillDraw(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	for _, l := range []Length{
		{},
		Fixed(-3), Fixed(MaxTokens + 1), Uniform(9, 3), Uniform(-5, -1), Uniform(0, math.MaxInt),
		Lognormal(0, 5), Lognormal(-7, -7), Lognormal(math.MaxInt, 3), Lognormal(3, math.MaxInt),
		Normal(-1_000_000, 1), Normal(5, -2), Normal(math.MaxInt, 5),
	} {
		for range 10 {
			if n := l.Draw(random); n < 1 || n > MaxTokens {
				t.Errorf("%#v gave %d", l, n)
			}
		}
	}
}

func TestAdjustClimbsTwoStepsToTheOctave(t *testing.T) {
	l, want := Fixed(1), []int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024}
	for _, n := range want {
		if l = l.Adjust(1); l != Fixed(n) {
			t.Fatalf("%v, want %d", l, n)
		}
	}
	for _, c := range []struct {
		from  Length
		steps int
		want  Length
	}{
		{Fixed(500), 1, Fixed(512)},
		{Fixed(500), -1, Fixed(384)},
		{Fixed(512), 4, Fixed(2048)},
		{Fixed(512), 0, Fixed(512)},
		{Fixed(786_432), 1, Fixed(MaxTokens)},
		{Fixed(MaxTokens), 1, Fixed(MaxTokens)},
		{Fixed(MaxTokens), -1, Fixed(786_432)},
		{Fixed(1), -1, Fixed(1)},
		{Fixed(9), -1000, Fixed(1)},
		{Uniform(128, 1024), 1, Uniform(192, 1536)},
		{Uniform(128, 1024), -2, Uniform(64, 512)},
		{Uniform(1, 2), -1, Uniform(1, 2)},
		{Uniform(1, 3), -1, Uniform(1, 2)},
		{Uniform(999_999, MaxTokens), 1, Uniform(999_999, MaxTokens)},
		{Normal(512, 128), 2, Normal(1024, 256)},
		{Normal(512, 1), -8, Normal(32, 1)},
		{Lognormal(512, 256), -1, Lognormal(384, 192)},
	} {
		if got := c.from.Adjust(c.steps); got != c.want {
			t.Errorf("%v, %+d steps: %v, want %v", c.from, c.steps, got, c.want)
		}
	}
}

func TestAdjustMovesAndLeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyKind().Draw(t, "length")
		up, down := l.Adjust(1), l.Adjust(-1)
		for _, n := range []Length{up, down} {
			if err := n.Validate(); err != nil || n.kind != l.kind {
				t.Fatalf("%v became %v (%v)", l, n, err)
			}
		}
		if up.mean() < l.mean() || down.mean() > l.mean() {
			t.Fatalf("below %v is %v, above it %v", l, down, up)
		}
		steps := rapid.IntRange(1, 5).Draw(t, "steps")
		on := Fixed(rapid.IntRange(2, 100_000).Draw(t, "n")).Adjust(1)
		if got := on.Adjust(steps).Adjust(-steps); got != on {
			t.Fatalf("%v, %d steps up and down: %v", on, steps, got)
		}
	})
}

func TestScaleKeepsKindAndLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyKind().Draw(t, "length")
		got := l.Scale(rapid.Float64().Draw(t, "factor"))
		if err := got.Validate(); err != nil || got.kind != l.kind {
			t.Fatalf("%v became %v (%v)", l, got, err)
		}
	})
	for factor, want := range map[float64]Length{
		2: Normal(1024, 200), 0.5: Normal(256, 50), 1: Normal(512, 100), 1e9: Normal(MaxTokens, MaxTokens),
		0: Normal(512, 100), -1: Normal(512, 100), math.Inf(1): Normal(512, 100), math.NaN(): Normal(512, 100),
	} {
		if got := Normal(512, 100).Scale(factor); got != want {
			t.Errorf("512±100 times %v: %v, want %v", factor, got, want)
		}
	}
}
