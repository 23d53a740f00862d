// Tests of the model alone, in virtual time.

package sim

import (
	"slices"
	"testing"
	"time"
)

// result is what a closed loop of clients saw.
type result struct {
	tokensPerSecond float64
	tpot, ttft      time.Duration // medians over the requests
	preemptions     int64
}

// closedLoop keeps concurrency requests in flight until count have finished, and looks at those that were sent after
// the first turnover.
func closedLoop(t testing.TB, p Profile, concurrency, count, prompt, output int) result {
	t.Helper()
	type times struct{ sent, first time.Duration }
	m := newModel(p)
	now := time.Duration(0)
	running := make(map[*sequence]*times)
	submitted := 0
	send := func() {
		s := &sequence{prompt: prompt, output: output}
		running[s] = &times{sent: now}
		m.submit(s)
		submitted++
	}
	for range concurrency {
		send()
	}
	var ttfts, tpots []time.Duration
	var sampled []*sequence
	var from time.Duration
	tokens, finished := 0, 0
	for finished < count {
		plan, ok := m.begin()
		if !ok {
			t.Fatalf("the model is idle with %d requests in flight", len(running))
		}
		now += plan.cost
		sampled = m.end(sampled[:0])
		if finished >= concurrency {
			tokens += len(sampled)
		} else {
			from = now
		}
		for _, s := range sampled {
			f := running[s]
			if s.generated == 1 {
				f.first = now
			}
			if s.state != seqGone {
				continue
			}
			finished++
			if f.sent >= from && from > 0 {
				ttfts = append(ttfts, f.first-f.sent)
				tpots = append(tpots, (now-f.first)/time.Duration(output-1))
			}
			delete(running, s)
			send()
		}
	}
	return result{
		tokensPerSecond: float64(tokens) / (now - from).Seconds(),
		tpot:            median(tpots),
		ttft:            median(ttfts),
		preemptions:     m.counts.preemptions,
	}
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}

// curve runs the closed loop at each level, with prompts of 512 and answers of 128 tokens.
func curve(t *testing.T, p Profile, levels ...int) []result {
	t.Helper()
	results := make([]result, len(levels))
	for i, c := range levels {
		results[i] = closedLoop(t, p, c, 8*c+40, 512, 128)
		r := results[i]
		t.Logf("%-10s concurrency %3d: %5.0f tok/s, TPOT %8v, TTFT p50 %8v, %d preemptions", p.Name, c,
			r.tokensPerSecond, r.tpot.Round(10*time.Microsecond), r.ttft.Round(time.Millisecond), r.preemptions)
	}
	return results
}

func TestRaisingConcurrencyShowsWhatARealServerShows(t *testing.T) {
	for _, p := range Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			seats := p.MaxNumSeqs
			levels := []int{1, 2, 4, seats / 4, seats / 2, seats, seats * 3 / 2, seats * 2, seats * 4}
			r := curve(t, p, levels...)
			one, atSeats, twice := r[0], r[5], r[7]

			for i := 1; i <= 5; i++ {
				if r[i].tokensPerSecond <= r[i-1].tokensPerSecond {
					t.Errorf("tok/s falls from %.0f to %.0f between concurrency %d and %d", r[i-1].tokensPerSecond, r[i].tokensPerSecond, levels[i-1], levels[i])
				}
				if r[i].tpot <= r[i-1].tpot {
					t.Errorf("TPOT does not climb between concurrency %d and %d: %v, %v", levels[i-1], levels[i], r[i-1].tpot, r[i].tpot)
				}
			}
			if gain := atSeats.tokensPerSecond / one.tokensPerSecond; gain < 8 {
				t.Errorf("a full batch makes %.1f times the tok/s of one sequence, want at least 8 times", gain)
			}
			for i := 6; i < len(r); i++ {
				if change := r[i].tokensPerSecond/atSeats.tokensPerSecond - 1; change > 0.05 || change < -0.10 {
					t.Errorf("tok/s is not flat past the seats: %+.0f %% at concurrency %d", 100*change, levels[i])
				}
				if change := float64(r[i].tpot)/float64(atSeats.tpot) - 1; change > 0.05 {
					t.Errorf("TPOT climbs past the seats though the batch cannot: %+.0f %% at concurrency %d", 100*change, levels[i])
				}
			}
			if twice.ttft < 8*atSeats.ttft {
				t.Errorf("TTFT is %v at twice the seats and %v at the seats, want it to explode", twice.ttft, atSeats.ttft)
			}
		})
	}
}

