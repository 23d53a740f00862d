// This file is how sources are asked for, and what came of it.

package gpu

import (
	"context"
	"time"
)

// Options are how sources are opened. The zero Options are fine.
type Options struct {
	NVMLLib string        // the path of NVML's library; "" : where drivers put it
	Every   time.Duration // between two readings; 0: DefaultInterval
}

// Tried is one attempt at a source.
type Tried struct {
	Spec   string `json:"spec"` // as in ParseSpec
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why it cannot be used, in a sentence
}

// Open opens the sources that are named as in ParseSpec; no name is "auto". tried lists every attempt in order; the source
// is nil if none is left. It is source.Open, or what stands for it in a test.
type Open func(ctx context.Context, names []string, options Options) (src Source, tried []Tried)

// Survey is what can be read from here, and why not where it can't.
type Survey struct {
	Reading Reading
	Tried   []Tried // every attempt, in order
}
