// This file is an item of a data set: the turns of a conversation.

package dataset

import "tokdyno/engine/chat"

// MaxTokens is the longest answer that a file may ask for.
const MaxTokens = 1_000_000

// Item is one entry of a data set: a prompt, or a conversation of several.
type Item struct {
	Line   int    // where it stands in the file, from 1
	System string // system message; "" for none
	Turns  []Turn // at least one
}

// Turn is what a person says, and how long an answer it expects.
type Turn struct {
	// Messages are sent as they are before Prompt where the file gives a history of its own (OpenAI batch files,
	// "messages" with answers in between). Most turns have none.
	Messages     []chat.Message
	Prompt       string // never empty
	OutputTokens int    // 0: the file does not say
}
