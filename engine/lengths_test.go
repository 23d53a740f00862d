// This file tests what is learned of lengths, and what is not.

package engine

import (
	"testing"

	"tokdyno/engine/record"
	"tokdyno/engine/shape"
)

// Counts that contradict themselves teach nothing of prompts; shortened requests and estimates tell nothing of answers.
func TestOnlyCountsThatCanBeTrustedAreLearned(t *testing.T) {
	for name, tt := range map[string]struct {
		change           func(*record.Record)
		prompts, answers int
	}{
		"counted":   {func(*record.Record) {}, 1, 1},
		"doubted":   {func(r *record.Record) { r.Doubted = true }, 0, 1},
		"residual":  {func(r *record.Record) { r.Residual = true }, 1, 0},
		"estimated": {func(r *record.Record) { r.TokenSource = record.SourceEstimated }, 0, 0},
	} {
		r := record.New(1)
		r.Stage, r.InputTokens, r.OutputTokens, r.TokenSource = 1, record.Known(100), record.Known(3), record.SourceUsage
		tt.change(r)
		l := lengths{calibration: new(shape.Calibration)}
		said := &conversation{script: shape.Script{Turns: []shape.Turn{{Words: 90, Tokens: 100}}}}
		l.learn(said, r)
		l.answered(16, r)
		p, a := l.report(1, shape.Shape{})
		_, _, learned := l.calibration.State(shape.Words)
		if p.N != tt.prompts || learned != tt.prompts || a.N != tt.answers || a.Early != tt.answers {
			t.Errorf("%s: %+v, %+v, %d learned", name, p, a, learned)
		}
	}
}
