package stats

import (
	"testing"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// One request reasons for a while, another answers at once: only the first is over the limit, and its TTFT says nothing of it.
func TestTimeToTheFirstAnswerToken(t *testing.T) {
	c := newTestCollector(slo.Criteria{slo.TTFA: 200 * ms})
	for _, reasoning := range []time.Duration{0, 300 * ms} {
		r := record.New(1)
		r.Stage, r.Started, r.Sent, r.Outcome = 1, at(0), at(0), record.OK
		f := c.Begin(r, 0)
		f.Sent(at(0))
		f.Token(record.Token{At: at(100 * ms), First: true, Opening: true})
		r.FirstToken, r.FirstAnswer, r.LastToken = at(100*ms), at(100*ms).Add(reasoning), at(time.Second)
		r.End, r.Chunks, r.OutputTokens = r.LastToken, 2, record.Known(2)
		f.Finish(r)
	}
	c.Fold(at(2 * time.Second))
	s := c.Summary(ThisStage, at(2*time.Second))
	if s.TTFA.N != 2 || s.TTFA.Max != 400*ms || s.TTFT.Max != 100*ms || s.Reasoned != 1 {
		t.Errorf("TTFA %+v, TTFT %+v, %d reasoned", s.TTFA, s.TTFT, s.Reasoned)
	}
	if s.Score.Missed[slo.TTFA] != 1 || s.Score.Good != 1 || s.Score.Binding(c.Criteria()) != "ttfa" {
		t.Errorf("the score is %+v", s.Score)
	}
}
