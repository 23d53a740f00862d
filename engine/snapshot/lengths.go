// This file says what a snapshot knows of the lengths of prompts and answers, against what was asked for.

package snapshot

import (
	"fmt"
	"math"
)

// LengthMethod says how a prompt comes to have the length in tokens that was asked for.
type LengthMethod string

// The methods, the more exact first.
const (
	ByIDs       LengthMethod = "token ids"   // prompts are token ids, as many as asked for
	ByTokenizer LengthMethod = "/tokenize"   // the server's own tokenizer was asked how long the words are
	ByUsage     LengthMethod = "usage"       // learned from what the server counts
	AsEstimated LengthMethod = "a word each" // nothing is known yet: a word counts as a token
	AsFound     LengthMethod = "as found"    // prompts come from a file, and are as long as they are
)

// PromptLengths says how well prompts have the length that was asked for, over a stage.
type PromptLengths struct {
	Method   LengthMethod
	Asked    float64 // mean tokens, over requests whose prompt the server counted
	Achieved float64 // mean tokens of the same requests, as the server counted them
	N        int     // those requests; 0: the means are unknown

	Template float64 // tokens that the server adds to a prompt, by its chat template, as far as it is known
	Probed   bool    // it is known by a prompt of another length, the probe's, and not only by what was learned since
}

// What of a prompt may be found in a prefix cache though none of it was to be: what the template puts first, which each
// prompt begins with, and by chance a little of what follows.
const (
	chanceTokens   = 16 // a block of most caches
	templateTokens = 48 // where nobody has told: those of common models, with the system message that some bring
)

// Common is how many tokens a prompt may have in common with every other one though nothing was asked to be.
func (p PromptLengths) Common() float64 {
	if p.Probed {
		return p.Template + chanceTokens
	}
	return max(p.Template, templateTokens) + chanceTokens
}

// AnswerLengths says how well answers have the length that was asked for, over a stage. Requests that asked for a part of
// their answer only, so that slots enter out of phase, are not among them.
type AnswerLengths struct {
	Asked    float64 // mean tokens, over answers whose tokens the server counted
	Achieved float64 // mean tokens of the same answers, as the server counted them
	N        int     // those answers; 0: the means are unknown
	Early    int     // those of them that ended before they were as long as was asked for
}

// amiss is by what part of what was asked for answers may differ before it is worth a word.
const amiss = 0.05

// Amiss reports whether answers are more than 5 % off what was asked for, on average: then TPOT, throughput and goodput are
// those of another load. Without answers it is false.
func (a AnswerLengths) Amiss() bool { return a.N > 0 && math.Abs(a.Achieved-a.Asked) > amiss*a.Asked }

// Differ reports whether the answers of two stages differ by more than 5 % of the longer ones, on average, so that their TPOT
// and throughput do not compare. Where either is unknown it is false.
func (a AnswerLengths) Differ(b AnswerLengths) bool {
	return a.N > 0 && b.N > 0 && math.Abs(a.Achieved-b.Achieved) > amiss*max(a.Achieved, b.Achieved)
}

// Sentence says what is amiss; "" where nothing is.
func (a AnswerLengths) Sentence() string {
	if !a.Amiss() {
		return ""
	}
	text := fmt.Sprintf("answers have %.1f tokens on average where %.1f were asked for", a.Achieved, a.Asked)
	if a.Early > 0 {
		text += fmt.Sprintf(", and %d of %d stopped early", a.Early, a.N)
	}
	return text + ": TPOT and throughput are of such answers, and compare with no others"
}

// Add takes in those of another load generator, over the same stage.
func (p *PromptLengths) Add(o *PromptLengths) {
	if p.N == 0 {
		*p = *o
		return
	}
	p.Asked, p.Achieved = pooled(p.Asked, p.N, o.Asked, o.N), pooled(p.Achieved, p.N, o.Achieved, o.N)
	p.N += o.N
}

// Add takes in those of another load generator, over the same stage.
func (a *AnswerLengths) Add(o *AnswerLengths) {
	a.Asked, a.Achieved = pooled(a.Asked, a.N, o.Asked, o.N), pooled(a.Achieved, a.N, o.Achieved, o.N)
	a.N, a.Early = a.N+o.N, a.Early+o.Early
}

// pooled is the mean over two groups of which the means are known; 0 where both are empty.
func pooled(a float64, n int, b float64, m int) float64 {
	return (a*float64(n) + b*float64(m)) / float64(max(n+m, 1))
}
