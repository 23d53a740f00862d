// This file is the report: its members, as JSON has them.

package run

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
)

// Schema is the version of the report's JSON form. It grows when a member changes its meaning or goes away.
const Schema = 1

// Report is the result of a run. In JSON, times are milliseconds, rates are per second, and what is absent is null,
// never 0. Load and figures at the top are those of one operating point, over its steady parts: the highest level that held
// the SLO, below any that missed. If none is known to hold, it is the lowest that missed; if there is none either, the last
// that settled; else the last of all.
type Report struct {
	Schema    int            `json:"schema"`
	Tokdyno   string         `json:"tokdyno"` // the program's version
	Endpoint  Endpoint       `json:"endpoint"`
	Answer    Answer         `json:"answer"`
	Baseline  *Baseline      `json:"baseline"`  // null: the run was held against none
	Endpoints []EndpointLine `json:"endpoints"` // of several, the figures of each over the last stage; empty: there is one
	Notes     []string       `json:"notes"`     // sentences on the endpoint and the run that a reader of the figures should know
	Load      Load           `json:"load"`
	Started   *time.Time     `json:"started"` // null: the load never began
	DurationS float64        `json:"duration_s"`
	MeasuredS float64        `json:"measured_s"` // the time that rates are over
	Figures
	Prompts       PromptLengths `json:"prompts"`
	Answers       AnswerLengths `json:"answers"`
	Errors        []Problem     `json:"errors"`
	Levels        []Level       `json:"levels"` // of the last mode and shape of the load, ascending
	Retries       Retries       `json:"retries"`
	Stages        []Stage       `json:"stages"`
	Canary        *Canary       `json:"canary"` // light requests beside the load, in no other figure; null: there were none
	Sweep         *Sweep        `json:"sweep"`  // null: the load was turned by hand, or not at all
	GPU           *GPU          `json:"gpu"`    // null: no source
	ServerMetrics ServerMetrics `json:"server_metrics"`
	Efficiency    Efficiency    `json:"efficiency"` // at the operating point
	Spent         *float64      `json:"spent"`      // money, by the run, at the prices given; null: unknown
	Client        Client        `json:"client"`
	Workers       []Worker      `json:"workers"` // that made the load; empty: the process itself did

	// Settled reports whether any stage did, so that the figures are free of the ramp.
	Settled bool `json:"-"`
	// Simulated reports whether the figures come from a simulated endpoint. In JSON, endpoint.server says it.
	Simulated bool `json:"-"`
	// Name is the operating point in its shortest form: "c=16". "": nothing happened in any stage.
	Name string `json:"-"`
	// Judged is the number of requests at the operating point that completed or failed.
	Judged int `json:"-"`
	// At is the index in Levels of the operating point; -1: it is a stage of another mode or shape, or there is none.
	At int `json:"-"`
	// Reach is how far up Levels the SLO for single requests holds.
	Reach slo.Reach `json:"-"`
	// Wanted is what would make the verdict known where it is not yet; zero: nothing that is known to.
	Wanted load.Budget `json:"-"`
}

// Answer is what a run has to say of how much load its endpoint holds.
type Answer struct {
	Level   *float64 `json:"level"`   // the highest level that held, below any that missed; null: none is known to
	Missed  *float64 `json:"missed"`  // the lowest that missed; null: none is known to
	Binding *string  `json:"binding"` // the criterion by which it did
	Relaxed *string  `json:"relaxed"` // limits in round numbers that it keeps, each by itself, in place of those that it missed
}

// Level is all stages of one load: one set of requests with one verdict, where they agree.
type Level struct {
	Load      Load    `json:"load"`
	Stages    []int   `json:"stages"`       // the numbers of those that its figures are of
	Apart     []int   `json:"stages_apart"` // those of earlier ones that differ by more than chance, and are in no figure of it
	MeasuredS float64 `json:"measured_s"`
	Settled   bool    `json:"settled"` // false: its figures include the ramp
	Figures
	Name  string  `json:"-"` // in its shortest form: "c=16"
	Level float64 `json:"-"`
}

// Endpoint says who was measured.
type Endpoint struct {
	URL    string  `json:"url"`
	Model  string  `json:"model"`
	Server *string `json:"server"`
	API    string  `json:"api"`
	// Unlimited says that requests carry no limit on the length of their answers: the server alone decides, and the load is
	// not what was asked for.
	Unlimited bool `json:"output_unlimited"`
}

// EndpointLine is one endpoint of several, and what it answered.
type EndpointLine struct {
	Endpoint
	OK     int          `json:"ok"`
	Failed int          `json:"failed"`
	TTFT   Distribution `json:"ttft_ms"`
	TPOT   Distribution `json:"tpot_ms"`
	E2EL   Distribution `json:"e2el_ms"`
	Output *float64     `json:"output_tok_per_s"` // of completed requests
}

