// This file is a run that another tool measured; it tells whose a file is.

package peers

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"reflect"
	"slices"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/shape/dataset"
)

// Foreign is a run that another tool measured, as far as its file tells. Instants are on a clock of its own, and its requests in
// order of sending; there is at least one.
type Foreign struct {
	Tool     string // as people call it
	Model    string // "": not told
	URL      string // the same
	API      endpoint.API
	Started  time.Time
	Load     load.Setting
	Requests []runfile.Request // of which gaps are not known where GapsKnown says so
	Notes    []string          // sentences on what a reader of its figures should know
}

// ErrNotOurs says that a file is none that is read here.
var ErrNotOurs = errors.New("it is neither a run of tokdyno's nor a result of vllm bench serve or of AIPerf")

// Most of what a file may say, above which it is not believed.
const (
	longestRun     = 72 * time.Hour
	mostTokens     = 1 << 30
	firstInstant   = record.Instant(time.Second) // of a Foreign's clock
	unknownGaps    = -1                          // record.Record.Gaps where nothing is known of them
	unknownFailure = record.Kind("unknown")
)

// Read reads a file of another tool's. beside reads another file of the same folder; nil: there is none. The error says in a
// sentence why it can't be read; it is ErrNotOurs where nothing is known of such files.
func Read(data []byte, beside func(name string) ([]byte, error)) (*Foreign, error) {
	if beside == nil {
		beside = func(name string) ([]byte, error) { return nil, fmt.Errorf("there is no %s", name) }
	}
	keys, rest, err := firstObject(data)
	if err != nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, fmt.Errorf("%w, or its JSON is damaged or cut short", ErrNotOurs)
	}
	if err != nil {
		return nil, ErrNotOurs
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { _, ok := keys[name]; return !ok })
	}
	var f *Foreign
	switch {
	case has("metadata", "metrics"):
		f, err = readAIPerf(data, beside)
	case has("input_config") && (has("request_latency") || has("request_count") || has("error_summary")):
		var requests []byte
		if requests, err = beside(aiperfRequests); err != nil {
			return nil, fmt.Errorf("it is AIPerf's summary, which has no requests one by one: give %s, which AIPerf writes beside it", aiperfRequests)
		}
		f, err = readAIPerf(requests, beside)
	case has("duration", "completed", "request_throughput"):
		if len(bytes.TrimSpace(rest)) > 0 {
			return nil, errors.New("it has several results of vllm bench serve, a line each; put the one that is meant into a file of its own")
		}
		f, err = readVLLM(data)
	default:
		return nil, ErrNotOurs
	}
	if err != nil {
		return nil, err
	}
	return f, f.settle()
}

// firstObject is the first object of a file, and what follows it.
func firstObject(data []byte) (keys map[string]json.RawMessage, rest []byte, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&keys); err != nil {
		return nil, nil, err
	}
	return keys, data[d.InputOffset():], nil
}

// settle puts requests in order, on the run's clock, and checks what can't be.
func (f *Foreign) settle() error {
	if len(f.Requests) == 0 {
		return fmt.Errorf("it is a file of %s, but has no request", f.Tool)
	}
	slices.SortStableFunc(f.Requests, func(a, b runfile.Request) int { return cmp.Compare(a.Record.Sent, b.Record.Sent) })
	first, last := f.Requests[0].Record.Started, record.Instant(0)
	for i := range f.Requests {
		first = min(first, f.Requests[i].Record.Started)
	}
	for i := range f.Requests {
		r := f.Requests[i].Record
		r.ID, r.Stage = uint64(i+1), 1
		for _, at := range []*record.Instant{&r.Scheduled, &r.Started, &r.Sent, &r.FirstToken, &r.FirstAnswer, &r.LastToken, &r.End} {
			if *at != 0 {
				*at = max(*at-first+firstInstant, 1)
			}
		}
		last = max(last, r.End)
		if r.End < r.Sent || r.LastToken != 0 && r.LastToken < max(r.FirstToken, r.Sent) || r.FirstToken != 0 && r.FirstToken < r.Sent {
			return fmt.Errorf("its request %d ends before it begins", i+1)
		}
	}
	if time.Duration(last-firstInstant) > longestRun {
		return fmt.Errorf("its requests lie more than %.0f hours apart, which no run does", longestRun.Hours())
	}
	if f.Load.Mode == "" {
		most := f.mostAtOnce()
		f.Load = load.Setting{Mode: load.Closed, Concurrency: min(max(most, 1), load.MaxConcurrency)}
		f.Notes = append(f.Notes, fmt.Sprintf("what load was asked for is not in the file: %d is the most requests that ran at once", most))
	}
	return nil
}

