// This file is for those who make a file faster than a run would.

package runfile

import "runtime"

// Wait returns when what was handed over has been taken up by the writer, so that the next batch has room. A run never waits.
func (r *Recorder) Wait() {
	for len(r.writer.queue) > 0 && r.Problem() == "" {
		runtime.Gosched()
	}
}
