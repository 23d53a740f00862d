package slo

import "testing"

func TestHowFarUpTheLevelsAnSLOHolds(t *testing.T) {
	const h, m, u, none = Held, Missed, Unknown, NoVerdict
	for name, c := range map[string]struct {
		verdicts []Verdict
		want     Reach
	}{
		"no level":                   {nil, Reach{-1, -1, -1, -1}},
		"nothing asked":              {[]Verdict{none, none}, Reach{-1, -1, -1, -1}},
		"all held":                   {[]Verdict{h, h}, Reach{1, -1, -1, -1}},
		"held, then missed":          {[]Verdict{h, h, m, m}, Reach{1, 2, -1, -1}},
		"held above one that missed": {[]Verdict{h, m, h, m}, Reach{0, 1, 2, -1}},
		"none held":                  {[]Verdict{m, m}, Reach{-1, 0, -1, -1}},
		"not yet known between":      {[]Verdict{h, u, u, m}, Reach{0, 3, -1, 1}},
	} {
		if got := NewReach(c.verdicts); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
