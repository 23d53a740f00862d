// POST /v1/chat/completions and /v1/completions: from a body to the engine, and answers that are not streamed.

package sim

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

func (s *Server) serveChat(w http.ResponseWriter, r *http.Request) { s.generate(w, r, true) }

func (s *Server) serveCompletion(w http.ResponseWriter, r *http.Request) { s.generate(w, r, false) }

// generate reads a request, hands it to the engine, and answers in the form asked for, or as the faults have it.
func (s *Server) generate(w http.ResponseWriter, r *http.Request, chat bool) {
	var q generationRequest
	err := readJSON(r, &q)
	read := time.Now()
	faults := s.faults.Load()
	if err == nil && faults.faults.refuse(w, &q) {
		s.engine.reject()
		return
	}
	var g *generation
	if err == nil {
		tokens := s.tokens
		tokens.template += faults.faults.Template
		g, err = q.generation(chat, s.profile, tokens, s.cfg.Seed)
	}
	if err != nil {
		s.engine.reject()
		err.write(w)
		return
	}
	met := faults.next()
	g.obey(&met.faults)
	met.spare(g.stream)
	truth := s.remember(&q, g, read, met.ending)
	if met.denied() {
		s.engine.reject()
		met.deny(w, s.profile.Model)
		return
	}
	created := read.Unix()
	id := s.newID(chat)
	stream := s.engine.submit(g, g.hashes(s.profile.BlockSize))
	// A finished request is not affected; any other way out of here means that the client is gone, or is sent away.
	defer s.engine.cancel(stream)
	if g.stream {
		if met.faults.CloseAfterStream {
			closeAfterAnswer(w, r)
		}
		d := delivery{
			events: newEventWriter(w, r, &met.faults, truth),
			met:    &met,
			stream: stream,
			frames: newFrames(g, id, s.profile.Model, created),
		}
		d.run()
		return
	}
	if pause(r.Context(), met.stallFirst) {
		s.writeWhole(w, r, stream, g, id, created)
	}
}

// remember begins the truth about a generation; nil where none is kept.
func (s *Server) remember(q *generationRequest, g *generation, read time.Time, end ending) *truth {
	if s.truths == nil {
		return nil
	}
	return s.truths.begin(q.text(g.chat), Truth{
		Read: read, PromptTokens: len(g.prompt), OutputTokens: g.output, Fault: end.String(),
	})
}

// pause waits for d; false when the client went away before.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// The answer of a request that is not streamed.
type (
	wholeAnswer struct {
		ID      string          `json:"id"`
		Object  string          `json:"object"`
		Created int64           `json:"created"`
		Model   string          `json:"model"`
		Choices []wholeChoice   `json:"choices"`
		Usage   json.RawMessage `json:"usage,omitempty"`
	}
	wholeChoice struct {
		Index        int           `json:"index"`
		Message      *wholeMessage `json:"message,omitempty"` // chat
		Text         *string       `json:"text,omitempty"`    // completions
		Logprobs     *struct{}     `json:"logprobs"`
		FinishReason string        `json:"finish_reason"`
		StopReason   *string       `json:"stop_reason"`
	}
	wholePart struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	wholeMessage struct {
		Role             string          `json:"role"`
		Content          string          `json:"content"`
		ReasoningContent string          `json:"reasoning_content,omitempty"`
		Reasoning        string          `json:"reasoning,omitempty"`
		ReasoningDetails []wholePart     `json:"reasoning_details,omitempty"`
		ToolCalls        []wholeToolCall `json:"tool_calls,omitempty"`
	}
)

// writeWhole waits for the last token and sends everything. It returns early when the client has gone.
func (s *Server) writeWhole(w http.ResponseWriter, r *http.Request, stream *stream, g *generation, id string, created int64) {
	if _, err := stream.next(r.Context(), g.output-1); err != nil {
		return
	}
	thought := g.form.reasoning
	content := g.text(thought, g.output)
	choice := wholeChoice{Text: &content, FinishReason: g.reason.String()}
	object := "text_completion"
	if g.chat {
		object = "chat.completion"
		message := &wholeMessage{Role: "assistant", Content: content}
		switch g.form.field {
		case ReasoningContent:
			message.ReasoningContent = g.text(0, thought)
		case ReasoningPlain:
			message.Reasoning = g.text(0, thought)
		case ReasoningDetails:
			if thought > 0 {
				message.ReasoningDetails = []wholePart{{"reasoning.text", g.text(0, thought)}}
			}
		case ReasoningHidden:
		}
		if g.form.toolCall && thought < g.output {
			message.Content, choice.FinishReason = "", finishToolCalls
			message.ToolCalls = []wholeToolCall{g.toolCall(id, thought)}
		}
		choice.Message, choice.Text = message, nil
	}
	choice.FinishReason = cmp.Or(string(g.form.finish), choice.FinishReason)
	answer := wholeAnswer{
		ID: id, Object: object, Created: created, Model: s.profile.Model,
		Choices: []wholeChoice{choice},
	}
	if !g.form.noUsage {
		answer.Usage = usage{len(g.prompt), g.output, int(stream.cached.Load()), thought}.append(nil, g.form.usage)
	}
	writeJSON(w, http.StatusOK, answer)
}

// text returns the text of the tokens from i to below end.
func (g *generation) text(i, end int) string {
	var text []byte
	for ; i < end; i++ {
		text = g.answer.appendToken(text, i)
	}
	return string(text)
}

// newID returns an id that no other request of this server has.
func (s *Server) newID(chat bool) string {
	n := s.requests.Add(1)
	kind := "cmpl"
	if chat {
		kind = "chatcmpl"
	}
	key := s.cfg.Seed ^ uint64(s.started.UnixNano())
	return fmt.Sprintf("%s-%016x%016x", kind, mix(key), mix(key+n))
}
