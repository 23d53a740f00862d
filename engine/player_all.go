// This file hands out the requests of a recording one by one.

package engine

import (
	"iter"

	"tokdyno/engine/runfile"
)

// Recorded are the requests of the recording that ended, in that order, each with the gaps between its chunks.
func (p *Player) Recorded() iter.Seq2[runfile.Request, error] {
	return func(yield func(runfile.Request, error) bool) {
		file, err := p.open()
		if err != nil {
			yield(runfile.Request{}, err)
			return
		}
		defer file.Close()
		for q, err := range runfile.Requests(file) {
			if !yield(q, err) {
				return
			}
		}
	}
}
