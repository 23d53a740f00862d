// This file tests ramps as people write them.

package load

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseRamp(t *testing.T) {
	for text, want := range map[string]Ramp{
		"off": {}, "0": {}, " OFF ": {},
		"30s": {Linear, 30 * time.Second}, "linear  30s": {Linear, 30 * time.Second}, "1h": {Linear, time.Hour},
		"exp 30s": {Exponential, 30 * time.Second}, "Exponential 1m30s": {Exponential, 90 * time.Second},
		"24h": {Linear, MaxRamp}, "1ns": {Linear, 1}, "none": {}, "0s": {}, "30 s": {Linear, 30 * time.Second},
		"exponential 1 m 30 s": {Exponential, 90 * time.Second},
	} {
		if got, err := ParseRamp(text); got != want || err != nil {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestRampsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":             `"" is not a time; write it like 30s`,
		"exp over 30s": `"over 30s" is not a time; write it like 30s`,
		"30":           "30 of what? 30s",
		"exp":          `"exp" is not a time; write it like 30s`,
		"linear off":   `"off" is not a time; write it like 30s`,
		"cubic 30s":    `"cubic" is no curve that is known`,
		"-1s":          `"-1s" is not a time; write it like 30s`,
		"exp 25h":      "25h is out of range: a ramp takes more than no time and at most 24h",
	} {
		_, err := ParseRamp(text)
		if sentence := `ramp "` + text + `": ` + want + "; " + rampForms; err == nil || err.Error() != sentence {
			t.Errorf("%q: %v, want %s", text, err, sentence)
		}
	}
}

func TestRampNamesItself(t *testing.T) {
	for want, r := range map[string]Ramp{
		"off": {Over: time.Second}, "30s": {Linear, 30 * time.Second}, "exponential 2m": {Exponential, 2 * time.Minute},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v is %q, want %q", r, got, want)
		}
	}
}

func TestWrittenRampsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Ramp{
			rapid.SampledFrom([]RampKind{Linear, Exponential}).Draw(t, "kind"),
			time.Duration(rapid.Int64Range(1, int64(MaxRamp)).Draw(t, "over")),
		}
		if got, err := ParseRamp(r.String()); got != r || err != nil {
			t.Errorf("%q is read as %+v, %v", r, got, err)
		}
	})
}

func FuzzParseRamp(f *testing.F) {
	f.Add("exp 30s")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRamp(text)
		if err != nil {
			if !strings.Contains(err.Error(), rampForms) {
				t.Errorf("the error does not say what may be written: %v", err)
			}
			return
		}
		if again, err := ParseRamp(r.String()); err != nil || again != r {
			t.Errorf("%q is written %q, which is read as %+v, %v", text, r, again, err)
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%q is accepted, but not valid: %v", text, err)
		}
	})
}
