package engine

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/run"
	"tokdyno/engine/run/peers"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// TestARunComesBackFromTheFormatsOfOthers writes a run as other tools do, and reads it again as theirs: latencies are those of the
// run's stage, and rates those that the file says. Its requests are those of the steady part, and a file of theirs has no
// instant finer than a float of seconds.
func TestARunComesBackFromTheFormatsOfOthers(t *testing.T) {
	t.Parallel()
	end, path := shortRun(t)
	p := playerOf(t, path)
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	d := &run.Document{
		Header: p.Header(), Last: p.Snapshot(), Report: run.NewReport(p.Snapshot(), "test"), Requests: p.Recorded(),
	}
	was := end.Stages[0].Summary
	if was.Settling || was.Requests.OK < 20 {
		t.Fatalf("the run has nothing to compare: %+v", was.Requests)
	}
	var summary bytes.Buffer
	if err := peers.WriteAIPerf(&summary, d); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer, *run.Document) error{
		"vLLM": peers.WriteVLLM, "AIPerf": peers.WriteAIPerfRequests,
	} {
		var b bytes.Buffer
		if err := write(&b, d); err != nil {
			t.Fatal(err)
		}
		f, err := peers.Read(b.Bytes(), func(string) ([]byte, error) { return summary.Bytes(), nil })
		if err != nil {
			t.Fatal(err)
		}
		open, err := Import(f, "test")
		if err != nil {
			t.Fatal(err)
		}
		back, err := NewPlayer(open)
		if err != nil {
			t.Fatal(err)
		}
		defer back.Close()
		if err := back.Finish(); err != nil {
			t.Fatal(err)
		}
		s := back.Snapshot()
		is := s.Stages[0].Summary
		if s.State != snapshot.Ended || s.Replay.Note != "" || is.Settling || is.Requests.OK != was.Requests.OK {
			t.Errorf("%s: %s, note %q, %d requests, want %d", name, s.State, s.Replay.Note, is.Requests.OK, was.Requests.OK)
		}
		for metric, pair := range map[string][2]stats.Distribution{
			"TTFT": {was.TTFT, is.TTFT}, "TPOT": {was.TPOT, is.TPOT}, "E2EL": {was.E2EL, is.E2EL},
		} {
			if a, b := pair[0], pair[1]; a.N != b.N || offBy(a.Mean, b.Mean) > 5 || offBy(a.P50, b.P50) > 5 || offBy(a.P99, b.P99) > 5 {
				t.Errorf("%s: %s is %+v, want %+v", name, metric, b, a)
			}
		}
		report := run.NewReport(s, "test")
		text := new(strings.Builder)
		if err := report.WriteJSON(text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"measured by ", `"model": "` + end.Endpoint.Model + `"`, `"concurrency": 4`} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s: the report has no %s", name, want)
			}
		}
		// Written once more, it is the same file, but for what the tools do not tell.
		again := &run.Document{Header: back.Header(), Last: s, Report: report, Requests: back.Recorded()}
		var twice bytes.Buffer
		if err := peers.WriteVLLM(&twice, again); err != nil {
			t.Fatal(err)
		}
		g, err := peers.Read(twice.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.Requests {
			a, _ := f.Requests[i].Record.E2EL()
			if b, _ := g.Requests[i].Record.E2EL(); offBy(a, b) > 5 || len(g.Requests[i].Gaps) != len(f.Requests[i].Gaps) {
				t.Errorf("%s: request %d comes back after %v with %d gaps, want %v with %d", name, i, b, len(g.Requests[i].Gaps), a, len(f.Requests[i].Gaps))
			}
		}
		total, seconds, gaps := 0.0, s.Elapsed.Seconds(), 0
		for _, q := range f.Requests {
			total += float64(q.Record.OutputTokens.Or(0))
			gaps += len(q.Gaps)
		}
		if is.ChunkGap.N != gaps {
			t.Errorf("%s: %d gaps, want %d", name, is.ChunkGap.N, gaps)
		}
		if got := is.Throughput.Output; math.Abs(got-total/seconds) > 0.01*got {
			t.Errorf("%s: output %v tok/s, want %v in %v s", name, got, total, seconds)
		}
	}
}

func offBy(a, b time.Duration) time.Duration { return max(a-b, b-a) }

// TestWhatAForeignFileDoesNotHaveIsUnknown reads a file without gaps, queueing or a load.
func TestWhatAForeignFileDoesNotHaveIsUnknown(t *testing.T) {
	t.Parallel()
	f, err := peers.Read([]byte(`{"duration": 2.5, "completed": 2, "request_throughput": 0.8, "ttfts": [0.25, 0.125],
		"latencies": [0.3, 0.185], "start_times": [1.0, 1.1]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	open, err := Import(f, "test")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlayer(open)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	r := run.NewReport(p.Snapshot(), "test")
	if r.TTFT.N != 2 || *r.TTFT.P50 != 187.5 || r.E2EL.N != 2 || *r.Load.Concurrency != 2 {
		t.Errorf("TTFT %+v, E2EL %+v, %+v", r.TTFT, r.E2EL, r.Load)
	}
	if r.ITL.N != 0 || r.TPOT.N != 0 || r.DispatchLag.N != 0 || r.Throughput.Output != nil || r.Throughput.Input != nil ||
		r.Tokens.Output != nil || r.Load.Seed != 0 || r.Client.Verdict != nil || r.GPU != nil || r.Endpoint.Server != nil {
		t.Errorf("what is not in the file is known: %+v", r.Figures)
	}
	d := &run.Document{Header: p.Header(), Last: p.Snapshot(), Report: r, Requests: p.Recorded()}
	var b bytes.Buffer
	if err := peers.WriteAIPerfRequests(&b, d); err != nil || !strings.Contains(b.String(), `"request_start_ns": null`) {
		t.Errorf("%v: the file has no date, and as AIPerf's it is %s", err, b.String())
	}
}
