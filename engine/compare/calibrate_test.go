package compare

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// thorough reports whether the calibration is to be made over all there is, which takes minutes: TOKDYNO_CALIBRATE=1.
func thorough() bool { return os.Getenv("TOKDYNO_CALIBRATE") != "" }

const pairs = 200

// pair measures two servers, the second of which is slower by a factor.
func (m model) pair(i int, slow float64) (a, b []*Series) {
	m.slow = 1
	a = []*Series{m.run(rand.New(rand.NewPCG(uint64(i), 1)))}
	m.slow = slow
	return a, []*Series{m.run(rand.New(rand.NewPCG(uint64(i), 2)))}
}

func differs(d *Difference) bool { return d.Answer == Better || d.Answer == Worse }

// TestEqualServersAreRarelyCalledDifferent compares a server with itself. No figure alone may be called different in more
// than one pair of twenty, nor any of all that are asked for together.
func TestEqualServersAreRarelyCalledDifferent(t *testing.T) {
	models := map[string]model{
		"closed loop, its speed wanders": {concurrency: 8, seconds: 60, mood: 0.05},
	}
	if thorough() {
		models["short"] = model{concurrency: 8, seconds: 30}
		models["closed loop"] = model{concurrency: 8, seconds: 60}
		models["large batch"] = model{concurrency: 32, seconds: 60}
		models["long, its speed wanders"] = model{concurrency: 8, seconds: 300, mood: 0.05}
		models["open loop"] = model{rate: 4, seconds: 60}
		models["open loop, long"] = model{rate: 4, seconds: 300}
		models["open loop, near its capacity"] = model{rate: 8, seconds: 120}
	}
	pairs := pairs // fewer tell a method that is wrong, and not by how much
	if !thorough() {
		pairs = 60
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.limit = 100
			metrics := Usual()
			alone, together := make([]int, len(metrics)), 0
			for i := range pairs {
				a, b := m.pair(i, 1)
				all := make([]Difference, len(metrics))
				for j := range metrics {
					all[j] = metrics[j].compare(a, b, Noise, Alpha)
					one := all[j]
					if one.settle(); differs(&one) {
						alone[j]++
					}
				}
				correct(all)
				for j := range all {
					all[j].settle()
				}
				if slices.ContainsFunc(all, func(d Difference) bool { return differs(&d) }) {
					together++
				}
			}
			t.Logf("any of %d: %.1f %%", len(metrics), 100*float64(together)/float64(pairs))
			for j := range metrics {
				t.Logf("%-14s %.1f %%", metrics[j].Name, 100*float64(alone[j])/float64(pairs))
				if alone[j] > pairs/20 {
					t.Errorf("%s of equal servers is called different in %d of %d pairs", metrics[j].Name, alone[j], pairs)
				}
			}
			if together > pairs/20 {
				t.Errorf("equal servers are called different in %d of %d pairs", together, pairs)
			}
		})
	}
}

// TestATenthIsFoundAtTheStatedLength takes from runs that were too short how long it would take, and measures as long: a
// server that is slower by 10 % is then found in at least nine of ten pairs.
func TestATenthIsFoundAtTheStatedLength(t *testing.T) {
	for name, m := range map[string]model{"closed loop": {concurrency: 8}, "open loop": {rate: 4}} {
		for _, metric := range []string{"ttft_p50", "ttft_p95", "tpot_p95", "e2el_p50", "e2el_p95"} {
			if !thorough() && (metric != "e2el_p95" || m.rate > 0) {
				continue
			}
			t.Run(name+" "+metric, func(t *testing.T) {
				t.Parallel()
				one, err := Parse(metric)
				if err != nil {
					t.Fatal(err)
				}
				m := m
				m.seconds = 30
				var needs []float64
				for range 3 { // a length of which the interval is known tells the length better
					needs = needs[:0]
					for i := range 20 {
						a, b := m.pair(1000+i, 1)
						if d := Compare(a, b, one, Noise)[0]; d.NeedS != nil {
							needs = append(needs, *d.NeedS)
						}
					}
					if len(needs) < 10 {
						break // most can tell already
					}
					slices.Sort(needs)
					m.seconds = needs[len(needs)/2]
				}
				tries, found := 50, 0
				if thorough() {
					tries = pairs
				}
				requests := 0
				for i := range tries {
					a, b := m.pair(i, 1.1)
					d := Compare(a, b, one, Noise)[0]
					requests = d.NA
					if d.Answer == Worse {
						found++
					}
				}
				t.Logf("%.0f s, %d requests: %.1f %% found", m.seconds, requests, 100*float64(found)/float64(tries))
				if found*10 < tries*9 {
					t.Errorf("in %.0f s, 10 %% more is found in %d of %d pairs", m.seconds, found, tries)
				}
			})
		}
	}
}