func TestKneeOfSmallGPUIsReachedByHand(t *testing.T) {
	r := curve(t, smallGPU(), 8, 16, 32, 64)
	most := r[3].tokensPerSecond
	if share := r[0].tokensPerSecond / most; share > 0.6 {
		t.Errorf("concurrency 8 already makes %.0f %% of the most tok/s", 100*share)
	}
	if share := r[1].tokensPerSecond / most; share < 0.7 {
		t.Errorf("concurrency 16 makes only %.0f %% of the most tok/s", 100*share)
	}
	if share := r[2].tokensPerSecond / most; share < 0.95 {
		t.Errorf("concurrency 32 makes only %.0f %% of the most tok/s", 100*share)
	}
}

func TestStepCostFollowsTheFormula(t *testing.T) {
	p := Profile{StepBase: 10 * time.Millisecond, StepPerSeq: time.Millisecond, StepPerKVToken: 1000, PrefillTokensPerSecond: 1000}
	got := p.stepCost(stepPlan{batch: 3, kv: 500, prefill: 20})
	if want := (10 + 3 + 0.5 + 20) * 1e6; got != time.Duration(want) {
		t.Errorf("cost %v, want %v", got, time.Duration(want))
	}
}

// drive steps the model until it is idle and returns how often each sequence was sampled.
func drive(t testing.TB, m *model) map[*sequence]int {
	t.Helper()
	got := make(map[*sequence]int)
	for range 1_000_000 {
		if _, ok := m.begin(); !ok {
			return got
		}
		for _, s := range m.end(nil) {
			got[s]++
		}
	}
	t.Fatal("the model does not come to rest")
	return nil
}

// tiny is a profile whose KV cache holds 16 blocks of 4 tokens.
func tiny() Profile {
	p := smallGPU()
	p.MaxNumSeqs, p.MaxBatchedTokens = 8, 16
	p.KVBlocks, p.BlockSize, p.ContextLength = 16, 4, 64
	return p
}

func TestPreemptedRequestsFinishWithExactlyTheirTokens(t *testing.T) {
	m := newModel(tiny())
	var all []*sequence
	for i := range 8 {
		s := &sequence{prompt: 8, output: 20 + i}
		all = append(all, s)
		m.submit(s)
	}
	got := drive(t, m)
	if m.counts.preemptions == 0 {
		t.Error("eight sequences of 28 tokens in 64 tokens of KV cache, and nobody was preempted")
	}
	for i, s := range all {
		if got[s] != s.output {
			t.Errorf("sequence %d got %d tokens, want %d", i, got[s], s.output)
		}
	}
	if m.counts.promptTokens != 8*8 {
		t.Errorf("prompt tokens %d, want 64: a recomputed prompt counts once", m.counts.promptTokens)
	}
	if m.pool.free != 16 {
		t.Errorf("%d blocks are free at rest, want 16", m.pool.free)
	}
}

func TestPreemptionTakesTheMostRecentlyAdmittedToTheFrontOfTheQueue(t *testing.T) {
	m := newModel(tiny())
	first := &sequence{prompt: 28, output: 20}
	second := &sequence{prompt: 28, output: 20}
	third := &sequence{prompt: 28, output: 20}
	m.submit(first)
	m.submit(second)
	m.submit(third)
	for m.counts.preemptions == 0 {
		if _, ok := m.begin(); !ok {
			t.Fatal("the model came to rest without a preemption")
		}
		m.end(nil)
	}
	if first.state != seqRunning || second.state != seqWaiting {
		t.Errorf("states %v and %v: the older sequence should run and the newer wait", first.state, second.state)
	}
	if len(m.waiting) == 0 || m.waiting[0] != second {
		t.Error("the preempted sequence is not at the front of the queue")
	}
}

