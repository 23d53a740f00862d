// Package chat has the message of a conversation, as data sets hold it and endpoints are sent it.
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
