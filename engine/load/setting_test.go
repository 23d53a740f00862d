// This file tests the setting: its names, its limits, its sentences.

package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var someTape = seconds(0, 1)

func TestSettingNamesItself(t *testing.T) {
	for want, s := range map[string]Setting{
		"c=32":                                  {Mode: Closed, Concurrency: 32, Rate: 5},
		"12 req/s poisson":                      {Mode: Open, Rate: 12, Arrival: Poisson, Concurrency: 3},
		"0.25 req/s constant, max 64 in flight": {Mode: Open, Rate: 0.25, Arrival: Constant, MaxInFlight: 64},
		"100000 req/s constant":                 {Mode: Open, Rate: 100_000, Arrival: Constant},
		"c=32 conversations":                    {Mode: Closed, Concurrency: 32, Conversations: true, MaxInFlight: 3},
		"c=32 over 30s":                         {Mode: Closed, Concurrency: 32, Ramp: Ramp{Linear, 30 * time.Second}, Cancel: true},
		"c=8 conversations over 1m":             {Mode: Closed, Concurrency: 8, Conversations: true, Ramp: Ramp{Linear, time.Minute}},
		"12 req/s gamma:2":                      {Mode: Open, Rate: 12, Arrival: Gamma(2)},
		"bursts of 16 every 2s":                 {Mode: Open, Rate: -1, Arrival: Burst(16, 2*time.Second)},
		"2 req/s poisson exponentially over 1h, max 9 in flight": {
			Mode: Open, Rate: 2, Arrival: Poisson, MaxInFlight: 9, Ramp: Ramp{Exponential, time.Hour},
		},
		"replay tape.csv":    {Mode: Replay, Timetable: someTape},
		"replay tape.csv ×2": {Mode: Replay, Timetable: someTape, Speed: 2, Conversations: true},
		"replay tape.csv ×0.5 over 5s, looped, max 64 in flight": {
			Mode: Replay, Timetable: someTape, Speed: 0.5, Loop: true, MaxInFlight: 64, Ramp: Ramp{Linear, 5 * time.Second},
		},
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
	replayed := func(speed float64, maxInFlight int) Setting {
		return Setting{Mode: Replay, Timetable: someTape, Speed: speed, MaxInFlight: maxInFlight}
	}
	const speeds = " is out of range: it goes from 0.01 to 1000 times that of the recording"
	const rates = " is out of range: it goes from 0.001 to 100000 requests a second"
	for _, c := range []struct {
		setting Setting
		want    string
	}{
		{Setting{}, "the load has no mode: it is closed (a number in flight), open (a rate) or replay (a recording)"},
		{Setting{Mode: "ajar"}, `load mode "ajar" is not known: it is closed (a number in flight), open (a rate) or replay (a recording)`},
		{closed(0), "concurrency 0 is out of range: it goes from 1 to 100000"},
		{closed(MaxConcurrency + 1), "concurrency 100001 is out of range: it goes from 1 to 100000"},
		{poisson(0, 0), "rate 0" + rates},
		{poisson(math.NaN(), 0), "rate NaN" + rates},
		{poisson(math.Inf(1), 0), "rate +Inf" + rates},
		{poisson(1, -1), "max in flight -1 is negative: it is a number of requests, or 0 for no cap"},
		{Setting{Mode: Replay}, "a replay has no recording: give it one"},
		{replayed(0.001, 0), "speed 0.001" + speeds},
		{replayed(1001, 0), "speed 1001" + speeds},
		{replayed(math.NaN(), 0), "speed NaN" + speeds},
		{replayed(1, -1), "max in flight -1 is negative: it is a number of requests, or 0 for no cap"},
		{Setting{Mode: Closed, Concurrency: 1, Ramp: Ramp{Linear, -1}}, "ramp: -1ns is out of range: a ramp takes more than no time and at most 24h; " + rampForms},
		{Setting{Mode: Closed, Concurrency: 1, Ramp: Ramp{"cubic", 1}}, `ramp: "cubic" is no curve that is known; ` + rampForms},
		{Setting{Mode: Open, Arrival: "burst:0/1s"}, "rate 0" + rates},
		{Setting{Mode: Open, Rate: 1}, `arrival "" is not known: it is constant, poisson, gamma:CV (as gamma:2) or burst:K/EVERY (as burst:16/2s)`},
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
	for _, mode := range []Mode{Open, Replay} {
		if got := (Setting{Mode: mode, Rate: 3, Arrival: Constant, Timetable: someTape, Concurrency: 5}).Target(); got != 0 {
			t.Errorf("%s: %d", mode, got)
		}
	}
}

func TestMeanRate(t *testing.T) {
	for _, c := range []struct {
		setting Setting
		want    float64
	}{
		{Setting{Mode: Open, Rate: 3, Arrival: Gamma(2)}, 3},
		{Setting{Mode: Open, Rate: 3, Arrival: Burst(16, 2*time.Second)}, 8},
		{Setting{Mode: Open, Arrival: " Burst: 1/4s"}, 0.25},
		{Setting{Mode: Closed, Rate: 3}, math.NaN()},
		{Setting{Mode: Replay, Rate: 3, Timetable: someTape}, math.NaN()},
	} {
		if got := c.setting.MeanRate(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v, want %v", c.setting, got, c.want)
		}
	}
}

func TestLevelsOfTheModes(t *testing.T) {
	for _, c := range []struct {
		setting Setting
		axis    string
		level   float64
		at12    string
	}{
		{closed(5), "concurrency", 5, "c=12"},
		{open(2, 7), "req/s", 2, "12 req/s constant, max 7 in flight"},
		{Setting{Mode: Open, Rate: 9, Arrival: Burst(6, 2*time.Second)}, "req/s", 3, "bursts of 6 every 500ms"},
		{replay(someTape, 0), "speed", 1, "replay tape.csv ×12"},
	} {
		if got := c.setting.Axis(); got != c.axis {
			t.Errorf("%s: axis %q", c.setting, got)
		}
		if got := c.setting.Level(); got != c.level {
			t.Errorf("%s: level %v", c.setting, got)
		}
		if got := c.setting.AtLevel(12).String(); got != c.at12 {
			t.Errorf("%s at level 12: %s", c.setting, got)
		}
	}
	if s := (Setting{Rate: 3}); s.Axis() != "" || s.Level() != 0 || s.AtLevel(4) != s {
		t.Error("a setting without a mode has a level")
	}
}

func TestLevelsThatAreOutOfRangeAreRefused(t *testing.T) {
	for _, s := range []Setting{closed(5), open(2, 7), {Mode: Open, Arrival: Burst(6, 2*time.Second)}, replay(someTape, 1)} {
		for _, level := range []float64{-1, 1e-6, 1e6, math.Inf(1), math.NaN()} {
			if err := s.AtLevel(level).Validate(); err == nil {
				t.Errorf("%s is valid at level %v, as %s", s, level, s.AtLevel(level))
			}
		}
	}
}

func TestSettingsAtALevelHaveThatLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]Setting{
			closed(5), open(2, 7), {Mode: Open, Arrival: Burst(6, 2*time.Second)}, replay(someTape, 1),
		}).Draw(t, "setting")
		level := rapid.Float64Range(1, 1000).Draw(t, "level")
		if s.Mode == Closed {
			level = math.Round(level)
		}
		if got := s.AtLevel(level); !near(got.Level(), level, level) || got.Validate() != nil {
			t.Errorf("%s at level %v is %s, of level %v", s, level, got, got.Level())
		}
	})
}

