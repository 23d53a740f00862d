// The truth about the client: what it records of a request, against what the server knows of the same request. Both run
// in this process, on one monotonic clock. Nothing here depends on how fast the machine is: it is asserted what holds
// of any two clocks that agree, and the errors, which are a matter of speed, are only reported.

package engine_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/sim"
	"tokdyno/engine/wire"
)

// stopwatch is a record.Clock whose instants can be told as times.
type stopwatch struct{ epoch time.Time }

func (w stopwatch) now() record.Instant { return record.Instant(time.Since(w.epoch)) + 1 }

func (w stopwatch) at(i record.Instant) time.Time { return w.epoch.Add(time.Duration(i - 1)) }

// witness is an observer that keeps all that it hears.
type witness struct {
	sent   []record.Instant
	tokens []record.Token
}

func (w *witness) Sent(at record.Instant) { w.sent = append(w.sent, at) }
func (w *witness) Token(t record.Token)   { w.tokens = append(w.tokens, t) }

// request is one request as the client saw it.
type request struct {
	prompt string
	began  record.Instant // just before it was given to the client
	rec    *record.Record
	heard  witness
}

// bench is a server that keeps the truth, and a client of it.
type bench struct {
	watch  stopwatch
	server *sim.Server
	client *wire.Client
}

// evenSteps is a profile of a server that gives everybody a token each step, however many they are.
func evenSteps(step time.Duration) sim.Profile {
	return sim.Profile{
		Name: "even", Title: "even steps", Model: "sim-even",
		MaxNumSeqs: 4096, MaxBatchedTokens: 1 << 20,
		StepBase: step, PrefillTokensPerSecond: 1e12,
		KVBlocks: 1 << 16, BlockSize: 16, ContextLength: 8192,
		GPUName: "simulated", MemTotalMiB: 1,
	}
}

func newBench(t testing.TB, step time.Duration, faults string, streams int) *bench {
	t.Helper()
	set, err := sim.ParseFaults([]string{faults})
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Start(sim.Config{Profile: evenSteps(step), Truth: true, Seed: 1, Faults: set})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bench{watch: stopwatch{time.Now()}, server: server}
	b.client, err = wire.New(wire.Endpoint{URL: server.URL(), Model: "sim-even", NoProxy: true, Concurrency: streams}, b.watch.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.client.Close)
	p := endpoint.DefaultProfile(endpoint.Chat, true)
	p.ContinuousUsage = true
	b.client.SetProfile(p)
	return b
}

// run sends requests from a number of streams at a time, each so many one after the other, and returns them all.
func (b *bench) run(t testing.TB, streams, each, tokens int, salt string) []*request {
	t.Helper()
	all := make([]*request, streams*each)
	prepared := make([]*wire.Request, len(all))
	for i := range all {
		all[i] = &request{
			prompt: fmt.Sprintf("%s %d: what is measured here?", salt, i),
			rec:    record.New(uint64(i)),
			heard:  witness{tokens: make([]record.Token, 0, tokens)},
		}
		var err error
		prepared[i], err = b.client.Prepare(wire.Prompt{Text: all[i].prompt, OutputTokens: tokens})
		if err != nil {
			t.Fatal(err)
		}
	}
	start := make(chan struct{})
	var wg sync.WaitGroup
	for s := range streams {
		wg.Go(func() {
			<-start
			for i := s * each; i < (s+1)*each; i++ {
				all[i].began = b.watch.now()
				b.client.Stream(t.Context(), prepared[i], all[i].rec, &all[i].heard)
			}
		})
	}
	close(start)
	wg.Wait()
	return all
}

func TestClientRecordsTheTruth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		streams, each, tokens int
		step                  time.Duration
		faults                string
	}{
		{1, 5, 20, 2 * time.Millisecond, "none"},
		{1, 5, 20, 2 * time.Millisecond, "chunk_tokens=3 role_early comments crlf"},
		{64, 3, 20, 5 * time.Millisecond, "none"},
		{64, 3, 20, 5 * time.Millisecond, "chunk_tokens=3 stall_mid=20%:7ms:6 stall_first=20%:7ms"},
		{400, 2, 4, 20 * time.Millisecond, "none"},
	} {
		t.Run(fmt.Sprintf("streams=%d %s", c.streams, c.faults), func(t *testing.T) {
			b := newBench(t, c.step, c.faults, c.streams)
			var d deviations
			for _, r := range b.run(t, c.streams, c.each, c.tokens, "truth") {
				truth, ok := b.server.Truth(r.prompt)
				if !ok {
					t.Fatalf("request %d: the server knows nothing of it", r.rec.ID)
				}
				compareWhole(t, b.watch, r, truth, c.tokens)
				d.add(b.watch, r, truth)
			}
			t.Log(&d)
		})
	}
}

