//go:build !unix && !windows

package health

import "time"

// processTime is unknown here.
func processTime() (time.Duration, bool) { return 0, false }
