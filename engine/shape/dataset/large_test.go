// This file tests and measures large files, which it generates.

package dataset

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"tokdyno/engine/shape/internal/filetest"
)

// words is text as chats have it: of any length, with quotes, line breaks and characters beyond ASCII.
func words(random *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString([]string{"the ", "model ", "said ", "\"why\" ", "line\n", "naïve ", "速度 ", "code{x}[0] "}[random.IntN(8)])
	}
	return b.String()
}

// value is v as Python's json.dump writes it.
func value(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only for what tests make
	}
	return b
}

// writers write files of n items each, that look like those that people have.
var writers = []struct {
	format Format
	write  func(w io.Writer, random *rand.Rand, n int)
}{
	{ShareGPT, func(w io.Writer, random *rand.Rand, n int) {
		fmt.Fprint(w, "[")
		for i := range n {
			type message struct {
				From  string `json:"from"`
				Value string `json:"value"`
			}
			var messages []message
			for range 1 + random.IntN(4) {
				messages = append(messages, message{"human", words(random, 1+random.IntN(100))}, message{"gpt", words(random, 1+random.IntN(300))})
			}
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, "\n  {\n    \"id\": \"a%d\",\n    \"conversations\": %s\n  }", i, value(messages))
		}
		fmt.Fprint(w, "\n]\n")
	}},
	{JSONL, func(w io.Writer, random *rand.Rand, n int) {
		for i := range n {
			fmt.Fprintf(w, `{"id": %d, "prompt": %s, "output_tokens": %d}`+"\n", i, value(words(random, 1+random.IntN(300))), 1+random.IntN(1000))
		}
	}},
	{Text, func(w io.Writer, random *rand.Rand, n int) {
		for range n {
			fmt.Fprintln(w, strings.ReplaceAll(words(random, 1+random.IntN(60)), "\n", " ")+"?")
		}
	}},
	{Batch, func(w io.Writer, random *rand.Rand, n int) {
		for i := range n {
			fmt.Fprintf(w, `{"custom_id":"r%d","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"system","content":%s},{"role":"user","content":%s}],"max_tokens":%d}}`+"\n",
				i, value(words(random, 20)), value(words(random, 1+random.IntN(300))), 1+random.IntN(1000))
		}
	}},
}

func TestLargeFilesAreReadWhole(t *testing.T) {
	for _, w := range writers {
		t.Run(string(w.format), func(t *testing.T) {
			const n = 1000
			set := open(t, filetest.Generated(t, w.write, n), "")
			if set.Len() != n || set.Format() != w.format || set.Skipped().Count != 0 {
				t.Fatalf("%d items of %d, format %s; %v", set.Len(), n, set.Format(), set.Skipped())
			}
			turns, tokens := 0, 0
			for _, item := range items(t, set) {
				turns += len(item.Turns)
				tokens += item.Turns[0].OutputTokens
			}
			if several, told := turns > n, tokens > 0; several != (w.format == ShareGPT) || told != (w.format == JSONL || w.format == Batch) {
				t.Errorf("%d turns, %d tokens asked for", turns, tokens)
			}
		})
	}
}

// TestMemoryIsBounded holds what stays in memory to the index, and what is allocated on the way to a small share of
// the file. BenchmarkMemory does so with 200 MB.
func TestMemoryIsBounded(t *testing.T) {
	for _, w := range writers {
		t.Run(string(w.format), func(t *testing.T) {
			set, kept, allocated := measured(t, repeated(t, w.write, 5e6))
			if n := int64(set.Len()); kept > 16*n+64<<10 || allocated > 64*n+5<<19 || n < 1000 {
				t.Errorf("%d MB, %d items: %d bytes kept of %d allocated", set.Bytes()/1e6, n, kept, allocated)
			}
		})
	}
}

func BenchmarkMemory(b *testing.B) {
	for _, w := range writers {
		b.Run(string(w.format), func(b *testing.B) {
			path := repeated(b, w.write, 200e6)
			b.SetBytes(200e6)
			for b.Loop() {
				set, kept, allocated := measured(b, path)
				b.ReportMetric(float64(kept)/float64(set.Len()), "kept-B/item")
				b.ReportMetric(float64(allocated)/1e6, "allocated-MB")
			}
		})
	}
}

// repeated writes a file of at least so many bytes, of a few items over and over.
func repeated(t testing.TB, write func(io.Writer, *rand.Rand, int), size int) string {
	return filetest.Generated(t, func(out io.Writer, random *rand.Rand, _ int) {
		var file strings.Builder
		write(&file, random, 1000)
		items, array := strings.CutPrefix(file.String(), "[")
		parting, end := "", ""
		if array {
			items, parting, end = strings.TrimSuffix(items, "\n]\n"), ",", "]"
			fmt.Fprint(out, "[")
		}
		fmt.Fprint(out, items)
		for n := len(items); n < size; n += len(items) {
			fmt.Fprint(out, parting, items)
		}
		fmt.Fprint(out, end)
	}, 0)
}

// measured opens a file and returns the bytes that the open set keeps, and that were allocated for it.
func measured(t testing.TB, path string) (set *Set, kept, allocated int64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	set = open(t, path, "")
	runtime.GC()
	runtime.ReadMemStats(&after)
	return set, int64(after.HeapAlloc) - int64(before.HeapAlloc), int64(after.TotalAlloc - before.TotalAlloc)
}

func BenchmarkOpen(b *testing.B) {
	for _, w := range writers {
		b.Run(string(w.format), func(b *testing.B) {
			path := filetest.Generated(b, w.write, 20_000)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				set, err := Open(path, "")
				if err != nil {
					b.Fatal(err)
				}
				_ = set.Close()
			}
		})
	}
}

func BenchmarkItem(b *testing.B) {
	for _, w := range writers {
		b.Run(string(w.format), func(b *testing.B) {
			set := open(b, filetest.Generated(b, w.write, 1000), "")
			b.SetBytes(set.Bytes() / int64(set.Len()))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := set.Item(i % set.Len()); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
