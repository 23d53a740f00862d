// This file reads the result of vllm bench serve.

package peers

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
)

const vllmTool = "vllm bench serve"

// vllmResult is what is read of a result.
type vllmResult struct {
	Date           string          `json:"date"`
	Backend        string          `json:"backend"`
	ModelID        *string         `json:"model_id"`
	RequestRate    json.RawMessage `json:"request_rate"` // a number, or "inf"
	Burstiness     *float64        `json:"burstiness"`
	MaxConcurrency *float64        `json:"max_concurrency"`

	InputLens  []*float64   `json:"input_lens"`
	OutputLens []*float64   `json:"output_lens"`
	TTFTs      []*float64   `json:"ttfts"` // s, like what follows
	ITLs       [][]*float64 `json:"itls"`
	Latencies  []*float64   `json:"latencies"`
	StartTimes []*float64   `json:"start_times"`
	QueueTimes []*float64   `json:"queue_times"`
	Errors     []*string    `json:"errors"`
}

func readVLLM(data []byte) (*Foreign, error) {
	var v vllmResult
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, cantRead(vllmTool, err)
	}
	if v.TTFTs == nil || v.StartTimes == nil {
		return nil, errors.New("it is a result of vllm bench serve without its requests one by one; they are in it with --save-detailed")
	}
	if err := v.sameLengths(); err != nil {
		return nil, cantRead(vllmTool, err)
	}
	f := &Foreign{Tool: vllmTool, Load: v.load(), API: endpoint.Chat}
	if v.ModelID != nil {
		f.Model = *v.ModelID
	}
	if v.Backend == "openai" || v.Backend == "vllm" {
		f.API = endpoint.Completions
	}
	f.Started, _ = time.ParseInLocation("20060102-150405", v.Date, time.Local) // not known where it can't be read
	begin := math.Inf(1)
	for _, at := range v.StartTimes {
		begin = min(begin, orInfinite(at))
	}
	for i := range v.TTFTs {
		q, err := v.request(i, begin, f.Load.Mode == load.Open)
		if err != nil {
			return nil, cantRead(vllmTool, fmt.Errorf("its request %d %w", i+1, err))
		}
		f.Requests = append(f.Requests, q)
	}
	if v.ITLs == nil {
		f.Notes = append(f.Notes, "gaps between chunks are not in the file, so ITL is not known")
	}
	return f, nil
}

func orInfinite(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

// sameLengths checks that the lists are of the same requests. One that is left out is not known.
func (v *vllmResult) sameLengths() error {
	n := len(v.TTFTs)
	for name, length := range map[string]int{
		"input_lens": len(v.InputLens), "output_lens": len(v.OutputLens), "itls": len(v.ITLs), "latencies": len(v.Latencies),
		"start_times": len(v.StartTimes), "queue_times": len(v.QueueTimes), "errors": len(v.Errors),
	} {
		if length != n && length != 0 {
			return fmt.Errorf("it has %d ttfts and %d %s", n, length, name)
		}
	}
	if len(v.StartTimes) != n {
		return fmt.Errorf("it has %d ttfts and %d start_times", n, len(v.StartTimes))
	}
	return nil
}

// load is what was asked for; the zero Setting where that is not told.
func (v *vllmResult) load() load.Setting {
	most := 0
	if c := v.MaxConcurrency; c != nil && *c >= 1 && *c <= load.MaxConcurrency {
		most = int(*c)
	}
	var rate float64
	if json.Unmarshal(v.RequestRate, &rate) != nil || !(rate > 0) {
		if most == 0 {
			return load.Setting{}
		}
		return load.Setting{Mode: load.Closed, Concurrency: most}
	}
	set := load.Setting{Mode: load.Open, Rate: rate, Arrival: load.Constant, MaxInFlight: most}
	switch b := v.Burstiness; {
	case b != nil && *b == 1:
		set.Arrival = load.Poisson
	case b != nil && *b > 0:
		set.Arrival = load.Gamma(min(max(1/math.Sqrt(*b), load.MinVariation), load.MaxVariation))
	}
	if set.Validate() != nil {
		return load.Setting{}
	}
	return set
}

func (v *vllmResult) request(i int, begin float64, open bool) (runfile.Request, error) {
	at := func(list []*float64) *float64 {
		if i < len(list) {
			return list[i]
		}
		return nil
	}
	r := record.New(0)
	q := runfile.Request{Record: r}
	r.InputTokens, r.OutputTokens = tokenCount(at(v.InputLens)), tokenCount(at(v.OutputLens))
	r.TokenSource, r.Outcome = record.SourceUsage, record.OK
	sent, ok := span(orInfinite(v.StartTimes[i])-begin, time.Second)
	if !ok {
		return q, errors.New("has no start_time that can be")
	}
	ttft, ok := span(orZero(v.TTFTs[i]), time.Second)
	if !ok {
		return q, errors.New("has no ttft that can be")
	}
	var gaps []time.Duration
	if i < len(v.ITLs) && v.ITLs[i] != nil {
		gaps = make([]time.Duration, 0, len(v.ITLs[i]))
		for _, g := range v.ITLs[i] {
			d, ok := span(orInfinite(g), time.Second)
			if !ok {
				return q, errors.New("has an itl that can't be")
			}
			gaps = append(gaps, d)
		}
	}
	latency, ok := v.latency(i, ttft, gaps)
	if !ok {
		return q, errors.New("has no latency that can be")
	}
	if text := v.failure(i); text != "" || latency == 0 {
		r.Outcome, r.Kind, r.Error, gaps = record.Failed, unknownFailure, text, nil
		r.OutputTokens = record.Count{}
	} else {
		r.FinishReason = "stop"
	}
	instants(r, sent, ttft, latency, gaps)
	// In a closed loop vLLM's requests all begin to wait at once, for a place: nothing was scheduled.
	if queued, ok := span(orInfinite(at(v.QueueTimes)), time.Second); ok && open {
		r.Started = r.Started.Add(-queued)
		r.Scheduled = r.Started
	}
	q.Gaps = gaps
	return q, nil
}

// latency is a request's; where the file has none, the first token's and all gaps.
func (v *vllmResult) latency(i int, ttft time.Duration, gaps []time.Duration) (time.Duration, bool) {
	if i < len(v.Latencies) {
		d, ok := span(orZero(v.Latencies[i]), time.Second)
		return d, ok && (d == 0 || d >= ttft)
	}
	for _, g := range gaps {
		ttft += g
	}
	return ttft, ttft <= longestRun
}

// failure is the error of a request; "": none.
func (v *vllmResult) failure(i int) string {
	if i >= len(v.Errors) || v.Errors[i] == nil {
		return ""
	}
	const most = 300
	text := strings.Join(strings.Fields(*v.Errors[i]), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
