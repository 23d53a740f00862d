// Package runfile keeps a run in one file, and reads it again.
//
// A file is "TOKDYNO\x01" and then blocks, one after the other, until it ends or is cut:
//
//	type u8 · length uvarint · payload · crc32c of all three, little endian
//
// The high bit of the type says that the payload is compressed by zstd, as those over 256 bytes are. A reader takes blocks
// until one does not check; types it does not know it skips. What can be computed from the rest is not stored.
//
//	 1  header    JSON: the run's settings and this machine, without secrets
//	 2  begun     by column: requests that were taken up
//	 3  fine      the low bits of what follows in chunks, a byte an event: they are noise, and would spoil its compression
//	 4  chunks    of each running request, what it did: sent, token events; differences of µs
//	 5  ended     by column: the rest of the records of requests that ended
//	 6  gaps      where the file keeps no chunks one by one: a histogram of the gaps, by second
//	 7  tick      JSON: when the statistics were brought up to date, and what beside requests has changed
//	 8  event     JSON: what was done to the run, at which instant
//	 9  end       JSON: the report, and where each tenth second begins
//	10  tail      eight bytes: where the end block begins; it is the last thing in a file that was closed
//	11  texts     JSON: what requests said and were answered, before the end; only where somebody asked for it
//
// Instants of requests are exact to the nanosecond, but those of chunks between the first and the last, which are to half
// a microsecond, without errors adding up.
//
// The files:
//
//	block.go     puts payloads into blocks, and takes them out again
//	column.go    writes and reads integers and strings of a payload
//	document.go  the blocks that are JSON
//	feed.go      tells a collector what batches have of requests
//	folds.go     in which fold of the statistics something was taken in
//	gaps.go      histograms of chunk gaps
//	mark.go      goes back to where a reader has been
//	outline.go   reads of a file only when what happened
//	reader.go    reads a file
//	recorder.go  gathers what a collector takes in, until a second of it is written
//	requests.go  records of requests, by column
//	stream.go    what running requests do, as a stream of small integers
//	text.go      what single requests said and were answered, which a file has only where somebody asked for it
//	wait.go      is for those who make a file faster than a run would
//	whole.go     puts each request together: its record and the gaps between its chunks
//	writer.go    writes a file, beside the run
//
// The way through it: A Recorder is the tap of a stats.Collector. It gathers what happens for about a second and hands it
// to the Writer's goroutine, which alone encodes, compresses and writes; nobody waits for the disk. A Reader gives the
// same things back, one block at a time.
package runfile
