// Property tests: whatever comes and goes, no block and no request is lost.

package sim

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBlocksAndRequestsAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := tiny()
		p.MaxNumSeqs = rapid.IntRange(1, 6).Draw(t, "seats")
		p.MaxBatchedTokens = p.MaxNumSeqs + rapid.IntRange(0, 30).Draw(t, "budget")
		p.DraftTokens = rapid.IntRange(0, 3).Draw(t, "draft")
		m := newModel(p)
		var all []*sequence
		got := make(map[*sequence]int)
		cancelled := make(map[*sequence]bool)
		midStep := false
		step := func() {
			if midStep {
				for _, s := range m.end(nil) {
					got[s] += s.gained
				}
				midStep = false
				return
			}
			_, midStep = m.begin()
		}

		t.Repeat(map[string]func(*rapid.T){
			"submit": func(t *rapid.T) {
				// Few different ids, so that prefixes are often shared.
				ids := rapid.SliceOfN(rapid.Uint32Range(0, 1), 1, 40).Draw(t, "prompt")
				s := &sequence{
					prompt: len(ids),
					output: rapid.IntRange(1, p.ContextLength-len(ids)).Draw(t, "output"),
					hashes: hashBlocks(ids, p.BlockSize),
					accept: 0.6,
				}
				all = append(all, s)
				m.submit(s)
			},
			"cancel": func(t *rapid.T) {
				if len(all) > 0 {
					s := rapid.SampledFrom(all).Draw(t, "who")
					cancelled[s] = true
					m.cancel(s)
				}
			},
			"step": func(*rapid.T) { step() },
			"steps": func(*rapid.T) {
				for range 25 {
					step()
				}
			},
			"": func(t *rapid.T) { checkModel(t, m, all) },
		})

		for steps := 0; steps == 0 || midStep || len(m.running)+len(m.waiting) > 0; steps++ {
			step()
			if steps > 100_000 {
				t.Fatal("the model does not come to rest")
			}
		}
		checkModel(t, m, all)
		if m.pool.free != p.KVBlocks {
			t.Fatalf("%d of %d blocks are free at rest", m.pool.free, p.KVBlocks)
		}
		for _, s := range all {
			if got[s] != s.generated || !cancelled[s] && got[s] != s.output {
				t.Fatalf("a sequence of %d tokens got %d", s.output, got[s])
			}
		}
		if m.counts.finished+m.counts.cancelled != int64(len(all)) {
			t.Fatalf("%d finished and %d cancelled of %d", m.counts.finished, m.counts.cancelled, len(all))
		}
	})
}

// checkModel compares the pool with what the sequences say they hold.
func checkModel(t *rapid.T, m *model, all []*sequence) {
	held := make(map[blockID]int32)
	for _, s := range all {
		if s.state != seqRunning && len(s.blocks) > 0 {
			t.Fatalf("a sequence that does not run holds %d blocks", len(s.blocks))
		}
		if s.state == seqRunning && s.computed > len(s.blocks)*m.profile.BlockSize {
			t.Fatalf("%d tokens computed in %d blocks", s.computed, len(s.blocks))
		}
		for _, id := range s.blocks {
			held[id]++
		}
	}
	for id := range m.pool.blocks {
		b := m.pool.blocks[id]
		if b.refs != held[blockID(id)] {
			t.Fatalf("block %d counts %d holders, has %d", id, b.refs, held[blockID(id)])
		}
		if b.hashed && m.pool.byHash[b.hash] != blockID(id) {
			t.Fatalf("block %d is not found by its hash", id)
		}
	}
	free := 0
	for id := m.pool.head; id != none; id = m.pool.blocks[id].next {
		if m.pool.blocks[id].refs != 0 {
			t.Fatalf("block %d is held and on the free list", id)
		}
		if free++; free > len(m.pool.blocks) {
			t.Fatal("the free list runs in a circle")
		}
	}
	if free != m.pool.free || free+len(held) != len(m.pool.blocks) {
		t.Fatalf("%d blocks on the free list, %d counted, %d held, %d in all", free, m.pool.free, len(held), len(m.pool.blocks))
	}
	if len(m.running) > m.profile.MaxNumSeqs {
		t.Fatalf("%d sequences on %d seats", len(m.running), m.profile.MaxNumSeqs)
	}
	c := m.counts
	if sum := c.finished + c.cancelled + int64(len(m.running)+len(m.waiting)); sum != c.received {
		t.Fatalf("%d received, %d accounted for", c.received, sum)
	}
}
