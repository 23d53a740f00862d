// Request bodies: go-openai's types, with the fields that load needs and they lack.

package wire

import (
	"encoding/json"
	"fmt"
	"net/url"

	openai "github.com/sashabaranov/go-openai"
)

// Prompt is one request in the load's terms.
type Prompt struct {
	Text         string
	InputTokens  int // as asked for; the estimate where the server gives no usage
	OutputTokens int // 0: the server's own limit
}

// Request is a request ready to be sent: nothing is encoded between "send now" and the write. It may be sent any number
// of times.
type Request struct {
	url         *url.URL
	body        []byte
	inputTokens int
}

// Size is the length of the request's body in bytes.
func (r *Request) Size() int { return len(r.body) }

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

// chatRequest and textRequest embed go-openai's request one level deeper than the tuning.
type chatRequest struct {
	chatFields
	tuning
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
	return c.prepare(p, c.Profile())
}

func (c *Client) prepare(p Prompt, profile Profile) (*Request, error) {
	var document any
	if profile.API == Completions {
		document = textRequest{
			textFields{openai.CompletionRequest{Model: profile.Model, Prompt: p.Text, Stream: true}},
			c.tune(p, profile),
		}
	} else {
		document = chatRequest{
			chatFields{openai.ChatCompletionRequest{
				Model:    profile.Model,
				Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: p.Text}},
				Stream:   true,
			}},
			c.tune(p, profile),
		}
	}
	body, err := json.Marshal(document)
	if err == nil && len(c.ep.ExtraBody) > 0 {
		body, err = merge(body, c.ep.ExtraBody)
	}
	if err != nil {
		return nil, fmt.Errorf("the request cannot be encoded: %w", err)
	}
	return &Request{url: c.target.load(profile.API), body: body, inputTokens: p.InputTokens}, nil
}

// tune fills in what the endpoint takes of temperature, length and usage.
func (c *Client) tune(p Prompt, profile Profile) tuning {
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
