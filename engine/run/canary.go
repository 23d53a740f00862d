// This file is what light requests beside the load were answered, as a document.

package run

import "tokdyno/engine/snapshot"

// Canary is what light requests beside the load were answered over the run, that they ran in and settled in included.
type Canary struct {
	OK          int          `json:"ok"`
	Failed      int          `json:"failed"`
	Skipped     int          `json:"skipped"` // due while the one before was still on its way to the same endpoint: not sent
	TTFT        Distribution `json:"ttft_ms"` // of those that completed, the last 10,000 at most; so are the others
	E2EL        Distribution `json:"e2el_ms"`
	DispatchLag Distribution `json:"dispatch_lag_ms"` // due → sent
	Problem     *string      `json:"problem"`         // why the last that failed did
}

// newCanary is nil where there was none.
func newCanary(c *snapshot.Canary) *Canary {
	if c == nil {
		return nil
	}
	f := &c.Run
	out := &Canary{
		OK: f.OK, Failed: f.Failed, Skipped: f.Skipped,
		TTFT: newDistribution(f.TTFT), E2EL: newDistribution(f.E2EL), DispatchLag: newDistribution(f.DispatchLag),
	}
	if f.Problem != "" {
		out.Problem = &f.Problem
	}
	return out
}
