// This file sends failed requests again, where the user wants that.

package wire

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

// Pauses before a request is sent again.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	mostAsked    = 365 * 24 * time.Hour
	longestAsked = 10 * time.Minute // where the server says how long: who comes back earlier is refused again
)

// attempts sends a request until it succeeds, fails for good, or Endpoint.Retries are used up.
func (c *Client) attempts(
	ctx context.Context, req *Request, s *stream, rec *record.Record, obs record.Observer,
) verdict {
	blank, began := *rec, c.clock()
	v := c.once(ctx, req, s, rec, obs)
	rec.Attempts = 1
	if c.ep.Retries == 0 || !passing(v, rec) {
		return v
	}
	sent, t0 := rec.Sent != 0, rec.Sent
	if !sent {
		t0 = began
	}
	if obs != nil {
		obs = &since{Observer: obs, t0: t0, told: sent}
	}
	for n := 1; n <= c.ep.Retries && passing(v, rec) && ctx.Err() == nil; n++ {
		waited, again := c.await(ctx, n, rec.ID, endpoint.Refusal{Kind: v.kind, Status: rec.Status, Example: v.sentence}, s.retryAfter)
		blank.Retried, blank.Waited = rec.Retried, blank.Waited+waited
		if !again { // it was never answered but by that refusal
			rec.Waited, v.final = blank.Waited, true
			return v
		}
		*rec = blank
		v = c.once(ctx, req, s, rec, obs)
		rec.Attempts = n + 1
		if sent = sent || rec.Sent != 0; sent {
			rec.Sent = t0
		}
	}
	return v
}

// await waits before an attempt is followed by the next, which is seen meanwhile, and returns for how long; false if ctx ends
// first.
func (c *Client) await(
	ctx context.Context, n int, id uint64, why endpoint.Refusal, asked time.Duration,
) (waited time.Duration, again bool) {
	began, d := c.clock(), pause(n, id, asked)
	why.Example = c.clean(why.Example)
	end := c.waits.begin(endpoint.Waiting{Refusal: why, Asked: asked, Until: began.Add(d)})
	again = c.rest(ctx, d)
	waited = time.Duration(c.clock() - began)
	end(waited, again)
	return waited, again
}

// once sends a request and reads its answer.
func (c *Client) once(
	ctx context.Context, req *Request, s *stream, rec *record.Record, obs record.Observer,
) verdict {
	s.answer.reset(rec, obs, req)
	s.retryAfter = 0
	return c.exchange(ctx, req, s)
}

// passing reports whether a failure may be over when the request is sent again, and nothing of an answer was seen.
func passing(v verdict, rec *record.Record) bool {
	return mayPass(v.kind) && rec.Chunks == 0
}

// mayPass reports whether a failure of a kind may be over the next time.
func mayPass(kind record.Kind) bool {
	switch kind {
	case record.KindConnect, record.KindHTTP429, record.KindHTTP5xx, record.KindTruncated:
		return true
	}
	return false
}

// since hears for an observer that a request was sent: once, as of its first attempt.
type since struct {
	record.Observer
	t0   record.Instant
	told bool
}

// Sent implements record.Observer.
func (s *since) Sent(record.Instant) {
	if !s.told {
		s.told = true
		s.Observer.Sent(s.t0)
	}
}

// pause is how long to wait after the n-th attempt of a request, from 1: what the server asked for, or else
//
//	d·(1 − u/2), d = min(0.5 s · 2ⁿ⁻¹, 30 s), u in [0, 1) by the request's number
//
// so that requests which failed together do not come back together. (It is the "equal jitter" of Marc Brooker, Exponential
// Backoff And Jitter, AWS Architecture Blog, 2015, with a u that is the same in every run.)
func pause(n int, id uint64, asked time.Duration) time.Duration {
	if asked > 0 {
		return min(asked, longestAsked)
	}
	long := min(firstPause<<min(n-1, 10), longestPause)
	const golden = 0x9E3779B97F4A7C15 // Knuth's multiplicative hash: neighbours come to lie far apart
	share := float64((id*golden+uint64(n))>>11) / (1 << 53)
	return long - time.Duration(share*float64(long/2))
}

// retryAfter reads a Retry-After header: seconds, or a date, which is taken against the server's own Date so that nobody's
// clock matters. 0 where there is none, where it is past, and where it cannot be read.
func retryAfter(h http.Header) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) || math.IsInf(seconds, 1) {
			return 0
		}
		return time.Duration(min(seconds, mostAsked.Seconds()) * float64(time.Second))
	}
	until, err := http.ParseTime(value)
	now, unknown := http.ParseTime(h.Get("Date"))
	if err != nil || unknown != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), mostAsked)
}

// Rest waits; false if ctx ends first, or has ended.
func Rest(ctx context.Context, d time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
