// Package poll has connections outside of Go's poller, for streams whose arrival the kernel stamps. Who reads them need not be
// awake at the instant at which something comes; so what comes for many is taken up at one time, by one goroutine.
//
// The files:
//
//	conn_linux.go     a connection that a Poller watches: reads that wait for it, and what else net.Conn promises
//	deadline_linux.go when reads and writes give up
//	errwait.go        the error of a read that would have to wait
//	other.go          systems whose kernels do not stamp what they receive: there are no such connections
//	pace.go           how long a Poller lets what has come lie: not at all, or until the next tick
//	poller_linux.go   a Poller: the connections it watches, and the goroutine that has them go on
//	raw_linux.go      reading by system calls of one's own
//	step_linux.go     readings that a Poller itself carries on, step by step, without a goroutine that is woken
//	wait_linux.go     waiting for an epoll set, or for a tick
//	write_linux.go    writes, which seldom have to wait
//
// The way through it: a Poller takes a TCP connection over (Adopt) when it is connected. A read that finds nothing parks. The
// Poller waits until something has come (wait), or, where it would be woken too often (pace), for the next tick; it asks the
// kernel once for all that has come, and goes through those connections. A reading that Conn.Run began goes
// on right there, by a function that takes what there is; any other reader is a goroutine, which is woken.
package poll
