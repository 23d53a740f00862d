// This file is one setting of a load, and the table of them: a flag, a line of a preset file, a knob of the console and a
// command behind its colon are views of a row of it.

package presets

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
)

// Setting is one setting of a load. It takes the same texts, and refuses them with the same sentence, by whichever door
// they come in.
type Setting struct {
	Name   string // in a preset file; its flag has - for _
	Letter string // of a flag of one letter; "": none
	Short  string // its command behind a colon; "": it is a part, and has none
	Title  string // what a knob is called
	Says   string // what it sets, in one line
	Takes  string // what may be written, the word for it in backquotes: "a `number` from 1 to 100,000"

	Example string   // something that it takes
	Unit    string   // what may stand behind its value: "req/s"; "": nothing
	Words   []string // what a word being typed may be completed to
	File    bool     // its value is the path of a file, which Set opens
	Opening bool     // it says how a file is read: it may be set before there is one, and has Set open that anew
	Switch  bool     // it is on or off, so that its flag alone means on
	Needs   []string // the names of settings of which one is to be set where it is Idle

	is    string // of what kind a value is: "a number of requests"; for errRefused
	set   func(k snapshot.Knobs, text string) (snapshot.Knobs, error)
	print func(k snapshot.Knobs) string
	idle  func(k snapshot.Knobs) string                                               // nil: it always counts
	note  func(k snapshot.Knobs, s *snapshot.Snapshot) string                         // nil: nothing
	turn  func(k snapshot.Knobs, s *snapshot.Snapshot, up bool) snapshot.Knobs        // nil: it can't be turned
	scale func(k snapshot.Knobs, s *snapshot.Snapshot, factor float64) snapshot.Knobs // nil: it is turned
}

// errRefused has Set say what a setting is and what it takes.
var errRefused = errors.New("it is something else")

// Set returns the knobs with what a text says. The error is a sentence with what to write instead, and the knobs are then
// as they were. The knobs that it returns may still not be valid together.
func (s *Setting) Set(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
	text = strings.TrimSpace(text)
	next, err := s.set(k, text)
	switch {
	case errors.Is(err, errRefused):
		return k, fmt.Errorf("%q is not %s; write %s", text, s.is, s.Hint())
	case err != nil:
		return k, err
	}
	return next, nil
}

// Print returns the value as it stands on a screen and as Set takes it: "no cap", "512±128", "99.9 %". It is "" for a file,
// which has a name but may have been anywhere.
func (s *Setting) Print(k snapshot.Knobs) string { return s.print(k) }

// Off reports whether it is switched off.
func (s *Setting) Off(k snapshot.Knobs) bool {
	switch s.print(k) {
	case "off", "no cap", "":
		return true
	}
	return false
}

// Reads reports whether Set opens a file for a text, which may take its time.
func (s *Setting) Reads(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return s.File && !units.Off(text) || strings.HasPrefix(text, "file:")
}

// Idle says in a few words when a setting counts that changes nothing at present; "" where it counts.
func (s *Setting) Idle(k snapshot.Knobs) string {
	if s.idle == nil {
		return ""
	}
	return s.idle(k)
}

// Note says in a few words what it does at present, or when it will.
func (s *Setting) Note(k snapshot.Knobs, now *snapshot.Snapshot) string {
	if idle := s.Idle(k); idle != "" || s.note == nil {
		return idle
	}
	return s.note(k, now)
}

// Turn returns the knobs one step up or down; the same where there is none. The snapshot says where to begin for a value
// that was off.
func (s *Setting) Turn(k snapshot.Knobs, now *snapshot.Snapshot, up bool) snapshot.Knobs {
	if s.turn == nil {
		return k
	}
	return valid(k, s.turn(k, now, up))
}

// Scale returns the knobs with the value so many times as large. What can't be multiplied is turned a step.
func (s *Setting) Scale(k snapshot.Knobs, now *snapshot.Snapshot, factor float64) snapshot.Knobs {
	if s.scale == nil {
		return s.Turn(k, now, factor > 1)
	}
	return valid(k, s.scale(k, now, factor))
}

// valid returns changed knobs, or those from before where the change is one that the engine would refuse.
func valid(before, after snapshot.Knobs) snapshot.Knobs {
	if after.Validate() != nil {
		return before
	}
	return after
}

// Usage is what it sets and what may be written, the word for the value in backquotes.
func (s *Setting) Usage() string { return s.Says + ": " + s.Takes }

// Help is Usage without backquotes.
func (s *Setting) Help() string { return unquoted(s.Usage()) }

// Hint is what may be written, for whoever is about to.
func (s *Setting) Hint() string { return unquoted(s.Takes) }

func unquoted(text string) string { return strings.ReplaceAll(text, "`", "") }

// FlagName is the name of its flag, without dashes in front.
func (s *Setting) FlagName() string { return strings.ReplaceAll(s.Name, "_", "-") }

// Plain is the knobs where nothing is said: enough load to see batching, little to any server, and no SLO. Lengths vary, as
// they do in use: equal ones have requests move in step.
func Plain() snapshot.Knobs {
	return snapshot.Knobs{
		Load:   load.Setting{Mode: load.Closed, Concurrency: 8, Arrival: load.Poisson},
		Shape:  shape.Shape{Prompt: shape.Uniform(256, 768), Output: shape.Uniform(64, 192)},
		Target: snapshot.DefaultTarget,
		Window: stats.Last30s,
	}
}

// Table is all settings, in the order in which help shows them and in which they are set where several are: a rate opens
// the loop that a concurrency closes.
type Table []*Setting

// Settings returns the table. One table opens a file once, however often it is set; the table of a Library shares what it
// opens with it.
func Settings() Table { return settings(new(files)) }

// settings is the table, by which files are opened.
func settings(opened *files) Table {
	return slices.Concat(loadSettings(), replaySettings(opened), shapeSettings(), conversationSettings(), dataSettings(opened), sloSettings())
}

// Find returns the setting of a name, in a preset, as a flag or as a command, in any case; nil if there is none.
func (t Table) Find(name string) *Setting {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	for _, s := range t {
		if name != "" && (name == s.Name || name == s.Short || name == s.Letter) {
			return s
		}
	}
	return nil
}

// Knob is a row of the console's knobs: a setting, or several of which one is turned there at a time.
type Knob struct {
	of func(k snapshot.Knobs) *Setting
}

// Setting is what the knob turns at present.
func (n Knob) Setting(k snapshot.Knobs) *Setting { return n.of(k) }

// Knobs returns the knobs of the table, the most important first.
func (t Table) Knobs() []Knob {
	one := func(s *Setting) Knob { return Knob{func(snapshot.Knobs) *Setting { return s }} }
	byMode := func(closed, open, replay string) Knob {
		c, o, r := t.Find(closed), t.Find(open), t.Find(replay)
		return Knob{func(k snapshot.Knobs) *Setting {
			switch k.Load.Mode {
			case load.Open:
				return o
			case load.Replay:
				return r
			}
			return c
		}}
	}
	knobs := []Knob{
		byMode("concurrency", "max_in_flight", "max_in_flight"), byMode("rate", "rate", "speed"),
		one(t.Find("prompt_tokens")), one(t.Find("output_tokens")),
	}
	for _, s := range limitSettings() {
		knobs = append(knobs, one(s))
	}
	for _, name := range []string{"prefix_overlap", "arrival", "slo_target", "turns", "think", "prefixes", "ramp"} {
		knobs = append(knobs, one(t.Find(name)))
	}
	for _, s := range objectiveSettings() {
		knobs = append(knobs, one(s))
	}
	return append(knobs, one(t.Find("canary")))
}
