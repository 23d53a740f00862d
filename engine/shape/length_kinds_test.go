// This file tests that lognormal and listed lengths are distributed as they say, and how listed ones are read.

package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// list returns the lengths that a text lists. Only for texts that do.
func list(text string) Length {
	l, err := Listed("lens.txt", strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	return l
}

// anyListed draws lengths from a file, with any factor over them.
func anyListed() *rapid.Generator[Length] {
	return rapid.Custom(func(t *rapid.T) Length {
		var text strings.Builder
		for range rapid.IntRange(1, 20).Draw(t, "lines") {
			n := clamp(math.Exp(rapid.Float64Range(0, math.Log(MaxTokens)).Draw(t, "log tokens")))
			fmt.Fprintln(&text, n, rapid.IntRange(1, 5).Draw(t, "weight"))
		}
		factor := math.Exp(rapid.Float64Range(-5, 5).Draw(t, "log factor"))
		return list(text.String()).Scale(factor)
	})
}

// lognormalUpTo returns the share of the lengths up to n, written out anew, not as the package does it.
func lognormalUpTo(l Length, n int) float64 {
	mean, sd := float64(l.a), float64(l.b)
	sigma := math.Sqrt(math.Log(1 + sd*sd/mean/mean))
	mu := math.Log(mean) - sigma*sigma/2
	below := func(x float64) float64 { return 0.5 * (1 + math.Erf((math.Log(x)-mu)/sigma/math.Sqrt2)) }
	return (below(float64(n)+0.5) - below(0.5)) / (below(MaxTokens+0.5) - below(0.5))
}

// Kolmogorov and Smirnov's distance.
func TestLognormalIsLognormal(t *testing.T) {
	const n = 20_000
	for _, l := range []Length{
		Lognormal(512, 256), Lognormal(100, 400), Lognormal(3, 2), Lognormal(1, MaxTokens), Lognormal(MaxTokens, MaxTokens),
	} {
		random := rand.New(rand.NewPCG(7, 7))
		drawn := make([]int, n)
		for i := range drawn {
			drawn[i] = l.Draw(random)
		}
		slices.Sort(drawn)
		distance := 0.0
		for i, x := range drawn {
			if i+1 == n || drawn[i+1] != x {
				distance = max(distance, math.Abs(lognormalUpTo(l, x)-float64(i+1)/n))
			}
		}
		if limit := 1.95 / math.Sqrt(n); distance > limit { // passed by chance once in 1000, if the seed were not fixed
			t.Errorf("%v: distance %.4f, limit %.4f", l, distance, limit)
		}
	}
}

func TestLognormalMeanIsThatOfTheLengths(t *testing.T) {
	for _, l := range []Length{
		Lognormal(512, 256), Lognormal(1, 1), Lognormal(2, 1), Lognormal(1, 5),
		Lognormal(3, MaxTokens), Lognormal(MaxTokens, MaxTokens),
	} {
		want := 1.0 // the mean is the sum, over n from 0, of the share of lengths above n
		for n, above := 1, 1.0; n < MaxTokens && above > 1e-12; n++ {
			above = 1 - lognormalUpTo(l, n)
			want += above
		}
		if got := l.mean(); math.Abs(got-want) > 0.05 {
			t.Errorf("%v: mean %.3f, want %.3f", l, got, want)
		}
	}
	if got := Lognormal(512, 256).mean(); math.Abs(got-512) > 0.1 {
		t.Errorf("512/256 has the mean %.2f", got)
	}
}

func TestListedLengthsComeAsOftenAsTheyWeigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.IntRange(1, 9), 2, 12).Draw(t, "weights")
		var text strings.Builder
		total := 0
		for i, w := range weights {
			fmt.Fprintln(&text, 10*(i+1), w)
			total += w
		}
		l := list(text.String())
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		const n = 5000
		count := map[int]int{}
		for range n {
			count[l.Draw(random)]++
		}
		chi2 := 0.0
		for i, w := range weights {
			want := n * float64(w) / float64(total)
			d := float64(count[10*(i+1)]) - want
			chi2 += d * d / want
			delete(count, 10*(i+1))
		}
		// Far beyond the mean, which is the degrees of freedom: once in 10⁶ by chance.
		if freedom := float64(len(weights) - 1); chi2 > freedom+7*math.Sqrt(2*freedom)+20 || len(count) > 0 {
			t.Fatalf("weights %v: χ² %.1f; besides %v", weights, chi2, count)
		}
	})
}

func TestListedSaysWhatWasWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "lens.txt lists no length; it takes a whole number of tokens in each line",
		"# nothing\n5 0":                   "lens.txt lists no length; it takes a whole number of tokens in each line",
		"512\n\nmany":                      `line 3 of lens.txt: "many" is not a whole number`,
		"0":                                "line 1 of lens.txt: 0 tokens is out of range: a length goes from 1 to 1000000",
		"5 1 1":                            "line 1 of lens.txt: 3 columns are too many: it takes a length and at most a weight",
		"5 0.5":                            `line 1 of lens.txt: weight "0.5" is not a whole number from 0 to 1000000000`,
		"5 1000000001":                     `line 1 of lens.txt: weight "1000000001" is not a whole number from 0 to 1000000000`,
		strings.Repeat("5\n", maxListed+1): "lens.txt lists more than 1000000 lengths",
		strings.Repeat("5", 1<<17):         "lens.txt can't be read as a list of lengths: bufio.Scanner: token too long",
	} {
		if l, err := Listed("lens.txt", strings.NewReader(text)); err == nil || err.Error() != want || l != (Length{}) {
			t.Errorf("%.20q: %v, %v\nwant %s", text, l, err, want)
		}
	}
}

func TestListedIsItsContent(t *testing.T) {
	a, b := list("512 2\n64 # short\n64"), list("  64 5\n\n512 5\r\n9 0\n")
	if a != b {
		t.Errorf("%#v and %#v differ", a, b)
	}
	hash := func(l Length) string { return Shape{Prompt: l, Output: Fixed(1)}.Hash() }
	other, err := Listed("other.txt", strings.NewReader("64\n512"))
	if err != nil || other == a || hash(other) != hash(a) {
		t.Errorf("another name: equal %v, hashes %s and %s, %v", other == a, hash(other), hash(a), err)
	}
	if twice := list("128\n1024"); hash(twice) != hash(a.Scale(2)) || hash(twice) == hash(a) {
		t.Errorf("hashes: %s, doubled %s, of twice as long %s", hash(a), hash(a.Scale(2)), hash(twice))
	}
}

func TestListedStepsItsFactor(t *testing.T) {
	l := list("100\n300")
	for _, c := range []struct {
		steps int
		want  string
	}{
		{0, "file:lens.txt"},
		{1, "file:lens.txt ×1.5"},
		{2, "file:lens.txt ×2"},
		{-1, "file:lens.txt ×0.75"},
		{-4, "file:lens.txt ×0.25"},
	} {
		got := l.Adjust(c.steps)
		if got.String() != c.want || got.Adjust(-c.steps) != l {
			t.Errorf("%+d steps: %v, back %v; want %s", c.steps, got, got.Adjust(-c.steps), c.want)
		}
	}
	if got := l.Scale(1.0 / 3); got.String() != "file:lens.txt ×0.3333" || got.Adjust(1).String() != "file:lens.txt ×0.375" {
		t.Errorf("a third: %v, a step up %v", got, got.Adjust(1))
	}
	top, bottom := l.Adjust(1000), l.Adjust(-1000)
	if top.Adjust(1) != top || top.Reach() != MaxTokens || bottom.Adjust(-1) != bottom || bottom.Reach() != 1 {
		t.Errorf("the ends are %v and %v", top, bottom)
	}
}

func TestParseLengthReadsFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"Lens.txt", "two words", "odd ×2", "odd x3"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("64\n512 3\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		content, err := Listed(path, strings.NewReader("64\n512 3"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []Length{content, content.Scale(0.3), content.Adjust(-9), content.Adjust(-1000)} {
			if got, err := ParseLength(want.String()); got != want || err != nil {
				t.Errorf("%q is read as %v, %v", want, got, err)
			}
		}
	}
	path := filepath.Join(folder, "Lens.txt")
	if l, err := ParseLength(" File: " + path + " x2"); err != nil || l.String() != "file:"+path+" ×2" {
		t.Errorf("%v, %v", l, err)
	}
	for text, reason := range map[string]string{
		"file:":                 `after "file:" comes the path of a file`,
		"file:" + folder:        folder + " is not a plain file",
		"file:" + path + ".no":  "open " + path + ".no: ",
		"file:" + path + " ×-2": "open " + path + " ×-2: ",
		"file:" + path + " ×0":  "open " + path + " ×0: ",
	} {
		want := fmt.Sprintf("length %q: %s", text, reason)
		if l, err := ParseLength(text); err == nil || !strings.HasPrefix(err.Error(), want) || l != (Length{}) {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
}

func FuzzListed(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Listed("lens.txt", strings.NewReader(text))
		if err != nil {
			if l != (Length{}) || !strings.Contains(err.Error(), "lens.txt") {
				t.Errorf("%q: %v beside the error %v", text, l, err)
			}
			return
		}
		random := rand.New(rand.NewPCG(1, 1))
		if n := l.Draw(random); l.Validate() != nil || n < 1 || n > l.Reach() || l.mean() < 1 || l.mean() > float64(l.Reach()) {
			t.Errorf("%q gives %v: %d drawn, mean %v, longest %d", text, l, n, l.mean(), l.Reach())
		}
	})
}
