// This file says how far a percentile of some samples can be trusted.

package chance

// QuantileRanks returns the ranks, from 1, of the two of n sorted samples between which the p-quantile (0 < p < 1) of what was
// sampled lies with at least the given confidence (0 < confidence < 1, usually 0.95); false where n samples are too few to
// say, because the quantile may well lie beyond the outermost of them.
//
// It assumes independent samples and nothing of their distribution. Each sample lies below the quantile q with probability p,
// so the number B of those that do is Binomial(n, p), and x[k] lies above q just where fewer than k samples lie below it. So
//
//	P(x[lo] > q) = P(B ≤ lo−1)
//	P(x[hi] < q) = P(B ≥ hi) = P(n−B ≤ n−hi),  with n−B Binomial(n, 1−p)
//
// and each is to be at most half of 1 − confidence. For lo that is the largest rank that keeps to it, and for hi the same
// from the other end: hi = n + 1 − lo', with lo' that of the (1−p)-quantile. Of 100 samples, the 95 % interval of the median
// goes from the 40th to the 61st; that of a p99 takes 368 samples to have an upper end. (David and Nagaraja, Order Statistics,
// 7.1; Hahn and Meeker, Statistical Intervals, 5.2.)
func QuantileRanks(n int, p, confidence float64) (lo, hi int, ok bool) {
	if n < 1 || !(p > 0 && p < 1) || !(confidence > 0 && confidence < 1) {
		return 0, 0, false
	}
	tail := (1 - confidence) / 2
	lo = lowerRank(n, p, tail)
	hi = n + 1 - lowerRank(n, 1-p, tail) // the same from the other end
	return lo, hi, lo >= 1 && hi <= n
}

// lowerRank is the largest rank lo with P(B ≤ lo−1) ≤ tail for B from Binomial(n, p); 0 if there is none.
func lowerRank(n int, p, tail float64) int {
	below := 0.0
	for k := negligible(n, p); k <= n; k++ {
		below += binomial(n, k, p)
		if below > tail {
			return k
		}
	}
	return n
}
