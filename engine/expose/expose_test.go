package expose_test

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.uber.org/goleak"

	"tokdyno/engine"
	"tokdyno/engine/expose"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/server"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
	"tokdyno/gpu/optional"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served runs a short load on a simulator of which some requests fail, and serves it.
func served(t *testing.T) (*engine.Engine, *expose.Server) {
	t.Helper()
	faults, err := sim.ParseFaults([]string{"http_5xx=20%"})
	if err != nil {
		t.Fatal(err)
	}
	simulator, err := sim.Start(sim.Config{TimeScale: 20, Faults: faults, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = simulator.Close() })
	x := expose.New("1.2.3")
	eng, err := engine.New(engine.Config{
		Endpoint: wire.Endpoint{URL: simulator.URL(), NoProxy: true}, Seed: 1, Budget: load.Budget{Requests: 120},
		Knobs: snapshot.Knobs{
			Load: load.Setting{Mode: load.Closed, Concurrency: 4}, Shape: shape.Shape{Prompt: shape.Fixed(32), Output: shape.Fixed(8)},
			SLO: slo.Criteria{slo.TTFT: 250 * time.Millisecond, slo.E2EL: time.Minute}, Target: 0.9,
		},
		Records: x.Records,
	})
	if err != nil {
		t.Fatal(err)
	}
	x.Follow(eng)
	server, err := x.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return eng, server
}

func page(t *testing.T, url string) string {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v, %s", answer.Status, err, text)
	}
	return string(text)
}

func parsed(t *testing.T, text string) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// sample is a value by its name and one of its labels; NaN: there is none.
func sample(families map[string]*dto.MetricFamily, name, label string) float64 {
	f := families[name]
	if f == nil {
		return math.NaN()
	}
	for _, m := range f.Metric {
		if label != "" && (len(m.Label) != 1 || m.Label[0].GetValue() != label) {
			continue
		}
		if m.Counter != nil {
			return m.Counter.GetValue()
		}
		return m.Gauge.GetValue()
	}
	return math.NaN()
}

// observed is the number and the sum of a histogram's samples that have all of some labels' values.
func observed(families map[string]*dto.MetricFamily, name string, having ...string) (n uint64, sum float64) {
	f := families[name]
	if f == nil {
		return 0, math.NaN()
	}
	for _, m := range f.Metric {
		has := 0
		for _, l := range m.Label {
			for _, want := range having {
				if l.GetValue() == want {
					has++
				}
			}
		}
		if has == len(having) {
			n += m.Histogram.GetSampleCount()
			sum += m.Histogram.GetSampleSum()
		}
	}
	return n, sum
}

// TestFiguresAreThoseOfTheSnapshot scrapes a run at its end, and holds what is served against its last snapshot.
func TestFiguresAreThoseOfTheSnapshot(t *testing.T) {
	eng, server := served(t)
	if err := eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := eng.Snapshot()
	got := parsed(t, page(t, server.URL()))
	if s.Counts.OK < 50 || s.Counts.Failed < 5 {
		t.Fatalf("%+v", s.Counts)
	}
	attainment, _ := s.Live.Score.Attainment(s.Knobs.SLO)
	input, _ := s.Tokens.Input.Get()
	output, _ := s.Tokens.Output.Get()
	for _, want := range []struct {
		name, label string
		value       float64
	}{
		{"tokdyno_requests_in_flight", "", 0},
		{"tokdyno_requests_started_total", "", float64(s.Counts.Started)},
		{"tokdyno_requests_total", "ok", float64(s.Counts.OK)},
		{"tokdyno_requests_total", "failed", float64(s.Counts.Failed)},
		{"tokdyno_failures_total", "http_5xx", float64(s.Counts.Failed)},
		{"tokdyno_input_tokens_total", "", float64(input)},
		{"tokdyno_output_tokens_total", "", float64(output)},
		{"tokdyno_output_tokens_per_second", "", s.Live.Throughput.Output},
		{"tokdyno_requests_per_second", "", s.Live.Throughput.Requests},
		{"tokdyno_goodput_requests_per_second", "", s.Live.Goodput},
		{"tokdyno_slo_attainment_ratio", "", attainment},
		{"tokdyno_slo_target_ratio", "", 0.9},
		{"tokdyno_slo_threshold_seconds", "ttft", 0.25},
		{"tokdyno_slo_threshold_seconds", "e2el", 60},
		{"tokdyno_slo_threshold_seconds", "tpot", math.NaN()},
		{"tokdyno_target_load", "closed", 4},
		{"tokdyno_stage", "", 1},
		{"tokdyno_state", "ended", 1},
		{"tokdyno_elapsed_seconds", "", s.Elapsed.Seconds()},
	} {
		if v := sample(got, want.name, want.label); v != want.value && !(math.IsNaN(v) && math.IsNaN(want.value)) {
			t.Errorf("%s{%s} is %v, want %v", want.name, want.label, v, want.value)
		}
	}
	histograms(t, got, s, input, output)
}