// compareWhole compares the record of a request that got its whole answer with the truth.
func compareWhole(t *testing.T, watch stopwatch, r *request, truth sim.Truth, tokens int) {
	t.Helper()
	rec := r.rec
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("request %d: %s", rec.ID, fmt.Sprintf(format, args...))
	}
	if rec.Outcome != record.OK || rec.Status != 200 || rec.FinishReason != "length" || !rec.Streamed {
		fail("%s %s (%s)", rec.Outcome, rec.Kind, rec.Error)
		return
	}
	in, _ := rec.InputTokens.Get()
	out, _ := rec.OutputTokens.Get()
	if in != int64(truth.PromptTokens) || out != int64(truth.OutputTokens) || out != int64(tokens) {
		fail("N_in %d and N_out %d, want %d and %d", in, out, truth.PromptTokens, truth.OutputTokens)
	}
	if rec.TokenSource != record.SourceContinuous {
		fail("tokens counted by %s", rec.TokenSource)
	}
	heard := r.heard.tokens
	if len(heard) != len(truth.Frames) || rec.Chunks != len(heard) || len(heard) == 0 {
		fail("%d token events, %d chunks, want %d", len(heard), rec.Chunks, len(truth.Frames))
		return
	}

	sent := watch.at(rec.Sent)
	if n := len(r.heard.sent); n == 0 || r.heard.sent[n-1] != rec.Sent || sent.After(truth.Read) {
		fail("sent %v after the server had read it; told of %d sendings", sent.Sub(truth.Read), n)
	}
	compareArrivals(watch, r, truth, fail)

	first, last := heard[0].At, heard[len(heard)-1].At
	ttft, _ := rec.TTFT()
	e2el, _ := rec.E2EL()
	if ttft != time.Duration(first-rec.Sent) || e2el != time.Duration(last-rec.Sent) {
		fail("TTFT %v and E2EL %v, the token events say %v and %v", ttft, e2el, first-rec.Sent, last-rec.Sent)
	}
	if least := truth.Frames[0].Before.Sub(truth.Read); ttft < least {
		fail("TTFT %v is below the %v that the server took", ttft, least)
	}
	if least := truth.Frames[len(truth.Frames)-1].Before.Sub(truth.Read); e2el < least {
		fail("E2EL %v is below the %v that the server took", e2el, least)
	}
	if rec.End < last {
		fail("it ended %v before its last token", last-rec.End)
	}
}

// compareArrivals compares token event by token event.
func compareArrivals(watch stopwatch, r *request, truth sim.Truth, fail func(string, ...any)) {
	var sum, longest time.Duration
	for i, token := range r.heard.tokens {
		frame := truth.Frames[i]
		if early := frame.Before.Sub(watch.at(token.At)); early > 0 {
			fail("token event %d (kernel stamp: %v) is %v before the server wrote it", i, token.Kernel, early)
		}
		// That usage counts the tokens of the first chunk is known only from the role frame's usage, which says 0.
		if token.Tokens != int64(frame.Tokens) && !(i == 0 && token.Tokens == 0) {
			fail("token event %d carries %d tokens, want %d", i, token.Tokens, frame.Tokens)
		}
		if token.First != (i == 0) || token.Opening != (i == 0) || token.Reasoning {
			fail("token event %d is %+v", i, token)
		}
		if i == 0 {
			continue
		}
		gap := time.Duration(token.At - r.heard.tokens[i-1].At)
		if token.Gap != gap || gap < 0 {
			fail("the gap before token event %d is %v, the arrivals say %v", i, token.Gap, gap)
		}
		sum += gap
		longest = max(longest, gap)
	}
	generation, _ := r.rec.GenerationTime()
	if generation != sum || r.rec.GapSum != sum || r.rec.GapMax != longest || r.rec.Gaps != len(r.heard.tokens)-1 {
		fail("E2EL − TTFT is %v, the gaps' sum %v (recorded %v), their longest %v (recorded %v), their number %d",
			generation, sum, r.rec.GapSum, longest, r.rec.GapMax, r.rec.Gaps)
	}
}

// deviations are the differences between what the client measured and the truth, in microseconds.
type deviations struct {
	arrival []float64 // arrival − just before the write
	ttft    []float64 // TTFT − (just before the first token's write − the request was read)
	gap     []float64 // |gap − the time between the writes|
	kernel  int       // token events with the kernel's stamp
	bunched int       // token events that came in one read with the one before
}

func micros(d time.Duration) float64 { return float64(d) / 1e3 }

// add takes the errors of one request that got its whole answer.
func (d *deviations) add(watch stopwatch, r *request, truth sim.Truth) {
	if len(r.heard.tokens) != len(truth.Frames) || len(truth.Frames) == 0 {
		return
	}
	for i, token := range r.heard.tokens {
		frame := truth.Frames[i]
		d.arrival = append(d.arrival, micros(watch.at(token.At).Sub(frame.Before)))
		if i > 0 {
			d.gap = append(d.gap, math.Abs(micros(token.Gap-frame.Before.Sub(truth.Frames[i-1].Before))))
		}
		if token.Kernel {
			d.kernel++
		}
		if token.Gap == 0 && !token.Opening {
			d.bunched++
		}
	}
	ttft, _ := r.rec.TTFT()
	d.ttft = append(d.ttft, micros(ttft-truth.Frames[0].Before.Sub(truth.Read)))
}

// percent returns what share of the token events n is.
func (d *deviations) percent(n int) float64 {
	return 100 * float64(n) / float64(max(len(d.arrival), 1))
}

// quantile returns the nearest-rank quantile of the values, which it sorts; 0 of none.
func quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(p*float64(len(values)))), 1)-1]
}

func (d *deviations) String() string {
	line := func(values []float64) string {
		return fmt.Sprintf("p50 %.0f p99 %.0f max %.0f µs", quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1))
	}
	return fmt.Sprintf("arrival %s; TTFT %s; gaps %s; %.1f %% stamped by the kernel, %.1f %% bunched",
		line(d.arrival), line(d.ttft), line(d.gap), d.percent(d.kernel), d.percent(d.bunched))
}
