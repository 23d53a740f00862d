// This file tests the setting: its names, its limits, its sentences.

package load

import (
	"math"
	"testing"
)

func TestSettingNamesItself(t *testing.T) {
	for want, s := range map[string]Setting{
		"c=32":                                  {Mode: Closed, Concurrency: 32, Rate: 5},
		"12 req/s poisson":                      {Mode: Open, Rate: 12, Arrival: Poisson, Concurrency: 3},
		"0.25 req/s constant, max 64 in flight": {Mode: Open, Rate: 0.25, Arrival: Constant, MaxInFlight: 64},
		"100000 req/s constant":                 {Mode: Open, Rate: 100_000, Arrival: Constant},
	} {
		if got := s.String(); got != want {
			t.Errorf("%+v is %q, want %q", s, got, want)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestSettingRefuses(t *testing.T) {
	poisson := func(rate float64, maxInFlight int) Setting {
		return Setting{Mode: Open, Rate: rate, Arrival: Poisson, MaxInFlight: maxInFlight}
	}
	const rates = " is out of range: it goes from 0.001 to 100000 requests a second"
	for _, c := range []struct {
		setting Setting
		want    string
	}{
		{Setting{}, "the load has no mode: it is closed (a number in flight) or open (a rate)"},
		{Setting{Mode: "ajar"}, `load mode "ajar" is not known: it is closed (a number in flight) or open (a rate)`},
		{closed(0), "concurrency 0 is out of range: it goes from 1 to 100000"},
		{closed(MaxConcurrency + 1), "concurrency 100001 is out of range: it goes from 1 to 100000"},
		{poisson(0, 0), "rate 0" + rates},
		{poisson(math.NaN(), 0), "rate NaN" + rates},
		{poisson(math.Inf(1), 0), "rate +Inf" + rates},
		{poisson(1, -1), "max in flight -1 is negative: it is a number of requests, or 0 for no cap"},
		{Setting{Mode: Open, Rate: 1}, `arrival "" is not known: it is constant or poisson`},
	} {
		if err := c.setting.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.setting, err, c.want)
		}
	}
}

func TestTarget(t *testing.T) {
	if got := closed(5).Target(); got != 5 {
		t.Errorf("closed loop: %d", got)
	}
	if got := (Setting{Mode: Open, Rate: 3, Arrival: Constant, Concurrency: 5}).Target(); got != 0 {
		t.Errorf("open loop: %d", got)
	}
}
