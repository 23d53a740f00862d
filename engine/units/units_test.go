package units

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTimesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"300ms": 300 * time.Millisecond, " 1.5 s ": 1500 * time.Millisecond, "40MS": 40 * time.Millisecond,
		"1m30s": 90 * time.Second, "1 m 30 s": 90 * time.Second, "1h": time.Hour, "5 min": 5 * time.Minute,
		"2 Hours": 2 * time.Hour, "1,500ms": 1500 * time.Millisecond, "0": 0, "0s": 0, "0.0": 0, "250µs": 250 * time.Microsecond,
	} {
		if got, err := ParseTime(text, "5s"); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"300":   "300 of what? ttft=300ms",
		"1.5":   "1.5 of what? ttft=1.5ms",
		"soon":  `"soon" is not a time; write it like ttft=500ms`,
		"":      `"" is not a time; write it like ttft=500ms`,
		".":     `"." is not a time; write it like ttft=500ms`,
		"-5ms":  `"-5ms" is not a time; write it like ttft=500ms`,
		"5ms6":  `"5ms6" is not a time; write it like ttft=500ms`,
		"1s 2s": `"1s 2s" is not a time; write it like ttft=500ms`,
		"1s 1m": `"1s 1m" is not a time; write it like ttft=500ms`,
		"1,5s":  `"1,5s" is not a time; write it like ttft=500ms`,
		"9e9h":  `"9e9h" is not a time; write it like ttft=500ms`,
		"1 5s":  `"1 5s" is not a time; write it like ttft=500ms`,
	} {
		if got, err := ParseTime(text, "ttft=500ms"); err == nil || err.Error() != want {
			t.Errorf("%q is %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestSharesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]float64{
		"99%": 0.99, " 99.9 % ": 0.999, "0.95": 0.95, "100%": 1, "0": 0, "1%": 0.01, "30 percent": 0.3, "0.1%": 0.001,
	} {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"99": "99 of what? 99% or 0.99", "99.9": "99.9 of what? 99.9% or 0.999", "100": "100 of what? 100%",
		"1": "1 may be a hundredth or all; write 1% or 100%", "1.0": "1.0 may be a hundredth or all; write 1% or 100%",
		"":     `"" is not a share; write it like 30% or 0.3, at most 100%`,
		"%":    `"%" is not a share; write it like 30% or 0.3, at most 100%`,
		"101%": `"101%" is not a share; write it like 30% or 0.3, at most 100%`,
		"101":  `"101" is not a share; write it like 30% or 0.3, at most 100%`,
		"-1%":  `"-1%" is not a share; write it like 30% or 0.3, at most 100%`,
		"NaN":  `"NaN" is not a share; write it like 30% or 0.3, at most 100%`,
	} {
		if got, err := ParseShare(text); err == nil || err.Error() != want {
			t.Errorf("%q is %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{"64": 64, "1,024": 1024, " 64 Requests": 64, "0": 0, "1,000,000": 1_000_000, "99999999999999999999": math.MaxInt} {
		if got, err := ParseCount(text, "requests"); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "many", "1.5", "-3", "1,2", "1,0000", ",100", "1e3", "64 users", "1_000", "0x10"} {
		if got, err := ParseCount(text, "requests"); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
	for text, want := range map[string]float64{"12": 12, "12 req/s": 12, "0.5REQ/S": 0.5, "1,000.5": 1000.5, "1e1": 10} {
		if got, err := ParseNumber(text, "req/s"); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "NaN", "inf", "0x1p-2", "1,5", "12 req/m", "e", "."} {
		if got, err := ParseNumber(text, "req/s"); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

func TestFactors(t *testing.T) {
	for text, want := range map[string]float64{"2": 2, "×2": 2, "x 0.5": 0.5, "2X": 2, "1,000×": 1000} {
		if got, err := ParseFactor(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "×", "x2x", "2 times"} {
		if got, err := ParseFactor(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

func TestSwitches(t *testing.T) {
	for text, want := range map[string]bool{"on": true, "Yes": true, "true": true, "1": true, "off": false, "NO": false, "false": false, "0": false} {
		if got, err := ParseSwitch(text); err != nil || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if _, err := ParseSwitch("perhaps"); err == nil {
		t.Error("perhaps is taken")
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "time"))
		for _, text := range []string{Time(d), TimeApart(d)} {
			if got, err := ParseTime(text, "5s"); !Off(text) && (err != nil || got != d) {
				t.Errorf("%v became %q and %v, %v", d, text, got, err)
			}
		}
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		for _, text := range []string{Share(share), ShareApart(share)} {
			if got, err := ParseShare(text); err != nil || got != share {
				t.Errorf("%v became %q and %v, %v", share, text, got, err)
			}
		}
		n := rapid.IntRange(0, math.MaxInt).Draw(t, "count")
		if got, err := ParseCount(Count(n)); err != nil || got != n {
			t.Errorf("%d became %q and %d, %v", n, Count(n), got, err)
		}
		v := rapid.Float64Range(0, 1e9).Draw(t, "number")
		if got, err := ParseNumber(Number(v)); err != nil || got != v {
			t.Errorf("%v became %q and %v, %v", v, Number(v), got, err)
		}
	})
}

func TestHowValuesStandOnAScreen(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "off", 300 * time.Millisecond: "300 ms", 1500 * time.Millisecond: "1.5 s", 90 * time.Second: "90 s", 1: "0.000001 ms",
	} {
		if got := TimeApart(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0 %", 0.00001: "0.1 %", 0.9999: "99.9 %", 1: "100 %", math.NaN(): "n/a"} {
		if got := RoundedDown(share); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
	if got := Count(-1234567); got != "-1,234,567" {
		t.Error(got)
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("1 m 30.5 s")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseTime(text, "5s")
		if err == nil && d < 0 {
			t.Errorf("%q is %v", text, d)
		}
	})
}

func FuzzParseShare(f *testing.F) {
	for _, s := range []string{"99%", "99.9 %", "0.95", "1", "", "%", "-1%", "NaN", "1e-9", "Inf%", "0x1p-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseShare(s)
		if err == nil && !(v >= 0 && v <= 1) {
			t.Errorf("%q is %v", s, v)
		}
	})
}
