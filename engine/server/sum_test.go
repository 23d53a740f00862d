package server

import (
	"testing"
	"time"

	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

func TestReplicasAreSummedUp(t *testing.T) {
	metrics := func(url string, at, running, kv float64) Metrics {
		m := unknown("the test does not tell")
		m.Kind, m.URL, m.At, m.Engines = VLLM, url, time.Unix(int64(at), 0), 1
		m.Running, m.KVUsage, m.GenerationTokens = optional.Of(running), optional.Of(kv), optional.Of(100*running)
		m.TTFT = Histogram{Histogram: promtext.Histogram{
			Buckets: []promtext.Bucket{{UpperBound: 1, Count: running}, {UpperBound: 2, Count: running}}, Count: running, Sum: running,
		}}
		return m
	}
	a, b := metrics("a", 7, 3, 0.5), metrics("b", 5, 4, 0.9)
	b.Waiting = optional.Of(2)
	a.SpecPositions, b.SpecPositions = []float64{10, 5}, []float64{1, 2}
	sum := Sum([]Metrics{a, b})
	if sum.Running.V != 7 || sum.GenerationTokens.V != 700 || sum.KVUsage.V != 0.9 || sum.Engines != 2 || sum.TTFT.Count != 7 {
		t.Errorf("running %v, output %v, KV %v, %d engines, %v", sum.Running, sum.GenerationTokens, sum.KVUsage, sum.Engines, sum.TTFT)
	}
	if p := sum.SpecPositions; len(p) != 2 || p[0] != 11 || p[1] != 7 || a.SpecPositions[0] != 10 {
		t.Errorf("accepted at each position: %v", p)
	}
	if sum.Waiting.OK() || sum.QueueTime.OK() {
		t.Errorf("A does not tell who waits, and all are %v", sum.Waiting)
	}
	if !sum.At.Equal(b.At) || len(sum.Each) != 2 || sum.Each[1].URL != "b" || sum.Each[1].Running.V != 4 || sum.Each[0].Waiting.OK() {
		t.Errorf("each: %+v, at %v", sum.Each, sum.At)
	}
	if a.TTFT.Count != 3 || a.TTFT.Buckets[0].Count != 3 {
		t.Error("what one of them said was changed")
	}
}
