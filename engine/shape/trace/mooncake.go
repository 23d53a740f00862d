// This file reads Mooncake's lines.

package trace

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"tokdyno/engine/jsonscan"
	"tokdyno/engine/shape/lines"
)

// mooncake reads lines of JSON.
type mooncake struct {
	reading Reading
	seen    *evidence // takes in what tells the reading, and ids are not kept; nil: they are
}

func (m mooncake) event(line []byte) (Event, error) {
	if err := lines.CheckLine(line); err != nil {
		return Event{}, err
	}
	var timestamp, input, output, ids []byte
	for name, value := range jsonscan.Members(line) {
		switch string(name) {
		case "timestamp":
			timestamp = value
		case "input_length":
			input = value
		case "output_length":
			output = value
		case "hash_ids":
			ids = value
		}
	}
	var e Event
	var err error
	if timestamp == nil {
		return Event{}, errors.New(`"timestamp" is missing`)
	}
	if m.seen != nil {
		m.seen.stamp(timestamp)
	}
	if e.At, err = parseDecimal(timestamp, time.Duration(m.reading.Unit)); err != nil {
		return Event{}, err
	}
	in, ok := jsonscan.Whole(input)
	if !ok {
		return Event{}, errors.New(`"input_length" is not a whole number`)
	}
	out, ok := jsonscan.Whole(output)
	if !ok {
		return Event{}, errors.New(`"output_length" is not a whole number`)
	}
	if err := e.lengths(in, out); err != nil {
		return Event{}, err
	}
	return e, m.ids(&e, ids)
}

// ids puts in the ids of an event's blocks. Ids beyond the prompt's length are left out.
func (m mooncake) ids(e *Event, ids []byte) error {
	if ids == nil || string(ids) == "null" {
		return nil
	}
	if ids[0] != '[' {
		return errors.New(`"hash_ids" is not a list`)
	}
	room, listed := (e.Input+m.reading.Block-1)/m.reading.Block, 0
	for value := range jsonscan.Elements(ids) {
		id, err := strconv.ParseUint(string(value), 10, 64)
		if err != nil {
			return fmt.Errorf(`"hash_ids" has the id %.30q, which is not a whole number`, value)
		}
		listed++
		if m.seen != nil || len(e.Blocks) == room {
			continue
		}
		if e.Blocks == nil {
			e.Blocks, e.BlockTokens = make([]uint64, 0, room), m.reading.Block
		}
		e.Blocks = append(e.Blocks, id)
	}
	if m.seen != nil {
		m.seen.blocks(e.Input, listed)
	}
	return nil
}
