package wire

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Whoever waits asks a server that may only be starting again, until it is ready or the time is up. Other errors end it.
func TestAServerThatIsNotReadyIsWaitedFor(t *testing.T) {
	const served = `{"data": [{"id": "m"}]}`
	stream := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for name, tt := range map[string]struct {
		model  string
		first  func(w http.ResponseWriter, chat bool) // what the server says twice
		wait   time.Duration
		ready  bool
		want   string // in the error, or in a warning
		pauses int
	}{
		"loading":          {first: says(503, "loading"), wait: time.Minute, ready: true, want: "ready after", pauses: 2},
		"no list yet":      {first: says(404, "not found"), wait: time.Minute, ready: true, want: "ready after", pauses: 2},
		"no model yet":     {first: says(200, `{"data": []}`), wait: time.Minute, ready: true, want: "ready after", pauses: 2},
		"nothing behind":   {first: says(502, "bad gateway"), wait: time.Minute, ready: true, want: "ready after", pauses: 2},
		"chat is not yet":  {model: "m", first: says(404, "not found"), wait: time.Minute, ready: true, want: "ready after", pauses: 2},
		"wants a key":      {first: says(401, "no key"), wait: time.Minute, want: "API key", pauses: 0},
		"nobody waits":     {first: says(503, "loading"), want: "503", pauses: 0},
		"time is up":       {first: says(503, "loading"), wait: time.Second, want: "not ready within 1s", pauses: 2},
		"ready at once":    {wait: time.Minute, ready: true},
		"no such model":    {model: "n", wait: time.Minute, want: "the models there are: m", pauses: 0},
		"nor without wait": {model: "n", want: "the models there are: m", pauses: 0},
	} {
		t.Run(name, func(t *testing.T) {
			var starting atomic.Bool
			starting.Store(tt.first != nil)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				chat := strings.HasSuffix(r.URL.Path, "/completions")
				switch {
				case starting.Load():
					tt.first(w, chat)
				case !chat:
					_, _ = fmt.Fprint(w, served)
				case tt.model == "n":
					says(404, `{"error": {"message": "The model n does not exist."}}`)(w, true)
				default:
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = fmt.Fprint(w, stream)
				}
			}))
			defer server.Close()
			var c *Client
			var pauses *[]time.Duration
			c, pauses = retrying(t, server.URL, 0, func() {
				if w := c.Again().Waiting; len(w) != 1 || !w[0].Starting || w[0].Example == "" {
					t.Errorf("it is not said what is waited for: %+v", w)
				}
				starting.Store(len(*pauses) < 2 || tt.wait < time.Minute)
			})
			c.ep.Wait, c.ep.Model = tt.wait, tt.model
			p := c.Profile()
			p.Model = tt.model
			c.SetProfile(p)
			err := c.Ready(t.Context(), true)
			said := fmt.Sprint(err)
			if err == nil {
				said = strings.Join(c.Profile().Warnings, "; ")
			}
			if (err == nil) != tt.ready || !strings.Contains(said, tt.want) || len(*pauses) != tt.pauses {
				t.Errorf("%v after %d pauses, says %q", err, len(*pauses), said)
			}
		})
	}
}

func says(status int, text string) func(http.ResponseWriter, bool) {
	return func(w http.ResponseWriter, _ bool) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, text)
	}
}

func TestWaitingForAServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, pauses := retrying(t, "http://127.0.0.1:1", 0, cancel)
	c.ep.Wait = time.Hour
	if err := c.Ready(ctx, true); err == nil || len(*pauses) != 1 {
		t.Errorf("%v after %d pauses", err, len(*pauses))
	}
}
