// This file is the knobs as a recording keeps them.

package engine

import (
	"errors"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// keptKnobs are Knobs, with names in the place of files, and texts in the place of what has an inside.
type keptKnobs struct {
	Load      load.Setting // without the timetable
	Timetable *keptFile    `json:",omitempty"`

	Prompt, Output, Turns, Text string
	PrefixOverlap               float64
	Prefixes                    int
	Think                       time.Duration
	Data                        *keptFile `json:",omitempty"`

	SLO        slo.Criteria
	Target     float64
	Objectives []string `json:",omitempty"`
	Paused     bool
	Canary     float64 `json:",omitempty"`
	Window     stats.Window
}

func keptKnobsOf(k snapshot.Knobs) keptKnobs {
	s := &k.Shape
	kept := keptKnobs{
		Load: k.Load, Prompt: s.Prompt.String(), Output: s.Output.String(), Text: s.Text.String(),
		PrefixOverlap: s.PrefixOverlap, Prefixes: s.Prefixes, Think: s.Think,
		SLO: k.SLO, Target: k.Target, Paused: k.Paused, Canary: k.Canary, Window: k.Window,
	}
	if s.Turns != (shape.Length{}) {
		kept.Turns = s.Turns.String()
	}
	if t := k.Load.Timetable; t != nil {
		kept.Load.Timetable, kept.Timetable = nil, &keptFile{Named: t.Name()}
		if hashed, ok := t.(interface{ Hash() string }); ok {
			kept.Timetable.Hashed = hashed.Hash()
		}
	}
	if s.Data != nil {
		kept.Data = &keptFile{Named: s.Data.Name(), Hashed: s.Data.Hash(), Items: s.Data.Len()}
	}
	for _, o := range k.Objectives.All() {
		kept.Objectives = append(kept.Objectives, o.String())
	}
	return kept
}

// knobs are those that were kept. A length that was read from a file comes back as none.
func (k keptKnobs) knobs() (snapshot.Knobs, error) {
	knobs := snapshot.Knobs{Load: k.Load, SLO: k.SLO, Target: k.Target, Paused: k.Paused, Canary: k.Canary, Window: k.Window}
	s := &knobs.Shape
	length := func(text string) shape.Length {
		l, err := shape.ParseLength(text)
		if err != nil {
			return shape.Length{}
		}
		return l
	}
	s.Prompt, s.Output = length(k.Prompt), length(k.Output)
	if k.Turns != "" {
		s.Turns = length(k.Turns)
	}
	s.PrefixOverlap, s.Prefixes, s.Think = k.PrefixOverlap, k.Prefixes, k.Think
	if k.Timetable != nil {
		knobs.Load.Timetable = *k.Timetable
	}
	if k.Data != nil {
		s.Data = *k.Data
	}
	var err error
	if s.Text, err = shape.ParseText(k.Text); err != nil {
		return knobs, err
	}
	var list []slo.Objective
	for _, text := range k.Objectives {
		one, err := slo.ParseObjectives(text)
		if err != nil {
			return knobs, err
		}
		for _, o := range one.All() {
			list = append(list, o)
		}
	}
	knobs.Objectives, err = slo.NewObjectives(list...)
	return knobs, err
}

// keptFile stands for a data set or a trace of a recorded run: what it was is known, what was in it is not.
type keptFile struct {
	Named  string
	Hashed string `json:",omitempty"`
	Items  int    `json:",omitempty"`

	Path, Format string `json:",omitempty"` // for who has the file; a recording does not tell
}

var errNotInside = errors.New("a recording of a run does not hold the files that it was made with")

// Name implements shape.Source and load.Timetable.
func (f keptFile) Name() string { return f.Named }

// Hash implements shape.Source.
func (f keptFile) Hash() string { return f.Hashed }

// Len implements shape.Source.
func (f keptFile) Len() int { return f.Items }

// Item implements shape.Source: there is none.
func (f keptFile) Item(int) (dataset.Item, error) { return dataset.Item{}, errNotInside }

// Entries implements load.Timetable: there are none.
func (f keptFile) Entries() (load.Entries, error) { return nil, errNotInside }
