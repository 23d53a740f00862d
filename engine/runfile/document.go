// This file is the blocks that are JSON.

package runfile

import (
	"encoding/json"
	"fmt"
	"time"

	"tokdyno/engine/record"
)

// Schema is the major version of what is written. A reader refuses a higher one; what is merely new in a file of its own
// version, it skips.
const Schema = 1

// Header is what a run was begun with. It has no secrets.
type Header struct {
	Schema  int       `json:"schema"`
	Tokdyno string    `json:"tokdyno"` // the program's version
	Started time.Time `json:"started"` // of the load
	Host    Host      `json:"host"`

	URL       string `json:"url"` // without secrets
	Model     string `json:"model"`
	Server    string `json:"server"` // "": unknown
	Simulated bool   `json:"simulated"`
	Load      string `json:"load"` // in a few words
	ShapeHash string `json:"shape_hash"`
	Seed      uint64 `json:"seed"`

	Duel *Duel `json:"duel,omitempty"` // nil: the run was alone

	Run json.RawMessage `json:"run"` // what else is needed to show it again; its owner's
}

// Host is the machine that made the load.
type Host struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"` // that Go may use
}

// Duel says in which duel a run was, and as what.
type Duel struct {
	ID    string `json:"id"` // of the duel: its sides' files have it in common
	Side  int    `json:"side"`
	Sides int    `json:"sides"`
	Mode  string `json:"mode"`
}

// Letter is what the side is called: "A".
func (d *Duel) Letter() string { return string(rune('A' + d.Side)) }

// Event is something that was done to a run.
type Event struct {
	At   record.Instant  `json:"at"`
	Do   string          `json:"do"`
	With json.RawMessage `json:"with,omitempty"`
	// After is how many folds of its batch came before. nil: the file is of a tokdyno that did not say, and those came before
	// whose instant is not later.
	After *int `json:"after,omitempty"`
}

// Tick closes a batch, of about a second.
type Tick struct {
	Folds   []record.Instant           `json:"folds"`             // when the statistics were brought up to date, ascending
	Changed map[string]json.RawMessage `json:"changed,omitempty"` // what is not the same as in the tick before, by name
	Thinned int                        `json:"thinned,omitempty"` // readings that were left out since the beginning, for the disk was slow
	Counted bool                       `json:"counted,omitempty"` // from here on, chunks are kept by number only
}

// End is the last word of a run that came to its end.
type End struct {
	Ended  time.Time       `json:"ended"`
	Report json.RawMessage `json:"report"`
	Tens   []int64         `json:"tens"` // where each tenth second begins in the file, from the first
}

// Batch is what happened in about a second, in the order in which it is to be taken in.
type Batch struct {
	Begun  []Begun
	Doings []Doing // by request, each in order
	Ended  []Ended
	Gaps   []Gaps
	Events []Event
	Tick   Tick

	records []record.Record // those of Ended
}

// Keep has the records of the batch stay whole when another one is read into it.
func (b *Batch) Keep() { b.Ended, b.records = nil, nil }

// readHeader reads and checks a header.
func readHeader(data []byte) (h Header, err error) {
	var version struct{ Schema int }
	if err = json.Unmarshal(data, &version); err != nil {
		return h, fmt.Errorf("its header can't be read: %w", err)
	}
	if version.Schema > Schema {
		return h, fmt.Errorf("it has schema %d, and this tokdyno reads up to %d; a newer one can read it", version.Schema, Schema)
	}
	if version.Schema < 1 {
		return h, fmt.Errorf("its header has no schema")
	}
	if err = json.Unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("its header can't be read: %w", err)
	}
	return h, nil
}