func TestPrefillIsCutToTheTokenBudget(t *testing.T) {
	m := newModel(tiny())
	s := &sequence{prompt: 40, output: 1}
	m.submit(s)
	for _, want := range []int{16, 16, 8} {
		plan, ok := m.begin()
		if !ok || plan.prefill != want {
			t.Errorf("prefill of %d tokens in this step, want %d", plan.prefill, want)
		}
		m.end(nil)
	}
	if s.generated != 1 {
		t.Errorf("%d tokens after the prompt, want 1", s.generated)
	}
}

func TestPrefixCacheSavesWhatIsCommon(t *testing.T) {
	m := newModel(tiny())
	ids := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	other := []uint32{1, 2, 3, 4, 5, 6, 0, 8, 9, 10}
	submit := func(ids []uint32) *sequence {
		s := &sequence{prompt: len(ids), output: 2, hashes: hashBlocks(ids, 4)}
		m.submit(s)
		drive(t, m)
		return s
	}
	for _, c := range []struct {
		name string
		ids  []uint32
		want int
	}{
		{"nothing is cached at first", ids, 0},
		{"full blocks of the same prompt", ids, 8},
		{"only blocks before the first difference", other, 4},
		{"the last token is always computed", ids[:8], 4},
	} {
		if s := submit(c.ids); s.cached != c.want {
			t.Errorf("%s: %d tokens cached, want %d", c.name, s.cached, c.want)
		}
	}
	if m.counts.prefixQueries != 38 || m.counts.prefixHits != 16 {
		t.Errorf("hits %d of %d, want 16 of 38", m.counts.prefixHits, m.counts.prefixQueries)
	}
}

func TestCachedBlocksAreEvictedLeastRecentlyUsedFirst(t *testing.T) {
	p := newBlockPool(3)
	put := func(hash uint64) {
		id, _ := p.take()
		p.remember(id, hash)
		p.release([]blockID{id})
	}
	put(1)
	put(2)
	put(3)
	p.release([]blockID{p.share(1)}) // used again: now 2 is the oldest
	if _, ok := p.take(); !ok {
		t.Fatal("no block although none is held")
	}
	for hash, want := range map[uint64]int{1: 1, 2: 0, 3: 1} {
		if got, _ := p.cachedPrefix([]uint64{hash}); got != want {
			t.Errorf("block %d: found %d, want %d", hash, got, want)
		}
	}
}

func TestFrontOfAPromptIsEvictedLast(t *testing.T) {
	p := newBlockPool(3)
	var ids []blockID
	hashes := []uint64{1, 2, 3}
	for _, h := range hashes {
		id, _ := p.take()
		p.remember(id, h)
		ids = append(ids, id)
	}
	p.release(ids)
	for left := 2; left >= 0; left-- {
		if _, ok := p.take(); !ok {
			t.Fatal("no block although none is held")
		}
		if got, _ := p.cachedPrefix(hashes); got != left {
			t.Errorf("%d blocks of the prompt are found, want the first %d", got, left)
		}
	}
}

func TestCancelledSequencesLeave(t *testing.T) {
	p := tiny()
	p.MaxNumSeqs = 1
	m := newModel(p)
	runs := &sequence{prompt: 4, output: 50}
	waits := &sequence{prompt: 4, output: 50}
	m.submit(runs)
	m.submit(waits)
	m.begin()
	m.cancel(waits)
	m.cancel(runs)
	if sampled := m.end(nil); len(sampled) != 0 {
		t.Error("a cancelled sequence got a token")
	}
	if _, ok := m.begin(); ok {
		t.Error("there is a step with nobody left")
	}
	if m.counts.cancelled != 2 || m.pool.free != p.KVBlocks {
		t.Errorf("%d cancelled, %d blocks free; want 2 and %d", m.counts.cancelled, m.pool.free, p.KVBlocks)
	}
	m.cancel(runs) // again changes nothing
	if m.counts.cancelled != 2 {
		t.Errorf("%d cancelled after cancelling twice, want 2", m.counts.cancelled)
	}
}

func BenchmarkModelStep(b *testing.B) {
	p := h100With8B()
	m := newModel(p)
	sampled := make([]*sequence, 0, p.MaxNumSeqs)
	refill := func() {
		for len(m.running)+len(m.waiting) < 256 {
			m.submit(&sequence{prompt: 512, output: 1024})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		refill()
		m.begin()
		sampled = m.end(sampled[:0])
	}
}
