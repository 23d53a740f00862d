// This file is instants of a run, as a clock that began with it shows them.

package units

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseClock reads a time since the run began, with its unit, "2m30s", or as a clock has it: "2:30", "1:02:30.5".
func ParseClock(text string) (time.Duration, error) {
	const example = "2m30s or 2:30"
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) == 1 {
		return ParseTime(text, "2m30s")
	}
	last := len(parts) - 1
	number, ok := plain(parts[last])
	seconds, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || last > 2 || seconds >= 60 {
		return 0, notATime(text, example)
	}
	whole := 0
	for _, part := range parts[:last] {
		n, err := ParseCount(part)
		if err != nil || n > 1<<20 {
			return 0, notATime(text, example)
		}
		whole = 60*whole + n
	}
	return time.Duration(whole)*time.Minute + time.Duration(seconds*float64(time.Second)), nil
}

// Clock writes a time since the run began as ParseClock reads it, to the tenth of a second: "02:30", "1:02:30.5".
func Clock(d time.Duration) string {
	tenths := int64(max(d, 0)+50*time.Millisecond) / int64(100*time.Millisecond)
	minutes := tenths / 600
	text := fmt.Sprintf("%02d:%02d", minutes%60, tenths/10%60)
	if minutes >= 60 {
		text = fmt.Sprintf("%d:%s", minutes/60, text)
	}
	if tenths%10 != 0 {
		text += fmt.Sprintf(".%d", tenths%10)
	}
	return text
}
