// Package console is the live console: it turns an engine's knobs and draws its snapshots.
//
// The files:
//
//	actions.go     what the keys of the console itself do, and why they may not
//	advice.go      the line above the footer: what was just answered to a key, or what to know about the figures
//	audience.go    tells the person who else looks at the run
//	clip.go        puts text into the clipboard of the terminal
//	commands.go    the table of the command line's commands
//	control.go     what is done to the run: knobs applied, stages begun, the load paused
//	duel.go        what the console does with a duel: which side shows, and what is turned on one side alone
//	dump_other.go  is for systems without SIGQUIT
//	dump_unix.go   leaves the terminal as it was found before SIGQUIT writes its stacks and ends the process
//	footer.go      the last line: what the keys do at present, and whether the load generator can be trusted
//	header.go      the first line: where the run stands, against what, under which load, for how long
//	help.go        the help: the keys that mean something here, the commands that can be typed, and what the signs
//	               mean
//	keycontext.go  names where keys mean something: on a page, or in what covers it
//	keys.go        the table of keys
//	model.go       the tea.Model: the state of the console, and how messages change it
//	mouse.go       what the mouse does: what the drawing says of the place, mostly a key
//	pages.go       the table of pages, and how they are chosen
//	picker.go      the choice of presets: a list that letters filter, and beside it what the chosen one is
//	pilot.go       hands the load to an autopilot and takes it back, and says what becomes of that
//	prompt.go      the command line: what is typed after a colon, its completion and its history
//	run.go         runs the console on a terminal: start, signals, faults, and leaving the terminal as it was found
//	replay.go      what can be done with a recorded run: play, pause, faster, slower, seek
//	save.go        writes the report of the run into a file, beside the console
//	small.go       is what a screen shows that is too small for a page
//	snap.go        keeps the screen as a picture, beside the console
//	screen.go      draws a frame: it asks the layout what stands where and lets every part draw itself
//	tour.go        is the tour of the demo: five keys, and what each of them shows
//	watch.go       shows a run to somebody who only looks
//
// The way through it: A tick takes the engine's snapshot, shows it to the open page, and draws; a key goes to what lies
// on top, and from there to the engine. A new page is a package with a page.Page, and a line in pages.go.
package console
