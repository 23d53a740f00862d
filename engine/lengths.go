// This file sees to it that prompts have the length that was asked for, and keeps account of how long answers are.

package engine

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
)

// lengths learns from the server's counts, and keeps account.
type lengths struct {
	calibration *shape.Calibration
	exact       atomic.Bool // the server's tokenizer was asked
	vocabulary  atomic.Pointer[[]int]
	probe       atomic.Pointer[probed]

	mu     sync.Mutex
	stages []stageLengths // by stage, from stage 1
}

// probed is what the server counted for the probe's plain words.
type probed struct{ words, tokens float64 }

// template is how many tokens the server adds to a prompt of a text, as far as it is known: by what was learned, or by the
// probe, which is shorter than most prompts. Of prompts of one length alone nothing can be learned of it.
func (l *lengths) template(t shape.Text) (tokens float64, byProbe bool) {
	_, tokens, _ = l.calibration.State(t)
	if p := l.probe.Load(); p != nil {
		rate, _, _ := l.calibration.State(shape.Words)
		return max(tokens, p.tokens-p.words/rate, 0), true
	}
	return tokens, false
}

// stageLengths are the prompts and the answers of a stage.
type stageLengths struct{ prompts, answers lengthSum }

// lengthSum adds up prompts or answers whose tokens the server counted.
type lengthSum struct {
	asked, achieved float64
	n, early        int // early: of answers, those that ended before they were as long as was asked for
}

func (s *lengthSum) add(asked int, counted int64) {
	s.asked += float64(asked)
	s.achieved += float64(counted)
	s.n++
}

// means are those of what was added up; 0 where nothing was.
func (s *lengthSum) means() (asked, achieved float64) {
	n := float64(max(s.n, 1))
	return s.asked / n, s.achieved / n
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
	if !ok || said.turn > 0 || turn.Words == 0 || r.Doubted || r.TokenSource == record.SourceEstimated {
		return
	}
	if said.recorded || l.idsFor(&said.shape) == nil {
		l.calibration.Observe(said.shape.Text, turn.Words, counted)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of(r.Stage).prompts.add(turn.Tokens, counted)
}

// answered takes note of how long an answer is by the server's count, against what was asked for. What ended for its length,
// as the server counts it, did not end early.
func (l *lengths) answered(asked int, r *record.Record) {
	counted, ok := r.OutputTokens.Get()
	if !ok || r.Residual || r.TokenSource == record.SourceEstimated {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := &l.of(r.Stage).answers
	sum.add(asked, counted)
	if counted < int64(asked) && r.FinishReason != "length" {
		sum.early++
	}
}

// of are the lengths of a stage. The lock is held.
func (l *lengths) of(stage int) *stageLengths {
	for len(l.stages) < stage {
		l.stages = append(l.stages, stageLengths{})
	}
	return &l.stages[stage-1]
}

// report says how well prompts and answers have the length asked for in a stage, from 1, of a shape.
func (l *lengths) report(stage int, s shape.Shape) (p snapshot.PromptLengths, a snapshot.AnswerLengths) {
	p.Method = l.method(s)
	p.Template, p.Probed = l.template(s.Text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if stage < 1 || stage > len(l.stages) {
		return p, a
	}
	of := &l.stages[stage-1]
	p.N, a.N, a.Early = of.prompts.n, of.answers.n, of.answers.early
	p.Asked, p.Achieved = of.prompts.means()
	a.Asked, a.Achieved = of.answers.means()
	return p, a
}

func (l *lengths) method(s shape.Shape) snapshot.LengthMethod {
	_, _, samples := l.calibration.State(s.Text)
	switch {
	case s.Data != nil:
		return snapshot.AsFound
	case l.idsFor(&s) != nil:
		return snapshot.ByIDs
	case l.exact.Load():
		return snapshot.ByTokenizer
	case samples > 0:
		return snapshot.ByUsage
	}
	return snapshot.AsEstimated
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
	tokens, counted := p.ProbeTokens.Get()
	if counted {
		r.lengths.probe.Store(&probed{words: float64(p.ProbeUnits), tokens: float64(tokens)})
	}
	plain := shape.Shape{Prompt: shape.Fixed(sampleTokens), Output: shape.Fixed(1)}
	words := r.prompts.Prompt(0, plain)
	ids, err := client.Tokenize(ctx, words.Text)
	if err != nil || len(ids) == 0 {
		if counted {
			r.lengths.calibration.Observe(shape.Words, p.ProbeUnits, tokens)
		}
		return ctx.Err() // it is no more than a convenience: the load says what is wrong with the endpoint
	}
	overhead := 0.0
	if counted {
		overhead = max(0, float64(tokens)-float64(p.ProbeUnits)*float64(len(ids))/float64(words.Words))
	}
	if p.API == endpoint.Completions && !r.beside && client.ProbeIDs(ctx, ids[:min(len(ids), 8)]) {
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
