package units

import (
	"testing"
	"time"
)

func TestAClockIsReadAsItIsWritten(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2:30": 150 * time.Second, "02:30": 150 * time.Second, "1:02:30.5": time.Hour + 150*time.Second + 500*time.Millisecond,
		"90s": 90 * time.Second, "2m30s": 150 * time.Second, "0:00": 0,
	} {
		d, err := ParseClock(text)
		if err != nil || d != want {
			t.Errorf("%q is read as %s, %v", text, d, err)
		}
		if again, err := ParseClock(Clock(d)); err != nil || again != d {
			t.Errorf("%s is written %q, and read as %s, %v", d, Clock(d), again, err)
		}
	}
	for _, text := range []string{"", "2:", ":30", "2:60", "1:2:3:4", "-1:20", "2:x", "12", "2:nan"} {
		if d, err := ParseClock(text); err == nil {
			t.Errorf("%q is read as %s", text, d)
		}
	}
}
