// This file tests the reading of times.

package trace

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDateAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(86400, 7e9).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		zone := time.FixedZone("", 60*rapid.IntRange(-23*60, 23*60).Draw(t, "zone"))
		layout := rapid.SampledFrom([]string{"2006-01-02 15:04:05", "2006-01-02T15:04:05.0000000", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.000-07:00"}).Draw(t, "layout")
		text := at.In(zone).Format(layout)
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseDate([]byte(text), 0)
		if err != nil || int64(got) != want.UnixNano() {
			t.Fatalf("%s is %v, %v; want %v", text, time.Unix(0, int64(got)).UTC(), err, want)
		}
	})
}

func TestParseDateTakesNothingElse(t *testing.T) {
	for _, text := range []string{
		"", "2023", "2023-11-16", "2023-11-16 18:15", "2023-11-16 18:15:46.", "2023-11-16  18:15:46", "2023-13-01 00:00:00",
		"2023-00-01 00:00:00", "2023-04-31 00:00:00", "2023-11-16 18:60:00", "2023-11-16 18:15:60", "2023-11-16 18:15:46 ",
		"2023-11-16 18:15:46+24:00", "2023-11-16 18:15:46+01", "2023-11-16 18:15:46z", "16/11/2023 18:15:46", "-023-11-16 18:15:46",
	} {
		if at, err := parseDate([]byte(text), 0); err == nil {
			t.Errorf("%q is read as %v", text, time.Unix(0, int64(at)).UTC())
		}
	}
}

func TestParseSecondsKeepsWhatIsWritten(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "5": 5 * time.Second, "5.0": 5 * time.Second, "0.000001": time.Microsecond, "45.25": 45250 * time.Millisecond,
		"1e3": 1000 * time.Second, "9223372036": 9223372036 * time.Second, "123456.789012": 123456789012 * time.Microsecond,
	} {
		if got, err := parseDecimal([]byte(text), time.Second); got != want || err != nil {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
}