// histograms holds those against the whole run.
func histograms(t *testing.T, got map[string]*dto.MetricFamily, s *snapshot.Snapshot, input, output int64) {
	t.Helper()
	const duration, usage = "gen_ai_client_operation_duration_seconds", "gen_ai_client_token_usage"
	ok, failed := uint64(s.Counts.OK), uint64(s.Counts.Failed)
	if n, _ := observed(got, duration, "chat", "tokdyno-sim", s.Endpoint.Model); n != ok+failed {
		t.Errorf("%d durations, want %d", n, ok+failed)
	}
	if n, _ := observed(got, duration, "http_5xx"); n != failed {
		t.Errorf("%d durations of failures, want %d", n, failed)
	}
	n, sum := observed(got, "gen_ai_client_operation_time_to_first_chunk_seconds")
	if mean := s.Stage.TTFT.Mean.Seconds(); n != ok || sum/float64(n) > 3*mean || sum/float64(n) < mean/3 {
		t.Errorf("%d first chunks, %v s on average, want %d, near %v", n, sum/float64(n), ok, mean)
	}
	if n, sum := observed(got, usage, "input"); n != ok || sum != float64(input) {
		t.Errorf("%d prompts of %v tokens, want %d of %d", n, sum, ok, input)
	}
	if n, sum := observed(got, usage, "output"); n != ok || sum != float64(output) {
		t.Errorf("%d answers of %v tokens, want %d of %d", n, sum, ok, output)
	}
	if n, _ := observed(got, "gen_ai_client_operation_time_per_output_chunk_seconds"); n > ok*7 || n < ok*6 {
		t.Errorf("%d gaps, want seven of each of %d, but for those that came while the load drained", n, ok)
	}
}

// TestFiguresAreOfOneMoment scrapes while the load goes on, until the snapshot is the same before and after.
func TestFiguresAreOfOneMoment(t *testing.T) {
	eng, server := served(t)
	ended := make(chan error, 1)
	go func() { ended <- eng.Run(t.Context()) }()
	compared := 0
	for {
		select {
		case err := <-ended:
			if err != nil || compared == 0 {
				t.Errorf("%v; %d moments compared", err, compared)
			}
			return
		default:
		}
		s := eng.Snapshot()
		got := parsed(t, page(t, server.URL()))
		if s != eng.Snapshot() || s.State != snapshot.Running {
			continue
		}
		compared++
		if v := sample(got, "tokdyno_requests_in_flight", ""); v != float64(s.InFlight.Total) {
			t.Errorf("%v in flight, want %d", v, s.InFlight.Total)
		}
		if v := sample(got, "tokdyno_requests_total", "ok"); v != float64(s.Counts.OK) {
			t.Errorf("%v completed, want %d", v, s.Counts.OK)
		}
	}
}

