// This file keeps what a worker has reported until the console has it.

package remote

import (
	"sync"
	"time"
)

// againAfter is how long a report waits for the console before it is sent once more.
const againAfter = time.Second

// askedAfter is for how long it is not sent again where the console asks: it may be on its way.
const askedAfter = 200 * time.Millisecond

// mostWaiting bounds the reports that wait, in bytes: that is far more than comes together until a worker without a console stops.
const mostWaiting = 64 << 20

// outbox sends reports in order, and again those that the console does not have. All methods may be called from any goroutine.
type outbox struct {
	send func(message []byte) error

	mu      sync.Mutex
	waiting [][]byte
	bytes   int
	first   uint64 // the number of waiting[0]
	sent    time.Time
	lost    bool // more came together than is kept
}

func newOutbox(send func([]byte) error) *outbox { return &outbox{send: send, first: 1} }

// next is the number of the next report.
func (o *outbox) next() uint64 { return o.first + uint64(len(o.waiting)) }

// add sends a report, which is made for its number.
func (o *outbox) add(now time.Time, make func(seq uint64) ([]byte, error)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	message, err := make(o.next())
	if err != nil {
		return err
	}
	if o.bytes+len(message) > mostWaiting {
		o.lost = true
	}
	if o.lost {
		return nil
	}
	if len(o.waiting) == 0 {
		o.sent = now
	}
	o.waiting, o.bytes = append(o.waiting, message), o.bytes+len(message)
	_ = o.send(message) // where it does not arrive, it is sent again
	return nil
}

// has takes note that the console has all reports up to a number.
func (o *outbox) has(now time.Time, seq uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > 0 && o.first <= seq {
		o.bytes -= len(o.waiting[0])
		o.waiting[0], o.waiting = nil, o.waiting[1:]
		o.first++
		o.sent = now
	}
}

// again sends once more what waits, where that is due or the console asks for it.
func (o *outbox) again(now time.Time, asked bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if age := now.Sub(o.sent); len(o.waiting) == 0 || age < againAfter && !(asked && age >= askedAfter) {
		return
	}
	o.sent = now
	for _, message := range o.waiting {
		if o.send(message) != nil {
			return
		}
	}
}
