// This file is the table of what is typed.

package main

import "time"

// step waits, then types: keys, or a command behind a colon. What it snaps is kept as a picture of that name.
type step struct {
	wait    time.Duration
	keys    string
	command string
	snap    string
}

// script is a run of the program on a terminal of w by h cells, and what is done in it.
type script struct {
	w, h  int
	args  []string
	cast  string // the name of the asciicast of it; "": none
	steps []step
}

// scripts make all pictures.
func scripts() []script {
	const w, h, moment = 120, 36, time.Second
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
		{w: w, h: h, args: []string{"demo", "--duel", "--seed", "7"}, steps: []step{{wait: 60 * time.Second, snap: "duel"}}},
		{w: 80, h: 24, args: []string{"demo", "--seed", "7"}, cast: "demo", steps: []step{
			{wait: 8 * time.Second, keys: "}"},
			{wait: 8 * time.Second, keys: "}"},
			{wait: 8 * time.Second, keys: "2"},
			{wait: 3 * time.Second, keys: "3"},
			{wait: 4 * time.Second},
		}},
	}
}
