// This file is what there is to choose from, and what is known of it.

package connect

import (
	"context"
	"slices"
	"time"

	"tokdyno/engine/slo"
)

// Target is what load is to be put on.
type Target struct {
	Demo  bool   // the simulated server
	URL   string // "" of the demo
	Model string // "": the only one that there is
	Key   string // "": none was asked for
}

// Into puts model and key where the flags have put what they say, unless nothing was chosen.
func (t *Target) Into(model, key *string) {
	if t.Model != "" {
		*model = t.Model
	}
	if t.Key != "" {
		*key = t.Key
	}
}

// Found is a server of this machine.
type Found struct {
	URL    string
	Name   string   // what it is; "": it does not tell
	Models []string // that it serves
	Locked bool     // it wants a key, so that its models are not known
}

// Recent is an endpoint that a kept run was of.
type Recent struct {
	URL, Model string
	When       time.Time
	Best       string // the highest level that held; "": none is known
	Verdict    slo.Verdict
}

// Answer is what an endpoint says to the question for its models.
type Answer struct {
	Models   []string
	WantsKey bool
	NoList   bool  // it has no list: the model has to be named
	Err      error // why there is none, in a sentence
}

// Sources are where choices come from.
type Sources struct {
	Nearby func(context.Context) []Found
	Recent []Recent
	// Ask asks an endpoint for its models, with a key where that is not "". An error in Answer may be one of a URL that is none.
	Ask func(ctx context.Context, url, key string) Answer
}

// section is a group of choices under a heading.
type section string

// The sections, in order.
const (
	here      section = "On this machine"
	lately    section = "Lately"
	otherwise section = "Otherwise"
)

// choice is a row of the screen.
type choice struct {
	in     section
	target Target
	name   string   // of the server, or of the choice
	models []string // that are known to be there
	locked bool     // it wants a key
	recent *Recent
	typed  bool // the row into which a URL is typed
}

// choices are the rows. A recent endpoint that was also found here shows once, with what is known of it from both.
func choices(found []Found, recent []Recent) []choice {
	var rows []choice
	for _, s := range found {
		row := choice{in: here, target: Target{URL: s.URL}, name: s.Name, models: s.Models, locked: s.Locked}
		if at := slices.IndexFunc(recent, func(r Recent) bool { return r.URL == s.URL }); at >= 0 {
			row.recent = &recent[at]
		}
		rows = append(rows, row)
	}
	for i := range recent {
		r := &recent[i]
		if !slices.ContainsFunc(found, func(s Found) bool { return s.URL == r.URL }) {
			rows = append(rows, choice{in: lately, target: Target{URL: r.URL, Model: r.Model}, recent: r})
		}
	}
	return append(rows,
		choice{in: otherwise, target: Target{Demo: true}, name: "the demo: a simulated server and GPU"},
		choice{in: otherwise, typed: true})
}
