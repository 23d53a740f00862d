// The canary: it is answered whatever the load does, and no figure of the load has anything of it.

package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// twoSpeeds is a server that tells the canary's requests from the load's by how long an answer they ask for.
type twoSpeeds struct {
	load, canary func(http.ResponseWriter, *http.Request)

	now, most, canaries atomic.Int64 // canary's requests: on their way, at most, in all
}

const loadOutput = 24

func (s *twoSpeeds) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Max  int `json:"max_completion_tokens"`
		Max2 int `json:"max_tokens"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &asked)
	if max(asked.Max, asked.Max2) == loadOutput {
		s.load(w, r)
		return
	}
	now := s.now.Add(1)
	defer s.now.Add(-1)
	s.canaries.Add(1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
		continue
	}
	s.canary(w, r)
}

// tell answers with one token.
func tell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"so"},"finish_reason":"stop"}]}`+"\n\n"+
		`data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1}}`+"\n\ndata: [DONE]\n\n")
}

// hang answers when it is released, or the client has gone.
func hang(until chan struct{}) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-until:
			tell(w, r)
		case <-r.Context().Done():
		}
	}
}

// beside is a load with a canary on such a server.
func beside(t *testing.T, s *twoSpeeds, concurrency int) Config {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	cfg := closedLoop(server.URL, concurrency)
	cfg.NoProbe, cfg.Endpoint.Model = true, "m"
	cfg.Knobs.Shape.Output = shape.Fixed(loadOutput)
	cfg.Knobs.Canary = snapshot.MaxCanary
	return cfg
}

func TestTheCanaryDoesNotWaitForTheLoad(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	server := &twoSpeeds{load: hang(free), canary: tell}
	eng, ended := runInBackground(t, beside(t, server, 1))
	await(t, eng, "answers to the canary while the load hangs", func(s *snapshot.Snapshot) bool {
		return s.Canary != nil && s.Canary.Live.OK >= 3 && s.InFlight.Total == 1
	})
	s := eng.Snapshot()
	if c := s.Canary; s.Counts.OK != 0 || c.Live.TTFT.N != c.Live.OK || c.Run.DispatchLag.N != c.Run.OK || c.Run.Failed != 0 {
		t.Errorf("the load %+v, the canary %+v", s.Counts, s.Canary)
	}
	eng.Stop()
	<-ended
	close(free)
}

func TestOneCanaryIsOnItsWayAtMost(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	server := &twoSpeeds{load: tell, canary: hang(free)}
	eng, ended := runInBackground(t, beside(t, server, 1))
	await(t, eng, "what is skipped", func(s *snapshot.Snapshot) bool {
		return s.Canary != nil && s.Canary.Live.Skipped >= 3 && server.canaries.Load() > 0
	})
	if c := eng.Snapshot().Canary; c.Live.OK+c.Live.Failed != 0 || server.most.Load() != 1 || server.canaries.Load() != 1 {
		t.Errorf("%+v, and %d were on their way at once", c.Live, server.most.Load())
	}
	close(free)
	await(t, eng, "answers again", func(s *snapshot.Snapshot) bool { return s.Canary.Live.OK >= 2 })
	if most := server.most.Load(); most != 1 {
		t.Errorf("%d were on their way at once", most)
	}
	eng.Stop()
	<-ended
}

func TestAPausedLoadHasNoCanaryAndItCanBeTurned(t *testing.T) {
	t.Parallel()
	server := &twoSpeeds{load: tell, canary: tell}
	cfg := beside(t, server, 1)
	cfg.Knobs.Canary = 0
	eng, ended := runInBackground(t, cfg)
	await(t, eng, "the load", func(s *snapshot.Snapshot) bool { return s.Counts.OK > 20 })
	if s := eng.Snapshot(); s.Canary != nil || server.canaries.Load() != 0 {
		t.Errorf("nobody wanted the canary %+v", s.Canary)
	}
	turn := func(change func(*snapshot.Knobs)) {
		k := eng.Snapshot().Knobs
		change(&k)
		if err := eng.Apply(k); err != nil {
			t.Fatal(err)
		}
	}
	turn(func(k *snapshot.Knobs) { k.Canary = snapshot.MaxCanary })
	await(t, eng, "the canary", func(s *snapshot.Snapshot) bool { return s.Canary != nil && s.Canary.Run.OK >= 2 })
	if s := eng.Snapshot(); len(s.Stages) != 1 || s.Marks[len(s.Marks)-1].Label != "canary 0→10/s" {
		t.Errorf("%d stages, marks %v: it is no change of the load", len(s.Stages), s.Marks)
	}
	turn(func(k *snapshot.Knobs) { k.Paused = true })
	await(t, eng, "the pause", func(s *snapshot.Snapshot) bool { return s.State == snapshot.Paused && eng.canary.rate.Load() == 0 })
	k := eng.Snapshot().Knobs
	k.Canary = 2 * snapshot.MaxCanary
	if err := eng.Apply(k); err == nil {
		t.Error("a canary that is a load of its own is taken")
	}
	eng.Stop()
	<-ended
}

