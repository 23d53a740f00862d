// This file is what was asked of a recording and is not done yet. Asking waits for nothing that is being played.

package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/snapshot"
)

// wishes are what was asked of a player, and what it shows: a moment of the recording, with what is asked of it. A lock of its own
// is held for moments only, so that whoever draws never waits for what is being played.
type wishes struct {
	shown atomic.Pointer[snapshot.Snapshot]
	wake  chan struct{} // something was asked

	mu      sync.Mutex // of what follows
	running bool       // Run does what is asked; else whoever asks
	playing bool
	speed   float64
	atEnd   bool    // of what is shown
	viewer  *viewer // nil: everything is as it was
	seek    *seek   // nil: what is shown is what was sought
}

// seek is one that is under way.
type seek struct {
	to    time.Duration // since the load began
	share float64       // of the way, so far
}

// ask changes what is asked for, and reports whether Run does it.
func (w *wishes) ask(what func()) (running bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what()
	w.again()
	select {
	case w.wake <- struct{}{}:
	default: // it will look anyway
	}
	return w.running
}

// show shows a moment, with what is asked for by now. came is what was sought and comes with it; nil: nothing.
func (w *wishes) show(s *snapshot.Snapshot, atEnd bool, came *seek) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.atEnd = atEnd
	if w.seek == came { // else another one has taken its place
		w.seek = nil
	}
	w.tell(s)
}

// again shows the same moment with what is asked for by now. Its caller holds the lock.
func (w *wishes) again() {
	s := *w.shown.Load()
	r := *s.Replay // others have it
	s.Replay = &r
	w.tell(&s)
}

func (w *wishes) tell(s *snapshot.Snapshot) {
	r := s.Replay
	r.Playing, r.Speed = w.playing && !w.atEnd, w.speed
	r.Seeking, r.Target, r.Progress = w.seek != nil, 0, 0
	if w.seek != nil {
		r.Target, r.Progress = min(w.seek.to, r.Length), w.seek.share
	}
	w.shown.Store(s)
}

// at is the time that was sought last or, where that is over, the one that is shown. Its caller holds the lock.
func (w *wishes) at() time.Duration {
	if w.seek != nil {
		return w.seek.to
	}
	return w.shown.Load().Replay.At
}

// due is how far to play on in a stretch of the present's time; 0: not at all.
func (w *wishes) due(passed time.Duration) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.playing || w.atEnd || w.seek != nil {
		return 0
	}
	return time.Duration(float64(passed) * w.speed)
}

// wanted is what was asked for last.
func (w *wishes) wanted() (*seek, *viewer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seek, w.viewer
}

// come says how far a seek has come, unless another one has taken its place.
func (w *wishes) come(s *seek, share float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seek == s {
		s.share = share
		w.again()
	}
}

func (w *wishes) setRunning(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = on
}

func (w *wishes) isRunning() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running
}
