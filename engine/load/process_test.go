// This file tests that the arrival processes draw what their names say. Seeds are fixed, so nothing fails by chance;
// tolerances are what chance would exceed once in some thousand seeds.

package load

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// draws returns gaps of a process, in mean gaps.
func draws(a Arrival, n int) []float64 {
	random, draw := rand.New(rand.NewPCG(5, 6)), a.process()
	gaps := make([]float64, n)
	for i := range gaps {
		gaps[i] = draw(random)
	}
	return gaps
}

// moments returns the mean of values and their coefficient of variation.
func moments(values []float64) (mean, variation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	var squares float64
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares/float64(len(values))) / mean
}

// kolmogorovSmirnov returns the largest distance of the values' distribution from the one that cumulative describes.
func kolmogorovSmirnov(values []float64, cumulative func(float64) float64) float64 {
	slices.Sort(values)
	n, distance := float64(len(values)), 0.0
	for i, v := range values {
		p := cumulative(v)
		distance = max(distance, p-float64(i)/n, float64(i+1)/n-p)
	}
	return distance
}

// gammaCumulative returns the regularised lower incomplete gamma function P(a, x), which is the share of a gamma
// distribution of shape a and scale 1 that lies below x: by its power series where that converges fast, and by the
// continued fraction of 1−P elsewhere.
func gammaCumulative(a, x float64) float64 {
	if x <= 0 {
		return 0
	}
	logGamma, _ := math.Lgamma(a)
	front := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		sum, term := 0.0, 1/a
		for n := 1.0; term > sum*1e-16; n++ {
			sum += term
			term *= x / (a + n)
		}
		return front * sum
	}
	fraction := 0.0
	for n := 200.0; n > 0; n-- { // backwards: 1−P = front / (x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …)))
		fraction = n * (n - a) / (x + 2*n + 1 - a - fraction)
	}
	return 1 - front/(x+1-a-fraction)
}

func TestGammaCumulativeAgainstClosedForms(t *testing.T) {
	for _, x := range []float64{0.001, 0.1, 0.9, 1, 2, 5, 20} {
		for a, want := range map[float64]float64{
			0.5: math.Erf(math.Sqrt(x)),
			1:   1 - math.Exp(-x),
			2:   1 - math.Exp(-x)*(1+x),
			3:   1 - math.Exp(-x)*(1+x+x*x/2),
		} {
			if got := gammaCumulative(a, x); math.Abs(got-want) > 1e-9 {
				t.Errorf("P(%v, %v) = %v, want %v", a, x, got, want)
			}
		}
	}
}

func TestGapsAreDistributedAsTheirNameSays(t *testing.T) {
	const n = 50_000
	for arrival, variation := range map[Arrival]float64{
		Poisson: 1, Gamma(1): 1, Gamma(0.5): 0.5, Gamma(0.05): 0.05, Gamma(1.5): 1.5, Gamma(3): 3, Gamma(10): 10,
	} {
		t.Run(string(arrival), func(t *testing.T) {
			shape := 1 / (variation * variation)
			gaps := draws(arrival, n)
			mean, got := moments(gaps)
			if off := math.Abs(mean - 1); off > 4*variation/math.Sqrt(n) {
				t.Errorf("mean %.4f", mean)
			}
			// The variance of a sample's variance is about (μ₄−σ⁴)/n, with μ₄/σ⁴ = 3+6/k for the shape k; the mean adds its own.
			deviation := math.Sqrt((2+6/shape)/n)/2 + variation/math.Sqrt(n)
			if off := math.Abs(got/variation - 1); off > 4*deviation {
				t.Errorf("coefficient of variation %.4f, want %v ± %.1f %%", got, variation, 400*deviation)
			}
			distance := kolmogorovSmirnov(gaps, func(x float64) float64 { return gammaCumulative(shape, x*shape) })
			if limit := 1.95 / math.Sqrt(n); distance > limit { // exceeded once in a thousand
				t.Errorf("the distribution is %.5f off, more than %.5f", distance, limit)
			}
		})
	}
}

// What the test above would say to a wrong process: it must be able to fail.
func TestDistributionsAreToldApart(t *testing.T) {
	const n = 50_000
	for arrival, shape := range map[Arrival]float64{Poisson: 1 / (1.05 * 1.05), Gamma(2): 1 / (1.9 * 1.9), Constant: 1} {
		distance := kolmogorovSmirnov(draws(arrival, n), func(x float64) float64 { return gammaCumulative(shape, x*shape) })
		if distance < 1.95/math.Sqrt(n) {
			t.Errorf("%s passes for gamma of shape %.3f, being %.5f off", arrival, shape, distance)
		}
	}
}

func TestExtremeVariationsGiveUsableGaps(t *testing.T) {
	for _, a := range []Arrival{Gamma(MinVariation), Gamma(MaxVariation)} {
		for i, gap := range draws(a, 100_000) {
			if !(gap >= 0 && gap < 1e5) {
				t.Fatalf("%s: gap %d is %v", a, i, gap)
			}
		}
	}
}

func TestBurstsArriveAtOnceAndKeepTheirRate(t *testing.T) {
	for i, gap := range draws(Burst(3, time.Second), 300) {
		if want := [3]float64{3, 0, 0}[i%3]; gap != want {
			t.Errorf("gap %d is %v, want %v", i, gap, want)
		}
	}
}
