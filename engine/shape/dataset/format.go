// This file is the formats: their names, and how a file's content tells which one it is.

package dataset

import (
	"bytes"
	"fmt"
	"strings"

	"tokdyno/engine/chat"
	"tokdyno/engine/shape/lines"
)

// Format is how a file writes its items. All but Text are JSON: one object a line, or one array of objects.
type Format string

// The formats.
const (
	// ShareGPT is recorded conversations: {"conversations":[{"from":"human","value":"…"},…]}, or "messages" of "role" and
	// "content". Every turn of the person is a turn; the answers of the file are not used.
	ShareGPT Format = "sharegpt"
	// JSONL is single requests: "prompt", or "messages" of which the last of the user is the prompt and those before it
	// are its history; beside it "system" and "output_tokens". "question", "instruction" with "input", or "text" do for
	// a prompt too.
	JSONL Format = "jsonl"
	// Text is a prompt a line. Blank lines do not count.
	Text Format = "text"
	// Batch is OpenAI's batch input: {"custom_id":"…","method":"POST","url":"…","body":{…}}, the body as in JSONL.
	Batch Format = "batch"
)

// ParseFormat reads the name of a format in any case. "auto" and "" give "", which stands for what the content says.
func ParseFormat(s string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimSpace(s))); f {
	case "", "auto":
		return "", nil
	case ShareGPT, JSONL, Text, Batch:
		return f, nil
	}
	return "", fmt.Errorf("there is no data set format %q; there are %s, %s, %s and %s", s, ShareGPT, JSONL, Text, Batch)
}

// layout tells from a file's beginning whether it is JSON at all, and whether all of it is one array. It is JSON too
// where the first line is damaged, but most are objects.
func layout(head []byte) (json, array bool) {
	first, second := opening(head)
	if array = first == '[' && (second == '{' || second == ']' || second == 0); array {
		return true, true
	}
	objects, others := 0, 0
	for line := range bytes.Lines(head) {
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case lines.CheckLine(line) == nil:
			objects++
		default:
			others++
		}
	}
	return objects > others || first == '{' && (second == '"' || second == '}'), false
}

// opening returns the first two bytes that are not white space; 0 for those that are not there.
func opening(head []byte) (first, second byte) {
	head = bytes.TrimSpace(head)
	if len(head) == 0 {
		return 0, 0
	}
	if rest := bytes.TrimSpace(head[1:]); len(rest) > 0 {
		second = rest[0]
	}
	return head[0], second
}

// recognise tells which format of JSON an item is written in. It does not matter whether it is a good one.
func recognise(m members) Format {
	switch {
	case m.body != nil:
		return Batch
	case m.recorded:
		return ShareGPT
	case endsWithAnswer(m.dialogue):
		return ShareGPT
	}
	return JSONL
}

// endsWithAnswer reports whether a dialogue is over, so that it is a recording rather than a request.
func endsWithAnswer(dialogue []byte) bool {
	role := ""
	for m := range lines.Elements(dialogue) {
		role, _ = parts(m)
	}
	return role == chat.Assistant
}
