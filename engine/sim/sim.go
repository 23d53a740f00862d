// This file is the server: its configuration, its start and its end.

package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Config says what to simulate. The zero Config is a small GPU in real time on a free loopback port.
type Config struct {
	Listen  string  // host:port; "127.0.0.1:0" when empty
	Profile Profile // small-gpu when zero
	// TimeScale makes the simulated server that many times as fast: 10 serves in one second what the profile serves in
	// ten. What the server reports of itself (/metrics, energy) is in wall-clock time like everything that a client
	// sees. 0 means 1.
	TimeScale float64
	Seed      uint64 // decides what the answers say, how long they are, and which requests meet faults
	Faults    Faults // at the start; SetFaults changes them
	Truth     bool   // remember the truth about the latest generations, for Server.Truth

	// WordsPerToken makes the tokenizer count that many words to a token, 0.5 to 2.5, in prompts and in answers. Words are
	// those of any script: a Chinese character is one, and so is each sign of code. 0 cuts words as current models do, about
	// 1.2 tokens for one of plain English.
	WordsPerToken float64
	// TemplateTokens are put before the messages of every chat, as templates do that have a system message of their own:
	// the same in all chats, so full blocks of them are in the prefix cache after the first. Each message costs five tokens
	// beside its text, and a chat three, in any case.
	TemplateTokens int
	NoTokenize     bool // there is no /tokenize
}

// Counters are a server's totals and its present state, all of one moment. At every moment
// Received = Finished + Cancelled + Running + Waiting.
type Counters struct {
	Received         int64 // requests handed to the model
	Finished         int64 // requests whose last token was generated
	Cancelled        int64 // requests whose client went away before
	Rejected         int64 // requests for a generation that got an error instead, or nothing
	PromptTokens     int64 // prompt tokens of requests that got a first token
	GenerationTokens int64
	Preemptions      int64
	PrefixQueries    int64               // prompt tokens looked up in the prefix cache
	PrefixHits       int64               // prompt tokens found there
	Drafts           int64               // speculative decoding: drafts made
	DraftTokens      int64               // tokens in them
	AcceptedAt       [longestDraft]int64 // of those, accepted, by their position in the draft
	Running          int                 // sequences in the batch
	Waiting          int                 // sequences in the queue
	KVUsage          float64             // share of the KV cache in use, 0–1
}

// Server is a running simulator.
type Server struct {
	cfg      Config
	profile  Profile // scaled
	tokens   tokenizer
	engine   *engine
	http     *http.Server
	listener net.Listener
	url      string
	started  time.Time
	requests atomic.Uint64 // numbers the request ids
	faults   atomic.Pointer[faultDraws]
	truths   *truths // nil: not kept

	cancel context.CancelFunc // ends the context of every request
	serve  sync.WaitGroup     // the accepting goroutine
	conns  sync.WaitGroup     // a connection each
	closed sync.Once

	accepted atomic.Int64 // connections, so far
}

// Start listens and serves until Close. The error says in one sentence what to change.
func Start(cfg Config) (*Server, error) {
	if cfg.Listen == "" {
		cfg.Listen = "127.0.0.1:0"
	}
	if cfg.Profile == (Profile{}) {
		cfg.Profile = smallGPU()
	}
	if cfg.TimeScale == 0 {
		cfg.TimeScale = 1
	}
	if !(cfg.TimeScale >= 0.001 && cfg.TimeScale <= 1e6) {
		return nil, fmt.Errorf("the simulator's time scale %g is not between 0.001 and 1000000; 10 means ten times as fast as real time", cfg.TimeScale)
	}
	if err := cfg.Profile.check(); err != nil {
		return nil, err
	}
	if err := cfg.checkTokens(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return nil, listenError(cfg.Listen, err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		cfg:      cfg,
		profile:  cfg.Profile.faster(cfg.TimeScale),
		tokens:   tokenizer{wordsPerToken: cfg.WordsPerToken, template: cfg.TemplateTokens},
		listener: listener,
		url:      urlOf(listener.Addr()),
		started:  time.Now(),
		cancel:   cancel,
	}
	s.SetFaults(cfg.Faults)
	if cfg.Truth {
		s.truths = newTruths()
	}
	s.engine = startEngine(s.profile, time.Duration(float64(thermalTime)/cfg.TimeScale))
	s.http = &http.Server{
		Handler:           s.routes(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		ConnState:         s.connState,
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // the console owns the terminal
	}
	s.serve.Go(func() { _ = s.http.Serve(connListener{listener}) }) // it returns when Close closes the listener
	return s, nil
}

// checkTokens says what no tokenizer can do, or nil.
func (c Config) checkTokens() error {
	if c.WordsPerToken != 0 && !(c.WordsPerToken >= minWordsPerToken && c.WordsPerToken <= maxWordsPerToken) {
		return fmt.Errorf("the simulator's tokenizer cannot have %g words to a token; give %g to %g, or 0 for its own way",
			c.WordsPerToken, minWordsPerToken, maxWordsPerToken)
	}
	if c.TemplateTokens < 0 || c.TemplateTokens >= c.Profile.ContextLength {
		return fmt.Errorf("the simulator's chat template cannot have %d tokens; give 0 to %d, which the model's context has room for",
			c.TemplateTokens, c.Profile.ContextLength-1)
	}
	return nil
}

// URL returns the server's base URL, such as "http://127.0.0.1:8000".
func (s *Server) URL() string { return s.url }

// Counters returns the totals and the state of this moment.
func (s *Server) Counters() Counters { return s.engine.counters() }

// Connections returns how many connections clients have opened so far.
func (s *Server) Connections() int64 { return s.accepted.Load() }

// Sensors returns sensors of the first simulated accelerator. Each call returns some of their own, for one reader; their first
// reading covers the time since this call.
func (s *Server) Sensors() *Sensors { return s.AllSensors()[0] }

// AllSensors returns those of each accelerator.
func (s *Server) AllSensors() []*Sensors {
	var all []*Sensors
	for i, w := range s.engine.gpus {
		sums, _, _ := w.readGPU()
		all = append(all, &Sensors{of: w, number: i, profile: s.profile, last: sums})
	}
	return all
}

// Close stops the server, cuts the requests that run, and returns when every goroutine of it has ended. Further calls
// do nothing.
func (s *Server) Close() error {
	var err error
	s.closed.Do(func() {
		// The connections go first: a handler that ended before its connection would end the answer properly.
		err = s.http.Close()
		s.cancel()
		s.serve.Wait()
		// A connection accepted while Close ran may have been missed; now no more can come.
		err = errors.Join(err, s.http.Close())
		s.conns.Wait()
		s.engine.stop()
	})
	return err
}

// listenError turns what the system says into what a person can do.
func listenError(address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("the simulator cannot listen on %s because something else does (%w); stop that, or choose another port (0 takes any free one)", address, syscall.EADDRINUSE)
	}
	if errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("the simulator may not listen on %s (%w); choose a port from 1024 up", address, syscall.EACCES)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("the simulator cannot listen on %q (%w); give an address of this machine as host:port, such as 127.0.0.1:8000", address, err)
}

// urlOf returns the base URL of a listener; one on all addresses is reached through loopback.
func urlOf(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(strings.SplitN(host, "%", 2)[0]); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
