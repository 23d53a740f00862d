// Fuzzing and measuring the way from bytes to token events.

package wire

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// FuzzSSE feeds a stream whole and in small reads: the record must be the same, and hold together.
func FuzzSSE(f *testing.F) {
	files, _ := filepath.Glob("testdata/ll*-*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
		f.Add(body[:min(len(body), 2000)], byte(3))
	}
	f.Add([]byte("data: {\"choices\":[\r\ndata: ]}\r\r\nevent: error\ndata: x"), byte(1))
	f.Add([]byte(role+say("a")+stop+usage23+done), byte(2))
	f.Fuzz(func(t *testing.T, stream []byte, size byte) {
		at := []part{{ms(10), string(stream)}}
		whole, heard := replay(at, 0, nil)
		again, heardAgain := replay(at, 1+int(size)%100, nil)
		if whole != again {
			t.Errorf("in reads of %d:\n%+v\nwhole:\n%+v", 1+int(size)%100, again, whole)
		}
		if diff := cmp.Diff(heard.tokens, heardAgain.tokens); diff != "" {
			t.Errorf("token events differ (-whole):\n%s", diff)
		}
		checkIdentity(t, whole, heard)
		if n := whole.Arrivals; n.Events > whole.Chunks || n.Times > n.Events || n.Opening > n.Events || (n.Times > 0) != (whole.Chunks > 0) {
			t.Errorf("%d chunks came as %+v", whole.Chunks, n)
		}
		if whole.Outcome == record.Failed && (whole.Kind == "" || whole.Error == "") {
			t.Errorf("failed without saying why: %+v", whole)
		}
	})
}

func TestLinesAreSplitLikeASlowReference(t *testing.T) {
	for _, text := range []string{"", "\n", "\r", "\r\n", "\n\r", "a\r\nb\rc\nd", "\r\r\n\n", "a\n\nb\r\n\r\nc\r\r"} {
		for _, size := range readSizes {
			var l lineReader
			l.reset(&feed{parts: parts(text), size: size})
			var got []string
			for {
				line, _, err := l.next()
				if err == io.EOF {
					break
				}
				got = append(got, string(line))
			}
			want := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
			if want[len(want)-1] == "" {
				want = want[:len(want)-1] // nothing follows the last terminator
			}
			if strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) {
				t.Errorf("%q in reads of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}

// endless hands out the same bytes for ever, in reads of the size of one event.
type endless struct{ text []byte }

func (e endless) read(p []byte) (int, stamp, error) { return copy(p, e.text), stamp{at: 1}, nil }

func BenchmarkSSE(b *testing.B) {
	event := []byte(`data: {"id":"chatcmpl-a6eb2870","model":"sim-8b","object":"chat.completion.chunk","created":1795952976,"usage":null,"choices":[{"index":0,"finish_reason":null,"delta":{"content":"The "}}]}` + "\n\n")
	for _, bench := range []struct {
		name string
		take func(a *answer, line []byte, s stamp)
	}{
		{"lines", func(*answer, []byte, stamp) {}},
		{"events", func(a *answer, line []byte, s stamp) { _ = a.line(line, s) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var (
				a answer
				l lineReader
			)
			a.reset(record.New(1), nil, new(Request))
			l.reset(endless{event})
			b.SetBytes(int64(len(event)))
			b.ReportAllocs()
			for b.Loop() {
				for range 2 { // the data line and the blank line
					line, at, err := l.next()
					if err != nil {
						b.Fatal(err)
					}
					bench.take(&a, line, at)
				}
			}
		})
	}
}
