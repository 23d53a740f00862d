// This file tests the names of the arrival processes.

package load

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestArrivalsAreWrittenInOneWay(t *testing.T) {
	for text, want := range map[string]Arrival{
		"constant": Constant, " Poisson\n": Poisson,
		"Gamma: 0.50": Gamma(0.5), "gamma:2": "gamma:2", " GAMMA : 1e1 ": "gamma:10", "gamma:0.001": "gamma:0.001",
		"burst:16/2s": Burst(16, 2*time.Second), "Burst: 016 / 2000ms ": "burst:16/2s", "burst:1/1m": "burst:1/1m",
		"burst:1/16m40s": "burst:1/16m40s", "burst:8/1.5s": "burst:8/1.5s", "burst:100000/1s": "burst:100000/1s",
		"burst:1,000 / 2 s": "burst:1000/2s",
	} {
		if got, err := ParseArrival(text); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestArrivalsThatAreRefused(t *testing.T) {
	const variation = "the coefficient of variation is a number from 0.001 to 10"
	const size = "a burst is a whole number of arrivals, from 1 to 100000"
	const every = "the time between bursts is more than none, and at most 16m40s"
	for text, want := range map[string]string{
		"gamma:0": variation, "gamma:10.1": variation, "gamma:": variation, "gamma:NaN": variation, "gamma:-1": variation,
		"gamma:two":    variation,
		"burst:0/2s":   size,
		"burst:1.5/2s": size, "burst:100001/2s": size, "burst:/2s": size,
		"burst:4/0s": every, "burst:4/1000.1s": every, "burst:4/": `"" is not a time; write it like 2s`,
		"burst:4/2": "2 of what? 2s", "burst:4/-1s": `"-1s" is not a time; write it like 2s`,
		"burst:16":    "after burst comes how many arrive at once, a slash, and the time between bursts",
		"burst:2/1ns": "that is more than 100000 requests a second",
	} {
		_, err := ParseArrival(text)
		if sentence := `arrival "` + text + `": ` + want + "; " + arrivalForms; err == nil || err.Error() != sentence {
			t.Errorf("%q: %v, want %s", text, err, sentence)
		}
	}
	for _, text := range []string{"", "gauss", "gamma", "burst", "poisson:1", "constant:", "gamma0.5"} {
		_, err := ParseArrival(text)
		if sentence := `arrival "` + text + `" is not known: ` + arrivalForms; err == nil || err.Error() != sentence {
			t.Errorf("%q: %v, want %s", text, err, sentence)
		}
		if Arrival(text).process() != nil {
			t.Errorf("%q draws gaps", text)
		}
	}
	for _, form := range []string{"constant", "poisson", "gamma:2", "burst:16/2s"} {
		if !strings.Contains(arrivalForms, form) {
			t.Errorf("no %s among the forms: %s", form, arrivalForms)
		}
	}
}

func TestWrittenArrivalsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		variation := rapid.Float64Range(MinVariation, MaxVariation).Draw(t, "variation")
		if a, err := ParseArrival(string(Gamma(variation))); err != nil || a != Gamma(variation) {
			t.Errorf("%q: %q, %v", Gamma(variation), a, err)
		}
		every := time.Duration(rapid.Int64Range(int64(time.Second), int64(MaxBurstEvery)).Draw(t, "every"))
		size := rapid.IntRange(1, MaxBurst).Draw(t, "size")
		if a, err := ParseArrival(string(Burst(size, every))); err != nil || a != Burst(size, every) {
			t.Errorf("%q: %q, %v", Burst(size, every), a, err)
		}
	})
}

// What is accepted is written in one way, and draws.
func FuzzParseArrival(f *testing.F) {
	f.Add("gamma:0.5")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseArrival(text)
		if err != nil {
			if !strings.Contains(err.Error(), arrivalForms) {
				t.Errorf("the error does not say what may be written: %v", err)
			}
			return
		}
		if again, err := ParseArrival(string(a)); err != nil || again != a {
			t.Errorf("%q is written %q, which is read as %q, %v", text, a, again, err)
		}
		s := Setting{Mode: Open, Rate: 1, Arrival: a}
		if err := s.Validate(); err != nil {
			t.Errorf("%q is accepted, but not in a setting: %v", text, err)
		}
		if rate := s.MeanRate(); !(rate >= MinRate && rate <= MaxRate) {
			t.Errorf("%q has the rate %v", text, rate)
		}
		for _, gap := range draws(a, 100) {
			if !(gap >= 0) {
				t.Errorf("%q draws a gap of %v", text, gap)
			}
		}
	})
}