func TestSettingsThatPutTheSameLoadOn(t *testing.T) {
	full := Setting{
		Concurrency: 4, Conversations: true, Rate: 2, Arrival: Gamma(2), Timetable: someTape, Speed: 3, Loop: true,
		MaxInFlight: 5, Ramp: Ramp{Linear, time.Second}, Cancel: true,
	}
	changes := map[string]func(*Setting){
		"concurrency": func(s *Setting) { s.Concurrency++ }, "conversations": func(s *Setting) { s.Conversations = false },
		"rate": func(s *Setting) { s.Rate++ }, "arrival": func(s *Setting) { s.Arrival = Poisson },
		"recording": func(s *Setting) { s.Timetable = seconds(0) }, "speed": func(s *Setting) { s.Speed++ },
		"loop": func(s *Setting) { s.Loop = false }, "cap": func(s *Setting) { s.MaxInFlight++ },
		"ramp": func(s *Setting) { s.Ramp = Ramp{} }, "cancel": func(s *Setting) { s.Cancel = false },
		"mode": func(s *Setting) { s.Mode = "" },
	}
	for mode, counts := range map[Mode][]string{
		Closed: {"concurrency", "conversations", "mode"},
		Open:   {"rate", "arrival", "cap", "mode"},
		Replay: {"recording", "speed", "loop", "cap", "mode"},
	} {
		full.Mode = mode
		for name, change := range changes {
			other := full
			change(&other)
			if got, want := full.Same(other), !slices.Contains(counts, name); got != want || other.Same(full) != want {
				t.Errorf("%s with another %s: same is %v, want %v", mode, name, got, want)
			}
			if full == other {
				t.Errorf("%s with another %s compares as equal", mode, name)
			}
		}
	}
}

func TestSettingsWrittenDifferentlyPutTheSameLoadOn(t *testing.T) {
	for name, pair := range map[string][2]Setting{
		"arrival":            {{Mode: Open, Rate: 2, Arrival: "gamma:0.5"}, {Mode: Open, Rate: 2, Arrival: "Gamma: 0.50"}},
		"speed":              {replay(someTape, 0), replay(someTape, 1)},
		"rate beside bursts": {{Mode: Open, Rate: 2, Arrival: "burst:1/1s"}, {Mode: Open, Rate: 7, Arrival: "burst:1/1000ms"}},
	} {
		if !pair[0].Same(pair[1]) {
			t.Errorf("%s: %+v and %+v are not the same", name, pair[0], pair[1])
		}
	}
}
