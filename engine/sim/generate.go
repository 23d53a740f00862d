// POST /v1/chat/completions and /v1/completions: from a body to tokens on the wire.

package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

func (s *Server) serveChat(w http.ResponseWriter, r *http.Request) { s.generate(w, r, true) }

func (s *Server) serveCompletion(w http.ResponseWriter, r *http.Request) { s.generate(w, r, false) }

// generate reads a request, hands it to the engine, and answers in the form asked for.
func (s *Server) generate(w http.ResponseWriter, r *http.Request, chat bool) {
	var q generationRequest
	err := readJSON(r, &q)
	var g *generation
	if err == nil {
		g, err = q.generation(chat, s.profile, s.cfg.Seed)
	}
	if err != nil {
		s.engine.reject()
		err.write(w)
		return
	}
	created := time.Now().Unix()
	id := s.newID(chat)
	stream := s.engine.submit(g, hashBlocks(g.prompt, s.profile.BlockSize))
	// A finished request is not affected; any other way out of here means that the client is gone.
	defer s.engine.cancel(stream)
	if g.stream {
		s.writeStream(w, r, stream, g, newFrames(g, id, s.profile.Model, created))
		return
	}
	s.writeWhole(w, r, stream, g, id, created)
}

// writeStream sends a frame for each token, flushed one by one however many are there already. The headers go out at
// once, as vLLM's do, long before the first token. It returns early when the client has gone.
func (s *Server) writeStream(w http.ResponseWriter, r *http.Request, stream *stream, g *generation, f *frames) {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	if out.Flush() != nil {
		return
	}
	send := func(frame []byte) bool {
		if _, err := w.Write(frame); err != nil {
			return false
		}
		return out.Flush() == nil
	}

	cached := 0
	buf := make([]byte, 0, 512)
	for sent := 0; sent < g.output; {
		ready, err := stream.next(r.Context(), sent)
		if err != nil {
			return
		}
		if sent == 0 {
			cached = int(stream.cached.Load())
			if g.chat && !send(f.appendRole(buf, cached)) {
				return
			}
		}
		for ; sent < ready; sent++ {
			if !send(f.appendToken(buf, sent, cached)) {
				return
			}
		}
	}
	if g.usage && !send(f.appendUsage(buf, cached)) {
		return
	}
	send(appendDone(buf))
}

// The answer of a request that is not streamed.
type (
	wholeAnswer struct {
		ID      string          `json:"id"`
		Object  string          `json:"object"`
		Created int64           `json:"created"`
		Model   string          `json:"model"`
		Choices []wholeChoice   `json:"choices"`
		Usage   json.RawMessage `json:"usage"`
	}
	wholeChoice struct {
		Index        int           `json:"index"`
		Message      *wholeMessage `json:"message,omitempty"` // chat
		Text         *string       `json:"text,omitempty"`    // completions
		Logprobs     *struct{}     `json:"logprobs"`
		FinishReason string        `json:"finish_reason"`
		StopReason   *string       `json:"stop_reason"`
	}
	wholeMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
)

// writeWhole waits for the last token and sends everything. It returns early when the client has gone.
func (s *Server) writeWhole(w http.ResponseWriter, r *http.Request, stream *stream, g *generation, id string, created int64) {
	if _, err := stream.next(r.Context(), g.output-1); err != nil {
		return
	}
	var text []byte
	for i := range g.output {
		text = g.answer.appendToken(text, i)
	}
	content := string(text)
	choice := wholeChoice{Text: &content, FinishReason: g.reason.String()}
	object := "text_completion"
	if g.chat {
		object = "chat.completion"
		choice.Message, choice.Text = &wholeMessage{Role: "assistant", Content: content}, nil
	}
	spent := usage{prompt: len(g.prompt), completion: g.output, cached: int(stream.cached.Load())}
	writeJSON(w, http.StatusOK, wholeAnswer{
		ID: id, Object: object, Created: created, Model: s.profile.Model,
		Choices: []wholeChoice{choice},
		Usage:   spent.append(nil),
	})
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
