// Package compare holds what one run measured against what another did, and says which differences are more than chance.
//
// Requests of a run are not independent: they share queue and batch, and a slow second slows all of them down. So what is
// counted are blocks of time, 10 to 20 a run, each at least as long as a request is there on average, and corrected by how
// alike neighbours are. Two answers of three are certain enough to act on: a difference beyond the noise that is not chance,
// and none beyond the noise; the third says how long a run would do.
//
// What it is worth was found by simulation (calibrate_test.go; all of it with TOKDYNO_CALIBRATE=1): of 200 pairs of equal
// servers, in eight kinds of load that last from 30 s to 5 min, no figure alone was called different in more than 4.5 %, nor
// any of the fourteen together in more than 1.5 %. A server that is slower by 10 % is found in at least 95 % of pairs at the
// length that runs which are too short ask for (TTFT, TPOT and E2EL, p50 and p95, closed and open loop). At c=8 and 3
// requests/s those are 3 min for the p95 of E2EL, 4 min for that of TPOT, 6 min for the median of TTFT, and 72 min for its p95,
// whose tail is wide there; in an open loop of 4 requests/s, 10 min for the p95 of E2EL and 43 min for that of TTFT. What two
// runs differ by for the machine's mood no statistics of single runs can know: with one of 5 %, 46 % of equal pairs are called
// different, and 4 % where four baseline runs are pooled.
//
// Of comparisons that are watched while they grow (looks.go), in six kinds of load that last 10 min, none of 200 pairs of equal
// servers each was ever called different in any figure. A server that is slower by 10 % is found by the p95 of E2EL in 98 % of
// pairs within 10 min at c=8, after 2.6 min on average, or 4.6 min where its speed wanders; one that is slower by 20 % in 86 %
// within 2.5 min; in an open loop of 4 requests/s, in 82 % within 10 min.
//
// The files:
//
//	allowance.go     is by how much a run may be worse than its baseline
//	blocks.go        cuts the time of a run into blocks, and finds from them how far a figure can be trusted
//	difference.go    compares a figure of A with that of B, and says what can be said of it
//	distribution.go  is how latencies are spread on both sides
//	document.go      is a comparison as a document, as JSON has it
//	estimate.go      estimates a figure of one run, and between which bounds it lies
//	looks.go         is how a comparison is looked at while it grows, without finding what is not there
//	metric.go        is the figures that are compared
//	pool.go          takes several runs of the same for one
//	runs.go          compares runs: whether they can be, and their levels two by two
//	samples.go       is what a comparison is made of: what was measured of one load, with the times at which it was
//	student.go       is Student's t distribution
//
// The way through it: A Series of each side goes in. A Metric takes an estimate from its blocks, pool makes one of several
// runs', Compare puts both together to Differences, and settles what each says. It knows no clock and draws nothing at
// random: the same samples give the same words.
package compare
