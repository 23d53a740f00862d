// Arbitrary pages.

package server

import (
	"math"
	"os"
	"testing"
	"time"

	"tokdyno/gpu/promtext"
)

// FuzzInterpret looks for pages, and pairs of pages, whose figures make no sense.
func FuzzInterpret(f *testing.F) {
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var readings []Metrics
		for i, text := range [][]byte{first, second, first} {
			m, ok := Interpret(promtext.Parse(text))
			if !ok {
				m, ok = InterpretOllama(text)
			}
			if !ok {
				continue
			}
			m.At = began.Add(time.Duration(i) * time.Second)
			readings = append(readings, m)
			for name, v := range known(m) {
				if !(v >= 0) || math.IsInf(v, 0) {
					t.Errorf("%s is %v", name, v)
				}
			}
			if m.Kind == "" {
				t.Error("figures of nobody")
			}
			if usage := m.KVUsage; usage.OK() && usage.V > 1 {
				t.Errorf("KV use is %v", usage.V)
			}
			if m.Running.OK() != (m.Engines > 0) {
				t.Errorf("running %+v on %d engines", m.Running, m.Engines)
			}
		}
		var totals Totals
		var last Metrics
		for _, m := range readings {
			checkWindow(t, between(last, m))
			totals.Add(m)
			last = m
		}
		checkWindow(t, totals.Summary().Window)
	})
}

// BenchmarkInterpret reads a page of vLLM's as it comes once a second.
func BenchmarkInterpret(b *testing.B) {
	text, err := os.ReadFile("testdata/llm-d.txt")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Interpret(promtext.Parse(text)); !ok {
			b.Fatal("no figures")
		}
	}
}
