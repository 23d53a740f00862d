// This file is the binomial distribution.

package chance

import "math"

// AtMost is P[B ≤ k] for B from Binomial(n, p): how likely no more than k of n independent tries succeed, each with
// probability p from 0 to 1.
func AtMost(n, k int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	sum := 0.0
	for i := min(negligible(n, p), k); i <= k; i++ {
		sum += binomial(n, i, p)
	}
	return min(sum, 1)
}

// negligible is a number of successes below which all together weigh less than 1e-30.
func negligible(n int, p float64) int {
	mean, deviation := float64(n)*p, math.Sqrt(float64(n)*p*(1-p))
	return max(int(mean-12*deviation-12), 0)
}

// binomial is the probability of k successes in n tries, n!/(k!(n−k)!) · p^k · (1−p)^(n−k), by its logarithm: the factorials
// alone are beyond what a float64 holds from n = 171 on.
func binomial(n, k int, p float64) float64 {
	switch p {
	case 0:
		return one(k == 0)
	case 1:
		return one(k == n)
	}
	return math.Exp(logChoose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// logChoose is ln(n!/(k!(n−k)!)), with ln n! = ln Γ(n+1).
func logChoose(n, k int) float64 {
	all, _ := math.Lgamma(float64(n) + 1)
	these, _ := math.Lgamma(float64(k) + 1)
	others, _ := math.Lgamma(float64(n-k) + 1)
	return all - these - others
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
