// This file is what single requests said and were answered, which a file has only where somebody asked for it.

package runfile

import (
	"encoding/json"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

const (
	// mostTexts bounds the texts of a file, in bytes before they are compressed: those that don't fit are left out.
	mostTexts = 16 << 20
	// textBlock is about how much of them stands in one block.
	textBlock = 1 << 20
)

// writtenText is what a request said, as it is written.
type writtenText struct {
	ID      uint64        `json:"id"`
	Body    string        `json:"body"`
	BodyCut bool          `json:"body_cut,omitempty"`
	Answer  string        `json:"answer"`
	Told    []record.Told `json:"told,omitempty"`
}

// Texts keeps what requests said, in the order in which they matter; it is to be called at most once, before the recording is
// finished.
func (r *Recorder) Texts(list []stats.SaidBy) {
	if !r.dead {
		r.batch.texts = list
	}
}

// addTexts appends the blocks of texts.
func (w *writer) addTexts(to []byte, list []stats.SaidBy) ([]byte, error) {
	var block []writtenText
	size, all := 0, 0
	flush := func() error {
		data, err := json.Marshal(block)
		if err == nil && len(block) > 0 {
			to = w.blocks.add(to, blockTexts, data)
		}
		block, size = nil, 0
		return err
	}
	for i := range list {
		s := &list[i]
		n := len(s.Body) + len(s.Answer)
		if all += n; all > mostTexts {
			break
		}
		block = append(block, writtenText{s.ID, string(s.Body), s.BodyCut, s.Answer, s.Told})
		if size += n; size > textBlock {
			if err := flush(); err != nil {
				return to, err
			}
		}
	}
	return to, flush()
}

// readTexts reads a block of texts into those that are known.
func readTexts(data []byte, into map[uint64]stats.Said) error {
	var list []writtenText
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, t := range list {
		into[t.ID] = stats.Said{Body: []byte(t.Body), BodyCut: t.BodyCut, Answer: t.Answer, Told: t.Told}
	}
	return nil
}
