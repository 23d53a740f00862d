// This file tests what is read from small files of every format.

package trace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/shape/internal/filetest"
	"tokdyno/engine/shape/lines"
)

// open opens a trace, or fails the test.
func open(t testing.TB, path string, format Format) *Trace {
	t.Helper()
	trace, err := Open(path, format, Reading{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// events reads all events of a trace.
func events(t testing.TB, trace *Trace) []Event {
	t.Helper()
	c := trace.Events()
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	var all []Event
	for {
		e, ok, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

// figures are what a trace says of itself.
type figures struct {
	Len           int
	Duration      time.Duration
	Input, Output float64 // means, of its events
	Skipped       Skipped
	Unanswered    int
	Clamped       int
}

func figuresOf(t testing.TB, trace *Trace) figures {
	f := figures{trace.Len(), trace.Duration(), 0, 0, trace.Skipped(), trace.Unanswered(), trace.Clamped()}
	for _, e := range events(t, trace) {
		f.Input += float64(e.Input)
		f.Output += float64(e.Output)
	}
	f.Input, f.Output = f.Input/float64(f.Len), f.Output/float64(f.Len)
	return f
}

func TestEveryFormatIsReadAndFoundByItsContent(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for _, tt := range []struct {
		file    string
		format  Format
		want    []Event
		figures figures
	}{
		{"mooncake.jsonl", Mooncake, []Event{
			{0, 6955, 52, []uint64{46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 2353, 2354}, 512},
			{0, 512, 26, []uint64{46}, 512}, // 47 begins behind the prompt's end
			{3052*ms + 500*us, 1000, 7, nil, 0},
			{3053 * ms, 513, 1, nil, 0},
		}, figures{
			Len: 4, Duration: 3053 * ms, Input: 2245, Output: 21.5, Unanswered: 1,
			Skipped: Skipped{Count: 1, First: []lines.BadLine{{Line: 6, Why: "a prompt of 1000001 tokens is out of range: it goes from 1 to 1000000"}}},
		}},
		{"azure2023.csv", Azure, []Event{
			{0, 374, 44, nil, 0},
			{4314*ms + 579*us, 396, 109, nil, 0},
			{4541*ms + 877*us, 879, 55, nil, 0},
		}, figures{Len: 3, Duration: 4541877 * us, Input: 1649.0 / 3, Output: 208.0 / 3}},
		{"azure2024.csv", Azure, []Event{
			{0, 9, 1, nil, 0},
			{time.Hour - 8070*us, 2162, 5, nil, 0},
			{time.Hour - 665*us, 2399, 6, nil, 0},
			{time.Hour + 5314*us, 76, 15, nil, 0},
		}, figures{Len: 4, Duration: time.Hour + 5314*us, Input: 1161.5, Output: 6.75}},
		{"burstgpt.csv", BurstGPT, []Event{
			{0, 472, 18, nil, 0},
			{40 * time.Second, 1087, 230, nil, 0},
			{111500 * ms, 20, 647, nil, 0},
			{113 * time.Second, 417, 276, nil, 0},
		}, figures{Len: 4, Duration: 113 * time.Second, Input: 499, Output: 292.75, Unanswered: 1}},
		{"burstgpt_sessions.csv", BurstGPT, []Event{
			{0, 12, 3, nil, 0},
			{2500 * ms, 12, 3, nil, 0},
		}, figures{Len: 2, Duration: 2500 * ms, Input: 12, Output: 3, Skipped: Skipped{Count: 3, First: []lines.BadLine{
			{Line: 3, Why: `the timestamp "-1" is out of range: it goes from 0 to 292 years`},
			{Line: 4, Why: `the timestamp "NaN" is not a number`},
			{Line: 5, Why: "Request tokens is missing"},
		}}}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			for _, format := range []Format{"", tt.format} {
				trace := open(t, filepath.Join("testdata", tt.file), format)
				if diff := cmp.Diff(tt.want, events(t, trace)); diff != "" {
					t.Errorf("format %q (-want +got):\n%s", format, diff)
				}
				if diff := cmp.Diff(tt.figures, figuresOf(t, trace)); diff != "" {
					t.Errorf("format %q (-want +got):\n%s", format, diff)
				}
				if trace.Name() != tt.file || trace.Format() != tt.format || len(trace.Hash()) != 12 {
					t.Errorf("%s, %s, %s", trace.Name(), trace.Format(), trace.Hash())
				}
			}
		})
	}
}

const header = "Timestamp,Request tokens,Response tokens\n"

func TestBadLinesSayWhatIsWrong(t *testing.T) {
	const azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
	for _, tt := range []struct{ file, want string }{
		{header + "1,0,1", "a prompt of 0 tokens cannot be sent"},
		{header + "1,-5,1", "a prompt of -5 tokens is out of range: it goes from 1 to 1000000"},
		{header + "1,1,1000001", "an answer of 1000001 tokens is out of range: it goes from 1 to 1000000"},
		{header + "1,1.5,1", `Request tokens is "1.5", which is not a whole number`},
		{header + "1,1,many", `Response tokens is "many", which is not a whole number`},
		{header + "1,1", "Response tokens is missing"},
		{header + "inf,1,1", `the timestamp "inf" is not a number`},
		{header + "1e300,1,1", `the timestamp "1e300" is out of range: it goes from 0 to 292 years`},
		{header + "9223372037,1,1", `the timestamp "9223372037" is out of range: it goes from 0 to 292 years`},
		{header + "1,1,1\x00", "byte 6 is a NUL, which no text has"},
		{azure + "2023-02-29 00:00:00,1,1", `the timestamp "2023-02-29 00:00:00" is not a date and time like 2023-11-16 18:15:46.680`},
		{azure + "2023-02-28 24:00:00,1,1", `the timestamp "2023-02-28 24:00:00" is not a date and time like 2023-11-16 18:15:46.680`},
		{azure + "1700158546,1,1", `the timestamp "1700158546" is not a date and time like 2023-11-16 18:15:46.680`},
		{azure + "1969-12-31 23:59:59,1,1", `the timestamp "1969-12-31 23:59:59" is out of range: it goes from 1970 to 2200`},
		{azure + "9999-12-31 23:59:59,1,1", `the timestamp "9999-12-31 23:59:59" is out of range: it goes from 1970 to 2200`},
		{`{"timestamp":1`, "the JSON ends too early; a whole object has to stand on one line"},
		{`{"input_length":1,"output_length":1}`, `"timestamp" is missing`},
		{`{"timestamp":"1","input_length":1,"output_length":1}`, `the timestamp "\"1\"" is not a number`},
		{`{"timestamp":-1,"input_length":1,"output_length":1}`, `the timestamp "-1" is out of range: it goes from 0 to 292 years`},
		{`{"timestamp":1e16,"input_length":1,"output_length":1}`, `the timestamp "1e16" is out of range: it goes from 0 to 292 years`},
		{`{"timestamp":1,"output_length":1}`, `"input_length" is not a whole number`},
		{`{"timestamp":1,"input_length":1,"output_length":null}`, `"output_length" is not a whole number`},
		{`{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":5}`, `"hash_ids" is not a list`},
		{`{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":[-1]}`, `"hash_ids" has the id "-1", which is not a whole number`},
	} {
		path := filetest.Written(t, tt.file)
		_, err := Open(path, "", Reading{})
		want := "trace " + path + " has no request that can be used: line " + string('1'+rune(strings.Count(tt.file, "\n"))) + ": " + tt.want
		if err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestOpenSaysWhyAFileIsNoTrace(t *testing.T) {
	const unknown = `cannot be read: it is of no known format: neither lines of JSON with "timestamp", "input_length" and ` +
		`"output_length" (mooncake), nor CSV with the columns TIMESTAMP, ContextTokens, GeneratedTokens (azure) ` +
		`or Timestamp, Request tokens, Response tokens (burstgpt)`
	for _, tt := range []struct {
		name, content string
		format        Format
		want          string
	}{
		{"of no format", "hello\n", "", unknown},
		{"without a header", "2023-11-16 18:15:46,1,1\n", "", unknown},
		{"another format's header", header, Azure, `cannot be read: its first line has to name the columns TIMESTAMP, ContextTokens, GeneratedTokens, and "ContextTokens" is not among them`},
		{"not JSON", "hello\n", Mooncake, "has no request that can be used: line 1: not a JSON object"},
		{"only a header", header, "", "has no request in it"},
		{"blank", "\n \n", "", "has no request in it"},
		{"without an answer", header + "1,1,0\n", "", "has no request that got an answer"},
		{"empty", "", "", "is empty"},
		{"packed", "\x1f\x8b\x08\x00", "", "is packed with gzip; unpack it first, with gunzip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filetest.Written(t, tt.content)
			_, err := Open(path, tt.format, Reading{})
			if want := "trace " + path + " " + tt.want; err == nil || err.Error() != want {
				t.Errorf("%v\nwant %s", err, want)
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	for in, want := range map[string]Format{"": "", "auto": "", " Mooncake ": Mooncake, "azure": Azure, "BurstGPT": BurstGPT} {
		if got, err := ParseFormat(in); got != want || err != nil {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	_, err := ParseFormat("csv")
	if err == nil || err.Error() != `there is no trace format "csv"; there are mooncake, azure and burstgpt` {
		t.Error(err)
	}
}

func TestCursorSaysThatTheFileIsAnother(t *testing.T) {
	content := header + "1,1,1\n2,2,2\n"
	path := filetest.Written(t, content)
	trace := open(t, path, "")
	changed := "trace " + path + " was changed since it was opened; open it again"
	began := trace.Events()
	if _, ok, err := began.Next(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := began.Close(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte(content+"3,3,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the error stays
		c := trace.Events()
		if _, ok, err := c.Next(); ok || err == nil || err.Error() != changed {
			t.Error(ok, err)
		}
		if _, ok, err := c.Next(); ok || err == nil || err.Error() != changed {
			t.Error(ok, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := trace.Events().Next(); ok || !errors.Is(err, fs.ErrNotExist) {
		t.Error(ok, err)
	}
}

func TestCursorNoticesAChangeThatKeepsSizeAndTime(t *testing.T) {
	path := filetest.Written(t, header+"1,1,1\n2,2,2\n")
	trace := open(t, path, "")
	if err := os.WriteFile(path, []byte(header+"1,1,1\n2,2,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, trace.info.ModTime(), trace.info.ModTime()); err != nil {
		t.Fatal(err)
	}
	c := trace.Events()
	if e, ok, err := c.Next(); !ok || err != nil {
		t.Error(e, ok, err)
	}
	if e, ok, err := c.Next(); ok || err == nil || !strings.Contains(err.Error(), "was changed since it was opened") {
		t.Error(e, ok, err)
	}
}

func TestClosedCursorHandsOutNothing(t *testing.T) {
	trace := open(t, filetest.Written(t, header+"1,1,1\n"), "")
	unused, used := trace.Events(), trace.Events()
	if _, ok, err := used.Next(); !ok || err != nil {
		t.Error(ok, err)
	}
	for _, c := range []*Cursor{unused, used} {
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if e, ok, err := c.Next(); ok || err != nil {
			t.Error(e, ok, err)
		}
	}
}

func TestHashIsOfTheContentAlone(t *testing.T) {
	a, b := open(t, filetest.Written(t, header+"1,1,1"), ""), open(t, filetest.Written(t, header+"1,1,1"), "")
	other := open(t, filetest.Written(t, header+"1,1,1\n"), "")
	if a.Hash() != b.Hash() || a.Hash() == other.Hash() {
		t.Errorf("hashes %s, %s, %s", a.Hash(), b.Hash(), other.Hash())
	}
}
