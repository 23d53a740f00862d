// How the chunks of an answer come: one by one, or many at a time.

package wire

import (
	"slices"
	"strings"
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
