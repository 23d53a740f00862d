// Request bodies, field by field.

package wire

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBodies(t *testing.T) {
	half := float32(0.5)
	full := Profile{API: Chat, Model: "m", MaxTokensField: fieldMaxTokens, Temperature: true, IgnoreEOS: true, MinTokens: true, StreamOptions: true, ContinuousUsage: true}
	bare := Profile{API: Chat, Model: "m"}
	swapped := bare
	swapped.MaxTokensField = fieldMaxCompletionTokens
	for _, test := range []struct {
		name    string
		ep      Endpoint
		profile Profile
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
			DefaultProfile(Chat, false),
			`{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"temperature":0,"max_tokens":5,"stream_options":{"include_usage":true}}`,
		},
		{
			"completions",
			Endpoint{API: Completions, Temperature: &half},
			DefaultProfile(Completions, true),
			`{"model":"m","prompt":"hi","stream":true,"temperature":0.5,"max_tokens":5,"min_tokens":5,"ignore_eos":true,"stream_options":{"include_usage":true}}`,
		},
		{
			"a full URL decides on the API",
			Endpoint{URL: "h/v1/completions"},
			DefaultProfile(Chat, false),
			`{"model":"m","prompt":"hi","stream":true,"temperature":0,"max_tokens":5,"stream_options":{"include_usage":true}}`,
		},
		{
			"extra fields",
			Endpoint{ExtraBody: map[string]json.RawMessage{
				"chat_template_kwargs": json.RawMessage(`{"enable_thinking":false}`), "temperature": json.RawMessage("null"), "max_tokens": json.RawMessage("9"),
			}},
			DefaultProfile(Chat, false),
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
			if req.Size() != len(req.body) {
				t.Errorf("size %d", req.Size())
			}
		})
	}
}
