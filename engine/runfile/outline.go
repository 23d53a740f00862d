// This file reads of a file only when what happened.

package runfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// Outline is when what happened in a run.
type Outline struct {
	Header Header
	Last   record.Instant // when the statistics were brought up to date for the last time; 0: never
	Events []Event        // all, in order
	End    *End           // nil: the file has none
	// Texts are what requests said, by their numbers, where the file has it. nil: it does not.
	Texts  map[uint64]stats.Said
	Damage error // why the file ends before the run did, in a sentence; nil: it does not
}

// ReadOutline reads a file without what its requests did. The error says in a sentence why it can't be read at all.
func ReadOutline(in io.Reader) (*Outline, error) {
	blocks, err := newBlockReader(in)
	if err != nil {
		return nil, err
	}
	defer blocks.close()
	var o Outline
	if o.Header, err = openHeader(blocks); err != nil {
		return nil, err
	}
	var events []Event
	for {
		at := blocks.at
		kind, data, err := blocks.nextOf(func(kind blockType) bool {
			return kind == blockTick || kind == blockEvent || kind == blockTexts || kind == blockEnd
		})
		switch {
		case err != nil:
		case kind == blockTick:
			var folds []record.Instant
			if folds, err = foldsOf(data); err == nil && len(folds) > 0 {
				o.Last = folds[len(folds)-1]
			}
			o.Events, events = append(o.Events, events...), nil
		case kind == blockEvent:
			var e Event
			err = json.Unmarshal(data, &e)
			events = append(events, e)
		case kind == blockTexts:
			if o.Texts == nil {
				o.Texts = make(map[uint64]stats.Said)
			}
			err = readTexts(data, o.Texts)
		case kind == blockEnd:
			o.End = new(End)
			err = json.Unmarshal(data, o.End)
		}
		switch {
		case errors.Is(err, io.EOF):
			if o.End == nil {
				o.Damage = errNoEnd
			}
			return &o, nil
		case err != nil:
			o.Damage = damaged(at, err)
			return &o, nil
		}
	}
}

// foldsOf reads of a tick only when the statistics were brought up to date, which comes first: the rest is long.
func foldsOf(tick []byte) ([]record.Instant, error) {
	var t Tick
	in := json.NewDecoder(bytes.NewReader(tick))
	_, begun := in.Token()
	if name, err := in.Token(); begun == nil && err == nil && name == "folds" {
		err = in.Decode(&t.Folds)
		return t.Folds, err
	}
	err := json.Unmarshal(tick, &t)
	return t.Folds, err
}

var errNoEnd = errors.New("the run was cut short: its file has no end")

func damaged(at int64, err error) error {
	return fmt.Errorf("the file is damaged after %d bytes (%w); what is before that can be read", at, err)
}
