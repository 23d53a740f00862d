// This file is a worker as its console knows it.

package remote

import (
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/snapshot"
)

// member is a worker that has said hello.
type member struct {
	hello  hello
	heard  time.Time
	times  Times
	clock  offset
	intake *intake
	report report // the latest
	client *client
	trust  trust
	bytes  rate
	starts rate
	total  int64

	lane        uint64 // 0: it has none, because it is not used
	enlisted    time.Time
	incarnation uint64 // that is taken in; 0: none yet
	share       int
	process     *load.Process
	requests    supply
	talks       supply
	started     int // requests, of earlier incarnations
	lost        int
	dropped     load.State // of earlier incarnations
	gone        bool       // given up: what comes of its incarnation is not taken in any more
	problem     string
	missing     bool // reports did not come
	queue       []*runfile.Batch
}

// silent reports whether a member is not heard.
func (m *member) silent(now time.Time) bool { return now.Sub(m.heard) > m.times.Lost }

// able reports whether it can have a share: its clock is known, by which its part of an arrival process begins.
func (m *member) able(now time.Time) bool {
	return m.lane != 0 && !m.gone && !m.silent(now) && len(m.clock.recent) > 0 && (m.at() == ready || m.at() == running)
}

// at is where it stands with the run.
func (m *member) at() state {
	if m.incarnation != 0 && m.report.Seq > 0 {
		return m.report.State
	}
	return m.hello.State
}

// usable says in a sentence why a worker can't be used at all; "" where it can.
func (m *member) usable(run string) string {
	switch h := &m.hello; {
	case h.Protocol != Protocol:
		return "it is another version of tokdyno: " + h.Version
	case h.State != free && h.State != finished && h.State != failed && h.Run != run:
		return "it works for another console"
	}
	return ""
}

// capacity is what it can take, beside others the best of which is trusted so many steps short of all.
func (m *member) capacity(best int) capacity {
	return capacity{weight: float64(max(m.hello.Cores, 1)) / float64(int(1)<<(m.trust.steps-best)), most: m.hello.Most}
}

// shown is the member for a snapshot. part is its part of the load, and steps are those of the one that is trusted most.
func (m *member) shown(now time.Time, at record.Instant, run string, part float64, steps int) snapshot.Worker {
	w := snapshot.Worker{
		Name: m.hello.Name, Host: m.hello.Host, Version: m.hello.Version, Cores: m.hello.Cores, Problem: m.problem,
		Started: m.started + m.report.Pool.Started, Lost: m.lost, Bytes: m.total,
	}
	best, _ := m.clock.shortest()
	ahead := best.ahead
	w.Ahead, w.Within = best.wall, best.trip/2
	if m.client != nil && !m.silent(now) {
		w.Health = m.client.Recent
	}
	if m.report.At != 0 {
		w.Lag = max(time.Duration(at-(m.report.At-ahead)), 1) // just now, where it is newer than the snapshot
	}
	unusable := m.usable(run)
	switch {
	case m.at() == finished && m.problem == "":
		w.State = snapshot.WorkerEnded
	case m.silent(now):
		w.State = snapshot.WorkerLost
	case unusable != "":
		w.State, w.Problem = snapshot.WorkerBusy, unusable
	case m.at() == failed:
		w.State = snapshot.WorkerFailed
	case !m.able(now):
		w.State = snapshot.WorkerJoining
	default:
		w.State, w.InFlight, w.Share, w.Part = snapshot.WorkerWorking, m.report.Pool.InFlight, m.share, part
		w.Reduced = m.trust.says(m.trust.steps - steps)
		if m.share == 0 && m.process == nil {
			w.State = snapshot.WorkerIdle
		}
	}
	return w
}
