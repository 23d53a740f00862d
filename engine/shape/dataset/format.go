// This file is the formats: their names, and how a file's content tells which one it is.

package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"tokdyno/engine/chat"
	"tokdyno/engine/jsonscan"
	"tokdyno/engine/shape/lines"
)

// Format is how a file writes its items. All but Text and CSV are JSON: one object a line, or one array of objects. What is JSON, or a
// table with a header, is never taken for Text unless that is asked for.
type Format string

// The formats.
const (
	// ShareGPT is recorded conversations: {"conversations":[{"from":"human","value":"…"},…]}, or "messages" of "role" and
	// "content", or an array of arrays of such. Every turn of the person is a turn; the answers of the file are not used.
	ShareGPT Format = "sharegpt"
	// JSONL is single requests: "prompt", or "messages" of which the last of the user is the prompt and those before it
	// are its history; beside it "system" and "output_tokens". "question", "instruction" with "input", or "text" do for
	// a prompt too.
	JSONL Format = "jsonl"
	// Text is a prompt a line. Blank lines do not count.
	Text Format = "text"
	// Batch is OpenAI's batch input: {"custom_id":"…","method":"POST","url":"…","body":{…}}, the body as in JSONL.
	Batch Format = "batch"
	// CSV is comma-, tab- or semicolon-separated values under a header: a column "prompt", or another name for it, beside it
	// "system" and "output_tokens". A field in quotes may have line breaks in it.
	CSV Format = "csv"
)

// ParseFormat reads the name of a format in any case. "auto" and "" give "", which stands for what the content says.
func ParseFormat(s string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimSpace(s))); f {
	case "", "auto":
		return "", nil
	case ShareGPT, JSONL, Text, Batch, CSV:
		return f, nil
	}
	return "", fmt.Errorf("there is no data set format %q; there are %s, %s, %s, %s and %s", s, ShareGPT, JSONL, Text, Batch, CSV)
}

// layout tells from a file's beginning whether it is JSON at all, and whether all of it is one array. It is JSON too
// where the first line is damaged, but most are objects.
func layout(head []byte) (json, array bool) {
	first, second := opening(head)
	if first == '[' && isArray(head, second) {
		return true, true
	}
	objects, texts, others := 0, 0, 0
	for line := range bytes.Lines(head) {
		scan := jsonscan.New(line)
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case lines.CheckLine(line) == nil:
			objects++
		case isText(&scan):
			texts++
		default:
			others++
		}
	}
	return objects+texts > others || first == '{' && (second == '"' || second == '}'), false
}

// isArray reports whether what begins with "[" is JSON, and not words in brackets: as far as one can see it is valid, or it
// is a list of objects, or of lists of them, that is damaged.
func isArray(head []byte, second byte) bool {
	if second == '{' || second == ']' || second == 0 {
		return true
	}
	inner := bytes.TrimLeft(head, "[ \t\r\n")
	if second == '[' && (len(inner) == 0 || inner[0] == '{' || inner[0] == ']') {
		return true
	}
	n, err := jsonscan.Check(head)
	if err != nil {
		return errors.Is(err, jsonscan.ErrShort)
	}
	rest, _ := opening(head[n:])
	return rest == 0 || rest == '[' || rest == ','
}

// isText reports whether a line is one JSON text.
func isText(scan *jsonscan.Scanner) bool {
	_, ok := scan.Text()
	return ok && scan.End()
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
	for m := range jsonscan.Elements(dialogue) {
		role, _ = parts(m)
	}
	return role == chat.Assistant
}
