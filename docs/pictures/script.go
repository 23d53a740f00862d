// This file is the table of what is typed.

package main

import (
	"slices"
	"time"
)

// step waits, then types: keys, or a command behind a colon. What it snaps is kept as a picture of that name.
type step struct {
	wait    time.Duration
	keys    string
	command string
	snap    string
}

// script is a run of the program on a terminal of w by h cells, and what is done in it.
type script struct {
	w, h   int
	args   []string
	beside []string // the arguments of a tokdyno that runs meanwhile; nil: none
	cast   string   // the name of the asciicast of it; "": none
	first  string   // the name of the picture of the screen that it begins with, where commands can't be typed; "": none
	steps  []step
}

// makes reports whether something with one of these names comes of it; without names, everything does.
func (s *script) makes(names []string) bool {
	of := []string{s.cast, s.first}
	for _, step := range s.steps {
		of = append(of, step.snap)
	}
	return len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return name != "" && slices.Contains(of, name) })
}

// scripts make all pictures.
func scripts() []script {
	const w, h, moment = 120, 36, time.Second
	server := []string{"sim", "--listen", "127.0.0.1:8000"} // where servers are looked for
	return []script{
		{w: w, h: h, args: []string{"demo", "--seed", "7"}, steps: []step{
			{wait: 15 * time.Second, keys: "}"},
			{wait: 20 * time.Second, keys: "}"},
			{wait: 25 * time.Second, snap: "live"},
			{keys: "3"},
			{wait: moment, snap: "requests"},
			{keys: "4"},
			{wait: moment, snap: "gpu"},
			{keys: "6"},
			{wait: moment, snap: "log"},
			{keys: "2"},
			{command: "auto steps 4,8,16,24,32,48@20s"},
			{wait: 123 * time.Second, snap: "curve"},
		}},
		{w: w, h: h, args: []string{"demo", "--seed", "7"}, steps: []step{
			{wait: 20 * time.Second, keys: "}"},
			{wait: 20 * time.Second, keys: "}"},
			{wait: 20 * time.Second, keys: "5"},
			{wait: moment, keys: "\r"}, // as one of two that are compared
			{wait: moment, keys: "k"},
			{wait: moment, keys: "\r"},
			{wait: moment, snap: "stages"},
		}},
		{w: w, h: h, args: []string{"demo", "--duel", "--seed", "7"}, steps: []step{{wait: 60 * time.Second, snap: "duel"}}},
		{w: w, h: h, args: []string{"localhost:8000", "--workers", "3", "--seed", "7", "-c", "24"}, beside: server, steps: []step{
			{wait: 40 * time.Second, keys: "7"},
			{wait: moment, snap: "workers"},
		}},
		{w: 80, h: 24, beside: server, first: "connect"},
		{w: 80, h: 24, args: []string{"demo", "--seed", "7"}, cast: "demo", steps: []step{
			{wait: 8 * time.Second, keys: "}"},
			{wait: 8 * time.Second, keys: "}"},
			{wait: 8 * time.Second, keys: "2"},
			{wait: 3 * time.Second, keys: "3"},
			{wait: 4 * time.Second},
		}},
	}
}
