// Requests: what the bodies mean, and what is wrong with them.

package sim

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// maxBody bounds a request's body: more than any context length could use.
const maxBody = 64 << 20

// defaultMaxTokens is what /v1/completions generates where the request does not say, as OpenAI specified it.
const defaultMaxTokens = 16

// generationRequest is the body of both routes that generate. Fields that are not here are ignored, as vLLM does.
type generationRequest struct {
	Model    string          `json:"model"`
	Messages []chatMessage   `json:"messages"` // chat only
	Prompt   json.RawMessage `json:"prompt"`   // completions only: text, or token ids

	Stream        bool           `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options"`

	MaxTokens           *int     `json:"max_tokens"`
	MaxCompletionTokens *int     `json:"max_completion_tokens"` // chat only; wins over max_tokens
	MinTokens           *int     `json:"min_tokens"`
	IgnoreEOS           bool     `json:"ignore_eos"`
	N                   *int     `json:"n"`
	Temperature         *float64 `json:"temperature"`
	TopP                *float64 `json:"top_p"`
	Seed                *int64   `json:"seed"`
}

type streamOptions struct {
	IncludeUsage    bool `json:"include_usage"`
	ContinuousUsage bool `json:"continuous_usage_stats"` // only with IncludeUsage, as in vLLM
}

type chatMessage struct {
	Role    string      `json:"role"`
	Content chatContent `json:"content"`
}

// chatContent is a message's text: in JSON a string, null, or an array of parts of which the text ones count.
type chatContent string

// UnmarshalJSON implements json.Unmarshaler.
func (c *chatContent) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil {
		if text != nil {
			*c = chatContent(*text)
		}
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return badRequest("messages", "A message's content must be a string or an array of parts.")
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	*c = chatContent(b.String())
	return nil
}

// generation is a request that was found good: what to generate, and how to send it.
type generation struct {
	chat            bool
	stream          bool
	usage           bool // a final usage frame
	continuousUsage bool // usage on every frame
	prompt          []uint32
	output          int
	accept          float64 // chance that a drafted token is accepted; see sequence
	reason          finishReason
	answer          answer
	form            answerForm
}

// answerForm is how an answer is put into frames, where that is not as vLLM does it. The zero answerForm is as vLLM does.
type answerForm struct {
	chunk     int // tokens in a frame; 0 means 1, or with steps all that a step has brought
	steps     bool
	reasoning int // tokens that are, the first ones
	field     ReasoningField
	toolCall  bool
	finish    FinishReason // "": why it ended
	roleEvery bool
	usage     UsageForm
	noUsage   bool // of an answer that is not streamed
	zeroUsage bool
}

// obey lets the faults have their way with the form of the answer.
func (g *generation) obey(f *Faults) {
	g.stream = g.stream && !f.NoStream
	if f.EOS > 0 && f.EOS < g.output {
		g.output, g.reason = f.EOS, finishStop
	}
	g.usage = g.usage && !f.NoUsage
	g.continuousUsage = g.continuousUsage && !f.NoUsage && !f.NoContinuousUsage
	g.form = answerForm{
		chunk:     f.ChunkTokens,
		steps:     g.form.steps && f.ChunkTokens == 0,
		field:     cmp.Or(f.ReasoningField, ReasoningContent),
		toolCall:  f.ToolCalls && g.chat,
		finish:    f.Finish,
		roleEvery: f.RoleEvery && g.chat,
		usage:     f.UsageForm,
		noUsage:   f.NoUsage,
		zeroUsage: f.ZeroUsage && !f.NoUsage,
	}
	if g.chat || g.form.field == ReasoningHidden {
		g.form.reasoning = min(max(f.Reasoning, 0), g.output)
	}
}

// finishReason says why an answer ended.
type finishReason int

const (
	finishLength finishReason = iota // max_tokens, or the context was full
	finishStop                       // the model had said what it had to say
)

// String returns the reason as the API spells it.
func (r finishReason) String() string {
	if r == finishStop {
		return "stop"
	}
	return "length"
}

// readJSON decodes a request's whole body into v.
func readJSON(r *http.Request, v any) *apiError {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		e := badRequest("", "The request's body is larger than %d bytes.", maxBody)
		e.Code = http.StatusRequestEntityTooLarge
		return e
	case err != nil:
		return badRequest("", "The request's body could not be read: %v.", err)
	}
	err = json.Unmarshal(body, v)
	var own *apiError
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &mistyped) && mistyped.Field == "":
		return badRequest("", "The request's body must be a JSON object, not a JSON %s.", mistyped.Value)
	case errors.As(err, &mistyped):
		return badRequest(mistyped.Field, "`%s` must not be a JSON %s.", mistyped.Field, mistyped.Value)
	default:
		return badRequest("", "The request's body is not valid JSON: %v.", err)
	}
}

// generation checks the request against the profile and says what it asks for.
func (q *generationRequest) generation(chat bool, p Profile, tokens tokenizer, seed uint64) (*generation, *apiError) {
	if q.Model != "" && q.Model != p.Model {
		return nil, unknownModel(q.Model)
	}
	if err := q.checkParameters(); err != nil {
		return nil, err
	}
	g := &generation{chat: chat, stream: q.Stream, accept: p.acceptance(q.Temperature), form: answerForm{steps: p.DraftTokens > 0}}
	if o := q.StreamOptions; o != nil {
		g.usage = o.IncludeUsage
		g.continuousUsage = o.IncludeUsage && o.ContinuousUsage
	}
	var err *apiError
	if chat {
		g.prompt, err = chatPrompt(q.Messages, tokens)
	} else {
		g.prompt, err = completionPrompt(q.Prompt, tokens)
	}
	if err != nil {
		return nil, err
	}
	if q.Seed != nil {
		seed ^= mix(uint64(*q.Seed))
	}
	g.answer = newAnswer(seed, hashPrompt(g.prompt), tokens)
	return g, g.setLength(q, p.ContextLength)
}

