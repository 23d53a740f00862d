package stats

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

// playStage opens a stage at from in which n requests are sent, 100 ms apart, after one that settles it.
func playStage(c *Collector, from time.Duration, ttfts []time.Duration) (to time.Duration) {
	n := c.OpenStage(at(from))
	send := func(after, ttft time.Duration) {
		s := closed(from+after, ttft, 10*ms, 11)
		s.stage = n
		play(c, s)
	}
	send(0, 5*time.Second)
	from += 6 * time.Second
	c.Fold(at(from))
	c.MarkSteady(at(from))
	for i, ttft := range ttfts {
		send(time.Duration(i)*100*ms, ttft)
	}
	to = from + time.Duration(len(ttfts))*100*ms + 2*time.Second
	c.Fold(at(to))
	return to
}

func TestStagesOfOneLoadArePooled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
		stages := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.IntRange(1, 1000).Draw(t, "ms")) * ms
		}), 1, 12), 1, 5).Draw(t, "stages")
		pooled := rapid.SliceOfNDistinct(rapid.IntRange(1, len(stages)), 1, len(stages), rapid.ID).Draw(t, "pooled")
		slices.Sort(pooled)
		now, all := time.Duration(0), []time.Duration{}
		spans := time.Duration(0)
		for i, ttfts := range stages {
			began := now
			now = playStage(c, now, ttfts)
			if slices.Contains(pooled, i+1) {
				all = append(all, ttfts...)
				spans += now - began - 6*time.Second
			}
		}
		good := 0
		for _, ttft := range all {
			if ttft <= 300*ms {
				good++
			}
		}
		s := c.PooledSummary(pooled, at(now))
		if want := Inverted.Describe(slices.Clone(all)); s.TTFT != want {
			t.Fatalf("TTFT %+v, want %+v", s.TTFT, want)
		}
		if s.Score.Good != good || s.Requests.OK != len(all) || s.Spans != spans {
			t.Fatalf("%d good of %d over %v, want %d of %d over %v", s.Score.Good, s.Requests.OK, s.Spans, good, len(all), spans)
		}
		var values []time.Duration
		for _, n := range pooled {
			values = append(values, c.StageValues(n, slo.TTFT)...)
		}
		if !slices.Equal(values, all) {
			t.Fatalf("values %v, want %v", values, all)
		}
	})
}

func TestPoolLeavesOutWhatHasNotSettled(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{})
	now := playStage(c, 0, []time.Duration{100 * ms, 200 * ms})
	c.OpenStage(at(now))
	s := closed(now, 900*ms, 10*ms, 11)
	s.stage = 2
	play(c, s)
	now += 3 * time.Second
	c.Fold(at(now))
	if got := c.PooledSummary([]int{1, 2}, at(now)); got.TTFT.N != 2 || got.Stage != 1 {
		t.Errorf("%+v", got)
	}
	if got := c.PooledSummary([]int{2}, at(now)); got.TTFT.N != 0 || got.Requests.Ended() != 0 || got.Spans != 0 {
		t.Errorf("%+v", got)
	}
}

func TestStageVersionTellsOfEveryChange(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{})
	now := playStage(c, 0, []time.Duration{100 * ms})
	first := c.StageVersion(1)
	if now = playStage(c, now, []time.Duration{100 * ms}); c.StageVersion(1) != first {
		t.Error("another stage's requests changed it")
	}
	late := closed(6500*ms, time.Minute, 10*ms, 11)
	late.stage = 1
	play(c, late)
	c.Fold(at(now + 2*time.Minute))
	if c.StageVersion(1) == first || c.StageSummary(1, at(now)).TTFT.N != 2 {
		t.Error("a straggler did not change it")
	}
}

// playStraggler reports a request of stage 1 that was sent at once and whose tokens come from 1.1 s to 1.9 s. It returns
// what its end takes.
func playStraggler(c *Collector, asked int) (*Running, *record.Record) {
	r := record.New(1)
	r.Stage, r.Started, r.Sent, r.FirstToken, r.LastToken, r.Streamed = 1, at(0), at(0), at(1100*ms), at(1900*ms), true
	f := c.Begin(r, asked)
	f.Sent(r.Sent)
	f.Token(record.Token{At: r.FirstToken, First: true, Opening: true})
	for i := range 80 {
		f.Token(record.Token{At: r.FirstToken.Add(time.Duration(i+1) * 10 * ms), Gap: 10 * ms})
	}
	r.Chunks = 81
	return f, r
}

