// Package briefly writes values as a person would, in a form that is read back.
package briefly

import (
	"strings"
	"time"
)

// Duration writes a duration as time.ParseDuration reads it, without the zeros that its String puts behind: "2m", "1h".
func Duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
