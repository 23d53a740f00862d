// Package remote makes load by workers: processes, on this machine or on others, that a console commands over NATS.
//
// The files:
//
//	allow.go    says on which endpoints a worker puts load
//	arrivals.go is the arrival process that workers share
//	attach.go   finds a run whose console has died, for another one to take over
//	clock.go    measures by how much a worker's clock is ahead of the console's
//	command.go  is what an engine commands of workers, and how its load comes to their shares
//	fleet.go    is workers as the generator of a load: who belongs to it, what they are told, how a run begins and ends
//	intake.go   takes in what a worker reports: the requests of one of its parts of a run, on the console's clock
//	link.go     connects to NATS, and starts one where there is none
//	listen.go   is what a console hears of its workers: hellos, reports, and the time
//	member.go   is a worker as its console knows it
//	message.go  is what a console and its workers tell each other, and under which subjects
//	numbers.go  hands out the numbers of requests and conversations, so that none comes twice
//	outbox.go   keeps what a worker has reported until the console has it
//	session.go  is a worker's part of a run, from its first orders to its last report
//	shares.go   divides a load among workers
//	show.go     is what a snapshot says of workers
//	trust.go    says how much of the load a worker is to have for how well it keeps up
//	worker.go   is a worker: it joins a NATS, and makes a part of whatever load a console asks it for
//
// The way through it: A Worker says hello. A Fleet, the generator of a console's engine, gives it a lane in its run, and orders, which
// are complete and repeated. The worker's session makes an engine.Local of them, whose collector relays what requests do to a
// runfile.Recorder; each batch of that is a report. The Fleet takes reports in their order, puts their instants on its own clock, and
// tells the console's collector, as a player does with a recording.
package remote
