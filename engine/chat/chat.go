// This file is the message, and what of messages every server takes.

package chat

import "strings"

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"` // one of the roles below
	Content string `json:"content"`
}

// The roles.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
)

// Blank reports whether a text says nothing: many servers refuse a message without a visible character.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// Alternating returns messages in a form that strict servers take too, which refuse a blank message, and two of one role in
// a row: without the blank ones, and with what one role says in a row as one message, a blank line between any two parts.
// Where nobody says anything, the last message stays. It may write to the slice.
func Alternating(messages []Message) []Message {
	kept := messages[:0]
	for i, m := range messages {
		last := len(kept) - 1
		switch {
		case Blank(m.Content) && (last >= 0 || i+1 < len(messages)):
		case last >= 0 && kept[last].Role == m.Role:
			kept[last].Content += "\n\n" + m.Content
		default:
			kept = append(kept, m)
		}
	}
	return kept
}
