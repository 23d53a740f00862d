// The truth about the client where the server errs: what is recorded of an answer under each of the simulator's faults.

package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
	"tokdyno/engine/sim"
)

// seen is what is compared of a record.
type seen struct {
	Outcome   record.Outcome
	Kind      record.Kind
	Status    int
	Chunks    int // of them Reasoning only reasoning
	Reasoning int
	Out       int64 // N_out; -1 is unknown
	Billed    int64 // reasoning tokens; -1 is unknown
	Source    record.TokenSource
	Finish    string
	Streamed  bool
	TTFT      bool // is defined
	TPOT      bool // or would be, had not everything come in a single read
}

func seenOf(r *record.Record) seen {
	_, ttft := r.TTFT()
	_, tpot := r.TPOT()
	tpot = tpot || r.Chunks > 1 && r.FirstToken == r.LastToken
	return seen{
		r.Outcome, r.Kind, r.Status, r.Chunks, r.ReasoningChunks, r.OutputTokens.Or(-1), r.ReasoningTokens.Or(-1),
		r.TokenSource, r.FinishReason, r.Streamed, ttft, tpot,
	}
}

func TestFaultsAreRecordedAsWhatTheyAre(t *testing.T) {
	t.Parallel()
	whole := seen{record.OK, "", 200, 6, 0, 6, -1, record.SourceContinuous, "length", true, true, true}
	with := func(change func(*seen)) seen {
		s := whole
		change(&s)
		return s
	}
	denied := func(kind record.Kind, status int) seen {
		return seen{Outcome: record.Failed, Kind: kind, Status: status, Out: -1, Billed: -1}
	}
	for _, c := range []struct {
		faults string
		want   seen
	}{
		{"none", whole},
		{"http_429=100%", denied(record.KindHTTP429, 429)},
		{"http_5xx=100%:500", denied(record.KindHTTP5xx, 500)},
		{"error_200=code", denied(record.KindStreamError, 200)},
		{"error_200=base_resp", denied(record.KindStreamError, 200)},
		{"web_page=403", denied(record.KindHTTP4xx, 403)},
		{"web_page=200", denied(record.KindMalformed, 200)},
		{"refuse=temperature", denied(record.KindHTTP4xx, 400)},
		{"least_output=7", denied(record.KindHTTP4xx, 400)},
		{"least_output=6", whole},
		{"disconnect=100%", denied(record.KindTruncated, 0)},
		{"error_mid=100%:3", with(func(s *seen) {
			s.Outcome, s.Kind, s.Chunks, s.Out, s.Finish = record.Failed, record.KindStreamError, 3, 3, ""
		})},
		{"truncate_mid=100%:3", with(func(s *seen) {
			s.Outcome, s.Kind, s.Chunks, s.Out, s.Finish = record.Failed, record.KindTruncated, 3, 3, ""
		})},
		{"stall_first=100%:3ms stall_mid=100%:3ms:3", whole},
		{"role_early", whole},
		{"role_every", whole},
		{"comments crlf", whole},
		{"buffer=4", whole},
		{"buffer=100", whole},
		{"bursts=2", whole},
		{"chunk_tokens=4", with(func(s *seen) { s.Chunks = 2 })},
		{"chunk_tokens=4 no_continuous_usage", with(func(s *seen) { s.Chunks, s.Source = 2, record.SourceUsage })},
		{"no_continuous_usage", with(func(s *seen) { s.Source = record.SourceUsage })},
		{"strict_history", whole},
		{"no_usage", with(func(s *seen) { s.Source = record.SourceEstimated })},
		{"zero_usage", with(func(s *seen) { s.Source = record.SourceUsage })},
		{"usage_form=input", whole},
		{"usage_form=strings", whole},
		{"usage_form=below", whole},
		{"usage_form=uncached", whole},
		{"no_stream", with(func(s *seen) {
			s.Chunks, s.Source, s.Streamed, s.TTFT, s.TPOT = 0, record.SourceUsage, false, false, false
		})},
		{"reasoning=4", with(func(s *seen) { s.Reasoning, s.Billed = 4, 4 })},
		{"reasoning=4:reasoning", with(func(s *seen) { s.Reasoning, s.Billed = 4, 4 })},
		{"reasoning=4:reasoning_details", with(func(s *seen) { s.Reasoning, s.Billed = 4, 4 })},
		{"reasoning=4:hidden", with(func(s *seen) { s.Chunks, s.Billed = 2, 4 })},
		{"reasoning=6:hidden", with(func(s *seen) {
			s.Chunks, s.Billed, s.TTFT, s.TPOT, s.Source = 0, 6, false, false, record.SourceUsage
		})},
		{"tool_calls", with(func(s *seen) { s.Finish = "tool_calls" })},
		{"finish=abort", with(func(s *seen) {
			s.Outcome, s.Kind, s.Finish = record.Failed, record.KindStreamError, "abort"
		})},
		{"template=20", whole},
		{"eos=3", with(func(s *seen) { s.Chunks, s.Out, s.Finish = 3, 3, "stop" })},
		{"slow_close=3ms", whole},
		{"close_after_stream", whole},
		{"idle_close=1ms", whole},
	} {
		t.Run(c.faults, func(t *testing.T) {
			b := newBench(t, time.Millisecond, c.faults, 1)
			for _, r := range b.run(t, 1, 4, 6, "fault") {
				if diff := cmp.Diff(c.want, seenOf(r.rec)); diff != "" {
					t.Errorf("request %d (%s):\n%s", r.rec.ID, r.rec.Error, diff)
				}
				truth, _ := b.server.Truth(r.prompt)
				compareArrivalsOnly(t, b, r, truth)
			}
		})
	}
}

