// This file is a worker: it joins a NATS, and makes a part of whatever load a console asks it for.

package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/units"
	"tokdyno/engine/wire"
)

// WorkerConfig is what is chosen when a worker is started.
type WorkerConfig struct {
	Version string
	Name    string   // what it is called; "": its host and process
	Allow   []string // host or host:port of the endpoints that it puts load on; none: its own machine and private networks
	Most    int      // requests in flight; 0: as many as the machine holds
	Key     string   // of the endpoint; it stays here
	Shares  bool     // its machine with other workers of the same load: it wakes up less often, and reads later what is stamped
	Times   Times    // those that its console has, too
	Now     func() time.Time
}

// Worker is one. NewWorker makes it, Run runs it.
type Worker struct {
	cfg   WorkerConfig
	conn  *nats.Conn
	id    string
	hello hello
	clock record.Clock

	mu           sync.Mutex
	session      *session // nil: it has no run
	incarnations atomic.Uint64
	refused      string // why it can't make the load that was asked for last
	refusedLane  string // of which run and lane that was
}

// NewWorker is a worker on a connection, which stays the caller's.
func NewWorker(conn *nats.Conn, cfg WorkerConfig) *Worker {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if cfg.Name == "" {
		cfg.Name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	_, _ = wire.RaiseFileLimit() // if it stays as it was, fewer fit
	fit, _ := wire.StreamsThatFit()
	if fit = min(fit, load.MaxConcurrency); cfg.Most <= 0 || cfg.Most > fit {
		cfg.Most = fit
	}
	cfg.Times = cfg.Times.orUsual()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	w := &Worker{cfg: cfg, conn: conn, id: nats.NewInbox()[len(nats.InboxPrefix):], clock: record.NewClock()}
	w.hello = hello{
		Protocol: Protocol, Version: cfg.Version, ID: w.id, Name: cfg.Name, Host: host, Cores: runtime.GOMAXPROCS(0), Most: cfg.Most, State: free,
	}
	return w
}

func (w *Worker) now() time.Time { return w.cfg.Now() }

// Run takes orders until ctx ends; then what runs is cancelled, and reported.
func (w *Worker) Run(ctx context.Context) error {
	take, err := w.conn.Subscribe(subjectOrders+w.id, func(m *nats.Msg) {
		o := new(orders)
		if json.Unmarshal(m.Data, o) == nil && o.Protocol == Protocol {
			w.take(o)
		}
	})
	if err != nil {
		return err
	}
	tell, err := w.conn.Subscribe(subjectClock+w.id, func(m *nats.Msg) {
		_ = m.Respond(fmt.Appendf(nil, "%d %d", w.clock(), time.Now().UnixNano())) // the console asks again
	})
	if err != nil {
		return err
	}
	ticker := time.NewTicker(w.cfg.Times.Hello)
	defer ticker.Stop()
	w.sayHello()
	for {
		select {
		case <-ticker.C:
			w.sayHello()
			w.tidy()
		case <-ctx.Done():
			_, _ = take.Unsubscribe(), tell.Unsubscribe() // the connection ends anyway
			w.leave()
			return nil
		}
	}
}

// leave ends what runs, and waits until that is reported.
func (w *Worker) leave() {
	w.mu.Lock()
	s := w.session
	w.mu.Unlock()
	if s == nil {
		return
	}
	s.cancel(errOver)
	<-s.done
	_ = w.conn.FlushTimeout(time.Second) // who is not there does not hear it
}

// take takes orders.
func (w *Worker) take(o *orders) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.session
	mine := s != nil && s.runID == o.Run
	switch {
	case mine && o.Term < s.latestTerm():
		return // of a console in whose place there is another
	case mine && o.Lane == s.lane:
		s.obey(o)
		return
	case s != nil && !s.over(), o.Over, o.Draining, w.refusedLane == o.Run+strconv.FormatUint(o.Lane, 10):
		return // it has a run already, or there is nothing to begin
	}
	next, err := newSession(w, o, w.another())
	if err != nil {
		w.session, w.refused, w.hello.Run = nil, err.Error(), o.Run
		w.refusedLane = o.Run + strconv.FormatUint(o.Lane, 10)
	} else {
		w.session, w.refused = next, ""
		next.obey(o)
	}
	go w.sayHello()
}

// another is the number of the next incarnation.
func (w *Worker) another() uint64 { return w.incarnations.Add(1) }

// latestTerm is that of its console.
func (s *session) latestTerm() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term
}

// over reports whether nothing of the session runs any more.
func (s *session) over() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// keepFor is how long a worker knows of a run whose console is gone, for another console to take over.
const keepFor = 10 * time.Minute

// tidy sends again what the console of a session that is over has not got, until it is not heard any more.
func (w *Worker) tidy() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.session; s != nil && s.over() {
		s.mu.Lock()
		out := s.out
		s.mu.Unlock()
		out.again(w.now(), false)
		if s.unheard() > keepFor {
			w.session = nil
		}
	}
}

// sayHello says what the worker is, and what it is about.
func (w *Worker) sayHello() {
	w.mu.Lock()
	h := w.hello
	s := w.session
	if h.Problem = w.refused; h.Problem != "" {
		h.State = failed
	}
	w.mu.Unlock()
	if s != nil {
		s.mu.Lock()
		h.Run, h.Incarnation, h.State, h.Problem = s.runID, s.incarnation, s.state, s.problem
		if h.Unheard = s.worker.now().Sub(s.heard); h.Unheard > w.cfg.Times.Lost/2 && s.runID != "" {
			o := s.orders
			h.Orders = &o
		}
		s.mu.Unlock()
	}
	if text, err := json.Marshal(h); err == nil {
		_ = w.conn.Publish(subjectHello, text) // the next one follows soon
	}
}

// Says is what the worker is, and what it would do, in a sentence.
func (w *Worker) Says() string {
	where := "this machine and private networks"
	if len(w.cfg.Allow) > 0 {
		where = strings.Join(w.cfg.Allow, ", ")
	}
	return fmt.Sprintf("%s: %d cores, up to %s requests in flight, on %s; waiting for a console",
		w.cfg.Name, w.hello.Cores, units.Count(w.cfg.Most), where)
}