// TestPrometheusFindsNoFault has its linter look at every metric.
func TestPrometheusFindsNoFault(t *testing.T) {
	eng, server := served(t)
	if err := eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.New(strings.NewReader(page(t, server.URL()))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestATakenPortIsSaid(t *testing.T) {
	x := expose.New("1")
	first, err := x.Listen("0") // any port of this machine's own address
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	address := strings.TrimSuffix(strings.TrimPrefix(first.URL(), "http://"), "/metrics")
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Errorf("without a host it listens at %s", address)
	}
	if _, err := x.Listen(address); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("a taken port: %v", err)
	}
	for _, bad := range []string{"nowhere.invalid:1", "127.0.0.1:99999", "1:2:3", "x"} {
		if _, err := x.Listen(bad); err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "9464") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// still is a run that does not move.
type still snapshot.Snapshot

func (s *still) Snapshot() *snapshot.Snapshot   { return (*snapshot.Snapshot)(s) }
func (s *still) ChunkGaps() (none stats.Sparse) { return none }

// TestSidesOfADuelStandOnOnePage serves two sides that differ, and hands each a record.
func TestSidesOfADuelStandOnOnePage(t *testing.T) {
	sides := expose.Sides("1.2.3", 2)
	for i, x := range sides {
		s := &snapshot.Snapshot{State: snapshot.Running}
		s.Counts.Started, s.Endpoint.URL = i+1, "http://the-same"
		x.Follow((*still)(s))
		for range i + 1 {
			x.Records([]*record.Record{{Outcome: record.Failed, Kind: record.KindTLS, Sent: 1, End: 2}}, 0)
		}
	}
	server, err := sides[1].Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	text := page(t, server.URL())
	for _, line := range []string{
		`tokdyno_requests_started_total{side="A"} 1`, `tokdyno_requests_started_total{side="B"} 2`,
		`tokdyno_requests_total{outcome="ok",side="B"} 0`, `server_port="",side="B"} 2`,
		`tokdyno_info{endpoint="http://the-same",model="",server="",side="B",simulated="false",version="1.2.3"} 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

func TestSpeculationAndTheCanaryHaveSeriesOfTheirOwn(t *testing.T) {
	serve := func(s *snapshot.Snapshot) map[string]*dto.MetricFamily {
		x := expose.New("1.2.3")
		x.Follow((*still)(s))
		server, err := x.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		return parsed(t, page(t, server.URL()))
	}
	s := &snapshot.Snapshot{State: snapshot.Running, Speculation: server.Speculation{Rate: optional.Of(0.6), Length: optional.Of(2.8)}}
	s.Canary = &snapshot.Canary{
		Run:  snapshot.CanaryFigures{OK: 7, Failed: 2, Skipped: 3},
		Live: snapshot.CanaryFigures{TTFT: stats.Distribution{N: 7, P50: time.Second, P99: 2 * time.Second}},
	}
	got := serve(s)
	for _, want := range []struct {
		name, label string
		value       float64
	}{
		{"tokdyno_speculation_acceptance_ratio", "", 0.6},
		{"tokdyno_speculation_tokens_per_step", "", 2.8},
		{"tokdyno_canary_requests_total", "ok", 7},
		{"tokdyno_canary_requests_total", "failed", 2},
		{"tokdyno_canary_requests_total", "skipped", 3},
		{"tokdyno_canary_ttft_seconds", "0.5", 1},
		{"tokdyno_canary_ttft_seconds", "0.99", 2},
		{"tokdyno_canary_e2el_seconds", "0.5", math.NaN()},
		{"tokdyno_requests_total", "ok", 0},
	} {
		if v := sample(got, want.name, want.label); v != want.value && !(math.IsNaN(v) && math.IsNaN(want.value)) {
			t.Errorf("%s{%s} is %v, want %v", want.name, want.label, v, want.value)
		}
	}
	for name := range serve(&snapshot.Snapshot{State: snapshot.Running}) {
		if strings.Contains(name, "canary") || strings.Contains(name, "speculation") {
			t.Errorf("%s is of nothing", name)
		}
	}
}
