// This file reads the requests of AIPerf.

package peers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
)

const (
	aiperfTool     = "AIPerf"
	aiperfRequests = "profile_export.jsonl"
	aiperfSummary  = "profile_export_aiperf.json"
)

// aiperfRecord is what is read of a line.
type aiperfRecord struct {
	Metadata struct {
		Start     *int64 `json:"request_start_ns"`
		End       *int64 `json:"request_end_ns"`
		Phase     string `json:"benchmark_phase"`
		Cancelled bool   `json:"was_cancelled"`
	} `json:"metadata"`
	Metrics map[string]aiperfValue `json:"metrics"`
	Error   *struct {
		Code    *float64 `json:"code"`
		Type    string   `json:"type"`
		Message string   `json:"message"`
	} `json:"error"`
}

type aiperfValue struct {
	Value json.RawMessage `json:"value"`
	Unit  string          `json:"unit"`
}

// aiperfDocument is what is read of the summary that lies beside the requests.
type aiperfDocument struct {
	InputConfig struct {
		Endpoint struct {
			ModelNames []string `json:"model_names"`
			URL        string   `json:"url"`
			Type       string   `json:"type"`
		} `json:"endpoint"`
		Loadgen struct {
			Concurrency *float64 `json:"concurrency"`
			RequestRate *float64 `json:"request_rate"`
		} `json:"loadgen"`
	} `json:"input_config"`
}

func readAIPerf(data []byte, beside func(string) ([]byte, error)) (*Foreign, error) {
	f := &Foreign{Tool: aiperfTool, API: endpoint.Chat}
	if text, err := beside(aiperfSummary); err == nil {
		f.takeAIPerf(text)
	}
	in := bufio.NewReader(bytes.NewReader(data))
	var begin *int64
	warmup, cancelled, chunks := 0, 0, false
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var rec aiperfRecord
			if err := json.Unmarshal(line, &rec); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, cantRead(aiperfTool, err))
			}
			switch {
			case rec.Metadata.Phase == "warmup":
				warmup++
			case rec.Metadata.Cancelled:
				cancelled++
			default:
				if begin == nil {
					begin = rec.Metadata.Start
				}
				q, err := rec.request(begin)
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", n, cantRead(aiperfTool, err))
				}
				chunks = chunks || q.Gaps != nil
				f.Requests = append(f.Requests, q)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
	}
	if begin != nil {
		first := slices.MinFunc(f.Requests, func(a, b runfile.Request) int { return cmp.Compare(a.Record.Sent, b.Record.Sent) })
		f.Started = time.Unix(0, *begin).Add(time.Duration(first.Record.Sent - aiperfOrigin))
	}
	f.note(warmup, "%d requests of the warm-up are left out")
	f.note(cancelled, "%d requests that were cancelled are left out")
	if !chunks {
		f.Notes = append(f.Notes, "gaps between chunks are not in the file, so ITL is not known")
	}
	return f, nil
}

// aiperfOrigin is where the first line's request lies on the run's clock before requests are put in order: others may have been
// sent before it.
const aiperfOrigin = firstInstant + record.Instant(longestRun)

func (f *Foreign) note(n int, sentence string) {
	if n > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf(sentence, n))
	}
}

// takeAIPerf takes in what the summary says of the load. A key that is not there is not known.
func (f *Foreign) takeAIPerf(text []byte) {
	var d aiperfDocument
	_ = json.Unmarshal(text, &d) // what could be read of it counts
	whom, gen := &d.InputConfig.Endpoint, &d.InputConfig.Loadgen
	f.Model, f.URL = strings.Join(whom.ModelNames, ", "), withoutSecrets(whom.URL)
	if whom.Type == "completions" {
		f.API = endpoint.Completions
	}
	most := 0
	if c := gen.Concurrency; c != nil && *c >= 1 && *c <= load.MaxConcurrency {
		most = int(*c)
	}
	set := load.Setting{Mode: load.Closed, Concurrency: most}
	if gen.RequestRate != nil {
		set = load.Setting{Mode: load.Open, Rate: *gen.RequestRate, Arrival: load.Poisson, MaxInFlight: most}
	}
	if set.Validate() == nil {
		f.Load = set
	}
}

