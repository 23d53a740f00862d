// Helpers of the tests, and the check that no goroutine is left behind.

package wire

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine/record"
)

func TestMain(m *testing.M) {
	if os.Getenv(benchServerVariable) != "" {
		if err := serveBenchmarks(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if order := os.Getenv(benchBareVariable); order != "" {
		if err := bareProcess(order); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// ms is an instant some milliseconds after t0 = 1 s.
func ms(n int) record.Instant { return record.Instant(time.Second) + record.Instant(n)*1e6 }

// part is a piece of a stream that arrives at one instant.
type part struct {
	at   record.Instant
	text string
}

// parts makes a stream whose pieces arrive 10 ms apart, the first at 10 ms.
func parts(texts ...string) []part {
	var all []part
	for i, text := range texts {
		all = append(all, part{ms(10 * (i + 1)), text})
	}
	return all
}

// feed is a source that hands out parts, at most size bytes a read (0: as many as there are), and never two parts in
// one read.
type feed struct {
	parts []part
	taken int    // bytes of the first part
	burst uint64 // the parts that were begun: all of one part arrives together, in however many reads it is taken
	size  int
	end   error // io.EOF if nil
}

func (f *feed) read(p []byte) (int, stamp, error) {
	for len(f.parts) > 0 && f.taken == len(f.parts[0].text) {
		f.parts, f.taken = f.parts[1:], 0
	}
	if len(f.parts) == 0 {
		if f.end != nil {
			return 0, stamp{}, f.end
		}
		return 0, stamp{}, io.EOF
	}
	if f.size > 0 && len(p) > f.size {
		p = p[:f.size]
	}
	if f.taken == 0 {
		f.burst++
	}
	n := copy(p, f.parts[0].text[f.taken:])
	f.taken += n
	return n, stamp{at: f.parts[0].at, burst: f.burst}, nil
}

// ear is an observer that keeps what it hears.
type ear struct {
	sent   []record.Instant
	tokens []record.Token
}

func (e *ear) Sent(at record.Instant) { e.sent = append(e.sent, at) }
func (e *ear) Token(t record.Token)   { e.tokens = append(e.tokens, t) }
func (e *ear) counts() (tokens []int64) {
	for _, t := range e.tokens {
		tokens = append(tokens, t.Tokens)
	}
	return tokens
}

// replay reads a stream the way Stream does, with t0 at ms(0) and 7 input tokens asked for.
func replay(stream []part, size int, end error) (record.Record, *ear) {
	r, heard, _ := replayed(stream, size, end)
	return r, heard
}

// replayed is replay, with what was remarked.
func replayed(stream []part, size int, end error) (record.Record, *ear, []string) {
	var (
		said  remarks
		rec   = record.New(1)
		heard ear
		a     answer
		lines lineReader
	)
	rec.Sent = ms(0)
	rec.Streamed = true
	a.reset(rec, &heard, &Request{inputTokens: 7})
	lines.reset(&feed{parts: stream, size: size, end: end})
	err := a.read(&lines, func(bool) {})
	for err == nil { // the drain
		line, at, stop := lines.next()
		if stop != nil {
			break
		}
		_ = a.line(line, at) // only usage is of interest now
	}
	v := a.verdict(err)
	a.counts()
	rec.Kind, rec.Error, rec.Outcome = v.kind, v.sentence, v.outcome
	said.add(a.remarks)
	return *rec, &heard, said.sentences()
}

var readSizes = []int{0, 1, 3, 7, 64}
