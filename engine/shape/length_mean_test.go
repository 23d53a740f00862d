// This file says what draws of a length have to average to, by formula.

package shape

import "math"

// mean is what draws average to, in tokens. Of a normal length it is the mean of the truncated distribution,
// μ + σ (φ(α) − φ(β)) / (Φ(β) − Φ(α)) with α and β the ends in standard deviations from μ, before rounding to whole
// tokens: less than 0.05 off what Draw gives. For a lognormal length see Lognormal; the rounding of short lengths is taken
// into account. Of lengths from a file it is exact.
func (l Length) mean() float64 {
	switch l.kind {
	case uniform:
		return float64(l.a+l.b) / 2
	case normal:
		mean, sd := float64(l.a), float64(l.b)
		alpha, beta := (0.5-mean)/sd, (MaxTokens+0.5-mean)/sd
		return mean + sd*(density(alpha)-density(beta))/(cumulative(beta)-cumulative(alpha))
	case lognormal:
		return l.lognormalMean()
	case listed:
		return l.file.mean()
	default:
		return float64(l.a)
	}
}

// density is φ, that of the standard normal distribution.
func density(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }

// short is how many of the shortest lengths lognormalMean takes one by one: they lie where the density is steep enough
// for rounding to move the mean.
const short = 32

func (l Length) lognormalMean() float64 {
	mu, sigma, alpha, beta := l.logarithms()
	sum, below := 0.0, cumulative(alpha)
	end := alpha
	for n := 1; n <= short; n++ {
		end = (math.Log(float64(n)+0.5) - mu) / sigma
		upTo := cumulative(end)
		sum, below = sum+float64(n)*(upTo-below), upTo
	}
	sum += float64(l.a) * (cumulative(beta-sigma) - cumulative(end-sigma))
	return sum / (cumulative(beta) - cumulative(alpha))
}

func (t table) mean() float64 {
	r := t.rows.Value()
	sum := 0.0
	for row := range r.count() {
		sum += float64(t.scaled(r, row)) * float64(r.upTo(row)-r.upTo(row-1))
	}
	return sum / float64(r.upTo(r.count()-1))
}
