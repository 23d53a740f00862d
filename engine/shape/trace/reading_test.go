// This file tests that units and blocks are found in the data, and asked for where they can't be.

package trace

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/shape/internal/filetest"
)

const (
	s, ms, us = Unit(time.Second), Unit(time.Millisecond), Unit(time.Microsecond)
)

// rows writes lines as Mooncake's: so many, their timestamps apart by the gap, written in the format; prompts of any
// length and ids of their blocks.
func rows(n int, from, gap float64, stamp string, block int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		input := 1 + random.IntN(4000)
		var ids []string
		if block > 0 {
			for id := range (input + block - 1) / block {
				ids = append(ids, fmt.Sprint(id))
			}
		}
		fmt.Fprintf(&b, `{"timestamp": `+stamp+`, "input_length": %d, "output_length": 8, "hash_ids": [%s]}`+"\n",
			from+float64(i)*gap, input, strings.Join(ids, ","))
	}
	return b.String()
}

func TestUnitAndBlockAreFoundInTheData(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		want          Reading
	}{
		{"Mooncake's: one in a third of a second", rows(300, 0, 333, "%.0f", 512), Reading{ms, 512}},
		{"milliseconds with fractions", rows(300, 27482, 152.53, "%.3f", 512), Reading{ms, 512}},
		{"Qwen's: 6 a second, with fractions", rows(300, 0.061, 0.167, "%.3f", 16), Reading{s, 16}},
		{"a quiet service, with fractions", rows(300, 0.5, 40.125, "%.3f", 16), Reading{s, 16}},
		{"whole seconds, several in each", rows(300, 0, 0.2, "%.0f", 64), Reading{s, 64}},
		{"milliseconds since 1970", rows(300, 1_700_000_000_000, 40, "%.0f", 128), Reading{ms, 128}},
		{"seconds since 1970", rows(300, 1_700_000_000, 0.3, "%.2f", 32), Reading{s, 32}},
		{"microseconds since 1970", rows(300, 1_700_000_000_000_000, 250_000, "%.0f", 256), Reading{us, 256}},
		{"all at once", rows(9, 5, 0, "%.0f", 512), Reading{ms, 512}},
		{"blocks of no power of two", rows(300, 0, 333, "%.0f", 100), Reading{ms, 100}},
		{"no ids", rows(300, 0, 333, "%.0f", 0), Reading{ms, 0}},
		{"one id each", `{"timestamp": 0, "input_length": 200, "output_length": 8, "hash_ids": [7]}`, Reading{ms, 512}},
		{"one id each, too long for what is documented", `{"timestamp": 0, "input_length": 900, "output_length": 8, "hash_ids": [7]}`, Reading{ms, 1024}},
		{"only whole blocks have ids", `{"timestamp": 0, "input_length": 700, "output_length": 8, "hash_ids": [1,2,3,4,5,6,7,8,9,10]}`, Reading{ms, 64}},
	} {
		trace, err := Open(filetest.Written(t, tt.content), "", Reading{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if trace.Reading() != tt.want {
			t.Errorf("%s: read with %+v, want %+v", tt.name, trace.Reading(), tt.want)
		}
	}
}

// TestQwensTraceIsReplayedAsItWas has the prompts of different requests share their first block of 16, and nothing else.
func TestQwensTraceIsReplayedAsItWas(t *testing.T) {
	path := filepath.Join("testdata", "qwen.jsonl")
	want := []Event{
		{0, 60, 8, []uint64{0, 1, 2, 3}, 16},
		{800 * time.Millisecond, 60, 8, []uint64{0, 4, 5, 6}, 16},
		{1600 * time.Millisecond, 60, 8, []uint64{7, 8, 9, 10}, 16},
	}
	found := open(t, path, "")
	if diff := cmp.Diff(want, events(t, found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if found.Duration() != 1600*time.Millisecond {
		t.Errorf("it takes %v", found.Duration())
	}
	told, err := Open(path, "", Reading{Unit: ms, Block: 32})
	if err != nil {
		t.Fatal(err)
	}
	want = []Event{
		{0, 60, 8, []uint64{0, 1}, 32},
		{800 * time.Microsecond, 60, 8, []uint64{0, 4}, 32},
		{1600 * time.Microsecond, 60, 8, []uint64{7, 8}, 32},
	}
	if diff := cmp.Diff(want, events(t, told)); diff != "" || told.Reading() != (Reading{ms, 32}) {
		t.Errorf("%+v (-want +got):\n%s", told.Reading(), diff)
	}
	if told.Hash() == found.Hash() {
		t.Error("other blocks are other prompts, and have the same hash")
	}
	if again, err := Open(path, "", Reading{Block: 16}); err != nil || again.Hash() != found.Hash() {
		t.Errorf("the same blocks, told and found, have different hashes; %v", err)
	}
}

func TestWhatTheDataDontTellIsAsked(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		format        Format
		reading       Reading
		want          string
	}{
		{
			"whole numbers, one in ten", rows(5, 0, 10, "%.0f", 512), "",
			Reading{},
			"leaves open what its numbers mean: are its timestamps, which span 40, seconds or milliseconds? " +
				"It would be 0.1 or 100 requests/s; say trace-unit s or trace-unit ms",
		},
		{
			"very far apart", rows(5, 0, 1e8, "%.0f", 512), "",
			Reading{},
			"leaves open what its numbers mean: are its timestamps, which span 4e+08, milliseconds or microseconds? " +
				"It would be a request in 1e+05 s or in 100 s; say trace-unit ms or trace-unit us",
		},
		{
			"blocks between", `{"timestamp": 0, "input_length": 1000, "output_length": 8, "hash_ids": [1,2,3,4,5,6,7,8,9,10]}`, "",
			Reading{},
			"leaves open what its numbers mean: how many tokens has a block? its prompts have an id for 100 to 111; " +
				"say block and how many, such as block 512",
		},
		{
			"blocks of several sizes", rows(50, 0, 333, "%.0f", 512) + rows(50, 0, 333, "%.0f", 16), "",
			Reading{},
			"leaves open what its numbers mean: how many tokens has a block? ",
		},
		{
			"dates", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,1,1\n", "",
			Reading{Unit: ms},
			"cannot be read: its times are dates, which have no unit; leave out trace-unit",
		},
		{"a table", header + "1,1,1\n", "", Reading{Block: 16}, "cannot be read: the format burstgpt has no blocks; leave out block"},
	} {
		path := filetest.Written(t, tt.content)
		_, err := Open(path, tt.format, tt.reading)
		if err == nil || !strings.HasPrefix(err.Error(), "trace "+path+" "+tt.want) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
	told, err := Open(filetest.Written(t, rows(5, 0, 10, "%.0f", 512)), "", Reading{Unit: s})
	if err != nil || told.Duration() != 40*time.Second || told.Reading() != (Reading{s, 512}) {
		t.Errorf("told, it takes %v, %v", told.Duration(), err)
	}
	table, err := Open(filetest.Written(t, header+"1,1,1\n41,1,1\n"), "", Reading{Unit: ms})
	if err != nil || table.Duration() != 40*time.Millisecond {
		t.Errorf("a table with milliseconds takes %v, %v", table.Duration(), err)
	}
}

func TestParseUnit(t *testing.T) {
	for text, want := range map[string]Unit{"s": s, " MS ": ms, "us": us, "ns": Unit(time.Nanosecond), "auto": 0, "": 0} {
		got, ok := ParseUnit(text)
		if got != want || !ok {
			t.Errorf("%q is %v, %t", text, got, ok)
		}
		if again, ok := ParseUnit(got.String()); again != got || !ok {
			t.Errorf("%v is written %q, which is read as %v", got, got, again)
		}
	}
	if u, ok := ParseUnit("hours"); ok {
		t.Errorf("hours is %v", u)
	}
}
