// This file is how long a console and its workers wait for each other.

package remote

import "time"

// Times are how long a console and its workers wait for each other, on which they have to agree. The zero Times are the usual ones.
type Times struct {
	Orders time.Duration // they are repeated so often, which is what tells a worker that its console lives
	Hello  time.Duration // a worker says hello so often
	Lost   time.Duration // a worker may be unheard for so long before its share goes to the others
	// Alone is how long a worker goes on without a console: a dead one must never leave load running.
	Alone time.Duration
}

// orUsual are the times, or the usual ones where none are given.
func (t Times) orUsual() Times {
	if t == (Times{}) {
		t = Times{Orders: 200 * time.Millisecond, Hello: 500 * time.Millisecond, Lost: 1500 * time.Millisecond, Alone: 5 * time.Second}
	}
	return t
}

// gone is how long a worker may be unheard before what it had in flight is given up: by then, it has stopped by itself.
func (t Times) gone() time.Duration { return 2 * t.Alone }

// stall is how late a session may look at its clock. When it is later, the process was suspended: what runs then is the machine's
// doing, and its console has given it up or is about to.
func (t Times) stall() time.Duration { return 2 * t.Alone / 5 }

// listen is for how long hellos are listened to until all workers that lost their console have said so.
func (t Times) listen() time.Duration { return 3*t.Hello + t.Lost }