func TestAStragglerChangesTheStagesThatItsTokensFellInto(t *testing.T) {
	for name, end := range map[string]func(*record.Record){
		"fails":                       func(r *record.Record) { r.Outcome, r.Kind = record.Failed, record.KindTruncated },
		"has more tokens than chunks": func(r *record.Record) { r.Outcome, r.OutputTokens = record.OK, record.Known(200) },
		"tells its input": func(r *record.Record) {
			r.Outcome, r.OutputTokens, r.InputTokens = record.OK, record.Known(81), record.Known(70)
		},
		"ended back then": func(r *record.Record) { r.Outcome, r.End = record.OK, at(1950*ms) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newTestCollector(slo.Criteria{})
			c.MarkSteady(at(0))
			c.OpenStage(at(time.Second))
			f, r := playStraggler(c, 50)
			c.MarkSteady(at(1001 * ms))
			own := closed(1100*ms, 50*ms, 0, 1)
			own.stage = 2
			play(c, own)
			c.Fold(at(2 * time.Second))
			c.OpenStage(at(2 * time.Second))
			c.Fold(at(2100 * ms))
			now := at(3 * time.Second)
			before, version, third := c.StageSummary(2, now), c.StageVersion(2), c.StageVersion(3)
			r.End = at(2500 * ms)
			end(r)
			f.Finish(r)
			c.Fold(now)
			if after := c.StageSummary(2, now); reflect.DeepEqual(after, before) {
				t.Fatal("the second stage's summary has not changed")
			}
			if c.StageVersion(2) == version {
				t.Error("the second stage's summary has changed, its version has not")
			}
			if r.End < at(2*time.Second) && c.StageVersion(3) != third {
				t.Error("the third stage's version has changed, its summary has not")
			}
		})
	}
}

// TestADocumentChangesTheStagesThatItFallsInto is of answers without a token event, whose end is told in the third stage.
func TestADocumentChangesTheStagesThatItFallsInto(t *testing.T) {
	for _, tt := range []struct {
		name         string
		arrived, end time.Duration // its last token, and when it was done with
	}{
		{"the input is of the second stage", 1900 * ms, 2500 * ms},
		{"the end is in the second stage", 900 * ms, 1900 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newTestCollector(slo.Criteria{})
			r := record.New(1)
			r.Stage, r.Started, r.Sent = 1, at(0), at(0)
			f := c.Begin(r, 0)
			f.Sent(r.Sent)
			c.OpenStage(at(time.Second))
			c.OpenStage(at(2 * time.Second))
			now := at(3 * time.Second)
			before, version := c.StageSummary(2, now), c.StageVersion(2)
			r.LastToken, r.End, r.Outcome, r.InputTokens = at(tt.arrived), at(tt.end), record.OK, record.Known(70)
			f.Finish(r)
			c.Fold(now)
			if c.StageSummary(2, now).Throughput == before.Throughput {
				t.Fatal("the second stage's throughput has not changed")
			}
			if c.StageVersion(2) == version {
				t.Error("the second stage's summary has changed, its version has not")
			}
		})
	}
}

func TestSpectraMadeLateAreThoseKeptAllAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCollector(at(0), Inverted, slo.Criteria{})
		stages := rapid.IntRange(1, 5).Draw(t, "stages")
		now := time.Duration(0)
		for range stages {
			n := c.OpenStage(at(now))
			for _, p := range []*part{&c.stages[n-1].parts[settling], &c.stages[n-1].parts[steady], &c.run[settling], &c.run[steady]} {
				if p.many == nil {
					p.many = new(spectrum) // kept from the first request on
				}
			}
			if rapid.Bool().Draw(t, "settles") {
				c.MarkSteady(at(now + time.Second))
			}
			for range rapid.IntRange(0, 10).Draw(t, "requests") {
				s := closed(now+time.Duration(rapid.IntRange(0, 2000).Draw(t, "sent"))*ms, time.Duration(rapid.IntRange(1, 5000).Draw(t, "ttft"))*ms, 10*ms, 3)
				s.stage = n
				s.outcome = rapid.SampledFrom([]record.Outcome{record.OK, record.OK, record.Failed, record.Cancelled}).Draw(t, "outcome")
				s.running = rapid.IntRange(0, 4).Draw(t, "runs on") == 0
				play(c, s)
			}
			now += time.Duration(rapid.IntRange(0, 3000).Draw(t, "lasts"))*ms + time.Second
			c.Fold(at(now))
			if rapid.IntRange(0, 4).Draw(t, "stands still") == 0 {
				c.Disown()
			}
		}
		now += 10 * time.Second
		c.Fold(at(now))

		kept := make(map[*part]*spectrum)
		forget := func(parts *[phases]part) {
			for i := range parts {
				kept[&parts[i]], parts[i].many = parts[i].many, nil
			}
		}
		for i := range c.stages {
			forget(&c.stages[i].parts)
		}
		forget(&c.run)
		pooled := rapid.SliceOfNDistinct(rapid.IntRange(1, stages), 1, stages, rapid.ID).Draw(t, "pooled")
		slices.Sort(pooled)
		pool := c.stageScope(pooled[0])
		for _, n := range pooled[1:] {
			pool.append(c.stageScope(n))
		}
		for _, sc := range []scope{pool, partScope(c.run[:], true)} {
			c.completeSpectra(sc)
			for _, p := range sc.parts {
				if !sameSpectra(p.many, kept[p]) {
					t.Fatalf("a part has %d first tokens and %d answers, want %d and %d", p.many.ttft.N(), p.many.e2el.N(), kept[p].ttft.N(), kept[p].e2el.N())
				}
			}
		}
	})
}

