// This file packs histograms, most of whose buckets are empty.

package stats

// packedParts are the histograms of two parts. It does not change.
type packedParts struct {
	version int                                        // of the stage that they are of
	parts   [phases]struct{ itl, gaps, many []Sparse } // nil: there are none
}

func packParts(parts *[phases]part) *packedParts {
	packed := new(packedParts)
	for i := range parts {
		p, to := &parts[i], &packed.parts[i]
		if p.itl != nil {
			to.itl = []Sparse{p.itl.Sparse()}
		}
		if p.gaps != nil {
			to.gaps = []Sparse{p.gaps.Sparse()}
		}
		if p.many != nil {
			for _, h := range p.many.all() {
				to.many = append(to.many, h.Sparse())
			}
		}
	}
	return packed
}

// unpack gives parts their histograms.
func (packed *packedParts) unpack(parts *[phases]part) {
	for i := range parts {
		p, from := &parts[i], &packed.parts[i]
		p.itl, p.gaps, p.many = nil, nil, nil
		if from.itl != nil {
			p.itl = new(Histogram)
			p.itl.take(from.itl[0])
		}
		if from.gaps != nil {
			p.gaps = new(Histogram)
			p.gaps.take(from.gaps[0])
		}
		if from.many != nil {
			p.many = new(spectrum)
			for j, h := range p.many.all() {
				h.take(from.many[j])
			}
		}
	}
}

// packedDetail is a detail of a slice. It does not change.
type packedDetail struct {
	itl           Sparse
	ended, steady cohort
}

// pack is remembered until the detail changes.
func (d *detail) pack() *packedDetail {
	if d == nil {
		return nil
	}
	if d.packed == nil {
		d.packed = &packedDetail{d.itl.Sparse(), d.ended, d.steady}
	}
	return d.packed
}

// unpack fills a detail that is empty.
func (p *packedDetail) unpack(d *detail) {
	d.itl.take(p.itl)
	d.ended, d.steady, d.packed = p.ended, p.steady, p
}

// packedRecent is a recent.
type packedRecent struct {
	steady  Sparse
	seconds [recentSeconds]Sparse
	newest  int64
}

func (r *recent) pack() packedRecent {
	p := packedRecent{steady: r.steady.Sparse(), newest: r.newest}
	for i := range r.seconds {
		p.seconds[i] = r.seconds[i].Sparse()
	}
	return p
}

func (r *recent) unpack(p *packedRecent) {
	*r = recent{newest: p.newest}
	r.steady.take(p.steady)
	for i := range r.seconds {
		r.seconds[i].take(p.seconds[i])
	}
}
