// Histograms of the server's own times, with vLLM's buckets.

package sim

import (
	"strconv"
	"time"
)

// histogram counts observations in buckets, as Prometheus defines them.
type histogram struct {
	bounds []float64 // upper, inclusive, ascending; +Inf is implied
	counts []int64   // one more than bounds, not cumulative
	sum    float64
	total  int64
}

func newHistogram(bounds ...float64) histogram {
	return histogram{bounds: bounds, counts: make([]int64, len(bounds)+1)}
}

// observe counts one value.
func (h *histogram) observe(v float64) {
	i := 0
	for i < len(h.bounds) && v > h.bounds[i] {
		i++
	}
	h.counts[i]++
	h.sum += v
	h.total++
}

// appendText appends the histogram in the text format.
func (h *histogram) appendText(dst []byte, name, labels string) []byte {
	var cumulative int64
	for i, n := range h.counts {
		cumulative += n
		le := "+Inf"
		if i < len(h.bounds) {
			le = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		dst = append(dst, name...)
		dst = append(dst, "_bucket{"...)
		dst = append(dst, labels...)
		dst = append(dst, `,le="`...)
		dst = append(dst, le...)
		dst = append(dst, `"} `...)
		dst = strconv.AppendInt(dst, cumulative, 10)
		dst = append(dst, '\n')
	}
	dst = appendSample(dst, name+"_sum", labels, h.sum)
	return appendSample(dst, name+"_count", labels, float64(h.total))
}

// timings are the server's own view of its requests' times, in wall-clock seconds, and of their sizes.
type timings struct {
	firstToken   histogram
	interToken   histogram // per token
	timePerToken histogram // per request
	endToEnd     histogram
	queue        histogram
	prefill      histogram
	decode       histogram
	promptSize   histogram
	outputSize   histogram
	success      [2]int64 // by finishReason
}

func newTimings() timings {
	first := []float64{.001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560}
	token := []float64{.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80}
	request := []float64{.3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680}
	size := []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000}
	return timings{
		firstToken:   newHistogram(first...),
		interToken:   newHistogram(token...),
		timePerToken: newHistogram(token...),
		endToEnd:     newHistogram(request...),
		queue:        newHistogram(request...),
		prefill:      newHistogram(request...),
		decode:       newHistogram(request...),
		promptSize:   newHistogram(size...),
		outputSize:   newHistogram(size...),
	}
}

// token notes a token of the stream.
func (t *timings) token(s *stream, now time.Time) {
	if s.first.IsZero() {
		s.first = now
		t.firstToken.observe(now.Sub(s.arrived).Seconds())
		t.prefill.observe(now.Sub(s.admitted).Seconds())
	} else {
		t.interToken.observe(now.Sub(s.last).Seconds())
	}
	s.last = now
}

// finished notes the end of the stream.
func (t *timings) finished(s *stream, now time.Time) {
	decode := now.Sub(s.first).Seconds()
	t.endToEnd.observe(now.Sub(s.arrived).Seconds())
	t.decode.observe(decode)
	if n := s.seq.output; n > 1 {
		t.timePerToken.observe(decode / float64(n-1))
	}
	t.promptSize.observe(float64(s.seq.prompt))
	t.outputSize.observe(float64(s.seq.output))
	t.success[s.reason]++
}
