// Request bodies, field by field.

package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tokdyno/engine/chat"
	"tokdyno/engine/endpoint"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestBodies(t *testing.T) {
	half := float32(0.5)
	full := endpoint.Profile{API: endpoint.Chat, Model: "m", MaxTokensField: fieldMaxTokens, Temperature: true, IgnoreEOS: true, MinTokens: true, StreamOptions: true, ContinuousUsage: true}
	bare := endpoint.Profile{API: endpoint.Chat, Model: "m"}
	swapped := bare
	swapped.MaxTokensField = fieldMaxCompletionTokens
	for _, test := range []struct {
		name    string
		ep      Endpoint
		profile endpoint.Profile
		want    string
	}{
		{
			"everything",
			Endpoint{},
			full,
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"temperature":0,"max_tokens":5,"min_tokens":5,"ignore_eos":true,` +
				`"stream_options":{"include_usage":true,"continuous_usage_stats":true}}`,
		},
		{"nothing", Endpoint{}, bare, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}`},
		{"swapped", Endpoint{}, swapped, `{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"max_completion_tokens":5}`},
		{
			"default",
			Endpoint{},
			endpoint.DefaultProfile(endpoint.Chat, false),
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"temperature":0,"max_tokens":5,"stream_options":{"include_usage":true}}`,
		},
		{
			"completions",
			Endpoint{API: endpoint.Completions, Temperature: &half},
			endpoint.DefaultProfile(endpoint.Completions, true),
			`{"model":"m","prompt":"hi","stream":true,"temperature":0.5,"max_tokens":5,"min_tokens":5,"ignore_eos":true,"stream_options":{"include_usage":true}}`,
		},
		{
			"a full URL decides on the API",
			Endpoint{URL: "h/v1/completions"},
			endpoint.DefaultProfile(endpoint.Chat, false),
			`{"model":"m","prompt":"hi","stream":true,"temperature":0,"max_tokens":5,"stream_options":{"include_usage":true}}`,
		},
		{
			"extra fields",
			Endpoint{ExtraBody: map[string]json.RawMessage{
				"chat_template_kwargs": json.RawMessage(`{"enable_thinking":false}`), "temperature": json.RawMessage("null"), "max_tokens": json.RawMessage("9"),
			}},
			endpoint.DefaultProfile(endpoint.Chat, false),
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"max_tokens":9,"stream_options":{"include_usage":true},` +
				`"chat_template_kwargs":{"enable_thinking":false}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.ep.URL == "" {
				test.ep.URL = "h"
			}
			c := client(t, test.ep)
			c.SetProfile(test.profile)
			req, err := c.Prepare(Prompt{Text: "hi", OutputTokens: 5})
			if err != nil {
				t.Fatal(err)
			}
			var got, want map[string]any
			if err := errors.Join(json.Unmarshal(req.body, &got), json.Unmarshal([]byte(test.want), &want)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want):\n%s", req.body, diff)
			}
		})
	}
}

func TestBodiesOfConversations(t *testing.T) {
	history := []chat.Message{{Role: chat.User, Content: "one"}, {Role: chat.Assistant, Content: ""}, {Role: chat.User, Content: "<two>"}, {Role: chat.Assistant, Content: "2"}}
	for _, test := range []struct {
		name   string
		api    endpoint.API
		prompt Prompt
		want   string // "messages" or "prompt"
	}{
		{"text", endpoint.Chat, Prompt{Text: "hi"}, `[{"role":"user","content":"hi"}]`},
		{"no text", endpoint.Chat, Prompt{}, `[{"role":"user","content":""}]`},
		{"system", endpoint.Chat, Prompt{Text: "hi", System: "be kind"}, `[{"role":"system","content":"be kind"},{"role":"user","content":"hi"}]`},
		{
			"history", endpoint.Chat,
			Prompt{Text: "three", System: "s", Messages: history},
			`[{"role":"system","content":"s"},{"role":"user","content":"one\n\n<two>"},` +
				`{"role":"assistant","content":"2"},{"role":"user","content":"three"}]`,
		},
		{"plain text", endpoint.Completions, Prompt{Text: "hi"}, `"hi"`},
		{"plain text and system", endpoint.Completions, Prompt{Text: "hi", System: "be kind"}, `"be kind\n\nhi"`},
		{
			"plain history", endpoint.Completions,
			Prompt{Text: "three", Messages: history},
			`"one\n\nAssistant: \n\nUser: <two>\n\nAssistant: 2\n\nUser: three"`,
		},
		{
			"plain history and system", endpoint.Completions,
			Prompt{Text: "b", System: "s", Messages: history[:2]},
			`"s\n\none\n\nAssistant: \n\nUser: b"`,
		},
		{"a role without a name", endpoint.Completions, Prompt{Text: "b", Messages: []chat.Message{{Content: "x"}, {Content: "y"}}}, `"x\n\ny\n\nUser: b"`},
		{"ids", endpoint.Completions, Prompt{Text: "no", System: "no", Messages: history, IDs: []int{0, 12, 345}}, `[0,12,345]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := client(t, Endpoint{URL: "h", API: test.api})
			req, err := c.Prepare(test.prompt)
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Messages, Prompt any }
			var want any
			if err := errors.Join(json.Unmarshal(req.body, &got), json.Unmarshal([]byte(test.want), &want)); err != nil {
				t.Fatal(err)
			}
			said := got.Messages
			if test.api == endpoint.Completions {
				said = got.Prompt
			}
			if diff := cmp.Diff(want, said); diff != "" {
				t.Errorf("%s (-want):\n%s", req.body, diff)
			}
		})
	}
	if _, err := client(t, Endpoint{URL: "h"}).Prepare(Prompt{IDs: []int{1}}); err == nil || !strings.Contains(err.Error(), "/v1/completions") {
		t.Errorf("ids for a chat: %v", err)
	}
}

func TestPlainPromptOfATurnBeginsWithTheOneBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := Prompt{System: rapid.StringN(0, 5, -1).Draw(t, "system"), Text: rapid.String().Draw(t, "text")}
		for range 4 {
			before := turn.plain()
			turn.Messages = append(turn.Messages, chat.Message{Role: chat.User, Content: turn.Text}, chat.Message{Role: chat.Assistant, Content: rapid.String().Draw(t, "answer")})
			turn.Text = rapid.String().Draw(t, "text")
			if now := turn.plain(); !strings.HasPrefix(now, before) || !strings.HasSuffix(now, "User: "+turn.Text) {
				t.Fatalf("%q comes after %q", now, before)
			}
		}
	})
}

func BenchmarkPrepare(b *testing.B) {
	text := strings.Repeat("lighthouse ", 500)
	long := make([]chat.Message, 20)
	for i := range long {
		long[i] = chat.Message{Role: chat.User, Content: text}
	}
	for _, bench := range []struct {
		name   string
		api    endpoint.API
		prompt Prompt
	}{
		{"chat", endpoint.Chat, Prompt{Text: text, OutputTokens: 128}},
		{"completions", endpoint.Completions, Prompt{Text: text, OutputTokens: 128}},
		{"20 messages", endpoint.Chat, Prompt{Text: text, Messages: long, OutputTokens: 128}},
		{"1000 ids", endpoint.Completions, Prompt{IDs: make([]int, 1000), OutputTokens: 128}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c, _ := benchClient(b, Endpoint{URL: "h", API: bench.api})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Prepare(bench.prompt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
