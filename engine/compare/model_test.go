// A server in virtual time, with a queue and a batch, so that its requests depend on each other as a real one's do.

package compare

import (
	"cmp"
	"math"
	"math/rand/v2"
)

// model is a server with continuous batching, and the load that it gets.
type model struct {
	concurrency int     // closed loop
	rate        float64 // open loop, requests per second; 0: closed
	seconds     float64 // measured
	slow        float64 // everything takes so many times as long
	mood        float64 // the machine's speed wanders by this part, from second to second
	apart       float64 // and from run to run
	long        float64 // answers have so many times as many tokens, which are 64 to 192; 0: as many
	limit       float64 // of TTFT, ms: the SLO
}

const (
	stepBase   = 0.015 // seconds a step
	stepPerSeq = 0.0003
	prefill    = 20_000.0 // prompt tokens a second
	chunk      = 1024.0   // most of them in a step
	batch      = 64
	warm       = 10.0 // seconds before the measured ones
	moodTime   = 2.0  // seconds in which a mood is forgotten
)

type request struct {
	sent, first, prompt float64
	total, left         int
}

// run measures the server once.
func (m model) run(rng *rand.Rand) *Series {
	s := &Series{Seconds: m.seconds}
	var queue, active []*request
	send := func(at float64, part float64) {
		n := 64 + rng.IntN(129)
		n = max(int(part*float64(n)*cmp.Or(m.long, 1)), 1)
		queue = append(queue, &request{sent: at, prompt: 256 + 512*rng.Float64(), total: n, left: n})
	}
	for range m.concurrency {
		send(0, rng.Float64())
	}
	t, next, mood := 0.0, rng.ExpFloat64()/m.rate, 0.0
	always := m.slow * math.Exp(m.apart*rng.NormFloat64())
	tokens := make([]float64, int(m.seconds))
	completed, good := make([]float64, int(m.seconds)), make([]float64, int(m.seconds))
	for t < warm+m.seconds+10 {
		for m.rate > 0 && next <= t {
			send(next, 1)
			next += rng.ExpFloat64() / m.rate
		}
		if len(queue)+len(active) == 0 {
			t = next
			continue
		}
		for len(queue) > 0 && len(active) < batch {
			active, queue = append(active, queue[0]), queue[1:]
		}
		room := chunk
		for _, r := range active {
			part := min(max(r.prompt, 0), room)
			r.prompt -= part
			room -= part
		}
		step := (stepBase + stepPerSeq*float64(len(active)) + (chunk-room)/prefill) * always * math.Exp(mood)
		if m.mood > 0 {
			stays := math.Exp(-step / moodTime)
			mood = stays*mood + m.mood*math.Sqrt(1-stays*stays)*rng.NormFloat64()
		}
		t += step
		second := int(math.Floor(t - warm))
		within := second >= 0 && second < len(tokens)
		gaps := 0.0
		running := active[:0]
		for _, r := range active {
			if r.prompt > 0 {
				running = append(running, r)
				continue
			}
			if r.first == 0 {
				r.first = t
			} else {
				gaps++
			}
			if within {
				tokens[second]++
			}
			if r.left--; r.left > 0 {
				running = append(running, r)
				continue
			}
			ttft, ok := 1e3*(r.first-r.sent), 0.0
			if ttft <= m.limit {
				ok = 1
			}
			if within {
				completed[second]++
				good[second] += ok
			}
			if at := r.sent - warm; at >= 0 && at < m.seconds {
				s.TTFT.Add(at, ttft, 1)
				s.E2EL.Add(at, 1e3*(t-r.sent), 1)
				if r.total > 1 {
					s.TPOT.Add(at, 1e3*(t-r.first)/float64(r.total-1), 1)
				}
				s.Good.Add(at, ok, 1)
				s.Failed.Add(at, 0, 1)
			}
			if m.rate == 0 {
				send(t, 1)
			}
		}
		active = running
		if within && gaps > 0 {
			s.ITL.Add(t-warm, 1e3*step, gaps)
		}
	}
	for i := range tokens {
		at := float64(i) + 0.5
		s.Output.Add(at, tokens[i], 1)
		s.Requests.Add(at, completed[i], 1)
		s.Goodput.Add(at, good[i], 1)
	}
	return s
}