// TestNoFigureHasAnythingOfTheCanary holds a run with a canary, which fails or is slow, against one without: the same counts,
// tokens and errors, and latencies that are those of the load's records, one by one.
func TestNoFigureHasAnythingOfTheCanary(t *testing.T) {
	t.Parallel()
	const requests = 60
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request)
	}{
		{"fails", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "out of order", http.StatusInternalServerError)
		}},
		{"answers", tell},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ran := func(rate float64) (*snapshot.Snapshot, *Engine, []*record.Record) {
				var sent atomic.Int64
				enough := make(chan struct{})
				var once sync.Once
				server := &twoSpeeds{canary: func(w http.ResponseWriter, r *http.Request) {
					if c.answer(w, r); sent.Add(1) == 5 {
						once.Do(func() { close(enough) })
					}
				}}
				if rate == 0 {
					close(enough)
				}
				var answers atomic.Int64
				server.load = func(w http.ResponseWriter, r *http.Request) {
					if answers.Add(1) == requests/2 || answers.Load() == requests/2+1 { // so that the load lasts as long as the canary wants
						<-enough
					}
					tell(w, r)
				}
				cfg := beside(t, server, 2)
				cfg.Knobs.Canary, cfg.Budget.Requests = rate, requests
				eng, records := runToEnd(t, cfg)
				return eng.Snapshot(), eng, records
			}
			with, eng, records := ran(snapshot.MaxCanary)
			without, _, _ := ran(0)
			if with.Canary == nil || with.Canary.Run.OK+with.Canary.Run.Failed < 4 || without.Canary != nil {
				t.Fatalf("canary %+v and %+v", with.Canary, without.Canary)
			}
			type figures struct {
				Counts   stats.Counts
				Tokens   stats.Tokens
				Problems []stats.Problem
				InFlight stats.InFlight
				Stages   int
				Retried  int
				Outage   snapshot.Outage
				Requests run.Requests
				Errors   []run.Problem
			}
			of := func(s *snapshot.Snapshot) figures {
				r := run.NewReport(s, "test")
				return figures{s.Counts, s.Tokens, s.Problems, s.InFlight, len(s.Stages), s.Retried, s.Outage, r.Requests, r.Errors}
			}
			if diff := cmp.Diff(of(without), of(with), cmpopts.IgnoreUnexported(record.Count{}, snapshot.Outage{})); diff != "" {
				t.Errorf("(-without +with):\n%s", diff)
			}
			if with.Counts.OK != requests || len(records) != requests {
				t.Errorf("%+v, %d records", with.Counts, len(records))
			}
			for _, m := range []slo.Metric{slo.TTFT, slo.E2EL} {
				left := make(map[time.Duration]int)
				for _, r := range records {
					d, _ := r.TTFT()
					if m == slo.E2EL {
						d, _ = r.E2EL()
					}
					left[d]++
				}
				got := eng.StageValues(1, m) // of the steady part
				for _, d := range got {
					if left[d]--; left[d] < 0 {
						t.Errorf("%s has a value, %v, that no record has", m, d)
					}
				}
				if len(got) == 0 || len(got) > requests {
					t.Errorf("%s has %d values of %d requests", m, len(got), requests)
				}
			}
		})
	}
}

func TestTheCanaryIsKeptOfTheLastAnswers(t *testing.T) {
	var told canaryTold
	for i := range canaryKept + 5 {
		at := record.Instant(time.Duration(i+1) * time.Second)
		told.add(canaryAnswer{At: at, TTFT: time.Millisecond, E2EL: 2 * time.Millisecond, Failed: i%10 == 0, Why: "no"})
	}
	s := &snapshot.Snapshot{At: record.Instant((canaryKept + 5) * time.Second), Stages: []snapshot.StageRow{{}}}
	s.Knobs.Window = stats.Last10s
	c := told.show(s, stats.Inverted)
	if c.Run.Of() != canaryKept+5 || c.Run.Failed != canaryKept/10+1 || c.Live.Of() != 10 || c.Live.Failed != 1 || c.Live.Problem != "no" {
		t.Errorf("run %d, %d failed; lately %d, %d failed", c.Run.Of(), c.Run.Failed, c.Live.Of(), c.Live.Failed)
	}
	before := told.clone()
	told.add(canaryAnswer{At: s.At, Skipped: true})
	if c := before.show(s, stats.Inverted); c.Live.Skipped != 0 {
		t.Error("a copy has what came after it")
	}
	if c := told.show(s, stats.Inverted); c.Live.Skipped != 1 {
		t.Error("the figures are not of the latest answers")
	}
}

// Before the load begins there is no stage, whatever the window is of.
func TestAWindowOfTheStageBeforeThereIsOne(t *testing.T) {
	cfg := closedLoop("http://127.0.0.1:1", 2)
	cfg.Knobs.Window, cfg.Knobs.Canary = stats.ThisStage, 1
	eng, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s := eng.Snapshot(); s.Present() != nil || s.Canary == nil || s.Canary.Live.OK != 0 {
		t.Errorf("before the load there are %d stages and %+v", len(s.Stages), s.Canary)
	}
}
