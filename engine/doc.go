// Package engine makes load, keeps records and computes statistics. It knows no terminal: a user interface turns its
// knobs with Apply and draws its Snapshots.
//
// The files:
//
//	apply.go         turns the knobs
//	ask.go           answers what is asked of single requests, of a run as of a recording
//	autopilot.go     lets a pilot move the load
//	canary.go        sends the canary: a light request at a time beside the load, at a rate of its own
//	canary_told.go   is what the canary was answered: each answer as it is told and kept, and the figures of a window and of
//	                 the run
//	client.go        looks at the load generator itself
//	config.go        what is chosen before a run
//	conversation.go  keeps conversations between their turns
//	counsel.go       asks for advice on a run
//	efficiency.go    says what output costs: in accelerators, in energy and in money
//	endpoints.go     the endpoints of a run, where there are several: who gets which request, and the figures of each
//	engine.go        runs a load from beginning to end
//	finished.go      keeps account of requests that have ended, by whomever they were sent
//	generator.go     is the seam between an engine and what makes its load
//	histograms.go    hands out distributions that a snapshot has no room for
//	import.go        makes a recording of a run that another tool measured, by the way that a run's own is made
//	keep.go          keeps a run in a file
//	keep_knobs.go    is the knobs as a recording keeps them
//	keep_pieces.go   is what a snapshot shows beside the requests, as a recording keeps it
//	knobs_text.go    is the knobs as they go to another process that makes a part of the load
//	ledger.go        is what is known of a run by what requests and readings told: a run fills it, and so does a recording
//	lengths.go       sees to it that prompts have the length that was asked for, and keeps account of how long answers are
//	local.go         is this process as the generator of a load
//	outage.go        knows when requests do nothing but fail, and how long a slot then rests
//	over.go          shows the latest moment over another window than the knobs have
//	player.go        shows a recorded run: what it says goes where a run's own events go, at the instants that it says
//	player_wishes.go is what was asked of a recording and is not done yet
//	player_step.go   does what was asked of a recording, a step at a time
//	player_ahead.go  reads a recording ahead of who plays it
//	player_checkpoint.go
//	                 goes to any moment of a recording: to the checkpoint before it, and from there on by playing
//	player_face.go   is what can be done with a recording: play, pause, seek, score it anew
//	player_all.go    hands out the requests of a recording one by one
//	player_pass.go   plays a whole recording beside what is shown, so that one can seek anywhere in it
//	player_playback.go
//	                 plays a recording: it does again what was done to the run, in the same order
//	points.go        keeps the operating points of a run: its stages, one by one and pooled by load
//	publish.go       makes snapshots
//	requests.go      runs the requests, each from the pool's call to the finished record
//	score.go         scores the stored requests by a changed SLO, beside the load
//	series.go        hands out what was measured of a stage, for comparisons: of a live run and of a recorded one
//	simulated.go     reads the simulator's accelerator like a real one
//	start.go         runs what may fail by a fault of its own beside what has to be tidied up then
//	steer.go         does what the autopilot wants
//	telemetry.go     takes in what accelerators and the inference server say of themselves, and keeps it by stage
//	tick.go          what happens at every tick
//
// The way through it: Run opens the load: the generator's pool calls requests.run for each request, which takes a conversation's
// next turn, sends it by an endpoint's client, and has the collector told of each token. Every 100 ms tick folds what
// was told, reads telemetry, lets the autopilot decide (steer), asks for advice, and publishes a Snapshot. Apply is the
// way back: it compares the knobs, opens a stage and commands the pool where the load changed, and has stored requests
// scored anew where the SLO did.
package engine