// Load says what load there was.
type Load struct {
	Mode        string   `json:"mode"`
	Concurrency *int     `json:"concurrency"`   // closed loop
	Rate        *float64 `json:"rate"`          // open loop, requests per second
	Arrival     *string  `json:"arrival"`       // open loop
	MaxInFlight *int     `json:"max_in_flight"` // open loop and replay; null: no cap
	// Conversations says that the concurrency counts conversations, with the time their users think.
	Conversations bool     `json:"conversations"`
	Trace         *string  `json:"trace"` // replay: the recording's name
	Speed         *float64 `json:"speed"` // replay
	Ramp          *string  `json:"ramp"`  // null: changes are at once
	Start         *string  `json:"start"` // closed loop: "fair" or "together"
	Shape         Shape    `json:"shape"`
	ShapeHash     string   `json:"shape_hash"`
	Seed          Seed     `json:"seed"`
	Text          string   `json:"-"` // all of it in a few words
}

// Seed is that of prompts, lengths and arrivals; 0: not known, which is null in JSON.
type Seed uint64

// String is the number; "" where it is not known.
func (s Seed) String() string {
	if s == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(s), 10)
}

// MarshalJSON implements json.Marshaler.
func (s Seed) MarshalJSON() ([]byte, error) {
	if s == 0 {
		return []byte("null"), nil
	}
	return []byte(s.String()), nil
}

// Shape says what the requests asked for.
type Shape struct {
	PromptTokens  string  `json:"prompt_tokens"` // a length, as it is typed: "512", "128-1024"
	OutputTokens  string  `json:"output_tokens"`
	PrefixOverlap float64 `json:"prefix_overlap"`
	Prefixes      int     `json:"prefixes"` // common ones, of which a request draws one
	Text          string  `json:"text"`     // "words", "chinese", "code"
	Turns         *string `json:"turns"`    // a length; null: single requests
	ThinkS        float64 `json:"think_s"`  // mean
	Data          *string `json:"data"`     // a data set's name; null: prompts are made
}

// PromptLengths says how well prompts had the length that was asked for, at the operating point.
type PromptLengths struct {
	Method   string   `json:"method"` // how they came to have it
	N        int      `json:"n"`      // requests whose prompt the server counted
	Asked    *float64 `json:"asked_mean"`
	Achieved *float64 `json:"achieved_mean"`
}

// AnswerLengths says how well answers had the length that was asked for, at the operating point.
type AnswerLengths struct {
	N        int      `json:"n"` // answers whose tokens the server counted
	Asked    *float64 `json:"asked_mean"`
	Achieved *float64 `json:"achieved_mean"`
	Early    *float64 `json:"stopped_early"` // the share of them that ended before they were as long as was asked for
}

// Figures are what was measured over some part of a run.
type Figures struct {
	Requests         Requests      `json:"requests"`
	TTFT             Distribution  `json:"ttft_ms"`
	TTFTFromSchedule Distribution  `json:"ttft_from_schedule_ms"`
	TTFA             Distribution  `json:"ttfa_ms"` // of the first token that is not reasoning
	TPOT             Distribution  `json:"tpot_ms"`
	ITL              Distribution  `json:"itl_ms"`
	ChunkGap         Distribution  `json:"chunk_gap_ms"`
	E2EL             Distribution  `json:"e2el_ms"`
	DispatchLag      Distribution  `json:"dispatch_lag_ms"`
	Tokens           Tokens        `json:"tokens"`
	Throughput       Throughput    `json:"throughput"`
	SLO              SLO           `json:"slo"`
	Untrusted        *string       `json:"untrusted"` // why TTFT, ITL and TPOT are not the server's; null: nothing is known against them
	InStep           *float64      `json:"in_step"`   // R of a closed loop, 0 to 1: whether its requests are sent in step; null: unknown
	TokensPerChunk   float64       `json:"-"`         // 0: unknown
	ITLIsChunkGap    bool          `json:"-"`         // chunks carried other than one token, and the server did not say how many: ITL is unknown
	Reasoned         int           `json:"-"`         // requests that showed reasoning before their answer
	Hidden           int           `json:"-"`         // requests whose TTFT includes reasoning that was billed but not shown
	E2ELFromSchedule Distribution  `json:"-"`
	Spreads          stats.Spreads `json:"-"` // how some of those latencies are spread
}

// Requests counts requests. At the top it is every request of the run; in a stage, those sent in its steady part.
type Requests struct {
	OK            int `json:"ok"`
	Failed        int `json:"failed"`
	Cancelled     int `json:"cancelled"`
	InFlightAtEnd int `json:"in_flight_at_end"` // never heard of again: they did not end when they were cancelled
}

// Distribution describes latencies, in milliseconds.
type Distribution struct {
	N    int      `json:"n"`
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
	Max  *float64 `json:"max"`
}

// Tokens are totals over completed requests.
type Tokens struct {
	Input     *int64  `json:"input"`
	Output    *int64  `json:"output"`
	Reasoning *int64  `json:"reasoning"`
	Cached    *int64  `json:"cached"`
	Source    *string `json:"source"`
}

// Throughput holds rates per second.
type Throughput struct {
	Requests *float64 `json:"requests_per_s"`
	Input    *float64 `json:"input_tok_per_s"`
	Output   *float64 `json:"output_tok_per_s"`
	Total    *float64 `json:"total_tok_per_s"`
}

