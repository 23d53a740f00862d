// This file hands out distributions that a snapshot has no room for.

package engine

import "tokdyno/engine/stats"

// ChunkGaps are the gaps between chunks of all stages so far; those that come while the load drains belong to none. It may be
// called from anywhere.
func (e *Engine) ChunkGaps() stats.Sparse {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.collector.Gaps()
}
