// This file tests what is learned of the tokens in a text.

package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// counter is a server's tokenizer and its chat template: each unit has a whole number of tokens, perUnit on average.
type counter struct {
	perUnit, overhead float64
	random            *rand.Rand
}

func (c counter) count(units int) int64 {
	n := c.overhead
	whole, part := math.Modf(c.perUnit)
	for range units {
		n += whole
		if c.random.Float64() < part {
			n++
		}
	}
	return int64(max(n, 1))
}

// achieve observes a probe of ten units, and then sends that many requests of the lengths, of which always eight are on
// their way: what is learned from one decides about the eighth after it at the earliest. It returns the mean tokens
// that were asked and counted from the 20th request on. spoil may falsify what the server says it counted.
func achieve(
	c *Calibration, text Text, l Length, server counter, requests int, spoil func(i int, tokens int64) int64,
) (asked, counted float64) {
	const inFlight, warm = 8, 20
	c.Observe(text, 10, server.count(10))
	type sent struct {
		units  int
		tokens int64
	}
	var running []sent
	for i := range requests {
		if len(running) == inFlight {
			c.Observe(text, running[0].units, running[0].tokens)
			running = running[1:]
		}
		n := l.Draw(server.random)
		units := c.Units(text, n)
		tokens := server.count(units)
		if i >= warm {
			asked, counted = asked+float64(n), counted+float64(tokens)
		}
		running = append(running, sent{units, spoil(i, tokens)})
	}
	return asked / float64(requests-warm), counted / float64(requests-warm)
}

func honest(_ int, tokens int64) int64 { return tokens }

func TestMeanLengthIsRightAfterTwentyRequests(t *testing.T) {
	for _, text := range allTexts {
		for _, l := range []Length{Fixed(512), Normal(512, 128), Uniform(32, 2048)} {
			for _, unitsPerToken := range []float64{0.5, 0.6, 0.8, 1, 1.3, 1.7, 2.1, 2.5} {
				for _, overhead := range []float64{0, 1, 15, 38, 60} {
					server := counter{1 / unitsPerToken, overhead, rand.New(rand.NewPCG(1, 2))}
					asked, counted := achieve(new(Calibration), text, l, server, 60, honest)
					if off := counted/asked - 1; math.Abs(off) > 0.02 {
						t.Errorf("%v of %v tokens, %v a token and %v on top: %+.1f %% off", text, l, unitsPerToken, overhead, 100*off)
					}
				}
			}
		}
	}
}

func TestMeanLengthIsRightForAnyServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(allTexts).Draw(t, "text")
		l := rapid.SampledFrom([]Length{
			Fixed(512), Fixed(128), Normal(512, 128), Uniform(32, 2048), Lognormal(1000, 1000),
		}).Draw(t, "length")
		server := counter{
			1 / rapid.Float64Range(0.5, 2.5).Draw(t, "units per token"), float64(rapid.IntRange(0, 60).Draw(t, "overhead")),
			rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)),
		}
		asked, counted := achieve(new(Calibration), text, l, server, 220, honest)
		if off := counted/asked - 1; math.Abs(off) > 0.02 {
			t.Fatalf("%+.1f %% off", 100*off)
		}
	})
}

func TestOutliersDoNotMoveTheMean(t *testing.T) {
	for name, spoil := range map[string]func(int, int64) int64{
		"every seventh from a cache": func(i int, tokens int64) int64 {
			if i%7 == 0 {
				return 1 + tokens/10
			}
			return tokens
		},
		"the first cut short": func(i int, tokens int64) int64 {
			if i == 0 {
				return tokens / 4
			}
			return tokens
		},
		"one after long agreement": func(i int, tokens int64) int64 {
			if i == 50 {
				return 100 * tokens
			}
			return tokens
		},
	} {
		server := counter{1.3, 25, rand.New(rand.NewPCG(3, 3))}
		asked, counted := achieve(new(Calibration), Words, Normal(512, 128), server, 200, spoil)
		if off := counted/asked - 1; math.Abs(off) > 0.02 {
			t.Errorf("%s: %+.1f %% off", name, 100*off)
		}
	}
}

