// Differences of readings, sums over many, and what happens at a restart.

package server

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

var began = time.Unix(1_800_000_000, 0)

// reading reads a page as of some seconds after the beginning.
func reading(t interface{ Fatalf(string, ...any) }, second float64, lines ...string) Metrics {
	m, ok := Interpret(promtext.Parse([]byte(strings.Join(lines, "\n"))))
	if !ok {
		t.Fatalf("no figures on %q", lines)
	}
	m.At = began.Add(time.Duration(second * float64(time.Second)))
	return m
}

func TestBetweenIsWhatHappenedInBetween(t *testing.T) {
	start := reading(t, 0,
		"vllm:num_requests_running 3",
		"vllm:prefix_cache_hits_total 100", "vllm:prefix_cache_queries_total 1000",
		"vllm:num_preemptions_total 7", "vllm:request_success_total 50",
		"vllm:prompt_tokens_total 1000", "vllm:generation_tokens_total 2000",
		"vllm:spec_decode_num_draft_tokens_total 30", "vllm:spec_decode_num_accepted_tokens_total 20", "vllm:spec_decode_num_drafts_total 10",
		`vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 12`, `vllm:spec_decode_num_accepted_tokens_per_pos_total{position="1"} 8`,
		`vllm:time_to_first_token_seconds_bucket{le="0.1"} 50`, `vllm:time_to_first_token_seconds_bucket{le="0.2"} 50`,
		`vllm:time_to_first_token_seconds_bucket{le="+Inf"} 50`, "vllm:time_to_first_token_seconds_sum 2", "vllm:time_to_first_token_seconds_count 50",
	)
	now := reading(t, 10,
		"vllm:num_requests_running 5",
		"vllm:prefix_cache_hits_total 400", "vllm:prefix_cache_queries_total 2000",
		"vllm:num_preemptions_total 9", "vllm:request_success_total 60",
		"vllm:prompt_tokens_total 2000", "vllm:generation_tokens_total 2500",
		"vllm:spec_decode_num_draft_tokens_total 130", "vllm:spec_decode_num_accepted_tokens_total 80", "vllm:spec_decode_num_drafts_total 50",
		`vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 42`, `vllm:spec_decode_num_accepted_tokens_per_pos_total{position="1"} 38`,
		`vllm:time_to_first_token_seconds_bucket{le="0.1"} 50`, `vllm:time_to_first_token_seconds_bucket{le="0.2"} 58`,
		`vllm:time_to_first_token_seconds_bucket{le="+Inf"} 60`, "vllm:time_to_first_token_seconds_sum 4.5", "vllm:time_to_first_token_seconds_count 60",
	)
	absent := Latency{}
	for _, into := range []*optional.Value{&absent.Mean, &absent.P50, &absent.P90, &absent.P95, &absent.P99} {
		*into = optional.NA(reasonNotOnPage)
	}
	want := Window{
		Over:    10 * time.Second,
		HitRate: optional.Of(0.3),
		Speculation: Speculation{
			Drafts: optional.Of(40), Drafted: optional.Of(100), Accepted: optional.Of(60), Rate: optional.Of(0.6), Length: optional.Of(2.5),
			Positions: []float64{0.75, 0.75},
		},
		Preemptions: optional.Of(2), Requests: optional.Of(10), PromptTokens: optional.Of(1000), GenerationTokens: optional.Of(500),
		PromptTokensPerSecond: optional.Of(100), GenerationTokensPerSecond: optional.Of(50),
		TTFT: Latency{
			N: 10, Mean: optional.Of(0.25), P50: optional.Of(0.1625),
			P90: optional.NA(reasonAboveBuckets), P95: optional.NA(reasonAboveBuckets), P99: optional.NA(reasonAboveBuckets),
		},
		QueueTime: absent,
	}
	if diff := cmp.Diff(want, between(start, now)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsNotCountedIsTheServersOwnAverage(t *testing.T) {
	start := reading(t, 0, "sglang:num_running_reqs 1", "sglang:cache_hit_rate 0.25", "sglang:spec_accept_length 2", "sglang:spec_accept_rate 0.5")
	now := reading(t, 1, "sglang:num_running_reqs 1", "sglang:cache_hit_rate 0.75", "sglang:spec_accept_length 3", "sglang:spec_accept_rate 0.75")
	w := between(start, now)
	if spec := &w.Speculation; w.HitRate != optional.Of(0.75) || spec.Length != optional.Of(3) || spec.Rate != optional.Of(0.75) {
		t.Errorf("hit rate %+v, speculation %+v", w.HitRate, spec)
	}
}

func TestAWindowWithoutKnowledgeSaysWhy(t *testing.T) {
	base := []string{"vllm:num_requests_running 1", "vllm:generation_tokens_total 100", "vllm:prefix_cache_hits_total 1", "vllm:prefix_cache_queries_total 2"}
	start := reading(t, 0, base...)
	for _, test := range []struct {
		name       string
		start, now Metrics
		tokens     optional.Value
		rate       optional.Value
		hitRate    optional.Value
		restarted  bool
	}{
		{"nothing was looked up", start, reading(t, 1, base...), optional.Of(0), optional.Of(0), optional.NA(reasonNoRequests), false},
		{"no time has passed", start, start, optional.Of(0), optional.NA(reasonNoTime), optional.NA(reasonNoRequests), false},
		{"nothing was read at the start", Metrics{}, start, optional.NA(reasonNoReading), optional.NA(reasonNoReading), optional.NA(reasonNoReading), false},
		{
			"a counter that was not there", reading(t, 0, "vllm:num_requests_running 1"), start,
			optional.NA(reasonNotOnPage), optional.NA(reasonNotOnPage), optional.NA(reasonNotOnPage), false,
		},
		{
			"a counter fell", start, reading(t, 1, "vllm:num_requests_running 1", "vllm:generation_tokens_total 99", "vllm:prefix_cache_hits_total 5"),
			optional.NA(reasonRestarted), optional.NA(reasonRestarted), optional.NA(reasonRestarted), true,
		},
		{
			"another process, whose counters are higher",
			reading(t, 0, append(base, "process_start_time_seconds 1700000000")...),
			reading(t, 1, append(base, "process_start_time_seconds 1700000100")...),
			optional.NA(reasonRestarted), optional.NA(reasonRestarted), optional.NA(reasonRestarted), true,
		},
		{
			"an engine came", start, reading(t, 1, `vllm:num_requests_running{engine="0"} 1`, `vllm:num_requests_running{engine="1"} 1`, "vllm:generation_tokens_total 900"),
			optional.NA(reasonEngines), optional.NA(reasonEngines), optional.NA(reasonEngines), false,
		},
		{
			"another server answers", start, reading(t, 1, "lmdeploy:num_requests_running 1", "lmdeploy:generation_tokens_total 900"),
			optional.NA(reasonOtherServer), optional.NA(reasonOtherServer), optional.NA(reasonOtherServer), false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := between(test.start, test.now)
			if w.GenerationTokens != test.tokens || w.GenerationTokensPerSecond != test.rate || w.HitRate != test.hitRate || w.Restarted != test.restarted {
				t.Errorf("tokens %+v, rate %+v, hit rate %+v, restarted %v", w.GenerationTokens, w.GenerationTokensPerSecond, w.HitRate, w.Restarted)
			}
		})
	}
}

func TestTotalsSumUpAStage(t *testing.T) {
	var totals Totals
	tokens := func(second float64, running, waiting, usage, tokens string) Metrics {
		return reading(t, second, "vllm:num_requests_running "+running, "vllm:num_requests_waiting "+waiting,
			"vllm:kv_cache_usage_perc "+usage, "vllm:generation_tokens_total "+tokens)
	}
	totals.Add(Metrics{}) // nothing read yet
	totals.Add(tokens(0, "2", "0", "0.25", "100"))
	totals.Add(tokens(1, "4", "6", "NaN", "160"))
	totals.Add(tokens(1, "4", "6", "NaN", "160")) // the same once more
	totals.Add(tokens(2, "6", "0", "0.75", "20")) // restarted
	totals.Add(tokens(4, "8", "2", "0.5", "60"))

	s := totals.Summary()
	if s.Kind != VLLM || s.Readings != 4 || s.Window.Over != 4*time.Second || !s.Window.Restarted {
		t.Errorf("%s, %d readings over %v, restarted %v", s.Kind, s.Readings, s.Window.Over, s.Window.Restarted)
	}
	got := []optional.Value{s.RunningMean, s.RunningMax, s.WaitingMean, s.WaitingMax, s.KVUsageMean, s.KVUsageMax}
	want := []optional.Value{optional.Of(5), optional.Of(8), optional.Of(2), optional.Of(6), optional.Of(0.5), optional.Of(0.75)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gauges (-want +got):\n%s", diff)
	}
	// 60 tokens in the first second and 40 in the last two; the second around the restart is known of nobody.
	if w := s.Window; w.GenerationTokens != optional.Of(100) || math.Abs(w.GenerationTokensPerSecond.V-100.0/3) > 1e-9 || w.Preemptions != optional.NA(reasonNotOnPage) {
		t.Errorf("tokens %+v, %+v/s, preemptions %+v", w.GenerationTokens, w.GenerationTokensPerSecond, w.Preemptions)
	}

	next := totals.Next()
	if s := next.Summary(); s.Readings != 0 || s.RunningMax != optional.NA(reasonNoReading) || s.Window.GenerationTokens != optional.NA(reasonNoReading) {
		t.Errorf("a stage that has just begun: %+v", s)
	}
	next.Add(tokens(5, "1", "0", "0.5", "75"))
	if s := next.Summary(); s.Readings != 1 || s.RunningMax != optional.Of(1) || s.Window.GenerationTokens != optional.Of(15) || s.Window.Over != time.Second {
		t.Errorf("the next stage: %+v", s)
	}
}

func TestAFigureThatIsNeverKnownKeepsItsReason(t *testing.T) {
	var totals Totals
	for second := range 3 {
		totals.Add(reading(t, float64(second), "tgi_queue_size 1", "tgi_batch_current_size 2"))
	}
	if s := totals.Summary(); s.KVUsageMax != optional.NA("TGI does not tell") || s.Window.Preemptions != optional.NA("TGI does not tell") || s.Window.TTFT.P99 != optional.NA("TGI does not tell") {
		t.Errorf("KV use %+v, preemptions %+v, TTFT %+v", s.KVUsageMax, s.Window.Preemptions, s.Window.TTFT)
	}
}

// checkWindow checks what holds for any window.
func checkWindow(t interface{ Errorf(string, ...any) }, w Window) {
	var check func(path string, v reflect.Value)
	check = func(path string, v reflect.Value) {
		for i := range v.NumField() {
			name := path + v.Type().Field(i).Name
			switch one := v.Field(i).Interface().(type) {
			case optional.Value:
				if one.OK() && (!(one.V >= 0) || math.IsInf(one.V, 0)) {
					t.Errorf("%s is %v", name, one.V)
				}
			case Latency, Speculation:
				check(name+".", v.Field(i))
			case []float64:
				for _, share := range one {
					if !(share >= 0 && share <= 1) {
						t.Errorf("%s is %v", name, one)
					}
				}
			}
		}
	}
	check("", reflect.ValueOf(w))
	for _, share := range []optional.Value{w.HitRate, w.Speculation.Rate} {
		if share.OK() && share.V > 1 {
			t.Errorf("a share is %v", share.V)
		}
	}
}

func TestTotalsEqualTheDifferenceWhereNothingRestarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var totals Totals
		var first, last Metrics
		var hits, queries, low, all int
		for second := range rapid.IntRange(2, 10).Draw(t, "readings") {
			more := func(name string) int { return rapid.IntRange(0, 1000).Draw(t, name) }
			hit := more("hits")
			hits, queries = hits+hit, queries+hit+more("misses")
			inside := more("fast")
			low, all = low+inside, all+inside+more("slow")
			last = reading(t, float64(second), "vllm:num_requests_running 1",
				count("vllm:prefix_cache_hits_total", hits), count("vllm:prefix_cache_queries_total", queries),
				count(`vllm:time_to_first_token_seconds_bucket{le="1"}`, low), count(`vllm:time_to_first_token_seconds_bucket{le="+Inf"}`, all),
				count("vllm:time_to_first_token_seconds_sum", all), count("vllm:time_to_first_token_seconds_count", all))
			if second == 0 {
				first = last
			}
			totals.Add(last)
		}
		got, want := totals.Summary().Window, between(first, last)
		checkWindow(t, got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-difference +sum):\n%s", diff)
		}
	})
}

