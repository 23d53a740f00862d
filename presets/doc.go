// Package presets knows the settings of a load, and use cases by name that set them: a load, its shape, and the SLO it is
// held against. Use cases that everybody needs are built in as YAML files; a user's own stand in the configuration folder.
//
// A Setting is one row of a Table: its names, what it takes and shows, and how it is turned. Flags, preset files, knobs and
// the console's commands are views of it. Its texts are read by package units; package scale holds the steps.
//
// The files:
//
//	configuration.go         what a person's configuration sets of a load, beneath presets and flags
//	effort.go                the settings of how long an autopilot measures a level: flags, and words behind its command
//	file.go                  reads one preset file, strictly: what it does not know, it refuses, and says where
//	files.go                 keeps the data sets and traces that were opened, so that one file is one value however
//	                         often it is picked
//	presets.go               the presets and the library that holds them
//	setting.go               one setting of a load, and the table of them: a flag, a line of a preset file, a knob of
//	                         the console and a command behind its colon are views of a row of it
//	setting_arrival.go       the setting of how arrivals are spread
//	setting_canary.go        the setting of the canary: light requests beside the load
//	setting_conversation.go  the settings of conversations: how many turns they have, and how long a person thinks
//	                         between two
//	setting_load.go          the settings of how much load there is
//	setting_objective.go     the settings of the objectives: all of them together, and the elements of the first
//	setting_replay.go        the settings of a recording that is replayed
//	setting_shape.go         the settings of what requests ask for
//	setting_slo.go           the settings of what single requests are held against, and of what the console looks at
//
// The way through it: A text reaches a Setting by its flag, its line in a preset file (file), its knob or its command;
// Set reads it (engine/units and the package of what is set) and returns changed knobs; Print gives the text back. A
// Library reads the built-in and the user's preset files, and keeps opened data sets (files).
package presets
