// This file is histograms of chunk gaps.

package runfile

import (
	"cmp"
	"slices"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// Gaps are those of chunks that were kept by number only, of one second of the run's clock or what of it is in a batch.
type Gaps struct {
	At   record.Instant // of one of the chunks
	Gaps stats.Sparse   // chunk gaps
	ITL  stats.Sparse   // the same, per token
}

func writeGaps(p *payload, list []Gaps) {
	p.uint(uint64(len(list)))
	for i := range list {
		p.int(int64(list[i].At))
		writeSparse(p, &list[i].Gaps)
		writeSparse(p, &list[i].ITL)
	}
}

func writeSparse(p *payload, h *stats.Sparse) {
	p.int(int64(h.Sum))
	slices.SortFunc(h.Buckets, func(a, b stats.Bucket) int { return cmp.Compare(a.At, b.At) })
	p.uint(uint64(len(h.Buckets)))
	before := uint16(0)
	for _, b := range h.Buckets {
		p.uint(uint64(b.At - before))
		p.uint(uint64(b.N))
		before = b.At
	}
}

func readGaps(data []byte) ([]Gaps, error) {
	s := source{rest: data}
	list := make([]Gaps, s.count(5))
	for i := range list {
		list[i].At = record.Instant(s.int())
		list[i].Gaps = readSparse(&s)
		list[i].ITL = readSparse(&s)
	}
	return list, s.done()
}

func readSparse(s *source) (h stats.Sparse) {
	h.Sum = duration(s.int())
	n := s.count(2)
	at := uint64(0)
	for range n {
		at += s.uint()
		count := s.uint()
		if at >= stats.Buckets || count > 1<<32-1 {
			s.fail()
		}
		if s.err != nil {
			return stats.Sparse{}
		}
		h.Buckets = append(h.Buckets, stats.Bucket{At: uint16(at), N: uint32(count)})
	}
	return h
}
