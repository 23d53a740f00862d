package units

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTimeLeavesOutZerosBehind(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 30 * time.Second: "30s", time.Minute: "1m", 90 * time.Second: "1m30s", 10 * time.Minute: "10m",
		time.Hour: "1h", time.Hour + time.Second: "1h0m1s", 100 * time.Hour: "100h", 500 * time.Millisecond: "500ms",
	} {
		if got := Time(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestTimeIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64().Draw(t, "ns"))
		if again, err := time.ParseDuration(Time(d)); err != nil || again != d {
			t.Fatalf("%v became %v, %v", d, again, err)
		}
	})
}
