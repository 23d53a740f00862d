// Request bodies: go-openai's types, with the fields that load needs and they lack.

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"tokdyno/engine/chat"
	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"

	openai "github.com/sashabaranov/go-openai"
)

// Prompt is one request in the load's terms. Of a conversation it is the latest turn, with what was said before it.
type Prompt struct {
	Text     string         // what the user says now
	System   string         // "": no system message
	Messages []chat.Message // said between System and Text, oldest first

	// IDs are the prompt as token ids, for the completions API only; then Text, System and Messages are left out. A
	// server adds nothing to them, no beginning-of-text token either.
	IDs []int

	InputTokens  int  // as asked for; the estimate where the server gives no usage
	OutputTokens int  // 0: the server's own limit
	KeepAnswer   bool // the answer's text is kept for Request.Answer
}

// messages is the prompt for the chat API.
func (p *Prompt) messages() []chat.Message {
	all := make([]chat.Message, 0, len(p.Messages)+2)
	if p.System != "" {
		all = append(all, chat.Message{Role: chat.System, Content: p.System})
	}
	all = append(all, p.Messages...)
	return append(all, chat.Message{Role: chat.User, Content: p.Text})
}

// plain is the prompt for the completions API, which knows no roles: what was said, with a blank line between any two,
// and from the second message on the name of who says it: "User: …", "Assistant: …". So the prompt of each turn begins
// with the whole prompt of the turn before, as a server's prefix cache wants it; and one without history is its text.
func (p *Prompt) plain() string {
	if p.System == "" && len(p.Messages) == 0 {
		return p.Text
	}
	unnamed := 1 // the first message, and the system's before it
	if p.System != "" {
		unnamed = 2
	}
	var b strings.Builder
	for i, m := range p.messages() {
		if i > 0 {
			b.WriteString("\n\n")
		}
		if i >= unnamed {
			b.WriteString(speaker(m.Role))
		}
		b.WriteString(m.Content)
	}
	return b.String()
}

// speaker is what stands before a message in plain text.
func speaker(role string) string {
	if role == "" {
		return ""
	}
	return strings.ToUpper(role[:1]) + role[1:] + ": "
}

// Request is a request ready to be sent: nothing is encoded between "send now" and the write. It may be sent any number
// of times, and several times at once unless its prompt said KeepAnswer.
type Request struct {
	url         *url.URL
	body        []byte
	inputTokens int
	choices     int // asked for; at least 1
	keepAnswer  bool
	answer      string
	told        []record.Told
}

// Body is what is sent. It is not to be changed.
func (r *Request) Body() []byte { return r.body }

// Answer is the text of the answer that the latest Client.Stream with the request brought: what a reader of the first
// choice sees, so without reasoning, tool calls and refusals; of an answer that broke off, what came until then. It is ""
// unless the prompt said KeepAnswer, and valid after Stream has returned. Such a request is for one Stream at a time.
func (r *Request) Answer() string { return r.answer }

// Told is what the server said of the latest Client.Stream with the request in words of its own, in the payload that counted
// its tokens and in headers; as Answer, only where the prompt said KeepAnswer.
func (r *Request) Told() []record.Told { return r.told }

// tuning holds the fields that shadow go-openai's own, for encoding/json prefers the shallower one: theirs cannot say
// temperature 0, nor the fields that hold an answer's length.
type tuning struct {
	Temperature         *float32       `json:"temperature,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	MinTokens           int            `json:"min_tokens,omitempty"`
	IgnoreEOS           bool           `json:"ignore_eos,omitempty"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
}

type streamOptions struct {
	openai.StreamOptions
	ContinuousUsage bool `json:"continuous_usage_stats,omitempty"`
}

// chatRequest and textRequest embed go-openai's request one level deeper than the tuning. The messages are our own:
// theirs leave out the content of a message that is empty.
type chatRequest struct {
	chatFields
	tuning
	Messages []chat.Message `json:"messages"`
}

type textRequest struct {
	textFields
	tuning
}

type (
	chatFields struct{ openai.ChatCompletionRequest }
	textFields struct{ openai.CompletionRequest }
)

// Prepare encodes a request as the profile wants it.
func (c *Client) Prepare(p Prompt) (*Request, error) {
	return c.prepare(p, *c.profile.Load())
}

func (c *Client) prepare(p Prompt, profile endpoint.Profile) (*Request, error) {
	document, err := c.form(&p, profile)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(document)
	if err == nil && len(c.ep.ExtraBody) > 0 {
		body, err = merge(body, c.ep.ExtraBody)
	}
	if err != nil {
		return nil, fmt.Errorf("the request cannot be encoded: %w", err)
	}
	return &Request{
		url: c.target.load(profile.API), body: body,
		inputTokens: p.InputTokens, choices: c.choices, keepAnswer: p.KeepAnswer,
	}, nil
}

// errIDsInChat says that a prompt of token ids was to be sent to the chat API.
var errIDsInChat = errors.New("a prompt of token ids can only be sent to /v1/completions; choose --api completions")

// form is what a request's body says, to be encoded.
func (c *Client) form(p *Prompt, profile endpoint.Profile) (any, error) {
	if profile.API != endpoint.Completions {
		if len(p.IDs) > 0 {
			return nil, errIDsInChat
		}
		return chatRequest{
			chatFields: chatFields{openai.ChatCompletionRequest{Model: profile.Model, Stream: true}},
			tuning:     c.tune(p, profile),
			Messages:   chat.Alternating(p.messages()),
		}, nil
	}
	fields := openai.CompletionRequest{Model: profile.Model, Stream: true}
	if len(p.IDs) > 0 {
		fields.Prompt = p.IDs
	} else {
		fields.Prompt = p.plain()
	}
	return textRequest{textFields{fields}, c.tune(p, profile)}, nil
}

// tune fills in what the endpoint takes of temperature, length and usage.
func (c *Client) tune(p *Prompt, profile endpoint.Profile) tuning {
	var t tuning
	if profile.Temperature {
		t.Temperature = new(float32)
		if c.ep.Temperature != nil {
			*t.Temperature = *c.ep.Temperature
		}
	}
	switch profile.MaxTokensField {
	case fieldMaxTokens:
		t.MaxTokens = p.OutputTokens
	case fieldMaxCompletionTokens:
		t.MaxCompletionTokens = p.OutputTokens
	}
	t.IgnoreEOS = profile.IgnoreEOS
	if profile.MinTokens {
		t.MinTokens = p.OutputTokens
	}
	if profile.StreamOptions {
		t.StreamOptions = &streamOptions{openai.StreamOptions{IncludeUsage: true}, profile.ContinuousUsage}
	}
	return t
}

// choices is how many answers the extra body asks for in one.
func (ep *Endpoint) choices() int {
	var n int
	if json.Unmarshal(ep.ExtraBody["n"], &n) != nil {
		return 1
	}
	return min(max(n, 1), maxChoices)
}

// merge lays the extra fields over a body; null takes a field out.
func merge(body []byte, extra map[string]json.RawMessage) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	for name, raw := range extra {
		if string(raw) == "null" {
			delete(fields, name)
			continue
		}
		fields[name] = raw
	}
	return json.Marshal(fields)
}
