// This file is the lognormal lengths, which real prompts and answers resemble most: many short ones and a long tail.

package shape

import (
	"math"
	"math/rand/v2"
)

// Lognormal returns the lognormal distribution with that mean and standard deviation, both of the lengths themselves,
// not of their logarithms: those have the variance σ² = ln(1 + sd²/mean²) and the mean μ = ln mean − σ²/2. Lengths are
// rounded to whole tokens and truncated to 1 … MaxTokens without piling up at the ends. Truncation moves the mean where
// the spread is wide: to mean · (Φ(β−σ) − Φ(α−σ)) / (Φ(β) − Φ(α)), α and β being the ends' logarithms in standard
// deviations from μ.
func Lognormal(mean, sd int) Length {
	if sd == 0 {
		return Fixed(mean)
	}
	return Length{kind: lognormal, a: mean, b: sd}
}

// logarithms returns μ and σ, and the ends α and β. A Length that is not valid gives those of the nearest that is.
func (l Length) logarithms() (mu, sigma, alpha, beta float64) {
	mean, sd := float64(clamp(float64(l.a))), float64(clamp(float64(l.b)))
	sigma = math.Sqrt(math.Log1p(sd * sd / (mean * mean)))
	mu = math.Log(mean) - sigma*sigma/2
	return mu, sigma, (math.Log(0.5) - mu) / sigma, (math.Log(MaxTokens+0.5) - mu) / sigma
}

// drawLognormal draws by the inverse of the truncated distribution's function, for in the widest of them only one draw
// of a hundred would fall inside.
func (l Length) drawLognormal(r *rand.Rand) int {
	mu, sigma, alpha, beta := l.logarithms()
	low, high := cumulative(alpha), cumulative(beta)
	share := low + r.Float64()*(high-low)
	return clamp(math.Exp(mu - sigma*math.Sqrt2*math.Erfcinv(2*share)))
}
