// This file tells streams that are buffered on their way from those that come as they are generated.

package stats

import (
	"fmt"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/slo"
)

const (
	leastAnswers = 3 // of which it is said that they are buffered
	// A buffer that holds chunks back for less than this spoils no figure that a person would look at.
	shortestHold = 50 * time.Millisecond
	// What a client reads late comes many at a time too. Where the system does not tell that it was written so, and the waits
	// are no longer than so many times the client's lateness, its verdict says what is wrong, not this one.
	lateFactor = 4
)

// Clumps is how the chunks of completed answers came.
type Clumps struct {
	N       int           // answers of which it is known
	Clumped int           // those of them whose chunks came many at a time
	Written int           // those of the clumped ones that are known to have been written so
	Chunks  int64         // of the clumped ones
	Times   int64         // that some of these came
	Wait    time.Duration // sum over the clumped ones of the mean wait for each time
	Late    time.Duration // how late the client reads
}

func (c *Clumps) add(r *record.Record) {
	wait, clumped, known := r.Clumped() // before each time that something came
	if !known {
		return
	}
	if c.N++; clumped && wait > 0 {
		c.Clumped++
		c.Chunks += int64(r.Arrivals.Events)
		c.Times += int64(r.Arrivals.Times)
		c.Wait += wait
		c.Written += one(r.Arrivals.Written())
	}
}

func (c *Clumps) merge(o Clumps) {
	c.N += o.N
	c.Clumped += o.Clumped
	c.Written += o.Written
	c.Chunks += o.Chunks
	c.Times += o.Times
	c.Wait += o.Wait
}

// Buffered reports whether most answers came in clumps which neither the model nor this client can have made: latencies
// within the stream, and the time to the first token, are then those of a buffer on the way.
func (c *Clumps) Buffered() bool {
	if c.N < leastAnswers || 2*c.Clumped <= c.N {
		return false
	}
	wait := c.Wait / time.Duration(c.Clumped)
	return wait >= shortestHold && (2*c.Written > c.N || wait > lateFactor*c.Late)
}

// Sentence says that streams are buffered; "" where they are not, or it is not known.
func (c *Clumps) Sentence() string {
	if !c.Buffered() {
		return ""
	}
	return fmt.Sprintf("the stream is buffered on its way: TTFT, ITL and TPOT are not the server's (the chunks of %d %% of the answers "+
		"come %.0f at a time)", 100*c.Clumped/c.N, float64(c.Chunks)/float64(c.Times))
}

// ClientLate tells how late the client is known to read, for what it reads late comes many at a time.
func (c *Collector) ClientLate(by time.Duration) { c.late = by }

// buffered reports whether the streams of the run are.
func (l *store) buffered() bool {
	all := Clumps{Late: l.late}
	for which := range l.run {
		all.merge(l.run[which].sent.totals.clumps)
	}
	return all.Buffered()
}

// withhold takes out of a summary of buffered streams what is no latency of the server's: what lies between tokens, and
// scores that rest on the instants of tokens. TTFT stays: so long did whoever waits behind the buffer wait. Why there is no
// verdict then, Snapshot.Doubt says.
func (s *Summary) withhold(criteria slo.Criteria) {
	s.ITL, s.TPOT, s.ChunkGap, s.MeanITL = Distribution{}, Distribution{}, Distribution{}, 0
	if criteria.OfTokens() {
		s.Score = slo.Tally{OK: s.Score.OK, Failed: s.Score.Failed}
		s.Goodput, s.GoodputKnown = 0, false
	}
}
