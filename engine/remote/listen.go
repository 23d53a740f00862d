// This file is what a console hears of its workers: hellos, reports, and the time.

package remote

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"tokdyno/engine/record"
)

// takeHello takes in that a worker is there.
func (f *Fleet) takeHello(msg *nats.Msg) {
	var h hello
	if json.Unmarshal(msg.Data, &h) != nil || h.ID == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.members[h.ID]
	if m == nil {
		m = &member{intake: newIntake()}
		f.members[h.ID] = m
		f.joined = append(f.joined, m)
	}
	before := m.hello.State
	m.hello = h
	f.hear(m)
	if h.State == failed && h.Run == f.run {
		m.problem = h.Problem
	}
	idle := h.State == free || h.State == finished
	if m.usable(f.run) == "" && (m.lane == 0 || m.gone && idle && !f.over && !f.draining) {
		f.enlist(m)
	}
	if before != h.State {
		f.rebalance()
	}
	f.signal(f.moved)
}

// enlist gives a worker a lane of its own: from then on, it is told what to do.
func (f *Fleet) enlist(m *member) {
	if h := &m.hello; f.attached && m.lane == 0 && h.Run == f.run && h.State == running && h.Orders != nil {
		m.lane = h.Orders.Lane // it goes on with what it does
	} else {
		f.lanes++
		m.lane = f.lanes
	}
	m.gone, m.incarnation, m.intake, m.process, m.share = false, 0, newIntake(), nil, 0
	m.report, m.client, m.enlisted = report{}, nil, f.cfg.Now()
	f.signal(f.wake)
}

// hear takes note that a member lives. One that was lost has its share again.
func (f *Fleet) hear(m *member) {
	now := f.cfg.Now()
	was := m.heard.IsZero() || m.silent(now)
	m.heard = now
	if was {
		f.rebalance()
	}
}

// takeReport takes in what a worker's requests did.
func (f *Fleet) takeReport(msg *nats.Msg) {
	r, blocks, err := unpackReport(msg.Data)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.members[r.ID]
	if m == nil || m.lane == 0 || r.Term != f.term || m.gone && r.Incarnation <= m.incarnation {
		return
	}
	if m.incarnation == 0 {
		m.incarnation = r.Incarnation
	}
	if r.Incarnation != m.incarnation {
		return
	}
	f.hear(m)
	if r.Seq != m.intake.next {
		if m.missing = r.Seq > m.intake.next; m.missing {
			f.signal(f.wake)
		}
		return
	}
	m.missing = false
	m.intake.next++
	now, before := f.cfg.Now(), m.report
	m.bytes.add(now, len(msg.Data))
	m.total += int64(len(msg.Data))
	m.starts.add(now, r.Pool.Started-m.report.Pool.Started)
	if r.State == running {
		m.problem = ""
	}
	if m.report = r; r.Client != nil {
		known(&r.Client.Recent.CPUCores, -1, nan)
		known(&r.Client.Run.CPUCores, -1, nan)
		m.client = r.Client
		if m.trust.hear(now, r.Client.Recent.Verdict, r.Client.Recent.Reason) {
			f.rebalance()
		}
	}
	m.requests.told(r.Requests)
	m.talks.told(r.Talks)
	if b := m.intake.read(blocks); b != nil {
		m.queue = append(m.queue, b)
	}
	if r.State != before.State {
		f.rebalance()
		f.signal(f.moved)
	}
	if f.refill() || r.State == finished {
		f.signal(f.wake)
	}
}

// measure measures the workers' clocks.
func (f *Fleet) measure() {
	const quick, every = 20 * time.Millisecond, time.Second
	for n := 0; ; n++ {
		f.mu.Lock()
		ids := make([]string, 0, len(f.joined))
		wait := every
		for _, m := range f.joined {
			if !m.silent(f.cfg.Now()) {
				ids = append(ids, m.hello.ID)
			}
			if len(m.clock.recent) < pings/2 {
				wait = quick
			}
		}
		f.mu.Unlock()
		for _, id := range ids {
			sent := f.making.Clock()
			answer, err := f.cfg.Conn.Request(subjectClock+id, nil, 500*time.Millisecond)
			back := f.making.Clock()
			if err != nil {
				continue
			}
			var there, wall int64
			now := time.Now().UnixNano()
			if _, err := fmt.Sscanf(string(answer.Data), "%d %d", &there, &wall); err != nil {
				continue
			}
			f.mu.Lock()
			f.members[id].clock.add(sent, back, record.Instant(there), time.Duration(wall-now))
			if len(f.members[id].clock.recent) == 1 { // it can have a share now
				f.rebalance()
			}
			f.mu.Unlock()
		}
		f.signal(f.moved)
		select {
		case <-f.stop:
			return
		case <-time.After(wait):
		}
	}
}
