// The model: continuous batching as a pure state machine, one step at a time. It knows no clock and no network.

package sim

import (
	"slices"
	"time"
)

// sequence is one request in the model. The fields of its order are set before submit; the rest belongs to the model.
type sequence struct {
	prompt int      // tokens of the prompt, at least 1
	hashes []uint64 // chained hashes of the full blocks: those of the prompt, and of the answer where it may be asked for again
	output int      // tokens to generate, at least 1; prompt + output fits the context
	owner  *stream  // who the tokens are for; the model does not look at it
	number int64    // of the sequence, from 1: it decides which drafts are accepted
	accept float64  // chance that a drafted token is accepted where those before it are, 0–1

	state     seqState
	cancelled bool // leaves at the next step
	admitted  bool // has been in the batch before, so its prefix lookup is counted
	loaded    int  // tokens whose keys and values come with it from another GPU
	generated int
	computed  int // tokens whose keys and values are in the cache
	cached    int // prompt tokens found in the prefix cache at first admission
	chunk     int // tokens of this step, without drafted ones
	draft     int // drafted tokens of this step
	gained    int // tokens that the last step has brought
	hashedTo  int // blocks that are in the prefix cache
	blocks    []blockID
}

type seqState uint8

const (
	seqWaiting seqState = iota
	seqRunning
	seqGone
)

// tokens returns what the KV cache must hold before the next token can be sampled.
func (s *sequence) tokens() int { return s.prompt + s.generated }

// stepPlan is what one step computes.
type stepPlan struct {
	batch   int // sequences that take part
	prefill int // prompt tokens, recomputed ones among them
	kv      int // tokens in the caches of the sequences that take part
	draft   int // drafted tokens
	cost    time.Duration
}

// modelCounts are the model's running totals.
type modelCounts struct {
	received, finished, cancelled int64
	promptTokens                  int64 // of prompts whose first token was sampled
	generationTokens              int64
	preemptions                   int64
	prefixQueries, prefixHits     int64 // tokens
	drafted                       drafted
}

// model is the scheduler of vLLM's V1 engine, reduced to what shapes latency: running sequences first, in order of
// admission; then waiting ones as far as seats, token budget and blocks go; when blocks run out the most recently
// admitted sequence loses its cache and goes back to the front of the queue.
//
// Use: begin plans a step and says how long it lasts; end, that much later, brings its tokens.
type model struct {
	profile   Profile
	pool      *blockPool
	running   []*sequence // in order of admission
	waiting   []*sequence
	newcomers []*sequence // admitted by the last begin, for the first time
	counts    modelCounts
}

func newModel(p Profile) *model {
	return &model{profile: p, pool: newBlockPool(p.KVBlocks)}
}

// submit puts a new sequence at the end of the queue.
func (m *model) submit(s *sequence) {
	m.counts.received++
	s.number = m.counts.received
	m.waiting = append(m.waiting, s)
}

// present is how many requests it has.
func (m *model) present() int { return len(m.running) + len(m.waiting) }

// cancel takes the sequence out: at once while it waits, at the next step while it runs.
func (m *model) cancel(s *sequence) {
	switch s.state {
	case seqWaiting:
		if i := slices.Index(m.waiting, s); i >= 0 {
			m.waiting = slices.Delete(m.waiting, i, i+1)
			m.counts.cancelled++
			s.state = seqGone
		}
	case seqRunning:
		s.cancelled = true
	case seqGone:
	}
}

// begin plans the next step. ok is false when there is nothing to do.
func (m *model) begin() (plan stepPlan, ok bool) {
	m.dropCancelled()
	m.newcomers = m.newcomers[:0]
	budget := m.profile.MaxBatchedTokens
	preempted := false

	// Preemption shortens m.running from its end, so the bound is read anew each time.
	for i := 0; i < len(m.running) && budget > 0; i++ {
		s := m.running[i]
		n := min(s.tokens()-s.computed, budget)
		draft := min(m.draftOf(s, n), budget-n)
		fits, lost := m.grow(s, s.computed+n+draft)
		preempted = preempted || lost
		if !fits {
			break // s was the last one and is back in the queue
		}
		budget -= n + draft
		s.draft = draft
		plan.draft += draft
		m.plan(&plan, s, n)
	}

	// A step that had to preempt admits nobody: the blocks it won are for those that run.
	for !preempted && budget > 0 && len(m.waiting) > 0 && len(m.running) < m.profile.MaxNumSeqs {
		s := m.waiting[0]
		if !m.admit(s) {
			break
		}
		m.waiting[0] = nil
		m.waiting = m.waiting[1:]
		m.running = append(m.running, s)
		n := min(s.tokens()-s.computed, budget)
		budget -= n
		m.plan(&plan, s, n)
	}
	if plan.batch == 0 {
		return plan, false
	}
	plan.cost = m.profile.stepCost(plan)
	return plan, true
}

// plan adds n tokens of s to the step.
func (m *model) plan(plan *stepPlan, s *sequence, n int) {
	s.chunk = n
	plan.batch++
	plan.kv += s.computed + n
	if n > 1 || s.generated == 0 || s.computed+n < s.tokens() {
		plan.prefill += n
	}
}

