// This file tests lists of levels as people write them.

package load

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseLevels(t *testing.T) {
	for text, want := range map[string]Levels{
		"1,2,4,8@30s":       {[]float64{1, 2, 4, 8}, 30 * time.Second},
		" 8 , 1, 8 @ 1m ":   {[]float64{8, 1, 8}, time.Minute},
		"1-32":              {Values: []float64{1, 2, 4, 8, 16, 32}},
		"3-20":              {Values: []float64{3, 6, 12, 20}},
		"0.5-2":             {Values: []float64{0.5, 1, 2}},
		"10..100/10":        {Values: []float64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}},
		"10..35/10":         {Values: []float64{10, 20, 30, 35}},
		"0.1..0.5/0.1":      {Values: []float64{0.1, 0.2, 0.3, 0.4, 0.5}},
		"1-4,6..8/1,100@1s": {[]float64{1, 2, 4, 6, 7, 8, 100}, time.Second},
		"100000":            {Values: []float64{MaxLevel}},
	} {
		got, err := ParseLevels(text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", text, err, diff)
		}
		again, err := ParseLevels(got.String())
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("%q is written %q: %v (-want +got):\n%s", text, got, err, diff)
		}
	}
}

func TestLevelsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":               "a number is missing",
		"1,,2":           "a number is missing",
		"-4":             "a number is missing",
		"one":            `"one" is not a plain number`,
		"x-3":            `"x" is not a plain number`,
		"3-x":            `"x" is not a plain number`,
		"1e3":            `"1e3" is not a plain number`,
		"1.2.3":          `"1.2.3" is not a plain number`,
		"0":              "0 is out of range: a level is more than 0 and at most 100000",
		"100001":         "100001 is out of range: a level is more than 0 and at most 100000",
		"8-8":            "a range goes up, and 8 is not below 8",
		"9..1/2":         "a range goes up, and 9 is not below 1",
		"1..9":           "a range with two dots needs a step behind a slash",
		"1..9/0":         "0 is out of range: a level is more than 0 and at most 100000",
		"1..2000/1":      "there are more than 1000 of them",
		"1..1000/1,1":    "there are more than 1000 of them",
		"1@":             `"" is not a time; write it like @30s`,
		"1@0s":           "behind the @ comes a time of at most 24h",
		"1@25h":          "behind the @ comes a time of at most 24h",
		"1@30":           "30 of what? @30s",
		"1..2/0.0000001": "there are more than 1000 of them",
	} {
		_, err := ParseLevels(text)
		if sentence := `levels "` + text + `": ` + want + "; " + levelForms; err == nil || err.Error() != sentence {
			t.Errorf("%q: %v, want %s", text, err, sentence)
		}
	}
}

func TestAsManyLevelsAsThereMayBe(t *testing.T) {
	for _, text := range []string{"1..1000/1", "1..999/1,5", strings.Repeat("7,", MaxLevels-1) + "7"} {
		if l, err := ParseLevels(text); err != nil || len(l.Values) != MaxLevels {
			t.Errorf("%.20q…: %d levels, %v", text, len(l.Values), err)
		}
	}
}

func FuzzParseLevels(f *testing.F) {
	f.Add("1-32,40..100/20@30s")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLevels(text)
		if err != nil {
			if !strings.Contains(err.Error(), levelForms) {
				t.Errorf("the error does not say what may be written: %v", err)
			}
			return
		}
		if len(l.Values) == 0 || len(l.Values) > MaxLevels || l.Dwell < 0 {
			t.Errorf("%q: %d levels, each for %v", text, len(l.Values), l.Dwell)
		}
		for _, level := range l.Values {
			if !(level > 0 && level <= MaxLevel) {
				t.Errorf("%q: level %v", text, level)
			}
		}
		again, err := ParseLevels(l.String())
		if err != nil || !slices.Equal(again.Values, l.Values) || again.Dwell != l.Dwell {
			t.Errorf("%q is written %q, which is read as %+v, %v", text, l, again, err)
		}
	})
}
