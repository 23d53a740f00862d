// This file feeds any bytes to every format.

package dataset

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"tokdyno/engine/chat"
)

func FuzzShareGPT(f *testing.F) { fuzz(f, ShareGPT) }
func FuzzJSONL(f *testing.F)    { fuzz(f, JSONL) }
func FuzzText(f *testing.F)     { fuzz(f, Text) }
func FuzzBatch(f *testing.F)    { fuzz(f, Batch) }
func FuzzCSV(f *testing.F)      { fuzz(f, CSV) }
func FuzzAuto(f *testing.F)     { fuzz(f, "") }

// memory is a file in memory.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// fuzz holds that what the survey took for good is good, and that an error is one sentence.
func fuzz(f *testing.F, format Format) {
	f.Fuzz(func(t *testing.T, file []byte) {
		set, err := read(memory{bytes.NewReader(file)}, "dir/data", format)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "data set dir/data ") || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("unusable error %q", err)
			}
			return
		}
		if set.Len() == 0 || set.Bytes() != int64(len(file)) || set.Format() == "" || format != "" && set.Format() != format {
			t.Fatalf("%d items in %d of %d bytes, format %q", set.Len(), set.Bytes(), len(file), set.Format())
		}
		last := 0
		for i := range set.Len() {
			item, err := set.Item(i)
			if err != nil {
				t.Fatalf("item %d was good, now: %v", i, err)
			}
			if item.Line < last || len(item.Turns) == 0 {
				t.Fatalf("item %d on line %d, after %d, has %d turns", i, item.Line, last, len(item.Turns))
			}
			last = item.Line
			for _, turn := range item.Turns {
				checkTurn(t, turn)
			}
		}
	})
}

func checkTurn(t *testing.T, turn Turn) {
	if turn.Prompt == "" || !utf8.ValidString(turn.Prompt) || turn.OutputTokens < 0 || turn.OutputTokens > MaxTokens {
		t.Fatalf("turn %+v", turn)
	}
	for _, m := range turn.Messages {
		if m.Role != chat.System && m.Role != chat.User && m.Role != chat.Assistant {
			t.Fatalf("role %q", m.Role)
		}
	}
}