func (a *aiperfRecord) request(begin *int64) (runfile.Request, error) {
	r := record.New(0)
	q := runfile.Request{Record: r}
	m := &a.Metadata
	if m.Start == nil || begin == nil {
		return q, errors.New("has no request_start_ns")
	}
	after := time.Duration(*m.Start - *begin)
	if after < -longestRun || after > longestRun {
		return q, errors.New("its request_start_ns lies too far from the first one's")
	}
	sent := after + longestRun // see aiperfOrigin
	r.Outcome, r.TokenSource = record.OK, record.SourceUsage
	r.InputTokens, r.OutputTokens = a.count("input_sequence_length"), a.count("output_sequence_length")
	r.ReasoningTokens = a.count("reasoning_token_count")
	latency, known := a.latency("request_latency")
	if !known && m.End != nil {
		latency, known = time.Duration(*m.End-*m.Start), *m.End >= *m.Start
	}
	if !known || latency > longestRun {
		return q, errors.New("has neither a request_latency nor a request_end_ns that can be")
	}
	if a.Error != nil {
		a.fail(r)
		instants(r, sent, 0, latency, nil)
		return q, nil
	}
	r.FinishReason = "stop"
	ttft, _ := a.latency("time_to_first_token")
	if ttft > latency {
		return q, errors.New("has a time_to_first_token after its request_latency")
	}
	gaps, err := a.gaps()
	if err != nil {
		return q, err
	}
	instants(r, sent, ttft, latency, gaps)
	if d, ok := a.latency("time_to_first_output_token"); ok && d >= ttft && d <= latency && r.FirstToken != 0 {
		r.FirstAnswer = r.Sent.Add(d)
	}
	if ttft > 0 {
		q.Gaps = gaps
	}
	return q, nil
}

// fail puts in why a request failed.
func (a *aiperfRecord) fail(r *record.Record) {
	r.Outcome, r.Kind, r.OutputTokens = record.Failed, unknownFailure, record.Count{}
	r.Error = strings.Join(strings.Fields(a.Error.Type+": "+a.Error.Message), " ")
	if c := a.Error.Code; c != nil && *c >= 100 && *c < 600 {
		r.Status = int(*c)
		switch {
		case r.Status == 429:
			r.Kind = record.KindHTTP429
		case r.Status >= 500:
			r.Kind = record.KindHTTP5xx
		case r.Status >= 400:
			r.Kind = record.KindHTTP4xx
		}
	}
	if n := a.count("error_isl"); n != (record.Count{}) {
		r.InputTokens = n
	}
}

func (a *aiperfRecord) number(tag string) *float64 {
	var v float64
	if m, ok := a.Metrics[tag]; ok && json.Unmarshal(m.Value, &v) == nil {
		return &v
	}
	return nil
}

func (a *aiperfRecord) count(tag string) record.Count { return tokenCount(a.number(tag)) }

// latency is a metric, in whatever unit it says that it has.
func (a *aiperfRecord) latency(tag string) (time.Duration, bool) {
	v := a.number(tag)
	if v == nil {
		return 0, false
	}
	return span(*v, timeUnit(a.Metrics[tag].Unit))
}

func timeUnit(name string) time.Duration {
	switch name {
	case "ns":
		return time.Nanosecond
	case "us":
		return time.Microsecond
	case "sec", "s":
		return time.Second
	}
	return time.Millisecond
}

// gaps are those between chunks; nil: not known. Of a request that has none, AIPerf says nothing of them.
func (a *aiperfRecord) gaps() ([]time.Duration, error) {
	m, ok := a.Metrics["inter_chunk_latency"]
	if !ok {
		return nil, nil
	}
	var list []float64
	if err := json.Unmarshal(m.Value, &list); err != nil {
		return nil, errors.New("has an inter_chunk_latency that is no list of numbers")
	}
	gaps := make([]time.Duration, len(list))
	for i, v := range list {
		d, ok := span(v, timeUnit(m.Unit))
		if !ok {
			return nil, fmt.Errorf("has a gap of %g, which can't be", v)
		}
		gaps[i] = d
	}
	return gaps, nil
}
