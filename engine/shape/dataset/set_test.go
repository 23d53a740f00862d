// This file tests what is read from small files of every format.

package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/chat"
	"tokdyno/engine/shape/internal/filetest"
	"tokdyno/engine/shape/lines"
)

// open opens a file of testdata, or fails the test.
func open(t testing.TB, path string, format Format) *Set {
	t.Helper()
	set, err := Open(path, format)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	return set
}

// items reads all items of a set.
func items(t testing.TB, set *Set) []Item {
	t.Helper()
	var all []Item
	for i := range set.Len() {
		item, err := set.Item(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func single(line int, prompt string) Item { return Item{Line: line, Turns: []Turn{{Prompt: prompt}}} }

func TestEveryFormatIsReadAndFoundByItsContent(t *testing.T) {
	for _, tt := range []struct {
		file    string
		format  Format
		want    []Item
		skipped Skipped
	}{
		{"sharegpt.json", ShareGPT, []Item{
			{Line: 2, Turns: []Turn{{Prompt: "Why does bread rise?"}, {Prompt: "And \"sourdough\"?\nIs that yeast too?"}}},
			{Line: 18, System: "You are a pirate.", Turns: []Turn{
				{Prompt: "Où est le trésor ? 🏴‍☠️"},
				{Prompt: "Where?", Messages: []chat.Message{{Role: chat.System, Content: "Speak English."}}},
			}},
		}, Skipped{Count: 1, First: []lines.BadLine{{Line: 12, Why: "element 2 of the array: nobody says anything in its conversation but the assistant"}}}},
		{"sharegpt.jsonl", ShareGPT, []Item{
			{Line: 1, System: "Be brief.", Turns: []Turn{{Prompt: "Name a river."}, {Prompt: "Another."}}},
			single(2, "Name a lake."),
		}, Skipped{}},
		{"requests.jsonl", JSONL, []Item{
			{Line: 1, Turns: []Turn{{Prompt: "Write a haiku about rust.", OutputTokens: 32}}},
			{Line: 2, System: "You are a poet.", Turns: []Turn{{Prompt: "Write a limerick."}}},
			{Line: 4, System: "Answer in one word.", Turns: []Turn{{
				Messages:     []chat.Message{{Role: chat.User, Content: "Capital of France?"}, {Role: chat.Assistant, Content: "Paris."}},
				Prompt:       "And of Italy?\nQuick!",
				OutputTokens: 4,
			}}},
			single(5, "Translate into German.\n\nGood night."),
			{Line: 6, Turns: []Turn{{Prompt: "What is 2+2?", OutputTokens: 8}}},
			single(7, "Once upon a time"),
		}, Skipped{}},
		{"batch.jsonl", Batch, []Item{
			{Line: 1, System: "Be kind.", Turns: []Turn{{Prompt: "Hello!", OutputTokens: 100}}},
			{Line: 2, Turns: []Turn{{Prompt: "Dear sir,", OutputTokens: 50}}},
		}, Skipped{Count: 1, First: []lines.BadLine{{Line: 3, Why: `there is no "prompt", "messages", "question", "instruction" or "text" in it`}}}},
		{"prompts.txt", Text, []Item{
			single(1, "What is a dynamometer?"),
			single(3, "  [INST] Indented, and not JSON. [/INST]"),
			single(4, "Last line, without an ending"),
		}, Skipped{}},
		{"list-of-lists.json", ShareGPT, []Item{single(1, "foo"), single(1, "x")}, Skipped{}},
		{"list-of-lists-indented.json", ShareGPT, []Item{single(2, "foo"), single(12, "x")}, Skipped{}},
		{"damaged.jsonl", JSONL, []Item{single(1, "one"), single(8, "nine")}, Skipped{Count: 7, First: []lines.BadLine{
			{Line: 2, Why: "the JSON ends too early; a whole object has to stand on one line"},
			{Line: 3, Why: `"prompt" is empty`},
			{Line: 4, Why: "byte 16 is not valid UTF-8"},
			{Line: 5, Why: "not a JSON object"},
			{Line: 6, Why: `there is no "prompt", "messages", "question", "instruction" or "text" in it`},
		}}},
		{"damaged.json", ShareGPT, []Item{single(2, "first"), single(4, "third"), single(7, "sixth")}, Skipped{Count: 4, First: []lines.BadLine{
			{Line: 3, Why: "element 2 of the array is not valid JSON at byte 152 of the file"},
			{Line: 5, Why: "an element of the array is not an object"},
			{Line: 6, Why: "an element of the array: the content of message 1 is not a text"},
			{Line: 8, Why: "an element of the array is not valid JSON at byte 472 of the file"},
		}}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			for _, format := range []Format{"", tt.format} {
				set := open(t, filepath.Join("testdata", tt.file), format)
				if diff := cmp.Diff(tt.want, items(t, set)); diff != "" {
					t.Errorf("format %q (-want +got):\n%s", format, diff)
				}
				if diff := cmp.Diff(tt.skipped, set.Skipped()); diff != "" {
					t.Errorf("format %q, skipped (-want +got):\n%s", format, diff)
				}
				info, err := os.Stat(filepath.Join("testdata", tt.file))
				if err != nil || set.Bytes() != info.Size() || set.Name() != tt.file || set.Format() != tt.format {
					t.Errorf("%s of %d bytes is %q; %v", set.Name(), set.Bytes(), set.Format(), err)
				}
			}
		})
	}
}

func TestFormatIsFoundByContent(t *testing.T) {
	for content, want := range map[string]Format{
		"hello":                             Text,
		"[INST] hello [/INST]":              Text,
		"{{name}}, hello":                   Text,
		"[1, 2] are numbers":                Text,
		"\xef\xbb\xbf\n {\"prompt\":\"a\"}": JSONL,
		`[{"prompt":"a"}]`:                  JSONL,
		"[[wiki]] links":                    Text,
		"prompt, or not\nwhat else":         Text,
		"Yes, please\nNo, thanks\nWell, no": Text,
		"[[{\"from\":\"human\",\"value\":\"a\"}],\n[{\"broken\n":                             ShareGPT,
		`{"messages":[{"role":"user","content":"a"}]}`:                                       JSONL,
		`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":""}]}`:     ShareGPT,
		`{"conversation":[{"role":"user","content":"a"}]}`:                                   ShareGPT,
		`{"body":{"prompt":"a"}}`:                                                            Batch,
		"{\"broken\":\n{\"body\":{}}\n{\"conversations\":[]}\n{\"prompt\":\"a\"}":            JSONL,
		"{\"conversations\":[]}\n{\"conversations\":[{\"from\":\"human\",\"value\":\"a\"}]}": ShareGPT,
	} {
		if set := open(t, filetest.Written(t, content), ""); set.Format() != want {
			t.Errorf("%s is %s, want %s", content, set.Format(), want)
		}
	}
}

func TestFormatMayBeForced(t *testing.T) {
	line := `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"max_tokens":5}`
	history := []chat.Message{{Role: chat.User, Content: "a"}, {Role: chat.Assistant, Content: "b"}}
	for format, want := range map[Format]Item{
		ShareGPT: {Line: 1, Turns: []Turn{{Prompt: "a"}, {Prompt: "c"}}},
		JSONL:    {Line: 1, Turns: []Turn{{Messages: history, Prompt: "c", OutputTokens: 5}}},
		Text:     single(1, line),
	} {
		if table := open(t, filetest.Written(t, "id,prompt\n1,a"), Text); table.Len() != 2 {
			t.Errorf("%d lines of a table that is to be sent as text", table.Len())
		}
		if diff := cmp.Diff([]Item{want}, items(t, open(t, filetest.Written(t, line), format))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

// TestManyPartsAreNoTrouble would take hours if every part copied those before it.
func TestManyPartsAreNoTrouble(t *testing.T) {
	const n = 100_000
	parts := "[" + strings.Repeat(`"a",`, n-1) + `"a"]`
	leads := strings.Repeat(`{"role":"system","content":"s"},`, n)
	set := open(t, filetest.Written(t, `{"messages":[`+leads+`{"role":"user","content":`+parts+`}]}`), "")
	for _, item := range items(t, set) {
		if len(item.System) != 2*n-1 || len(item.Turns[0].Prompt) != 2*n-1 {
			t.Errorf("system message of %d bytes, prompt of %d", len(item.System), len(item.Turns[0].Prompt))
		}
	}
}

func TestHashIsOfTheContentAlone(t *testing.T) {
	a, b := open(t, filetest.Written(t, "one\ntwo"), ""), open(t, filetest.Written(t, "one\ntwo"), "")
	other := open(t, filetest.Written(t, "one\ntwo\n"), "")
	if a.Hash() != b.Hash() || a.Hash() == other.Hash() || a.Hash() != "21066d108d53" {
		t.Errorf("hashes %s, %s, %s", a.Hash(), b.Hash(), other.Hash())
	}
}

func TestParseFormat(t *testing.T) {
	for in, want := range map[string]Format{"": "", "auto": "", " ShareGPT ": ShareGPT, "JSONL": JSONL, "text": Text, "batch": Batch} {
		if got, err := ParseFormat(in); got != want || err != nil {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	_, err := ParseFormat("csv")
	if err == nil || err.Error() != `there is no data set format "csv"; there are sharegpt, jsonl, text and batch` {
		t.Error(err)
	}
}

const asJSON = `write it as lines of JSON, such as {"prompt":"…","output_tokens":128}, or name it as text:FILE to send each line as it stands`

func TestOpenSaysWhyAFileIsNoDataSet(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		format        Format
		want          string
	}{
		{"no good line", "{\"prompt\":1}\n{\"prompt\":2}\n", "", `has no item that can be used: line 1: "prompt" is not a text`},
		{"text as JSON", "\nhello\n", JSONL, "has no item that can be used: line 2: not a JSON object"},
		{"an object over several lines", "{\"a\":\n1}", JSONL, "has no item that can be used: line 1: the JSON ends too early; a whole object has to stand on one line"},
		{"a list of texts", `["foo","bar"]`, "", "has no item that can be used: line 1: element 1 of the array is not an object"},
		{"a list of numbers", "[1,\n2]", "", "has no item that can be used: line 1: element 1 of the array is not an object"},
		{"lists of texts", `[["foo"],["bar"]]`, "", "has no item that can be used: line 1: element 1 of the array: nobody says anything in its conversation but the assistant"},
		{"lists for another format", `[[{"from":"human","value":"a"}]]`, JSONL, "has no item that can be used: line 1: element 1 of the array is an array, not an object"},
		{"a text a line, in JSON", "\"foo\"\n\"bar\"\n", "", "has no item that can be used: line 1: not a JSON object"},
		{"an object over many lines", "{\n\"prompt\": \"a\"\n}", "", "has no item that can be used: line 1: the JSON ends too early; a whole object has to stand on one line"},
		{"a table", "id,Prompt,output_tokens\n1,\"Say, what?\",7\n", "", "is a table with the columns id, Prompt, output_tokens: " + asJSON},
		{"a table of tabs", "\"prompt\"\t\"reply\"\na\tb\n", "", "is a table with the columns prompt, reply: " + asJSON},
		{"a table of other names", "id,ask,len\n1,hello,7\n2,again,9\n", "", "is a table with the columns id, ask, len: " + asJSON},
		{"an empty array", "[ ]", "", "has nothing in it"},
		{"blank lines", "\n \r\n\n", "", "has nothing in it"},
		{"binary", "\x7fELF\x00\x01", "", "has no item that can be used: line 1: byte 5 is a NUL, which no text has"},
		{"nothing at all", "", "", "is empty"},
		{"packed", "\x1f\x8b\x08\x00", "", "is packed with gzip; unpack it first, with gunzip"},
		{"another format's", `{"prompt":"a"}`, ShareGPT, `has no item that can be used: line 1: there is no "conversations" and no "messages" in it`},
		{"no body", `{"custom_id":"a"}`, Batch, `has no item that can be used: line 1: "body" is missing`},
		{"an image", `{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, "", "has no item that can be used: line 1: the content of message 1 has a part that is not text, and only text can be sent"},
		{"a tool", `{"messages":[{"role":"tool","content":"x"}]}`, "", "has no item that can be used: line 1: message 1 is not of a role that can be sent: system, user or assistant"},
		{"an answer too long", `{"prompt":"a","max_tokens":1000001}`, "", `has no item that can be used: line 1: "max_tokens" is not a whole number from 1 to 1000000`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filetest.Written(t, tt.content)
			_, err := Open(path, tt.format)
			if want := "data set " + path + " " + tt.want; err == nil || err.Error() != want {
				t.Errorf("%v\nwant %s", err, want)
			}
		})
	}
	if _, err := Open(t.TempDir(), ""); err == nil || !strings.HasSuffix(err.Error(), "is a directory; name a file in it") {
		t.Error(err)
	}
}
