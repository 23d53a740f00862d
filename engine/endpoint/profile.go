// This file is what is known of an endpoint: who it is, and which request fields it takes.

package endpoint

import "tokdyno/engine/record"

// Profile says how requests to an endpoint are made, and what was learned about it.
type Profile struct {
	Server     string // "vLLM 0.11.0", "llama.cpp b10587-3f545becc", "tokdyno-sim"; "" is unknown
	Model      string // the model that is asked for
	ReplyModel string // the model that the reply named; "" if there was none
	API        API
	URL        string   // that load goes to, without secrets
	Proxy      string   // the proxy's host; "": none
	Protocol   string   // "HTTP/1.1", "HTTP/2.0"; "" is unknown
	Dropped    []string // sentences on what the endpoint does not take, and what follows
	Warnings   []string // sentences on what a user should know

	MaxTokensField  string // "max_tokens", "max_completion_tokens" or "" (length is left to the server)
	Temperature     bool   // temperature is sent
	IgnoreEOS       bool   // ignore_eos is sent
	MinTokens       bool   // min_tokens is sent
	StreamOptions   bool   // stream_options.include_usage is sent
	ContinuousUsage bool   // stream_options.continuous_usage_stats is sent; once probed: and honoured

	// LeastOutput is the shortest answer, in tokens, that the endpoint is known to let a request ask for, where the probe
	// found that it refuses shorter ones; else 0.
	LeastOutput int
	// Unlimited reports that requests carry no limit on the length of their answers, so that the server alone decides.
	Unlimited bool

	// ProbeUnits is how many words the probe's prompt has, all of them plain English; 0: not probed. ProbeTokens is
	// what the server counted for it (usage.prompt_tokens), chat template included.
	ProbeUnits  int
	ProbeTokens record.Count
}

// DefaultProfile is what is sent to an endpoint that was not probed: fields of the OpenAI API only, and ignore_eos
// (with min_tokens) if asked for.
func DefaultProfile(api API, ignoreEOS bool) Profile {
	return Profile{
		API:            api,
		MaxTokensField: "max_tokens",
		Temperature:    true,
		StreamOptions:  true,
		IgnoreEOS:      ignoreEOS,
		MinTokens:      ignoreEOS,
	}
}
