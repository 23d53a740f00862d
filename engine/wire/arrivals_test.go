// How the chunks of an answer come: one by one, or many at a time.

package wire

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// steps makes a stream that has so many chunks at each of some instants, a step apart.
func steps(apart int, chunks ...int) (stream []part) {
	for i, n := range chunks {
		stream = append(stream, part{ms(100 + apart*i), strings.Repeat(say("a"), n)})
	}
	return append(stream, part{ms(100 + apart*len(chunks)), stop + usage23 + done})
}

func TestHowChunksCame(t *testing.T) {
	four := `data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}},` +
		`{"index":2,"delta":{"content":"c"}},{"index":3,"delta":{"content":"d"}}]}` + "\n\n"
	var choices []part
	for i := range 16 {
		choices = append(choices, part{ms(100 + 30*i), four})
	}
	choices = append(choices, part{ms(600), done})
	ones := slices.Repeat([]int{1}, 20)
	for _, tt := range []struct {
		name    string
		stream  []part
		want    record.Arrivals
		clumped bool
	}{
		{"all in one read", recorded(t, "buffered-whole"), record.Arrivals{Events: 64, Times: 1, Opening: 64}, true},
		{"clumps of 20", recorded(t, "buffered-clumps"), record.Arrivals{Events: 64, Times: 3, Opening: 20}, true},
		{"one by one", steps(20, ones...), record.Arrivals{Events: 20, Times: 20, Opening: 1}, false},
		{"a few a step, the first alone", steps(30, append([]int{1}, slices.Repeat([]int{4}, 8)...)...), record.Arrivals{Events: 33, Times: 9, Opening: 1}, false},
		{"four choices a step", choices, record.Arrivals{Events: 16, Times: 16, Opening: 1}, false},
		{"several segments of one write", slices.Concat(
			[]part{{ms(700), say("a") + say("b")}, {ms(700).Add(400 * time.Microsecond), say("c") + say("d")}},
			[]part{{ms(700).Add(900 * time.Microsecond), say("e") + done}},
		), record.Arrivals{Events: 5, Times: 1, Opening: 5}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range readSizes {
				r, _ := replay(tt.stream, size, nil)
				if r.Arrivals != tt.want {
					t.Errorf("in reads of %d: %+v, want %+v", size, r.Arrivals, tt.want)
				}
				if _, clumped, known := r.Clumped(); clumped != tt.clumped || !known {
					t.Errorf("clumped %v, known %v", clumped, known)
				}
			}
		})
	}
}

// The system tells what was written chunk by chunk and read late from what was written at once.
func TestWhatIsReadLateIsNotBuffered(t *testing.T) {
	const chunks = 20
	var together atomic.Bool
	var written chan struct{}
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		defer close(written)
		texts := slices.Repeat([]string{say("a")}, chunks)
		if together.Load() {
			texts = []string{strings.Join(texts, "")}
		}
		_, _ = io.WriteString(c, streamHeader)
		for _, text := range texts {
			_, _ = fmt.Fprintf(c, "%x\r\n%s\r\n", len(text), text)
		}
		end := stop + done
		_, err := fmt.Fprintf(c, "%x\r\n%s\r\n0\r\n\r\n", len(end), end)
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	req, err := c.Prepare(Prompt{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for i, buffered := range []bool{false, true, true, false} { // the second is read on a kept connection
		together.Store(buffered)
		written = make(chan struct{})
		rec := record.New(uint64(i))
		c.Stream(t.Context(), req, rec, onToken(func(int) { <-written })) // the rest is read when all of it is there
		n := rec.Arrivals
		if rec.Outcome != record.OK || n.Events != chunks || !n.Together() {
			t.Fatalf("%+v, %s", n, rec.Error)
		}
		if n.Segments == 0 {
			t.Skip("this system does not count segments")
		}
		if _, clumped, _ := rec.Clumped(); clumped != buffered || (n.Segments > chunks/2) == buffered {
			t.Errorf("answer %d: %+v, clumped %v", i, n, clumped)
		}
	}
}
