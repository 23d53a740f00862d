// This file sees to it that prompts have the length that was asked for.

package engine

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/wire"
)

// lengths learns from the server's counts, and keeps account.
type lengths struct {
	calibration *shape.Calibration
	exact       atomic.Bool // the server's tokenizer was asked
	vocabulary  atomic.Pointer[[]int]

	mu     sync.Mutex
	stages []lengthSum // by stage, from stage 1
}

// lengthSum adds up prompts whose tokens the server counted.
type lengthSum struct {
	asked, achieved float64
	n               int
}

// idsFor are token ids to make single prompts of; nil where prompts are something else, or the endpoint takes no ids.
func (l *lengths) idsFor(s *shape.Shape) []int {
	if v := l.vocabulary.Load(); v != nil && !s.MayConverse() {
		return *v
	}
	return nil
}

// learn takes note of how many tokens a request had by the server's count. Of a conversation only the first turn tells:
// the others hold answers.
func (l *lengths) learn(said *conversation, r *record.Record) {
	turn := &said.script.Turns[said.turn]
	counted, ok := r.InputTokens.Get()
	if !ok || said.turn > 0 || turn.Words == 0 || r.TokenSource == record.SourceEstimated {
		return
	}
	if said.recorded || l.idsFor(&said.shape) == nil {
		l.calibration.Observe(said.shape.Text, turn.Words, counted)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.stages) < r.Stage {
		l.stages = append(l.stages, lengthSum{})
	}
	sum := &l.stages[r.Stage-1]
	sum.asked += float64(turn.Tokens)
	sum.achieved += float64(counted)
	sum.n++
}

// report says how well prompts have the length asked for in a stage, from 1, of a shape.
func (l *lengths) report(stage int, s shape.Shape) PromptLengths {
	p := PromptLengths{Method: l.method(s)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if stage < 1 || stage > len(l.stages) {
		return p
	}
	if sum := l.stages[stage-1]; sum.n > 0 {
		p.N = sum.n
		p.Asked, p.Achieved = sum.asked/float64(sum.n), sum.achieved/float64(sum.n)
	}
	return p
}

func (l *lengths) method(s shape.Shape) LengthMethod {
	_, _, samples := l.calibration.State(s.Text)
	switch {
	case s.Data != nil:
		return AsFound
	case l.idsFor(&s) != nil:
		return ByIDs
	case l.exact.Load():
		return ByTokenizer
	case samples > 0:
		return ByUsage
	}
	return AsEstimated
}

// Samples of text that the server's tokenizer is asked about: of the kind that prompts are made of, several as the shape
// has them, with what is common to them; of the others one, in case the load changes over to them.
const (
	samplesOfShape = 8
	sampleTokens   = 512
)

// measure asks the server how long its tokenizer finds prompts of a shape. Where it has no such route, the probe's usage is
// a first observation. Either is only the beginning: what the server counts during the load is learned from as well, for
// fragments differ in length, and which of them a common prefix holds is chance.
func (r *requests) measure(ctx context.Context, of shape.Shape) error {
	client := r.endpoints.first()
	p := client.Profile()
	probed, counted := p.ProbeTokens.Get()
	plain := shape.Shape{Prompt: shape.Fixed(sampleTokens), Output: shape.Fixed(1)}
	words := r.prompts.Prompt(0, plain)
	ids, err := client.Tokenize(ctx, words.Text)
	if err != nil || len(ids) == 0 {
		if counted {
			r.lengths.calibration.Observe(shape.Words, p.ProbeUnits, probed)
		}
		return ctx.Err() // it is no more than a convenience: the load says what is wrong with the endpoint
	}
	overhead := 0.0
	if counted {
		overhead = max(0, float64(probed)-float64(p.ProbeUnits)*float64(len(ids))/float64(words.Words))
	}
	if p.API == wire.Completions && client.ProbeIDs(ctx, ids[:min(len(ids), 8)]) {
		r.lengths.vocabulary.Store(&ids)
	}
	r.lengths.exact.Store(true)
	observe := func(sample shape.Prompt, kind shape.Text, tokens int) {
		r.lengths.calibration.Observe(kind, sample.Words, int64(math.Round(float64(tokens)+overhead)))
	}
	for _, kind := range []shape.Text{shape.Words, shape.Chinese, shape.Code} {
		sampled, n := plain, 1
		if sampled.Text = kind; kind == of.Text {
			sampled, n = of, samplesOfShape
		} else if kind == shape.Words { // it has been asked about
			observe(words, kind, len(ids))
			continue
		}
		for i := range uint64(n) {
			sample := r.prompts.Prompt(i, sampled)
			cut, err := client.Tokenize(ctx, sample.Text)
			if err != nil {
				return ctx.Err()
			}
			observe(sample, kind, len(cut))
		}
	}
	return nil
}