// stepCost returns how long a step lasts; Profile gives the formula.
func (p Profile) stepCost(plan stepPlan) time.Duration {
	return p.StepBase + p.draftCost(plan) +
		p.StepPerSeq*time.Duration(plan.batch) +
		time.Duration(p.StepPerKVToken*float64(plan.kv)) +
		time.Duration(float64(plan.prefill)/p.PrefillTokensPerSecond*float64(time.Second))
}

// end completes the step that begin planned and appends to sampled the sequences that gained a token. One that has all
// its tokens has left the batch: its state is seqGone.
func (m *model) end(sampled []*sequence) []*sequence {
	kept := m.running[:0]
	for _, s := range m.running {
		n, draft := s.chunk, s.draft
		s.chunk, s.draft = 0, 0
		if n == 0 || s.cancelled {
			kept = append(kept, s)
			continue
		}
		s.computed += n
		m.remember(s)
		if s.computed < s.tokens() {
			kept = append(kept, s)
			continue
		}
		if s.generated == 0 {
			m.counts.promptTokens += int64(s.prompt)
		}
		s.gained = 1 + m.verify(s, draft)
		s.computed += s.gained - 1
		s.generated += s.gained
		m.remember(s)
		m.counts.generationTokens += int64(s.gained)
		sampled = append(sampled, s)
		if s.generated < s.output {
			kept = append(kept, s)
			continue
		}
		m.counts.finished++
		m.leave(s)
	}
	m.keep(kept)
	return sampled
}

// dropCancelled frees what cancelled sequences held.
func (m *model) dropCancelled() {
	kept := m.running[:0]
	for _, s := range m.running {
		if s.cancelled {
			m.counts.cancelled++
			m.leave(s)
			continue
		}
		kept = append(kept, s)
	}
	m.keep(kept)
}

// keep makes kept, a compacted prefix of m.running, the batch, and drops the pointers behind it.
func (m *model) keep(kept []*sequence) {
	clear(m.running[len(kept):])
	m.running = kept
}

// leave ends a sequence's time in the batch for good.
func (m *model) leave(s *sequence) {
	m.pool.release(s.blocks)
	s.blocks = nil
	s.state = seqGone
}

// admit gives a waiting sequence the blocks for all its present tokens, shared ones as far as the prefix cache has
// them; false when there are not enough, and nothing is changed. At least one token is always left to compute: the
// last one's logits are needed to sample.
func (m *model) admit(s *sequence) bool {
	size := m.profile.BlockSize
	usable := s.hashes[:min(len(s.hashes), (s.tokens()-1)/size)]
	hits, fromFree := m.pool.cachedPrefix(usable)
	fresh := blocksFor(s.tokens(), size) - hits
	if fresh+fromFree > m.pool.free {
		return false
	}
	if s.blocks == nil {
		s.blocks = make([]blockID, 0, blocksFor(s.prompt+s.output, size))
	}
	for _, h := range usable[:hits] {
		s.blocks = append(s.blocks, m.pool.share(h))
	}
	for range fresh {
		id, _ := m.pool.take() // there are enough: checked above
		s.blocks = append(s.blocks, id)
	}
	s.computed = max(hits*size, s.loaded)
	s.hashedTo = hits
	s.state = seqRunning
	if !s.admitted {
		s.admitted = true
		s.cached = s.computed
		m.newcomers = append(m.newcomers, s)
		m.counts.prefixQueries += int64(s.prompt)
		m.counts.prefixHits += int64(s.cached)
	}
	return true
}

// grow makes room for s to hold n tokens, preempting from the end of the batch while there is none. fits is false
// when s itself had to go; preempted reports whether anybody had to.
func (m *model) grow(s *sequence, n int) (fits, preempted bool) {
	for len(s.blocks)*m.profile.BlockSize < n {
		id, ok := m.pool.take()
		if ok {
			s.blocks = append(s.blocks, id)
			continue
		}
		victim := m.running[len(m.running)-1]
		m.preemptLast()
		preempted = true
		if victim == s {
			return false, true
		}
	}
	return true, preempted
}

// preemptLast sends the most recently admitted sequence back to the front of the queue. What it generated stays
// generated; keys and values are computed anew when it comes in again.
func (m *model) preemptLast() {
	last := len(m.running) - 1
	s := m.running[last]
	m.running[last] = nil
	m.running = m.running[:last]
	m.pool.release(s.blocks)
	s.blocks = s.blocks[:0]
	s.computed, s.hashedTo, s.loaded = 0, 0, 0
	s.state = seqWaiting
	m.waiting = slices.Insert(m.waiting, 0, s)
	m.counts.preemptions++
}

// remember puts the sequence's blocks into the prefix cache as far as they are computed.
func (m *model) remember(s *sequence) {
	for s.hashedTo < len(s.hashes) && (s.hashedTo+1)*m.profile.BlockSize <= s.computed {
		m.pool.remember(s.blocks[s.hashedTo], s.hashes[s.hashedTo])
		s.hashedTo++
	}
}

// blocksFor returns how many blocks of the size hold n tokens.
func blocksFor(n, size int) int { return (n + size - 1) / size }