func TestNoFigureIsNegativeWhateverCountersDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var totals Totals
		number := rapid.SampledFrom([]string{"0", "1", "5", "1000", "NaN", "-3", "+Inf", "1e300"})
		var last Metrics
		for second := range rapid.IntRange(2, 8).Draw(t, "readings") {
			const running = "vllm:num_requests_running"
			lines := []string{running + " 1"} // a page without one sound figure is no page
			for _, r := range vllmRows {
				if r.name != running && rapid.Bool().Draw(t, "present") {
					lines = append(lines, r.name+" "+number.Draw(t, r.name))
				}
				if properties[r.figure].list != nil {
					lines = append(lines, r.name+`{position="0"} `+number.Draw(t, "first"), r.name+`{position="1"} `+number.Draw(t, "second"))
				}
				if properties[r.figure].times != nil {
					lines = append(lines, r.name+"_sum "+number.Draw(t, "sum"), r.name+"_count "+number.Draw(t, "count"),
						r.name+`_bucket{le="1"} `+number.Draw(t, "bucket"))
				}
			}
			m := reading(t, float64(second), lines...)
			checkWindow(t, between(last, m))
			totals.Add(m)
			last = m
		}
		checkWindow(t, totals.Summary().Window)
	})
}

func count(name string, n int) string { return fmt.Sprintf("%s %d", name, n) }

// between is what a server saw between two readings, the earlier one first.
func between(start, now Metrics) Window {
	var g growth
	g.add(start, now)
	return g.window()
}
