// This file is what the checks go by.

package doctor

import (
	"time"

	"tokdyno/gpu"
	"tokdyno/ui/theme"
)

// Facts are what was found out about this machine and this terminal. Whoever asks the machine fills them in.
type Facts struct {
	Env           func(name string) string
	Terminal      bool // keys can be read, and there is a screen to draw on
	Columns, Rows int  // of the terminal; 0: not known
	Theme         theme.Theme

	GPU gpu.Survey

	Files   uint64 // how many files may be open at a time; 0: not known, or no limit
	Streams int    // how many requests can be in flight; math.MaxInt: nothing is known to bound them
	Bound   string // what bounds them, in a sentence; "": nothing

	Tick  time.Duration // the smallest step that the monotonic clock was seen to make; 0: none was seen
	Sleep time.Duration // how long a sleep of NominalSleep takes, the median of several; 0: not known

	Stamps   string // whose arrival stamps an answer over loopback had: "kernel" or "read"
	Loopback error  // why there was no answer over loopback

	Folder    string // where runs are kept
	FolderErr error  // why nothing can be written there

	Cores int // of this machine, as far as this process may use them
	Procs int // of them that Go uses at a time
}

// NominalSleep is how long the sleeps are that Facts.Sleep tells of.
const NominalSleep = time.Millisecond
