// The routes, and the short ones among them.

package sim

import (
	"net/http"
	"slices"
	"strings"
)

// version is what GET /version says. It names the simulator, because no vLLM behaves exactly like it.
const version = "tokdyno-sim"

// routes returns the whole server as one handler. Unlike http.ServeMux it answers errors in JSON, as FastAPI does.
func (s *Server) routes() http.Handler {
	type route struct {
		methods []string
		serve   http.HandlerFunc
	}
	get, post := []string{http.MethodGet}, []string{http.MethodPost}
	table := map[string]route{
		"/v1/chat/completions": {post, s.serveChat},
		"/v1/completions":      {post, s.serveCompletion},
		"/v1/models":           {get, s.serveModels},
		"/tokenize":            {post, s.serveTokenize},
		"/health":              {get, s.serveHealth},
		"/version":             {get, s.serveVersion},
		"/metrics":             {get, s.serveMetrics},
		"/sim/faults":          {[]string{http.MethodGet, http.MethodPut, http.MethodPost}, s.serveFaults},
	}
	if s.cfg.NoTokenize {
		delete(table, "/tokenize")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", version)
		route, known := table[r.URL.Path]
		switch {
		case !known:
			writeDetail(w, http.StatusNotFound)
		case !slices.Contains(route.methods, r.Method):
			w.Header().Set("Allow", strings.Join(route.methods, ", "))
			writeDetail(w, http.StatusMethodNotAllowed)
		default:
			route.serve(w, r)
		}
	})
}

func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusOK)
}

func (s *Server) serveVersion(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, struct {
		Version string `json:"version"`
	}{version})
}

func (s *Server) serveModels(w http.ResponseWriter, _ *http.Request) {
	type model struct {
		ID          string  `json:"id"`
		Object      string  `json:"object"`
		Created     int64   `json:"created"`
		OwnedBy     string  `json:"owned_by"`
		Root        string  `json:"root"`
		Parent      *string `json:"parent"`
		MaxModelLen int     `json:"max_model_len"`
	}
	writeJSON(w, http.StatusOK, struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{"list", []model{{
		ID:          s.profile.Model,
		Object:      "model",
		Created:     s.started.Unix(),
		OwnedBy:     version,
		Root:        s.profile.Model,
		MaxModelLen: s.profile.ContextLength,
	}}})
}

// serveTokenize counts as the generating routes count: the same body has the same number of prompt tokens there.
func (s *Server) serveTokenize(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model               string        `json:"model"`
		Prompt              *string       `json:"prompt"`
		Messages            []chatMessage `json:"messages"`
		AddGenerationPrompt *bool         `json:"add_generation_prompt"` // true when absent
	}
	if err := readJSON(r, &q); err != nil {
		err.write(w)
		return
	}
	tokens := []uint32{} // never null in JSON
	switch {
	case q.Model != "" && q.Model != s.profile.Model:
		unknownModel(q.Model).write(w)
		return
	case q.Prompt != nil:
		tokens = s.tokens.append(tokens, *q.Prompt)
	case len(q.Messages) > 0:
		tokens = s.tokens.chat(q.Messages, q.AddGenerationPrompt == nil || *q.AddGenerationPrompt)
	default:
		badRequest("prompt", "Give a `prompt` or `messages` to tokenize.").write(w)
		return
	}
	writeJSON(w, http.StatusOK, struct {
		Count       int      `json:"count"`
		MaxModelLen int      `json:"max_model_len"`
		Tokens      []uint32 `json:"tokens"`
	}{len(tokens), s.profile.ContextLength, tokens})
}