// checkParameters finds values that no prompt could make good.
func (q *generationRequest) checkParameters() *apiError {
	switch {
	case q.N != nil && *q.N != 1:
		return badRequest("n", "This simulator makes one choice a request: `n` must be 1, got %d.", *q.N)
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return badRequest("max_tokens", "`max_tokens` must be at least 1, got %d.", *q.MaxTokens)
	case q.MaxCompletionTokens != nil && *q.MaxCompletionTokens < 1:
		return badRequest("max_completion_tokens", "`max_completion_tokens` must be at least 1, got %d.", *q.MaxCompletionTokens)
	case q.MinTokens != nil && *q.MinTokens < 0:
		return badRequest("min_tokens", "`min_tokens` must not be negative, got %d.", *q.MinTokens)
	case q.Temperature != nil && *q.Temperature < 0:
		return badRequest("temperature", "`temperature` must not be negative, got %g.", *q.Temperature)
	case q.TopP != nil && !(*q.TopP > 0 && *q.TopP <= 1):
		return badRequest("top_p", "`top_p` must be above 0 and at most 1, got %g.", *q.TopP)
	case q.StreamOptions != nil && !q.Stream:
		return badRequest("stream_options", "`stream_options` are only allowed with `stream` set to true.")
	}
	return nil
}

// setLength decides how many tokens the answer has and why it ends there.
func (g *generation) setLength(q *generationRequest, context int) *apiError {
	room := context - len(g.prompt)
	if room < 1 {
		return badRequest(g.promptParam(), "This model's maximum context length is %d tokens, and the prompt alone has %d. Send a shorter one.", context, len(g.prompt))
	}
	limit, param := room, "max_tokens"
	switch {
	case g.chat && q.MaxCompletionTokens != nil:
		limit, param = *q.MaxCompletionTokens, "max_completion_tokens"
	case q.MaxTokens != nil:
		limit = *q.MaxTokens
	case !g.chat:
		limit = min(defaultMaxTokens, room)
	}
	if limit > room {
		return badRequest(param, "This model's maximum context length is %d tokens, but %d were requested: %d in the prompt and %d for the completion. Shorten the prompt or lower `%s`.",
			context, len(g.prompt)+limit, len(g.prompt), limit, param)
	}
	least := 0
	if q.MinTokens != nil {
		least = *q.MinTokens
	}
	if least > limit {
		return badRequest("min_tokens", "`min_tokens` (%d) must not be above the most tokens that may be generated (%d).", least, limit)
	}
	g.output, g.reason = limit, finishLength
	if natural := max(g.answer.naturalLength(), least); natural < limit && !q.IgnoreEOS {
		g.output, g.reason = natural, finishStop
	}
	return nil
}

// hashes returns those of the full blocks of the prompt and its answer. A chat's next turn has the answer in its prompt,
// token by token, and finds it in the prefix cache.
func (g *generation) hashes(size int) []uint64 {
	ids := g.prompt
	if g.chat {
		answered := g.answer.tokens.append(nil, g.text(0, g.output))
		ids = append(ids[:len(ids):len(ids)], answered[:min(len(answered), g.output)]...)
	}
	return hashBlocks(ids, size)
}

// promptParam names the field that carries the prompt.
func (g *generation) promptParam() string {
	if g.chat {
		return "messages"
	}
	return "prompt"
}

// chatPrompt returns the tokens of a conversation.
func chatPrompt(messages []chatMessage, tokens tokenizer) ([]uint32, *apiError) {
	if len(messages) == 0 {
		return nil, badRequest("messages", "`messages` must hold at least one message.")
	}
	for i, m := range messages {
		if m.Role == "" {
			return nil, badRequest("messages", "`messages[%d]` has no role.", i)
		}
	}
	return tokens.chat(messages, true), nil
}

// completionPrompt returns the tokens of a prompt: a string, an array of token ids, or an array that holds one of either.
func completionPrompt(raw json.RawMessage, tokens tokenizer) ([]uint32, *apiError) {
	var text string
	var ids []uint32
	var texts []string
	var lists [][]uint32
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, badRequest("prompt", "`prompt` is missing.")
	case json.Unmarshal(raw, &text) == nil:
		ids = tokens.append(nil, text)
	case json.Unmarshal(raw, &ids) == nil:
	case json.Unmarshal(raw, &texts) == nil:
		if len(texts) != 1 {
			return nil, badRequest("prompt", "This simulator takes one prompt a request, got %d.", len(texts))
		}
		ids = tokens.append(nil, texts[0])
	case json.Unmarshal(raw, &lists) == nil:
		if len(lists) != 1 {
			return nil, badRequest("prompt", "This simulator takes one prompt a request, got %d.", len(lists))
		}
		ids = lists[0]
	default:
		return nil, badRequest("prompt", "`prompt` must be a string or an array of token ids, which are integers from 0.")
	}
	if len(ids) == 0 {
		return nil, badRequest("prompt", "`prompt` is empty: there has to be at least one token.")
	}
	return ids, nil
}
