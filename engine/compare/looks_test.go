package compare

import (
	"math"
	"slices"
	"testing"
)

// upTo is what was measured in the first seconds of a series.
func (s *Series) upTo(seconds float64) *Series {
	cut := &Series{Seconds: min(seconds, s.Seconds)}
	for i, to := range cut.values() {
		v := s.values()[i]
		for j, at := range v.At {
			if at < seconds {
				to.Add(at, v.V[j], v.Weight(j))
			}
		}
	}
	for i, to := range cut.sums() {
		v := s.sums()[i]
		for j, at := range v.At {
			if at < seconds {
				to.Add(at, v.Num[j], v.Den[j])
			}
		}
	}
	return cut
}

// watch looks at a pair every second, as a person does, and returns what each look found.
func watch(a, b *Series) (all []Look) {
	var l Looks
	for t := 1.0; t <= a.Seconds; t++ {
		if t >= l.Next("c=8", a.residence()) {
			all = append(all, l.Take("c=8", a.upTo(t), []*Series{b.upTo(t)}, Watched())...)
		}
	}
	return all
}

func TestLooksAreFewAndSpendTheErrorOnce(t *testing.T) {
	var l Looks
	var at []float64
	spent := 0.0
	for s := 0.0; s <= 600; s++ {
		if s < l.Next("c=8", 2) {
			continue
		}
		at = append(at, s)
		spent += 1 - l.Take("c=8", &Series{Seconds: s}, []*Series{{Seconds: s}}, nil)[0].Confidence
	}
	if want := []float64{20, 30, 45, 68, 102, 153, 230, 345, 518}; !slices.Equal(at, want) {
		t.Errorf("looks at %v, want %v", at, want)
	}
	if spent > Alpha || spent < 0.8*Alpha {
		t.Errorf("an error of %.4f is spent", spent)
	}
	if at := l.Next("c=8", 2); at != 1.5*518 {
		t.Errorf("the tenth look is due at %v", at)
	}
	if at := l.Next("c=16", 7); at != 1.05*5*7 {
		t.Errorf("another load has times of its own, and where requests are long there are enough blocks at %v", at)
	}
	if c := l.Take("c=16", &Series{Seconds: 20}, []*Series{{Seconds: 20}}, nil)[0].Confidence; math.Abs(1-c-0.05/110) > 1e-6 {
		t.Errorf("the tenth look has confidence %v", c)
	}
	if asked := l.Spend(); math.Abs(asked-0.05/132) > 1e-9 || l.Made() != 11 || After(11) != l.Last() || After(0) != Alpha {
		t.Errorf("whoever asks after ten looks has an error of %v", asked)
	}
	both := Looks{Sides: 2}
	if c := both.Take("c=8", &Series{}, []*Series{{}, {}}, nil)[1].Confidence; c != 1-0.05/2/2 {
		t.Errorf("of two sides, the first look has confidence %v", c)
	}
}

// TestWhoLooksEverySecondFindsNothingThatIsNotThere watches pairs of equal servers for ten minutes.
func TestWhoLooksEverySecondFindsNothingThatIsNotThere(t *testing.T) {
	models := map[string]model{"closed loop, its speed wanders": {concurrency: 8, seconds: 150, mood: 0.05}}
	if thorough() {
		models = map[string]model{
			"closed loop":                     {concurrency: 8, seconds: 600},
			"closed loop, its speed wanders":  {concurrency: 8, seconds: 600, mood: 0.05},
			"large batch":                     {concurrency: 32, seconds: 600},
			"open loop":                       {rate: 4, seconds: 600},
			"open loop, near its capacity":    {rate: 8, seconds: 600},
			"open loop, slow, its mood is so": {rate: 2, seconds: 600, mood: 0.1},
			"requests of 7 s":                 {concurrency: 8, seconds: 600, long: 3, mood: 0.05},
			"one at a time, of 6 s":           {concurrency: 1, seconds: 600, long: 3, mood: 0.05},
			"open loop, requests of 7 s":      {rate: 2, seconds: 600, long: 3},
		}
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.limit = 100
			n, ever := pairs, 0
			if !thorough() {
				n = pairs / 4
			}
			for i := range n {
				a, b := m.pair(i, 1)
				found := func(l Look) bool {
					return slices.ContainsFunc(l.Differences, func(d Difference) bool { return differs(&d) })
				}
				if slices.ContainsFunc(watch(a[0], b[0]), found) {
					ever++
				}
			}
			t.Logf("%d of %d pairs are ever called different", ever, n)
			if ever > n/20 {
				t.Errorf("equal servers are called different in %d of %d pairs", ever, n)
			}
		})
	}
}

// TestALiveLookFindsWhatIsThere watches a server that is slower, and finds it so, never the other way round.
func TestALiveLookFindsWhatIsThere(t *testing.T) {
	tests := map[string]struct {
		model
		slow, share float64
	}{
		"a fifth, in 2.5 min": {model{concurrency: 8, seconds: 153}, 1.2, 0.8},
	}
	if thorough() {
		tests["a tenth, in 10 min"] = struct {
			model
			slow, share float64
		}{model{concurrency: 8, seconds: 600}, 1.1, 0.95}
		tests["a tenth, in 10 min, its speed wanders"] = struct {
			model
			slow, share float64
		}{model{concurrency: 8, seconds: 600, mood: 0.05}, 1.1, 0.9}
		tests["a fifth, in 10 min of an open loop"] = struct {
			model
			slow, share float64
		}{model{rate: 4, seconds: 600}, 1.2, 0.75}
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.limit = 100
			n, found, first := 20, 0, 0.0
			if thorough() {
				n = pairs
			}
			for i := range n {
				a, b := tt.pair(i, tt.slow)
				for _, l := range watch(a[0], b[0]) {
					at := slices.IndexFunc(l.Differences, func(d Difference) bool { return d.Metric == "e2el_p95" })
					if d := &l.Differences[at]; d.Answer == Better {
						t.Errorf("pair %d: %s is better by %v", i, d.Title, *d.Change)
					} else if d.Answer == Worse {
						found++
						first += l.SecondsA
						break
					}
				}
			}
			t.Logf("E2EL p95: found in %d of %d, after %.0f s on average", found, n, first/float64(max(found, 1)))
			if float64(found) < tt.share*float64(n) {
				t.Errorf("found in %d of %d pairs", found, n)
			}
		})
	}
}
