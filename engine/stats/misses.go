// This file counts what of a stage missed an objective's limit.

package stats

import "tokdyno/engine/slo"

// StageMisses returns how many samples of the current stage an objective can be held against, and how many of them are
// beyond its limit: requests or, for ITL, tokens, whose limit is taken to the resolution of the histogram (0.4 %). They
// are those of its steady part, or of all of it while nothing in that has ended; the objective's window does not count.
func (c *Collector) StageMisses(o slo.Objective) (judged, missed int) {
	if len(c.stages) == 0 {
		return 0, 0
	}
	sc := c.stageScope(len(c.stages))
	switch o.Metric {
	case slo.TTFT:
		f := &c.firsts
		for i := c.reach(sc, f.at, f.dropped, sc.firstsFrom); i < len(f.at); i++ {
			if f.ttft[i] != undefined && c.belongs(sc, f.at[i], f.sent[i], f.stage[i]) {
				judged++
				missed += one(f.ttft[i] > o.Limit)
			}
		}
	case slo.ITL:
		limit := bucketOf(o.Limit)
		for _, p := range sc.parts {
			if p.itl != nil {
				judged += int(p.itl.N())
				missed += int(p.itl.above(limit))
			}
		}
	case slo.ErrorRate:
		for _, p := range sc.parts {
			judged += p.sent.counts.OK + p.sent.counts.Failed
			missed += p.sent.counts.Failed
		}
	default:
		for _, v := range c.StageValues(len(c.stages), o.Metric) {
			judged++
			missed += one(v > o.Limit)
		}
	}
	return judged, missed
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
