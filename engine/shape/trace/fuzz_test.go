// This file feeds any bytes to every format.

package trace

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func FuzzMooncake(f *testing.F) { fuzz(f, Mooncake) }
func FuzzAzure(f *testing.F)    { fuzz(f, Azure) }
func FuzzBurstGPT(f *testing.F) { fuzz(f, BurstGPT) }

// fuzz holds what is promised of events, and that the pass which gathers evidence sees the same ones as the cursor, whatever
// follows from it.
func fuzz(f *testing.F, format Format) {
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, format := range []Format{format, ""} {
			var seen evidence
			reading := Reading{}
			first := newStream(bytes.NewReader(content), format, reading, &seen)
			for {
				if _, err := first.next(); err != nil {
					break
				}
			}
			if first.format == Mooncake {
				var err error
				if reading.Unit, err = seen.unit(); err == nil && reading.Unit <= 0 {
					t.Fatalf("found a unit of %d", reading.Unit)
				}
				if reading.Block, err = seen.block(512); err == nil && (reading.Block < 0 || reading.Block > MaxBlock) {
					t.Fatalf("found blocks of %d", reading.Block)
				}
			}
			survey := newStream(bytes.NewReader(content), format, reading, &seen)
			replay := newStream(bytes.NewReader(content), format, reading, nil)
			last := Event{}
			for n := 0; ; n++ {
				s, errSurvey := survey.next()
				e, err := replay.next()
				if (err == nil) != (errSurvey == nil) || s.At != e.At || s.Input != e.Input || s.Output != e.Output {
					t.Fatalf("event %d: %+v, %v in the pass, then %+v, %v", n, s, errSurvey, e, err)
				}
				if err != nil {
					wrong := formatError{}
					if !errors.Is(err, io.EOF) && !errors.As(err, &wrong) {
						t.Fatal(err)
					}
					break
				}
				if n == 0 && e.At != 0 || e.At < last.At || e.Input < 1 || e.Input > MaxTokens || e.Output < 1 || e.Output > MaxTokens {
					t.Fatalf("event %d: %+v after %+v", n, e, last)
				}
				if blocks := len(e.Blocks); (blocks > 0) != (e.BlockTokens > 0) || blocks > 0 && (blocks-1)*e.BlockTokens >= e.Input {
					t.Fatalf("event %d has %d blocks of %d for %d tokens", n, blocks, e.BlockTokens, e.Input)
				}
				last = e
			}
		}
	})
}
