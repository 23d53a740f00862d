//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/stats"
)

// mark is what the soak knows of a stretch of it.
type mark struct {
	footprint // at its end
	begun     time.Time
	many      bool // thousands of streams ran
	files     int  // the most that were open in it
	requests  int  // that the server has answered since its start; -1: unknown
	late      stats.Histogram
	starved   float64 // the share of its time that threads waited for a processor that others had
}

const heading = "   stretch   goroutines  most files     heap  resident  starved  requests   frames  late p50      p99      max"

func (m *mark) String() string {
	q := m.late.Quantiles(0.5, 0.99, 1)
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
	return fmt.Sprintf("%5.0f s %-9s %6d %11d %5.1f MiB %5.0f MiB %6.1f %% %9d %8d %9s %8s %8s", m.At.Sub(m.begun).Seconds(),
		map[bool]string{true: "10000"}[m.many], m.Goroutines, m.files, m.HeapMiB, m.RSSMiB, 100*m.starved, m.requests, m.late.N(), ms(q[0]), ms(q[1]), ms(q[2]))
}

// markOf is what a process told in a file since an instant.
func markOf(t *testing.T, file string, begun time.Time, many bool) mark {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := mark{begun: begun, many: many}
	var first footprint
	for line := range strings.Lines(string(text)) {
		var f footprint
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.At.Before(begun) {
			continue // or it is not written to its end
		}
		if first.At.IsZero() {
			first = f
		}
		m.footprint, m.files = f, max(m.files, f.Files)
		for _, b := range f.Late.Buckets {
			m.late.Add(b.Middle(), int64(b.N))
		}
	}
	if over := m.At.Sub(first.At).Seconds(); over > 0 {
		m.starved = (m.Waited - first.Waited) / over
	}
	return m
}

// requestsOf is how many requests a simulated server has answered; -1 where it does not say.
func requestsOf(address string) (n int) {
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		return -1
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), "} "); ok && strings.HasPrefix(name, "vllm:request_success_total{") {
			answered, _ := strconv.ParseFloat(value, 64)
			n += int(answered)
		}
	}
	return n
}

// judge holds the stretches of a soak against its limits.
func judge(t *testing.T, marks []mark) {
	t.Helper()
	limits := map[bool]time.Duration{false: frameLate, true: frameLateMany}
	var calm []mark
	for i := range marks {
		m := &marks[i]
		if m.many && m.files < manyStreams {
			t.Errorf("no more than %d files were open: there were not %d streams", m.files, manyStreams)
		}
		if !m.many {
			calm = append(calm, *m)
		}
		if p99 := m.late.Quantiles(0.99)[0]; p99 > limits[m.many] && m.starved <= starved {
			t.Errorf("p99 of how late frames are is %v, more than %v, in\n%s\n%s", p99, limits[m.many], heading, m)
		}
	}
	for many, of := range map[bool]string{false: "frames", true: "frames beside thousands of streams"} {
		var all, fair stats.Histogram // of all stretches, and of those in which it had the processors it wanted
		for i := range marks {
			if m := &marks[i]; m.many == many {
				all.Merge(&m.late)
				if m.starved <= starved {
					fair.Merge(&m.late)
				}
			}
		}
		q, f := all.Quantiles(0.5, 0.99, 1), fair.Quantiles(0.99, 1)
		t.Logf("%s: %d, late by %v (p50), %v (p99), %v (most); those %d with processors to run on by %v (p99), %v (most); limit of p99: %v",
			of, all.N(), q[0], q[1], q[2], fair.N(), f[0], f[1], limits[many])
		if all.N() > 0 && fair.N() == 0 {
			t.Logf("%s: NOT JUDGED, the machine was busy with other things all the time", of)
		}
	}
	if len(calm) < 4 {
		t.Logf("%d stretches: too few to tell whether it takes more and more", len(calm))
		return
	}
	middle, end := calm[len(calm)/2], calm[len(calm)-1]
	t.Logf("from the middle to the end: goroutines %d to %d, heap %.1f to %.1f MiB, %d requests", middle.Goroutines, end.Goroutines,
		middle.HeapMiB, end.HeapMiB, end.requests-middle.requests)
	if end.Goroutines > middle.Goroutines+moreRoutines {
		t.Errorf("goroutines grew from %d to %d", middle.Goroutines, end.Goroutines)
	}
	allowed := middle.HeapMiB + heapGrowth + bytesARequest*float64(end.requests-middle.requests)/(1<<20)
	if end.HeapMiB > allowed {
		t.Errorf("the heap grew from %.1f to %.1f MiB, more than %.1f", middle.HeapMiB, end.HeapMiB, allowed)
	}
}
