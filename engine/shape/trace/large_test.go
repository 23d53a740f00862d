// This file tests and measures large files, which it generates.

package trace

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/shape/internal/filetest"
)

// writers write files of n events each, that look like those that were published.
var writers = []struct {
	format Format
	write  func(w io.Writer, random *rand.Rand, n int)
}{
	{Mooncake, func(w io.Writer, random *rand.Rand, n int) {
		for i := range n {
			input := 1 + random.IntN(20_000)
			ids := make([]string, (input+511)/512)
			for j := range ids {
				ids[j] = fmt.Sprint(random.IntN(200_000))
			}
			fmt.Fprintf(w, `{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [%s]}`+"\n", i/3*1000, input, 1+random.IntN(900), strings.Join(ids, ", "))
		}
	}},
	{Azure, func(w io.Writer, random *rand.Rand, n int) {
		fmt.Fprintln(w, "TIMESTAMP,ContextTokens,GeneratedTokens")
		at := time.Date(2024, 5, 10, 0, 0, 0, 9930_000, time.UTC)
		for range n {
			fmt.Fprintf(w, "%s,%d,%d\n", at.Format("2006-01-02 15:04:05.000000-07:00"), 1+random.IntN(4000), 1+random.IntN(900))
			at = at.Add(time.Duration(random.IntN(40_000)) * time.Microsecond)
		}
	}},
	{BurstGPT, func(w io.Writer, random *rand.Rand, n int) {
		fmt.Fprintln(w, "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type")
		for i := range n {
			input, output := 1+random.IntN(3000), 1+random.IntN(900)
			fmt.Fprintf(w, "%.1f,ChatGPT,%d,%d,%d,Conversation log\n", float64(5+i+random.IntN(20)), input, output, input+output)
		}
	}},
}

func TestLargeFilesAreReadWhole(t *testing.T) {
	for _, w := range writers {
		t.Run(string(w.format), func(t *testing.T) {
			const n = 20_000
			path := filetest.Generated(t, w.write, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			trace := open(t, path, "")
			runtime.ReadMemStats(&after)
			if trace.Len() != n || trace.Format() != w.format || trace.Skipped().Count+trace.Unanswered()+trace.Clamped() != 0 {
				t.Errorf("%d events, %+v", trace.Len(), trace.Skipped())
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 32*n+2<<20 {
				t.Errorf("%d bytes were allocated for %d events", allocated, n)
			}
			all := events(t, trace)
			for i, e := range all {
				if i > 0 && e.At < all[i-1].At || (e.Blocks != nil) != (w.format == Mooncake) {
					t.Fatalf("event %d: %+v", i, e)
				}
			}
			if len(all) != n || all[0].At != 0 || all[n-1].At != trace.Duration() {
				t.Errorf("%d events until %v; %+v", len(all), all[n-1].At, figuresOf(t, trace))
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, w := range writers {
		b.Run(string(w.format), func(b *testing.B) {
			path := filetest.Generated(b, w.write, 50_000)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Open(path, "", Reading{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCursor(b *testing.B) {
	for _, w := range writers {
		b.Run(string(w.format), func(b *testing.B) {
			trace, err := Open(filetest.Generated(b, w.write, 20_000), "", Reading{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			c := trace.Events()
			for b.Loop() {
				if _, ok, err := c.Next(); err != nil {
					b.Fatal(err)
				} else if !ok {
					c = trace.Events()
				}
			}
			_ = c.Close()
		})
	}
}
