// A server as a pure function of its load, in simulated time: what the autopilots are tested against.

package stage

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"

	"pgregory.net/rapid"
)

// server answers requests. Its latencies depend on the level alone: the time per token grows with the batch, and what
// exceeds the batch's limit waits for the first token.
type server struct {
	axis         Axis
	base, perSeq float64 // seconds per token
	prefill      float64 // seconds
	seqs         float64 // most in a batch
	tokens       float64 // of an answer
	noise        float64 // of a latency: the standard deviation of its logarithm
	hangs        float64 // from this level on nothing is answered; 0: never

	ttft, tpot float64 // the SLO, seconds
	allowed    float64 // share of requests that may miss it
}

// concurrency is the number of requests in flight at a level: in an open loop, that at which as many come as go, without
// a bound where more come than a full batch takes. By Little's law it is c = rate·E2EL(c), and E2EL is linear in c below
// the batch's limit and above it: the root is rate·a / (1 − rate·b) of the line a + b·c.
func (m server) concurrency(level float64) float64 {
	if m.axis == Concurrency {
		return level
	}
	atLimit := m.e2el(m.seqs)
	at, slope := 0.0, (atLimit-m.e2el(0))/m.seqs
	if m.seqs < level*atLimit {
		at, slope = m.seqs, m.e2el(m.seqs+1)-atLimit
	}
	if level*slope >= 1 {
		return 1e6
	}
	return min(level*(m.e2el(at)-slope*at)/(1-level*slope), 1e6)
}

func (m server) latencies(concurrency float64) (ttft, tpot float64) {
	batch := min(concurrency, m.seqs)
	tpot = m.base + m.perSeq*batch
	ttft = m.prefill*(1+0.1*batch) + (concurrency-batch)/m.seqs*tpot*m.tokens
	return ttft, tpot
}

func (m server) e2el(concurrency float64) float64 {
	ttft, tpot := m.latencies(concurrency)
	return ttft + tpot*m.tokens
}

// missing is the true share of requests that miss the SLO at a level.
func (m server) missing(level float64) float64 {
	if m.hangs > 0 && level >= m.hangs {
		return 1
	}
	ttft, tpot := m.latencies(m.concurrency(level))
	within := func(latency, limit float64) float64 {
		if m.noise == 0 {
			return map[bool]float64{true: 1}[latency <= limit]
		}
		return 0.5 * math.Erfc(-math.Log(limit/latency)/m.noise/math.Sqrt2)
	}
	return 1 - within(ttft, m.ttft)*within(tpot, m.tpot)
}

// best is the highest level up to most that holds the SLO, found by trying all; 0 if none does.
func (m server) best(least, most float64) float64 {
	best := 0.0
	for level := least; level <= most && m.missing(level) <= m.allowed+1e-9; {
		best = level
		if m.axis == Concurrency {
			level++
		} else {
			level *= 1.002
		}
	}
	return best
}

// drawServer draws a server of which some level below its batch's limit holds the SLO and twice that limit does not.
func drawServer(rng *rand.Rand, axis Axis, noise float64) server {
	between := func(low, high float64) float64 { return low * math.Pow(high/low, rng.Float64()) }
	m := server{
		axis:    axis,
		base:    between(0.005, 0.03),
		prefill: between(0.01, 0.3),
		seqs:    math.Round(between(4, 128)),
		tokens:  math.Round(between(20, 300)),
		noise:   noise,
		allowed: 0.01,
	}
	m.perSeq = m.base / between(5, 100)
	ttft, tpot := m.latencies(between(1, 1.2*m.seqs))
	m.ttft, m.tpot = ttft*between(1.05, 2), tpot*between(1.05, 2)
	return m
}

// request is one in flight.
type request struct {
	ends       float64
	began      float64
	ttft, tpot float64
}

type queue []request

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].ends < q[j].ends }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(request)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// bench runs a pilot on a server.
type bench struct {
	server server
	rng    *rand.Rand
	now    float64 // seconds

	level          float64
	stage          int
	opened, steady float64 // steady 0: settling
	running        queue
	nextArrival    float64
	ended          int
	e2els          float64
	goal           Goal
	completed      int // in the steady part
	total          int // of the whole run
}