// compareArrivalsOnly checks of an answer, whole or not, that its token events are the frames that were written.
func compareArrivalsOnly(t *testing.T, b *bench, r *request, truth sim.Truth) {
	t.Helper()
	if len(r.heard.tokens) != len(truth.Frames) {
		t.Fatalf("request %d: %d token events, %d frames were written", r.rec.ID, len(r.heard.tokens), len(truth.Frames))
	}
	var sum time.Duration
	for i, token := range r.heard.tokens {
		if early := truth.Frames[i].Before.Sub(b.watch.at(token.At)); early > 0 {
			t.Errorf("request %d: token event %d is %v before the server wrote it", r.rec.ID, i, early)
		}
		sum += token.Gap
	}
	if generation, ok := r.rec.GenerationTime(); ok && (generation != sum || r.rec.GapSum != sum) {
		t.Errorf("request %d: E2EL − TTFT is %v, the gaps' sum %v (recorded %v)", r.rec.ID, generation, sum, r.rec.GapSum)
	}
}

// What a buffer hands out at once is clumped, what a model writes in bursts is not, however fast either is read.
func TestBuffersAreToldFromBursts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		faults  string
		times   int // at most, of 24 tokens
		clumped bool
	}{
		{"buffer=100", 1, true},
		{"buffer=12", 2, true},
		{"bursts=4", 7, false},
	} {
		t.Run(c.faults, func(t *testing.T) {
			clumped := 0
			all := newBench(t, 10*time.Millisecond, c.faults, 1).run(t, 1, 4, 24, "clumps")
			for _, r := range all {
				// What is written at once may be read in as many pieces as the network made of it, when the machine is busy.
				if n := r.rec.Arrivals; n.Events != 24 || n.Times > max(c.times, n.Segments) {
					t.Errorf("request %d: %+v, want %d times", r.rec.ID, n, c.times)
				}
				if _, is, _ := r.rec.Clumped(); is {
					clumped++
				}
				if _, defined := r.rec.TPOT(); defined && r.rec.Arrivals.Times == 1 && r.rec.FirstToken == r.rec.LastToken {
					t.Error("TPOT of a single read")
				}
			}
			if c.clumped && clumped < len(all) || !c.clumped && clumped == len(all) { // a busy machine reads late now and then
				t.Errorf("%d of %d are clumped", clumped, len(all))
			}
		})
	}
}

// Few requests come upon a connection that is being closed: those that are sent before the server is known to do that.
func TestAServerThatClosesAfterEachAnswerIsLearnedOf(t *testing.T) {
	t.Parallel()
	const streams = 8
	b := newBench(t, time.Millisecond, "close_after_stream", streams)
	for _, r := range b.run(t, streams, 25, 4, "closing") {
		if r.rec.Outcome != record.OK {
			t.Errorf("request %d: %s", r.rec.ID, r.rec.Error)
		}
	}
	if n := b.client.Reconnects(); n > 2*streams || b.client.ClosedAfterAnswer() < 3 {
		t.Errorf("%d requests were sent again, %d connections closed after an answer", n, b.client.ClosedAfterAnswer())
	}
}

