package cell

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/stats"
)

func TestLatency(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "0.00 ms",
		430 * time.Microsecond:   "0.43 ms",
		9994 * time.Microsecond:  "9.99 ms",
		9996 * time.Microsecond:  "10.0 ms",
		21400 * time.Microsecond: "21.4 ms",
		99960 * time.Microsecond: "100 ms",
		FromMilliseconds(287):    "287 ms",
		FromMilliseconds(999.4):  "999 ms",
		FromMilliseconds(999.5):  "1.00 s",
		FromMilliseconds(1240):   "1.24 s",
		FromMilliseconds(12_400): "12.4 s",
		123 * time.Second:        "123 s",
		1234 * time.Second:       "1,234 s",
	} {
		if got := Latency(d).String(); got != want {
			t.Errorf("latency(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestLimitIsExact(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "off", FromMilliseconds(300): "300 ms", FromMilliseconds(12.5): "12.5 ms", FromMilliseconds(1500): "1.5 s", FromMilliseconds(1234): "1.234 s", 2 * time.Minute: "120 s",
	} {
		if got := Limit(d); got != want {
			t.Errorf("limit(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestRate(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.004: "0.00", 0.42: "0.42", 8.14: "8.14", 12.34: "12.3", 99.95: "100", 3914.4: "3,914",
		999_999: "999,999", 1_240_000: "1.24M", -1: Unknown, math.Inf(1): Unknown,
	} {
		if got := Rate(v); got != want {
			t.Errorf("rate(%v) = %q, want %q", v, got, want)
		}
	}
	if got := Rate(math.NaN()); got != Unknown {
		t.Errorf("rate(NaN) = %q", got)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -7: "-7", -999: "-999", -1000: "-1,000", -12345: "-12,345",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

// A share never looks better than it is.
func TestSharesNeverFlatter(t *testing.T) {
	for _, tt := range []struct {
		fraction   float64
		held, lost string
	}{
		{0, "0 %", "0 %"},
		{1, "100 %", "100 %"},
		{0.872, "87.2 %", "87.2 %"},
		{0.8726, "87.2 %", "87.3 %"},
		{0.99999, "99.9 %", "99.9 %"},
		{0.00001, "0.1 %", "0.1 %"},
	} {
		if got := RoundDown(tt.fraction).String(); got != tt.held {
			t.Errorf("held(%v) = %q, want %q", tt.fraction, got, tt.held)
		}
		if got := RoundUp(tt.fraction).String(); got != tt.lost {
			t.Errorf("lost(%v) = %q, want %q", tt.fraction, got, tt.lost)
		}
	}
	if RoundDown(math.NaN()).Known() {
		t.Error("a share of NaN is known")
	}
}

func TestClockAndSpan(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		0:                               {"00:00", "0 s"},
		61500 * time.Millisecond:        {"01:01", "61 s"},
		time.Minute:                     {"01:00", "60 s"},
		5 * time.Minute:                 {"05:00", "5 min"},
		time.Hour + 2*time.Minute + 3e9: {"1:02:03", "3723 s"},
		2 * time.Hour:                   {"2:00:00", "2 h"},
	} {
		if got := Clock(d); got != want[0] {
			t.Errorf("clock(%v) = %q, want %q", d, got, want[0])
		}
		if got := Span(d); got != want[1] {
			t.Errorf("span(%v) = %q, want %q", d, got, want[1])
		}
	}
	if got := WindowName(stats.Last30s) + " " + WindowName(stats.Last1m) + " " + WindowName(stats.ThisStage); got != "30 s 60 s stage" {
		t.Errorf("windows are called %q", got)
	}
}

func TestAxisLabels(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 350: "350ms", 0.5: "0.5ms", 1500: "1.5s"} {
		if got := AxisTime(v); got != want {
			t.Errorf("axisTime(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 500: "500", 1500: "1,500", 20_000: "20k", 2_500_000: "2.5M"} {
		if got := AxisCount(v); got != want {
			t.Errorf("axisCount(%v) = %q, want %q", v, got, want)
		}
	}
	if got := AxisPercent(100) + AxisPercent(150); got != "100%" {
		t.Errorf("a share's axis says %q", got)
	}
}
