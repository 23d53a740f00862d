// This file hands requests over from a GPU that computes prompts to one that generates.

package sim

import "time"

// handover counts requests between two GPUs.
type handover struct {
	left, landed int64 // the first GPU, and on the second
	stopped      bool  // nothing lands any more
}

// transfer is how long the keys and values of a prompt are on their way from one GPU to another.
func (p Profile) transfer(prompt int) time.Duration {
	const kib, gb = 1 << 10, 1e9
	return time.Duration(float64(prompt) * p.KVTokenKiB * kib / (p.TransferGBs * gb) * float64(time.Second))
}

// handOver sends a request that has its first token on to the next GPU. The client sees that token when keys and values have
// arrived, as it does where the GPU that generates is the one that answers. The lock is held.
func (e *worker) handOver(s *stream) {
	e.handover.left++
	time.AfterFunc(e.model.profile.transfer(s.seq.prompt), func() { e.next.land(s) })
}

// land takes up a request whose keys and values have arrived.
func (e *worker) land(s *stream) {
	e.mu.Lock()
	if e.handover.stopped {
		e.mu.Unlock()
		return
	}
	e.handover.landed++
	now := time.Now()
	s.seq = sequence{
		prompt: s.seq.prompt, output: s.rest + 1, hashes: s.seq.hashes, owner: s,
		generated: 1, loaded: s.seq.prompt, admitted: true,
	}
	s.at, s.rest = e, 0
	e.model.submit(&s.seq)
	if s.left {
		e.model.cancel(&s.seq)
	}
	e.times.token(s, now)
	s.produced.Add(1)
	e.mu.Unlock()
	signal(s.wake)
	signal(e.wake)
}