func TestStallsAreInTheTimesTheyDelay(t *testing.T) {
	t.Parallel()
	const stall = 30 * time.Millisecond
	for _, r := range newBench(t, time.Millisecond, "stall_first=100%:30ms", 1).run(t, 1, 2, 3, "stall") {
		if ttft, _ := r.rec.TTFT(); ttft < stall {
			t.Errorf("TTFT %v of an answer that was held back for %v", ttft, stall)
		}
	}
	for _, r := range newBench(t, time.Millisecond, "stall_mid=100%:30ms:1", 1).run(t, 1, 2, 3, "stall") {
		if e2el, _ := r.rec.E2EL(); e2el < stall {
			t.Errorf("E2EL %v of an answer that was held back for %v", e2el, stall)
		}
	}
}

// TestEveryRequestIsRecordedWithItsOwnFault lets shares of many requests at a time meet faults, and asks the server
// which of them met which.
func TestEveryRequestIsRecordedWithItsOwnFault(t *testing.T) {
	t.Parallel()
	kinds := map[string]record.Kind{
		"": "", "http_429": record.KindHTTP429, "http_5xx": record.KindHTTP5xx,
		"error_mid": record.KindStreamError, "truncate_mid": record.KindTruncated,
	}
	b := newBench(t, time.Millisecond, "http_429=15% http_5xx=15% error_mid=15%:2 truncate_mid=15%:3", 32)
	met := map[string]int{}
	for _, r := range b.run(t, 32, 8, 5, "mixed") {
		truth, ok := b.server.Truth(r.prompt)
		if !ok {
			t.Fatalf("request %d: the server knows nothing of it", r.rec.ID)
		}
		met[truth.Fault]++
		outcome := record.Failed
		if truth.Fault == "" {
			outcome = record.OK
		}
		if r.rec.Outcome != outcome || r.rec.Kind != kinds[truth.Fault] {
			t.Errorf("request %d met %q and is recorded as %s %s (%s)", r.rec.ID, truth.Fault, r.rec.Outcome, r.rec.Kind, r.rec.Error)
		}
		compareArrivalsOnly(t, b, r, truth)
	}
	if len(met) != len(kinds) {
		t.Errorf("not every fault was met: %v", met)
	}
}

func TestProbeFindsTheShortestAnswerThatTheServerGives(t *testing.T) {
	for _, words := range []sim.LeastWords{sim.LeastNamed, sim.LeastRenamed, sim.LeastUnfinished} {
		for _, beside := range []string{"", " refuse=max_tokens"} {
			t.Run(string(words)+beside, func(t *testing.T) {
				b := newBench(t, time.Millisecond, fmt.Sprintf("least_output=16:%s%s", words, beside), 1)
				p, err := b.client.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				field := "max_tokens"
				if beside != "" {
					field = "max_completion_tokens"
				}
				if p.MaxTokensField != field || p.LeastOutput != 16 || p.Unlimited {
					t.Errorf("%+v", p)
				}
			})
		}
	}
}

func TestProbeFindsWhatTheServerRefuses(t *testing.T) {
	for _, body := range []string{"openai", "vllm", "fastapi"} {
		for _, c := range []struct {
			refused string
			sent    string // of stream_options, continuous usage, temperature, ignore_eos, min_tokens
			length  string
		}{
			{"stream_options,max_tokens", "- - temperature ignore_eos min_tokens", "max_completion_tokens"},
			{"continuous_usage_stats", "stream_options - temperature ignore_eos min_tokens", "max_tokens"},
			{"temperature,ignore_eos,min_tokens", "stream_options continuous - - -", "max_tokens"},
			{"stream_options,continuous_usage_stats,max_tokens,temperature,ignore_eos,min_tokens", "- - - - -", "max_completion_tokens"},
		} {
			t.Run(body+" "+c.refused, func(t *testing.T) {
				b := newBench(t, time.Millisecond, fmt.Sprintf("refuse=%s:%s", c.refused, body), 1)
				p, err := b.client.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var sent []string
				for _, field := range []struct {
					name string
					sent bool
				}{
					{"stream_options", p.StreamOptions},
					{"continuous", p.ContinuousUsage},
					{"temperature", p.Temperature},
					{"ignore_eos", p.IgnoreEOS},
					{"min_tokens", p.MinTokens},
				} {
					if field.sent {
						sent = append(sent, field.name)
					} else {
						sent = append(sent, "-")
					}
				}
				if got := strings.Join(sent, " "); got != c.sent || p.MaxTokensField != c.length {
					t.Errorf("sent are %s and %s, want %s and %s", got, p.MaxTokensField, c.sent, c.length)
				}
				for _, r := range b.run(t, 1, 1, 4, "probed") {
					if r.rec.Outcome != record.OK {
						t.Errorf("after the probe: %s (%s)", r.rec.Kind, r.rec.Error)
					}
				}
			})
		}
	}
}
