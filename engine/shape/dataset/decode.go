// This file makes items of a file's lines.

package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"tokdyno/engine/jsonscan"
)

// decoder makes items of valid JSON, or of lines of text.
type decoder struct {
	format Format
	table  *table // of CSV
	// survey says that nobody wants the texts: they are checked, and standIn put in the place of each.
	survey bool
}

const standIn = "…"

// item makes an item of one entry. Errors say what is wrong with it, as a clause.
func (d decoder) item(b []byte) (Item, error) {
	if d.format == Text {
		return Item{Turns: []Turn{{Prompt: string(b)}}}, nil
	}
	if d.format == CSV {
		m, err := d.table.members(b)
		if err != nil {
			return Item{}, err
		}
		return d.request(m)
	}
	if b[0] == '[' { // an array of arrays
		return d.conversation(members{dialogue: b})
	}
	m := membersOf(b)
	switch d.format {
	case ShareGPT:
		return d.conversation(m)
	case Batch:
		if m.body == nil {
			return Item{}, errors.New(`"body" is missing`)
		}
		return d.request(membersOf(m.body))
	default:
		return d.request(m)
	}
}

// members are the values of an object that say anything about an item, as they stand in the file; nil: missing.
type members struct {
	system, body                              []byte
	dialogue                                  []byte
	recorded                                  bool // the dialogue is called "conversations"
	prompt, question, instruction, more, text []byte
	outputTokens, maxCompletionTokens, maxTok []byte
}

func membersOf(object []byte) members {
	var m members
	for name, value := range jsonscan.Members(object) {
		if string(value) == "null" {
			continue
		}
		switch string(name) {
		case "conversations", "conversation":
			m.dialogue, m.recorded = value, true
		case "messages":
			if !m.recorded {
				m.dialogue = value
			}
		case "system":
			m.system = value
		case "body":
			m.body = value
		case "prompt":
			m.prompt = value
		case "question":
			m.question = value
		case "instruction":
			m.instruction = value
		case "input":
			m.more = value
		case "text":
			m.text = value
		case "output_tokens":
			m.outputTokens = value
		case "max_completion_tokens":
			m.maxCompletionTokens = value
		case "max_tokens":
			m.maxTok = value
		}
	}
	return m
}

// request makes an item of one turn.
func (d decoder) request(m members) (Item, error) {
	var lead lump
	var turn Turn
	err := d.system(m, &lead)
	switch {
	case err != nil:
	case m.dialogue != nil:
		turn, err = d.lastTurn(m.dialogue, &lead)
	default:
		turn.Prompt, err = d.prompt(m)
	}
	if err == nil {
		turn.OutputTokens, err = m.output()
	}
	if err != nil {
		return Item{}, err
	}
	return Item{System: lead.String(), Turns: []Turn{turn}}, nil
}

// system adds the item's own system message, if it has one.
func (d decoder) system(m members, to *lump) error {
	if m.system == nil {
		return nil
	}
	text, err := d.text(m.system)
	if err != nil {
		return fmt.Errorf(`"system" %w`, err)
	}
	to.add(text)
	return nil
}

// prompt is the text of a request that has no dialogue.
func (d decoder) prompt(m members) (string, error) {
	for _, p := range []struct {
		name  string
		value []byte
	}{{"prompt", m.prompt}, {"question", m.question}, {"instruction", m.instruction}, {"text", m.text}} {
		if p.value == nil {
			continue
		}
		text, err := d.text(p.value)
		if err == nil && p.name == "instruction" && m.more != nil {
			var more string
			if more, err = d.text(m.more); more != "" {
				text += "\n\n" + more
			}
		}
		switch {
		case err != nil:
			return "", fmt.Errorf("%q %w", p.name, err)
		case text == "":
			return "", fmt.Errorf("%q is empty", p.name)
		}
		return text, nil
	}
	return "", errors.New(`there is no "prompt", "messages", "question", "instruction" or "text" in it`)
}

// output is how long an answer the file asks for; 0 where it does not say.
func (m members) output() (int, error) {
	for _, o := range []struct {
		name  string
		value []byte
	}{{"output_tokens", m.outputTokens}, {"max_completion_tokens", m.maxCompletionTokens}, {"max_tokens", m.maxTok}} {
		if o.value == nil {
			continue
		}
		n, ok := jsonscan.Whole(o.value)
		if !ok || n < 1 || n > MaxTokens {
			return 0, fmt.Errorf("%q is not a whole number from 1 to %d", o.name, MaxTokens)
		}
		return int(n), nil
	}
	return 0, nil
}

// text is the text of a string, or of an array whose parts are all text: as they stand, or as {"type":"text","text":"…"}.
// Several parts are put on lines of their own, as servers do.
func (d decoder) text(value []byte) (string, error) {
	if raw, ok := jsonscan.Text(value); ok {
		return d.decode(value, raw), nil
	}
	if len(value) == 0 || value[0] != '[' {
		return "", errors.New("is not a text")
	}
	var all lump
	for part := range jsonscan.Elements(value) {
		text := part
		for name, v := range jsonscan.Members(part) {
			if string(name) == "text" {
				text = v
			}
		}
		raw, ok := jsonscan.Text(text)
		if !ok {
			return "", errors.New("has a part that is not text, and only text can be sent")
		}
		all.add(d.decode(text, raw))
	}
	return all.String(), nil
}

// decode returns the text of a string; "" where it is blank.
func (d decoder) decode(value, raw []byte) string {
	switch {
	case len(bytes.Trim(raw, " ")) == 0:
		return ""
	case d.survey:
		return standIn
	default:
		return jsonscan.Decode(value)
	}
}

// lump puts texts together, each on lines of its own. There may be very many of them.
type lump struct{ strings.Builder }

func (l *lump) add(text string) {
	if l.Len() > 0 && text != "" {
		l.WriteByte('\n')
	}
	l.WriteString(text)
}
