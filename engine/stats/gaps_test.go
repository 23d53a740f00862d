package stats

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// Several tokens in a row count as if they were told of one by one: across slices, stages, and what is known of their number.
func TestTokensInARowCountAsOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		criteria := slo.Criteria{slo.TTFT: 100 * ms, slo.TPOT: 10 * ms}
		one, row := newTestCollector(criteria), newTestCollector(criteria)
		one.AtOnce()
		row.AtOnce()
		now := 100 * ms
		for id := range rapid.IntRange(1, 8).Draw(t, "requests") {
			rec := record.New(uint64(id + 1))
			rec.Stage, rec.Started, rec.Sent = len(one.stages), at(now), at(now)
			a, b := one.Begin(rec, 10), row.Begin(rec, 10)
			a.Sent(at(now))
			b.Sent(at(now))
			if rapid.Bool().Draw(t, "steady") { // its first token counts in one part, when it comes in another
				one.MarkSteady(at(now + ms))
				row.MarkSteady(at(now + ms))
			}
			var tokens []record.Token
			for i := range rapid.IntRange(0, 30).Draw(t, "tokens") {
				gap := rapid.SampledFrom([]time.Duration{0, 700, 3 * ms, 400 * ms}).Draw(t, "gap")
				now += gap
				tokens = append(tokens, record.Token{
					At: at(now), Gap: gap, First: i == 0, Opening: i == 0, Tokens: int64(rapid.IntRange(0, 3).Draw(t, "of")),
				})
			}
			one.Advance(at(now))
			row.Advance(at(now))
			for _, token := range tokens {
				a.Token(token)
			}
			b.Tokens(len(tokens), func(i int) *record.Token { return &tokens[i] })
			rec.End, rec.Outcome = at(now), rapid.SampledFrom([]record.Outcome{record.OK, record.Failed, record.Cancelled}).Draw(t, "ends")
			rec.OutputTokens, rec.Chunks = record.Known(int64(2*len(tokens))), len(tokens)
			if rapid.Bool().Draw(t, "over") {
				a.Finish(rec)
				b.Finish(rec)
			}
		}
		one.Fold(at(now))
		row.Fold(at(now))
		for _, w := range []Window{Last30s, ThisStage, WholeRun} {
			if diff := cmp.Diff(one.Summary(w, at(now)), row.Summary(w, at(now)), cmpopts.EquateNaNs(),
				cmpopts.EquateApprox(1e-12, 0), // thirds of a token add up in another order
				cmp.Comparer(func(a, b record.Count) bool { return a == b })); diff != "" {
				t.Fatalf("%s (-one by one +in a row):\n%s", w, diff)
			}
		}
	})
}
