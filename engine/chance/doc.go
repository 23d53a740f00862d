// Package chance says how far figures of finitely many requests can be trusted: whether as few good ones happen by chance,
// between which bounds a share or a percentile lies, and whether two shares differ.
//
// The files:
//
//	binomial.go  the binomial distribution
//	fisher.go    compares two shares
//	quantile.go  says how far a percentile of some samples can be trusted
//	share.go     says how far a share can be trusted
//
// The way through it: Counts come in; a probability or an interval goes out. It knows nothing of requests, and who asks
// decides what follows.
package chance
