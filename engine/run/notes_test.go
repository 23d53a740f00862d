package run

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/shape/lines"
	"tokdyno/engine/shape/trace"
	"tokdyno/engine/snapshot"
)

// played is a recording that says what a test has it say.
type played struct {
	load.Timetable
	reading    trace.Reading
	unanswered int
	clamped    int
	skipped    trace.Skipped
}

func (played) Name() string             { return "t.jsonl" }
func (played) Len() int                 { return 3 }
func (played) Duration() time.Duration  { return 1600 * time.Millisecond }
func (played) Format() trace.Format     { return trace.Mooncake }
func (p played) Reading() trace.Reading { return p.reading }
func (p played) Unanswered() int        { return p.unanswered }
func (p played) Clamped() int           { return p.clamped }
func (p played) Skipped() trace.Skipped { return p.skipped }

func TestAReplaySaysWhatItReadAndHow(t *testing.T) {
	for want, p := range map[string]*played{
		"t.jsonl: 3 requests in 1.6 s (mooncake)": {},
		"t.jsonl: 3 requests in 1.6 s (mooncake, timestamps in s, blocks of 16 tokens)": {
			reading: trace.Reading{Unit: trace.Unit(time.Second), Block: 16},
		},
		"t.jsonl: 3 requests in 1.6 s (mooncake); 4 without an answer left out; 5 too far behind later ones to be put in order " +
			"are sent with the one before them; ": {unanswered: 4, clamped: 5, skipped: trace.Skipped{Count: 1, First: []lines.BadLine{{Line: 2, Why: "no JSON"}}}},
	} {
		var got []string
		k := snapshot.Knobs{Load: load.Setting{Mode: load.Replay, Timetable: p}}
		fileNotes(&k, func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) })
		if len(got) != 1 || !strings.HasPrefix(got[0], want) || p.skipped.Count == 0 && got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
