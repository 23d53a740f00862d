package stats

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

func TestSlidingSumIsWhatItsWindowHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCollector(at(0), Inverted, slo.Criteria{})
		now := time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "looks") {
			for range rapid.IntRange(0, 20).Draw(t, "requests") {
				now += time.Duration(rapid.IntRange(0, 300).Draw(t, "gap")) * ms
				c.firsts.push(at(now), at(0), 1, time.Duration(rapid.IntRange(1, 1000).Draw(t, "ttft"))*ms, undefined)
				r := record.New(1)
				r.Sent, r.FirstToken, r.LastToken, r.End = at(0), at(ms), at(now+1), at(now)
				r.Outcome = rapid.SampledFrom([]record.Outcome{record.OK, record.OK, record.Failed}).Draw(t, "outcome")
				c.dones.push(r, 1)
			}
			if n := len(c.firsts.at); n > 0 && rapid.Bool().Draw(t, "one fails") {
				f := &Running{ttft: int64(rapid.IntRange(0, n-1).Draw(t, "which"))}
				c.retractFirst(f)
			}
			if rapid.IntRange(0, 5).Draw(t, "nobody looks for a while") == 0 {
				now += time.Minute
			}
			w := rapid.SampledFrom([]Window{Last10s, Last10s, Last10s, Last30s}).Draw(t, "window")
			from := at(now).Add(-w.Duration())
			got := c.sliding[w].update(&c.store, from)
			var want spectrum
			for i, at := range c.firsts.at {
				if at >= from {
					want.addFirst(&c.firsts, i, 1)
				}
			}
			for i, at := range c.dones.at {
				if at >= from {
					want.addDone(&c.dones, i, 1)
				}
			}
			if !sameSpectra(got, &want) {
				t.Fatalf("at %v over %s: %d first tokens and %d answers, want %d and %d", now, w, got.ttft.N(), got.e2el.N(), want.ttft.N(), want.e2el.N())
			}
		}
	})
}

func TestNothingIsLeftToTheFirstLook(t *testing.T) {
	c, _ := manyRequests(2 * exactRequests)
	for w := range c.sliding {
		if s := &c.sliding[w]; s.firstTo != int64(len(c.firsts.at)) || s.doneTo != int64(len(c.dones.at)) {
			t.Errorf("the sum of %s is up to first token %d and answer %d, of %d", Window(w), s.firstTo, s.doneTo, len(c.dones.at))
		}
	}
	for name, p := range map[string]*part{"run": &c.run[steady], "stage": &c.stages[0].parts[steady]} {
		if p.many == nil {
			t.Errorf("the %s has no spectrum of its %d requests", name, p.sent.counts.OK)
		}
	}
}

// sameSpectra reports whether two hold the same, whatever memory they have.
func sameSpectra(a, b *spectrum) bool {
	others := b.all()
	for i, h := range a.all() {
		if !reflect.DeepEqual(h.Sparse(), others[i].Sparse()) {
			return false
		}
	}
	return true
}