// TestCountsThatNoTokenizerMakesAreNotTrusted has prompts of 500 tokens of a server that makes a token of each word, and adds
// 12, but does not say so: usage leaves out what its cache held, or is made up.
func TestCountsThatNoTokenizerMakesAreNotTrusted(t *testing.T) {
	for name, c := range map[string]struct {
		counted func(units int64) int64
		most    int // words of a prompt
	}{
		"nine tenths left out as cached": {func(units int64) int64 { return (units + 12) / 10 }, 500},
		"all but a block left out":       {func(units int64) int64 { return (units + 12) % 16 }, 500},
		"always the same":                {func(int64) int64 { return 33 }, 500},
		"half left out":                  {func(units int64) int64 { return (units + 12) / 2 }, 1100}, // as a tokenizer might
		"an honest server whose cache fills": {func() func(int64) int64 {
			n := 0
			return func(units int64) int64 {
				if n++; n <= 20 {
					return units + 12
				}
				return (units + 12) / 10
			}
		}(), 500},
	} {
		for _, text := range allTexts {
			calibration := new(Calibration)
			calibration.Observe(text, 10, 22) // the probe, of which nothing was cached
			for i := range 100 {
				units := calibration.Units(text, 500)
				if units > c.most {
					t.Errorf("%s: prompt %d has %d units of %v", name, i, units, text)
					break
				}
				calibration.Observe(text, units, c.counted(int64(units)))
			}
		}
	}
}

func TestAnotherTokenizerIsLearnedSoon(t *testing.T) {
	c := new(Calibration)
	random := rand.New(rand.NewPCG(4, 4))
	achieve(c, Words, Fixed(512), counter{0.7, 10, random}, 500, honest)
	asked, counted := achieve(c, Words, Fixed(512), counter{1.9, 40, random}, 200, honest)
	if off := counted/asked - 1; math.Abs(off) > 0.02 {
		t.Errorf("%+.1f %% off", 100*off)
	}
}

func TestCalibrationFindsOverheadAndRateWhereLengthsDiffer(t *testing.T) {
	c := new(Calibration)
	achieve(c, Code, Uniform(32, 2048), counter{1.5, 42, rand.New(rand.NewPCG(5, 5))}, 100, honest)
	rate, overhead, samples := c.State(Code)
	if math.Abs(rate*1.5-1) > 0.01 || math.Abs(overhead-42) > 4 || samples != 93 {
		t.Errorf("%.3f units a token, %.1f on top, of %d samples", rate, overhead, samples)
	}
}

func TestKindsOfTextAreLearnedApart(t *testing.T) {
	c := new(Calibration)
	for range 20 {
		c.Observe(Chinese, 500, 1500)
	}
	if rate, overhead, samples := c.State(Words); rate != 1 || overhead != 0 || samples != 0 {
		t.Errorf("words: %v, %v, %v", rate, overhead, samples)
	}
	if units := c.Units(Chinese, 1500); math.Abs(float64(units)-500) > 2 {
		t.Errorf("1500 tokens are %d Chinese words", units)
	}
}

func TestCalibrationKeepsWithinReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := new(Calibration)
		for range rapid.IntRange(0, 30).Draw(t, "observations") {
			c.Observe(Words, rapid.IntRange(-1, 20_000_000).Draw(t, "units"), rapid.Int64Min(-1).Draw(t, "tokens"))
			rate, overhead, _ := c.State(Words)
			if !(rate >= 1.0/mostPerUnit && rate <= 1/leastPerUnit) || !(overhead >= 0 && overhead <= MaxTokens) {
				t.Fatalf("%v words a token, %v on top", rate, overhead)
			}
			tokens := rapid.IntRange(-5, MaxTokens).Draw(t, "asked")
			units, more := c.Units(Words, tokens), c.Units(Words, tokens+100)
			if units < 1 || units > max(unitsPerTokenMost*tokens, 1) || more < units {
				t.Fatalf("%d tokens are %d words, %d are %d", tokens, units, tokens+100, more)
			}
		}
	})
}

func TestCalibrationFromManyHands(t *testing.T) {
	c := new(Calibration)
	var hands sync.WaitGroup
	for range 4 {
		hands.Go(func() {
			for range 100 {
				c.Observe(Words, c.Units(Words, 512), 512)
			}
		})
	}
	hands.Wait()
	if _, _, samples := c.State(Words); samples != 400 {
		t.Errorf("%d samples", samples)
	}
}

func ExampleCalibration() {
	c := new(Calibration)
	for _, prompt := range []struct {
		words  int
		tokens int64
	}{{10, 36}, {500, 673}, {377, 511}, {380, 514}} { // 1.3 tokens a word, and 23 of a template
		c.Observe(Words, prompt.words, prompt.tokens)
	}
	fmt.Println(c.Units(Words, 512), "words for 512 tokens")
	// Output: 377 words for 512 tokens
}

func BenchmarkObserve(b *testing.B) {
	b.ReportAllocs()
	c := new(Calibration)
	for b.Loop() {
		c.Observe(Words, c.Units(Words, 512), 512)
	}
}

// learned sets both figures as if they had been learned.
func (c *Calibration) learned(t Text, unitsPerToken, overhead float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fits[t] = fit{samples: 1, rate: unitsPerToken, overhead: overhead}
}
