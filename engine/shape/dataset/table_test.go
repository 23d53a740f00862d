// This file tests tables.

package dataset

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/shape/internal/filetest"
	"tokdyno/engine/shape/lines"
)

func TestTablesAreReadByTheNamesOfTheirColumns(t *testing.T) {
	asked := func(line int, prompt string, tokens int) Item {
		return Item{Line: line, Turns: []Turn{{Prompt: prompt, OutputTokens: tokens}}}
	}
	for _, tt := range []struct {
		name, content string
		format        Format
		want          []Item
		skipped       Skipped
	}{
		{"commas", "id,Prompt,output_tokens\n1,\"Say, \"\"what\"\"?\",7\n2,plain,\n", "", []Item{asked(2, `Say, "what"?`, 7), asked(3, "plain", 0)}, Skipped{}},
		{"tabs", "\"prompt\"\t\"reply\"\na\tb\n", "", []Item{asked(2, "a", 0)}, Skipped{}},
		{"semicolons, a mark, lines that end as in Windows", "\xef\xbb\xbfprompt;max_tokens\r\n\"two\r\nlines\";5\r\n\r\nx;\r\n", "", []Item{asked(2, "two\nlines", 5), asked(5, "x", 0)}, Skipped{}},
		{"an instruction and what goes with it", "instruction,input\ndo,this\njust do,\n", "", []Item{asked(2, "do\n\nthis", 0), asked(3, "just do", 0)}, Skipped{}},
		{"a system message", "question,system\nhow?,be kind\n", "", []Item{{Line: 2, System: "be kind", Turns: []Turn{{Prompt: "how?"}}}}, Skipped{}},
		{"messages in JSON", "id,messages\n1,\"[{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"hi\"\"}]\"\n", "", []Item{asked(2, "hi", 0)}, Skipped{}},
		{"one column, said to be a table", "Prompt\nhello\nyou\n", CSV, []Item{asked(2, "hello", 0), asked(3, "you", 0)}, Skipped{}},
		{
			"bad records", "id,prompt\n1,a\n2\n3,\n4,b\"c\n5,\"d\"\n6,\xff\n", "",
			[]Item{asked(2, "a", 0), asked(6, "d", 0)},
			Skipped{Count: 4, First: []lines.BadLine{
				{Line: 3, Why: "the record has 1 fields, and the header names 2"},
				{Line: 4, Why: "its prompt is empty"},
				{Line: 5, Why: "a field has a quote in it and is not in quotes"},
			}},
		},
		{"the last record does not end", "id,prompt\n1,a\n2,\"b\n", "", []Item{asked(2, "a", 0)}, Skipped{Count: 1, First: []lines.BadLine{
			{Line: 3, Why: "a field in quotes does not end with one, or has one in it that is not doubled"},
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := open(t, filetest.Written(t, tt.content), tt.format)
			if diff := cmp.Diff(tt.want, items(t, set)); diff != "" || set.Format() != CSV || set.Bytes() != int64(len(tt.content)) {
				t.Errorf("%s, %d bytes (-want +got):\n%s", set.Format(), set.Bytes(), diff)
			}
			got := set.Skipped()
			if got.First = got.First[:min(len(got.First), 3)]; len(got.First) == 0 {
				got.First = nil
			}
			if diff := cmp.Diff(tt.skipped, got); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestARecordWithoutAnEndDoesNotFillTheMemory(t *testing.T) {
	path := filetest.Generated(t, func(w io.Writer, _ *rand.Rand, n int) {
		fmt.Fprint(w, "id,prompt\n1,\"")
		for range n {
			fmt.Fprint(w, strings.Repeat("x", 1<<20), "\n")
		}
	}, 18)
	if _, err := Open(path, ""); err == nil || !strings.HasSuffix(err.Error(), "a record is longer than 16 MiB; is a quote missing?") {
		t.Error(err)
	}
}
