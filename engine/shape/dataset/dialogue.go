// This file makes turns of the messages of a chat.

package dataset

import (
	"errors"
	"fmt"
	"strings"

	"tokdyno/engine/chat"
	"tokdyno/engine/shape/lines"
)

// role is what a file's name for a role means. ShareGPT's files call the assistant gpt, chatgpt, bing, bard and more, so
// whoever is not known counts as somebody who answers; "" for nobody, and for the tools of a model that calls them.
func role(name string) string {
	switch name = strings.ToLower(name); name {
	case "system", "developer":
		return chat.System
	case "human", "user":
		return chat.User
	case "", "tool", "function", "function_call", "observation":
		return ""
	default:
		return chat.Assistant
	}
}

// parts are the role and the content of a message; "" and nil where it has none.
func parts(message []byte) (who string, content []byte) {
	for name, value := range lines.Members(message) {
		switch string(name) {
		case "role", "from":
			who = role(lines.Decode(value))
		case "content", "value":
			content = value
		}
	}
	return who, content
}

// conversation makes an item of a recorded conversation: its turns are what the person says in it. What the assistant
// says is left out, for the answers are to be the server's own.
func (d decoder) conversation(m members) (Item, error) {
	if m.dialogue == nil {
		return Item{}, errors.New(`there is no "conversations" and no "messages" in it`)
	}
	var item Item
	var lead lump
	if err := d.system(m, &lead); err != nil {
		return Item{}, err
	}
	var aside []chat.Message // system messages in mid-conversation
	number := 0
	for message := range lines.Elements(m.dialogue) {
		number++
		who, content := parts(message)
		if who != chat.User && who != chat.System {
			continue
		}
		text, err := d.text(content)
		switch {
		case err != nil:
			return Item{}, fmt.Errorf("the content of message %d %w", number, err)
		case text == "":
		case who == chat.User:
			item.Turns = append(item.Turns, Turn{Messages: aside, Prompt: text})
			aside = nil
		case len(item.Turns) == 0:
			lead.add(text)
		default:
			aside = append(aside, chat.Message{Role: chat.System, Content: text})
		}
	}
	if len(item.Turns) == 0 {
		return Item{}, errors.New("nobody says anything in its conversation but the assistant")
	}
	item.System = lead.String()
	return item, nil
}

// lastTurn makes a turn of the messages of a request: the last of the user's is the prompt, and those before it are
// its history. What follows it is left out. System messages that lead go apart.
func (d decoder) lastTurn(dialogue []byte, lead *lump) (Turn, error) {
	var all []chat.Message
	last := -1
	number := 0
	for message := range lines.Elements(dialogue) {
		number++
		who, content := parts(message)
		if who == "" {
			return Turn{}, fmt.Errorf("message %d is not of a role that can be sent: system, user or assistant", number)
		}
		text, err := d.text(content)
		if err != nil {
			return Turn{}, fmt.Errorf("the content of message %d %w", number, err)
		}
		if who == chat.System && len(all) == 0 {
			lead.add(text)
			continue
		}
		if who == chat.User {
			last = len(all)
		}
		all = append(all, chat.Message{Role: who, Content: text})
	}
	switch {
	case last < 0:
		return Turn{}, errors.New("there is no message of the user in it")
	case all[last].Content == "":
		return Turn{}, errors.New("the last message of the user is empty")
	case last == 0:
		return Turn{Prompt: all[0].Content}, nil
	default:
		return Turn{Messages: all[:last:last], Prompt: all[last].Content}, nil
	}
}
