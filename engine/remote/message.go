// This file is what a console and its workers tell each other, and under which subjects.

package remote

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

// Protocol is the version of what is said here. Who speaks another one is left alone, and shown as such.
const Protocol = 1

// The subjects. They hold no secrets, for whoever runs the NATS sees them.
const (
	subjectHello  = "tokdyno.hello"   // of every worker, see Times
	subjectOrders = "tokdyno.orders." // and the worker's id
	subjectClock  = "tokdyno.clock."  // likewise; answered with the worker's clock
	subjectReport = "tokdyno.report." // and the run
)

const (
	// reportEvery is how often a worker reports what its requests did.
	reportEvery = 100 * time.Millisecond
	// mostChunks is how many chunks a report has one by one, which take a byte or two each. Of more it has histograms, so that a busy worker
	// reports little more than an idle one.
	mostChunks = 400
)

// state is where a worker stands with its run.
type state string

const (
	free      state = "free"      // it has none
	preparing state = "preparing" // it finds out what the endpoint takes
	ready     state = "ready"
	running   state = "running"
	finished  state = "finished" // nothing of it runs any more
	failed    state = "failed"   // it can't make this load
)

// hello is what a worker says of itself.
type hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	ID       string `json:"id"` // of the process
	Name     string `json:"name"`
	Host     string `json:"host"`
	Cores    int    `json:"cores"`
	// Most is the most requests that it has in flight at once.
	Most int `json:"most"`

	Run         string `json:"run,omitempty"`
	Incarnation uint64 `json:"incarnation,omitempty"` // counts the runs and the parts of one that the process has made
	State       state  `json:"state"`
	Problem     string `json:"problem,omitempty"` // why it failed or stopped, in a sentence
	// Orders are the latest of its run, for a console that takes over.
	Orders  *orders       `json:"orders,omitempty"`
	Unheard time.Duration `json:"unheard,omitempty"` // for how long its console was
}

// orders are what a worker is to do. They are complete, and repeated: a worker that missed some, or has just come, takes the latest.
type orders struct {
	Protocol int    `json:"protocol"`
	Run      string `json:"run"`
	Term     uint64 `json:"term"`   // of the console: one that takes over has a higher one, and the one before is not heard any more
	Number   uint64 `json:"number"` // counts the changes

	Endpoints []target `json:"endpoints"`
	NoProbe   bool     `json:"no_probe,omitempty"`
	Seed      uint64   `json:"seed"`
	Lane      uint64   `json:"lane"` // of the worker, which nobody else has in this run

	Go       bool            `json:"go"`   // the load has begun
	Over     bool            `json:"over"` // it ends now
	Draining bool            `json:"draining,omitempty"`
	Paused   bool            `json:"paused,omitempty"`
	Settled  bool            `json:"settled,omitempty"` // the rush of the first requests is over
	Stage    int             `json:"stage"`
	Knobs    json.RawMessage `json:"knobs"`
	Share    int             `json:"share"` // requests in flight: of a closed loop, to be; else the most, 0: none is named
	Process  *load.Process   `json:"process,omitempty"`

	Requests      grants `json:"requests"`
	Conversations grants `json:"conversations"`
	NextRequest   uint64 `json:"next_request"` // numbers from here on nobody has, for a console that takes over
	NextTalk      uint64 `json:"next_talk"`

	Incarnation uint64 `json:"incarnation"` // whose reports Have is of
	Have        uint64 `json:"have"`        // the last report that came with all before it
	Missing     bool   `json:"missing,omitempty"`
}

// target is an endpoint as a worker is told of it: without the key, which is the worker's own.
type target struct {
	URL         string                     `json:"url"`
	API         endpoint.API               `json:"api"`
	Model       string                     `json:"model"`
	Header      http.Header                `json:"header,omitempty"` // over a connection that nobody reads along only
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
	Temperature *float32                   `json:"temperature,omitempty"`
	Insecure    bool                       `json:"insecure,omitempty"`
	CAFile      string                     `json:"ca,omitempty"`
	NoProxy     bool                       `json:"no_proxy,omitempty"`
	HTTP2       bool                       `json:"http2,omitempty"`
	Output      int                        `json:"output,omitempty"`
	Retries     int                        `json:"retries,omitempty"`
	Connect     time.Duration              `json:"connect,omitempty"`
	FirstByte   time.Duration              `json:"first_byte,omitempty"`
	Idle        time.Duration              `json:"idle,omitempty"`
	Wait        time.Duration              `json:"wait,omitempty"`
}

func targetOf(e wire.Endpoint) target {
	return target{
		URL: e.URL, API: e.API, Model: e.Model, Header: e.Header, Extra: e.ExtraBody, Temperature: e.Temperature, Insecure: e.Insecure,
		CAFile: e.CAFile, NoProxy: e.NoProxy, HTTP2: e.HTTP2, Output: e.OutputTokens, Retries: e.Retries,
		Connect: e.ConnectTimeout, FirstByte: e.FirstByteTimeout, Idle: e.IdleTimeout, Wait: e.Wait,
	}
}

// endpoint is the target for a worker with a key of its own.
func (t *target) endpoint(key string) wire.Endpoint {
	return wire.Endpoint{
		URL: t.URL, API: t.API, Model: t.Model, Key: key, Header: t.Header, ExtraBody: t.Extra, Temperature: t.Temperature,
		Insecure: t.Insecure, CAFile: t.CAFile, NoProxy: t.NoProxy, HTTP2: t.HTTP2, OutputTokens: t.Output, Retries: t.Retries,
		ConnectTimeout: t.Connect, FirstByteTimeout: t.FirstByte, IdleTimeout: t.Idle, Wait: t.Wait,
	}
}

// report is what a worker says of its part of a run. The blocks of a recording that come with it are what its requests did.
type report struct {
	ID          string         `json:"id"`
	Term        uint64         `json:"term"` // of the console that it is for
	Incarnation uint64         `json:"incarnation"`
	Seq         uint64         `json:"seq"`    // from 1, without a hole
	Number      uint64         `json:"number"` // of the orders that are in force
	State       state          `json:"state"`
	Problem     string         `json:"problem,omitempty"`
	At          record.Instant `json:"at"` // the worker's clock
	Pool        load.State     `json:"pool"`
	Level       float64        `json:"level"`
	Ramping     bool           `json:"ramping,omitempty"`
	Requests    used           `json:"requests"`
	Talks       used           `json:"conversations"`
	Client      *client        `json:"client,omitempty"` // about once a second
}

// client is a worker as the source of its part of the load.
type client struct {
	Recent  snapshot.Health        `json:"recent"`
	Run     snapshot.Client        `json:"run"`
	Stage   int                    `json:"stage"` // that the lengths are of
	Prompts snapshot.PromptLengths `json:"prompts"`
	Answers snapshot.AnswerLengths `json:"answers"`
	Again   endpoint.Again         `json:"again"`
}

// packed is a report with its blocks as one message.
func (r *report) packed(blocks []byte) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	message := make([]byte, 0, len(text)+len(blocks)+binary.MaxVarintLen32)
	message = binary.AppendUvarint(message, uint64(len(text)))
	return append(append(message, text...), blocks...), nil
}

var errMessage = errors.New("a message can't be read")

func unpackReport(message []byte) (r report, blocks []byte, err error) {
	length, n := binary.Uvarint(message)
	if n <= 0 || length > uint64(len(message)-n) {
		return r, nil, errMessage
	}
	text, blocks := message[n:n+int(length)], message[n+int(length):]
	err = json.Unmarshal(text, &r)
	return r, blocks, err
}
