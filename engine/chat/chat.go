// This file is the message.

package chat

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