// Judgement is the judge's answer; see slo.Decide. Held says the same as Verdict, for those who want to know only that.
type Judgement struct {
	Verdict *string `json:"verdict"` // "held", "missed" or "unknown"; null: nothing was asked for
	Held    *bool   `json:"held"`    // null: not known, or nothing was asked for
	N       int     `json:"n"`       // requests judged; of an objective, samples in the window of its last second
	Needed  *int    `json:"needed"`  // the fewest of which it can be said that they hold
	Why     *string `json:"why"`     // why the verdict is unknown, as a clause
}

// SLO says what was asked for and whether it held. Without criteria all of it is null. N and Needed are the criteria's; its
// verdict is that on the criteria and on every objective together.
type SLO struct {
	Criteria   Criteria    `json:"criteria"`
	Goodput    *float64    `json:"goodput_per_s"`
	Attainment *float64    `json:"attainment"`          // 0…1
	Interval   []float64   `json:"attainment_interval"` // its 95 % interval, lower and upper end; null: unknown
	Binding    *string     `json:"binding"`
	Objectives []Objective `json:"objectives"`
	Judgement
	Target float64 `json:"target"` // the attainment asked for, 0…1

	Text     string      `json:"-"` // the criteria as they are typed; "" for none
	Requests slo.Verdict `json:"-"` // on the criteria alone
}

// Criteria are limits for each request, in milliseconds.
type Criteria struct {
	TTFT *float64 `json:"ttft_ms"`
	TTFA *float64 `json:"ttfa_ms"`
	TPOT *float64 `json:"tpot_ms"`
	E2EL *float64 `json:"e2el_ms"`
}

// Objective is a statement about many requests.
type Objective struct {
	Text       string   `json:"text"`
	ValueMS    *float64 `json:"value_ms"`    // of the last second; null for a share of errors
	ValueShare *float64 `json:"value_share"` // likewise, 0…1; null for a latency
	Attainment *float64 `json:"attainment"`  // share of the seconds with a verdict in which it held, 0…1
	Judged     int      `json:"judged"`      // those seconds
	Judgement
}

// Hold adds objectives: what is asked for holds only if each of them does too.
func (s *SLO) Hold(objectives []Objective) {
	verdicts := []slo.Verdict{s.Requests}
	s.Objectives = objectives
	for i := range objectives {
		verdicts = append(verdicts, objectives[i].Reached())
	}
	s.say(slo.All(verdicts...))
}

// Reached is the verdict as the judge has it.
func (j *Judgement) Reached() slo.Verdict {
	if j.Verdict == nil {
		return slo.NoVerdict
	}
	return slo.Verdict(*j.Verdict)
}

// say puts in a verdict.
func (j *Judgement) say(v slo.Verdict) {
	j.Verdict, j.Held = nil, nil
	if v == slo.NoVerdict {
		return
	}
	text, held := string(v), v == slo.Held
	j.Verdict = &text
	if v != slo.Unknown {
		j.Held = &held
	}
}

// Problem is a group of failures of the same kind.
type Problem struct {
	Kind    string `json:"kind"`
	Status  *int   `json:"status"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// Retries says what was sent again. Without --retry, nothing was.
type Retries struct {
	Requests int       `json:"requests"` // that took several attempts
	Attempts int       `json:"attempts"` // that followed a failed one, those of the probe too
	WaitedS  float64   `json:"waited_s"` // in all, before them and for them
	Waiting  int       `json:"waiting"`  // requests that wait to be sent again; 0 when the run is over
	Refused  []Problem `json:"refused"`  // why attempts failed after which that was wanted
}

// Stage is one operating point.
type Stage struct {
	Number    int      `json:"number"` // from 1; those in which nothing happened are left out
	Load      Load     `json:"load"`
	SettledS  *float64 `json:"settled_s"` // null: it never settled, and its figures include the ramp
	MeasuredS float64  `json:"measured_s"`
	Figures
	GPU           *GPU          `json:"gpu"` // over its steady part; null: no source
	ServerMetrics ServerMetrics `json:"server_metrics"`
	Efficiency    Efficiency    `json:"efficiency"`
}

// Client says whether the load generator itself can be trusted.
type Client struct {
	Verdict    *string  `json:"verdict"`
	Stamps     string   `json:"stamps"` // how arrivals are stamped: "read", when the read returned
	LagP99MS   *float64 `json:"lag_p99_ms"`
	CPUCores   *float64 `json:"cpu_cores"`
	SchedP99MS *float64 `json:"sched_p99_ms"`
	Merged     *float64 `json:"merged_share"` // of chunks: read with an earlier one that had come by itself, 0–1
	Reconnects int64    `json:"reconnects"`
	Closed     int64    `json:"closed_after_answer"` // connections, until each request got a new one
	Note       string   `json:"note"`                // why the verdict is not ok, else why figures are doubtful

	Dropped int `json:"-"` // open loop: arrivals that were never started
}

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}