// mostAtOnce is the most requests that ran at once.
func (f *Foreign) mostAtOnce() int {
	var ends []record.Instant
	for i := range f.Requests {
		ends = append(ends, f.Requests[i].Record.End)
	}
	slices.Sort(ends)
	most, over := 0, 0
	for i := range f.Requests {
		for over < len(ends) && ends[over] <= f.Requests[i].Record.Sent {
			over++
		}
		most = max(most, i+1-over)
	}
	return most
}

// instants puts a request's times into its record: seconds from any beginning. Without a gap, none is known to have been.
func instants(r *record.Record, sent, ttft, latency time.Duration, gaps []time.Duration) {
	at := func(after time.Duration) record.Instant { return firstInstant.Add(sent + after) }
	r.Started, r.Sent, r.End = at(0), at(0), at(latency)
	if r.Outcome != record.OK {
		return
	}
	// It ends after its last token, also where instants are kept to a microsecond.
	r.LastToken, r.End = at(latency), at(latency+time.Microsecond)
	if ttft <= 0 {
		return
	}
	r.Streamed = true
	r.FirstToken, r.FirstAnswer = at(ttft), at(ttft)
	r.Gaps = unknownGaps
	if gaps != nil {
		r.Chunks, r.Gaps = len(gaps)+1, len(gaps)
		for _, g := range gaps {
			r.GapSum += g
			r.GapMax = max(r.GapMax, g)
		}
	}
}

// Prompts stand for what a tool sent: how long prompts were is known, what was in them is not. It implements shape.Source.
type Prompts struct {
	Of     string
	Hashed string
	Items  int
}

// Prompts are what was sent. Those of equal lengths, in any order, have one hash.
func (f *Foreign) Prompts() Prompts {
	lengths := make([]int64, len(f.Requests))
	for i := range f.Requests {
		lengths[i] = f.Requests[i].Record.InputTokens.Or(-1)
	}
	slices.Sort(lengths)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%v", f.Tool, lengths))
	return Prompts{Of: "prompts of " + f.Tool, Hashed: hex.EncodeToString(sum[:6]), Items: len(lengths)}
}

// Name implements shape.Source.
func (p Prompts) Name() string { return p.Of }

// Hash implements shape.Source.
func (p Prompts) Hash() string { return p.Hashed }

// Len implements shape.Source.
func (p Prompts) Len() int { return p.Items }

// Item implements shape.Source: there is none.
func (p Prompts) Item(int) (dataset.Item, error) {
	return dataset.Item{}, errors.New("the prompts that another tool sent are not in its file")
}

// span is a number of units as a duration; false where it can't be one of a run.
func span(v float64, of time.Duration) (time.Duration, bool) {
	if !(v >= 0) || v > float64(longestRun)/float64(of) {
		return 0, false
	}
	return time.Duration(math.Round(v * float64(of))), true
}

// tokenCount is a number of tokens; not known where there is none, or none that can be.
func tokenCount(v *float64) record.Count {
	if v == nil || *v < 0 || *v > mostTokens {
		return record.Count{}
	}
	return record.Known(int64(*v))
}

// withoutSecrets is a URL without what may be in it beside the way; "" where it is none.
func withoutSecrets(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// cantRead says why a file of a tool can't be read.
func cantRead(tool string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("it is a file of %s, but is cut short", tool)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is a file of %s, but is damaged at byte %d: %s", tool, syntax.Offset, syntax.Error())
	case errors.As(err, &kind):
		return fmt.Errorf("it is a file of %s, but its %s is of type %s where %s should be", tool, kind.Field, kind.Value, jsonType(kind.Type))
	}
	return fmt.Errorf("it is a file of %s, but %w", tool, err)
}

// jsonType is what JSON calls what a Go type is read from.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.String, reflect.Bool:
		return t.Kind().String()
	}
	return "number"
}
