package peers

import (
	"bytes"
	"io"
	"iter"
	"testing"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

const ms = time.Millisecond

// ttfts are those of a worked example: mean 415.2, P50 97.5, linear P99 2256, standard deviation 694.84 (of a sample 732.42).
func ttfts() []time.Duration {
	return []time.Duration{80 * ms, 82 * ms, 85 * ms, 90 * ms, 95 * ms, 100 * ms, 120 * ms, 300 * ms, 800 * ms, 2400 * ms}
}

var second = record.Instant(time.Second)

// request is one of ten tokens, 10 ms apart, that is sent some seconds into the run.
func request(id uint64, sent record.Instant, ttft time.Duration) runfile.Request {
	r := record.New(id)
	r.Stage, r.Started, r.Sent = 1, sent-record.Instant(2*ms), sent
	r.Outcome, r.FinishReason, r.Streamed, r.TokenSource = record.OK, "length", true, record.SourceUsage
	r.FirstToken, r.FirstAnswer = sent.Add(ttft), sent.Add(ttft)
	r.LastToken, r.End = sent.Add(ttft+90*ms), sent.Add(ttft+95*ms)
	r.Chunks, r.Gaps, r.GapSum, r.GapMax = 10, 9, 90*ms, 10*ms
	r.InputTokens, r.OutputTokens = record.Known(100), record.Known(10)
	q := runfile.Request{Record: r}
	for range 9 {
		q.Gaps = append(q.Gaps, 10*ms)
	}
	return q
}

// example is a run of the ten requests a second apart, with one that failed among them, one of the ramp, one that was cancelled,
// and the first of a slot, none of which but the failed one is measured. They are handed out in another order.
func example() *run.Document {
	requests := []runfile.Request{}
	for i, ttft := range ttfts() {
		requests = append(requests, request(uint64(20-i), record.Instant(10+i)*second, ttft))
	}
	failed := record.New(40)
	failed.Stage, failed.Started, failed.Sent, failed.End = 1, 12*second+5, 12*second+6, 12*second+9
	failed.Outcome, failed.Kind, failed.Status, failed.Error = record.Failed, record.KindHTTP5xx, 503, "the server said: overloaded"
	ramp, cancelled, residual := request(41, 2*second, ms), request(42, 19*second, ms), request(43, 11*second, ms)
	cancelled.Record.Outcome, residual.Record.Residual = record.Cancelled, true
	requests = append(requests, runfile.Request{Record: failed}, ramp, cancelled, residual)
	row := snapshot.StageRow{
		Number: 1, Opened: second,
		Knobs:   snapshot.Knobs{Load: load.Setting{Mode: load.Closed, Concurrency: 4}, SLO: slo.Criteria{slo.TTFT: 500 * ms}, Target: 0.99},
		Summary: &stats.Summary{Settled: 9 * time.Second, Stage: 1, Requests: stats.Counts{Started: 11, OK: 10, Failed: 1}},
	}
	started := time.Date(2026, 11, 30, 4, 25, 23, 0, time.UTC)
	s := &snapshot.Snapshot{
		At: 30 * second, Elapsed: 29 * time.Second, State: snapshot.Ended, Started: started, Knobs: row.Knobs,
		Stages: []snapshot.StageRow{row}, Endpoint: endpoint.Profile{Model: "m", API: endpoint.Chat, Server: "vLLM 0.11.0", URL: "http://h:1/v1"},
	}
	return &run.Document{
		Header: runfile.Header{Started: started, URL: "http://h:1/v1", Model: "m", Server: "vLLM 0.11.0", Seed: 7, Tokdyno: "1.2"},
		Last:   s, Report: run.NewReport(s, "1.2"), Requests: each(requests),
	}
}

func each(list []runfile.Request) iter.Seq2[runfile.Request, error] {
	return func(yield func(runfile.Request, error) bool) {
		for _, q := range list {
			if !yield(q, nil) {
				return
			}
		}
	}
}

func writers() map[string]func(io.Writer, *run.Document) error {
	return map[string]func(io.Writer, *run.Document) error{
		"vllm": WriteVLLM, "aiperf": WriteAIPerf, "aiperf-jsonl": WriteAIPerfRequests, "llm-d": WriteLLMD, "otava": WriteOtava,
	}
}

// written is what a format makes of a document.
func written(t testing.TB, name string, d *run.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writers()[name](&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
