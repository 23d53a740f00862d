// Package load decides how many requests run and when they start.
//
// A closed loop holds a number of requests in flight: one starts when another ends. An open loop starts requests when
// an arrival process says so, whatever the server does about the earlier ones; a replay when a recording does. A Pool
// runs any of them, and changes from one operating point to the next while requests are in flight. What a request is, it
// does not know: it calls a Runner.
//
// The files:
//
//	alarm.go        the seam to the operating system's timers, and the alarm that every platform has
//	alarm_linux.go  the alarm of Linux: the runtime's timer, with a timerfd that gets the runtime up in time for it
//	alarm_other.go  chooses the alarm of platforms without a timerfd
//	arrival.go      the arrival processes of the open loop: their names, as people write them and as they are kept
//	backlog.go      the queue of arrivals that wait for a slot
//	dispatch.go     the dispatcher: the one goroutine that decides what starts, and when
//	fair.go         the fair start of a closed loop: its slots enter out of phase
//	hold.go         the waiting room: requests that are not to be sent yet, and slots whose request has failed
//	inflight.go     the running requests, in order of their age, and the contexts they run in
//	level.go        the setting as a point on an axis: its level, and its name
//	levels.go       a list of levels to be walked, as people write it
//	numbers.go      the numbers of requests where several pools number theirs together
//	pool.go         the pool as its callers see it: what it runs, what it can be told, and what it tells
//	process.go      how the arrival processes draw their gaps
//	ramp.go         the ramp of a setting: what it is and how people write it
//	replay.go       the recording that a replay goes by, and how it is read ahead of the clock
//	schedule.go     the timetable of the open loop and of a replay: when the next arrival is due
//	setting.go      the setting of the load: the knobs a person turns while the run goes on
//	share.go        one arrival process that several pools make together
//	slope.go        the level of the load over time: where it is, and when it gets somewhere
//
// The way through it: A Setting goes in by Pool.Set. The dispatcher asks the slope how much load is due now, the
// schedule when the next arrival is, waits for that instant with an alarm, takes a slot and calls the Runner in a
// goroutine of its own; when the Runner returns, the slot is free again. State and Level say where it stands.
package load