func newBench(m server, seed uint64) *bench {
	return &bench{server: m, rng: rand.New(rand.NewPCG(seed, 17))}
}

// open opens a stage. Requests of the one before are left to themselves.
func (b *bench) open(level float64) {
	b.stage++
	b.level, b.opened, b.steady = level, b.now, 0
	b.running, b.ended, b.e2els, b.completed = nil, 0, 0, 0
	b.nextArrival = b.now
	b.goal = Goal{Name: "slo", Allowed: b.server.allowed}
}

func (b *bench) send(at float64) {
	ttft, tpot := b.server.latencies(b.server.concurrency(b.level))
	r := request{began: at, ttft: ttft, tpot: tpot}
	if b.server.noise > 0 {
		r.ttft *= math.Exp(b.server.noise * b.rng.NormFloat64())
		r.tpot *= math.Exp(b.server.noise * b.rng.NormFloat64())
	}
	r.ends = at + r.ttft + r.tpot*b.server.tokens
	if b.server.hangs > 0 && b.level >= b.server.hangs {
		r.ends = math.Inf(1)
	}
	heap.Push(&b.running, r)
}

// run lets the server work until a time.
func (b *bench) run(until float64) {
	if b.server.axis == Concurrency {
		for len(b.running) < int(b.level) {
			b.send(b.now + b.rng.Float64()*1e-3)
		}
	}
	for {
		if b.server.axis != Concurrency && b.nextArrival < until && (len(b.running) == 0 || b.nextArrival <= b.running[0].ends) {
			b.send(b.nextArrival)
			b.nextArrival += b.rng.ExpFloat64() / b.level
			continue
		}
		if len(b.running) == 0 || b.running[0].ends > until {
			break
		}
		r := heap.Pop(&b.running).(request)
		b.end(r)
		if b.server.axis == Concurrency {
			b.send(r.ends)
		}
	}
	b.now = until
}

func (b *bench) end(r request) {
	b.ended++
	b.total++
	b.e2els += r.ends - r.began
	if b.steady == 0 {
		inFlight := 0
		if b.server.axis == Concurrency {
			inFlight = int(b.level)
		}
		if Settled(Turnover{InFlight: inFlight, Ended: b.ended, MeanE2EL: span(b.e2els / float64(b.ended)), Age: span(r.ends - b.opened)}) {
			b.steady = r.ends
		}
		return
	}
	b.completed++
	if r.began >= b.steady {
		b.goal.Judged++
		if r.ttft > b.server.ttft || r.tpot > b.server.tpot {
			b.goal.Missed++
		}
	}
}

func span(seconds float64) time.Duration { return time.Duration(seconds * 1e9) }

func (b *bench) status() Status {
	s := Status{
		Now: span(b.now), Stage: b.stage, Level: b.level, Age: span(b.now - b.opened), Settled: b.steady > 0,
		InFlight: len(b.running), Ended: b.ended, Goals: []Goal{b.goal},
	}
	if b.ended > 0 {
		s.MeanE2EL = span(b.e2els / float64(b.ended))
	}
	if b.steady > 0 && b.goal.Judged > 0 {
		s.Steady = span(b.now - b.steady)
		s.Judged = b.goal.Judged
		s.Requests = float64(b.completed) / (b.now - b.steady)
		s.Output = s.Requests * b.server.tokens
	}
	return s
}

// drive lets a pilot move the load to its end, with a tick of 250 ms, and returns its result.
func (b *bench) drive(t rapid.TB, p Pilot) Result {
	t.Helper()
	for range 4 * 3600 * 24 {
		d := p.Next(b.status())
		if d.Done {
			if d.Level != b.level {
				t.Fatalf("done at %v, but the load is at %v", d.Level, b.level)
			}
			res, ok := p.Result()
			if !ok {
				t.Fatal("done without a result")
			}
			return res
		}
		if d.Moved {
			b.open(d.Level)
		}
		b.run(b.now + 0.25)
	}
	t.Fatalf("not done after a day: %+v", p.Progress(span(b.now)))
	return Result{}
}
