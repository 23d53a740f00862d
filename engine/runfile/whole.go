// This file puts each request of a file together: its record, and the gaps between its chunks.

package runfile

import (
	"errors"
	"io"
	"iter"
	"time"

	"tokdyno/engine/record"
)

// Request is a request that ended.
type Request struct {
	Record *record.Record
	// Gaps are the times between its chunks, within a choice, in order, exact to a microsecond. Nil where the file has
	// chunks by number only, while Record.Gaps says how many there were.
	Gaps []time.Duration
}

// GapsKnown reports whether Gaps are all the gaps that there were.
func (r *Request) GapsKnown() bool { return len(r.Gaps) == r.Record.Gaps }

// Requests reads a file request by request, in the order in which they ended. What is behind a damage is left out; the
// error, which comes last, says why the file can't be read at all.
func Requests(in io.Reader) iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		r, err := NewReader(in)
		if err != nil {
			yield(Request{}, err)
			return
		}
		defer r.Close()
		gaps := make(map[uint64][]time.Duration)
		for {
			b, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Request{}, err)
				}
				return
			}
			for i := range b.Doings {
				if d := &b.Doings[i]; !d.Sent && !d.Token.Opening {
					gaps[d.ID] = append(gaps[d.ID], max(d.Token.Gap, 0)) // two of one read: the first is exact, the next is rounded
				}
			}
			for i := range b.Ended {
				q := Request{Record: b.Ended[i].Record}
				q.Gaps = gaps[q.Record.ID]
				delete(gaps, q.Record.ID)
				if !q.GapsKnown() {
					q.Gaps = nil
				}
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}