func TestAStageDoesNotChangeAfterItsEnd(t *testing.T) {
	for _, outcome := range []record.Outcome{record.OK, record.Failed, record.Cancelled} {
		c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
		now := playStage(c, 0, []time.Duration{100 * ms, 200 * ms, 100 * ms})
		begin := func(id uint64) (*record.Record, *Running) {
			r := record.New(id)
			r.Stage, r.Started, r.Sent = 1, at(now), at(now)
			f := c.Begin(r, 0)
			f.Sent(r.Sent)
			return r, f
		}
		waiting, w := begin(90)
		decoding, d := begin(91)
		decoding.FirstToken = at(now + 150*ms)
		d.Token(record.Token{At: decoding.FirstToken, First: true, Opening: true})
		now += 200 * ms
		c.Fold(at(now))
		before := c.StageSummary(1, at(now))
		if before.TTFT.N != 4 || before.E2EL.N != 3 {
			t.Fatalf("TTFT n=%d, E2EL n=%d", before.TTFT.N, before.E2EL.N)
		}

		c.Straddle()
		c.OpenStage(at(now))
		now += 60 * time.Second // the new load is more than the server takes
		waiting.FirstToken = at(now)
		w.Token(record.Token{At: at(now), First: true, Opening: true})
		for _, r := range []*record.Record{waiting, decoding} {
			r.LastToken, r.End, r.Outcome, r.OutputTokens = at(now), at(now), outcome, record.Known(2)
		}
		w.Finish(waiting)
		d.Finish(decoding)
		c.Fold(at(now + time.Second))
		after := c.StageSummary(1, at(now+time.Second))
		if outcome == record.OK && after.TTFT != before.TTFT || after.TTFT.Max > 200*ms || after.E2EL != before.E2EL || after.Score != before.Score {
			t.Errorf("%s: it was %+v %+v, and is %+v %+v", outcome, before.TTFT, before.E2EL, after.TTFT, after.E2EL)
		}
		if s := c.StageSummary(2, at(now+time.Second)); s.TTFT.N != 0 || s.E2EL.N != 0 || s.Requests.Ended() != 0 {
			t.Errorf("%s: requests of the stage before are in the next: %+v", outcome, s.Requests)
		}
		if turn := c.Turnover(); turn.Ended != 0 {
			t.Errorf("%s: they settled it, too", outcome)
		}
		if s := c.Summary(Last10s, at(now+time.Second)); outcome == record.OK && s.E2EL.N != 2 {
			t.Errorf("the window in which the next load settles shows %d of 2", s.E2EL.N)
		}
	}
}

// What goes by the time at which it happened is not a settling stage's own: requests of the load before are still being
// answered. What was sent in it is, and in the first stage all is.
func TestASettlingStageHasNoRatesOfTheLoadBefore(t *testing.T) {
	c := NewCollector(at(0), Inverted, slo.Criteria{slo.TTFT: 300 * ms})
	now := playStage(c, 0, slices.Repeat([]time.Duration{100 * ms}, 10))
	first := c.StageSummary(1, at(now))
	if !(first.Throughput.Output > 0) || first.ITL.N == 0 || !first.GoodputKnown {
		t.Fatalf("the first stage, steady: %+v", first)
	}
	n := c.OpenStage(at(now))
	old := closed(now-100*ms, 200*ms, 100*ms, 11) // of the first stage, answered in the second
	play(c, old)
	own := closed(now, 200*ms, 10*ms, 11)
	own.stage = n
	play(c, own)
	now += 2 * time.Second
	c.Fold(at(now))
	for name, s := range map[string]Summary{"as the stage": c.StageSummary(n, at(now)), "as the window": c.Summary(ThisStage, at(now))} {
		if rates := s.Throughput; !s.Settling || !math.IsNaN(rates.Output) || !math.IsNaN(rates.Requests) ||
			!math.IsNaN(rates.Total) || rates.InputKnown || s.GoodputKnown || s.ITL.N != 0 {
			t.Errorf("%s, settling: %+v, goodput %v, %d gaps", name, rates, s.Goodput, s.ITL.N)
		}
		if s.TTFT.N != 1 || s.Requests.OK != 1 {
			t.Errorf("%s, settling: n=%d, TTFT n=%d, want those of its own request", name, s.Requests.OK, s.TTFT.N)
		}
	}
	c.MarkSteady(at(now))
	own.sent = now
	play(c, own)
	now += 2 * time.Second
	c.Fold(at(now))
	if s := c.StageSummary(n, at(now)); !(s.Throughput.Output > 0) || s.ITL.N == 0 || !s.GoodputKnown {
		t.Errorf("once it is steady: %+v", s.Throughput)
	}
}
