// What is known of an endpoint: who it is, and which request fields it takes.

package wire

import (
	"net/netip"
	"strings"

	"tokdyno/engine/record"
)

// The request fields that a probe may drop or swap.
const (
	fieldMaxTokens           = "max_tokens"
	fieldMaxCompletionTokens = "max_completion_tokens"
	fieldTemperature         = "temperature"
	fieldIgnoreEOS           = "ignore_eos"
	fieldMinTokens           = "min_tokens"
	fieldStreamOptions       = "stream_options"
	fieldContinuousUsage     = "continuous_usage_stats"
)

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
		MaxTokensField: fieldMaxTokens,
		Temperature:    true,
		StreamOptions:  true,
		IgnoreEOS:      ignoreEOS,
		MinTokens:      ignoreEOS,
	}
}

// sends reports whether requests have a field.
func (p *Profile) sends(field string) bool {
	switch field {
	case fieldMaxTokens, fieldMaxCompletionTokens:
		return p.MaxTokensField == field
	case fieldTemperature:
		return p.Temperature
	case fieldIgnoreEOS:
		return p.IgnoreEOS
	case fieldMinTokens:
		return p.MinTokens
	case fieldStreamOptions:
		return p.StreamOptions
	case fieldContinuousUsage:
		return p.StreamOptions && p.ContinuousUsage
	}
	return false
}

// isLength reports whether a field holds the length of answers.
func isLength(field string) bool { return field == fieldMaxTokens || field == fieldMaxCompletionTokens }

// isOther reports whether a field is another than the length.
func isOther(field string) bool { return !isLength(field) }

// unlimited reports whether requests go without a limit on the length of their answers: neither the profile has one nor the
// user's own fields, which win and may take one out.
func (ep *Endpoint) unlimited(p *Profile) bool {
	for _, field := range []string{fieldMaxTokens, fieldMaxCompletionTokens} {
		raw, given := ep.ExtraBody[field]
		if given && string(raw) != "null" || !given && p.MaxTokensField == field {
			return false
		}
	}
	return true
}

// without returns the profile with a refused field dropped, or max_tokens swapped for its successor.
func (p Profile) without(field string) Profile {
	say := func(sentence string) { p.Dropped = append(p.Dropped[:len(p.Dropped):len(p.Dropped)], sentence) }
	switch field {
	case fieldMaxTokens:
		p.MaxTokensField = fieldMaxCompletionTokens
		say("max_tokens swapped for max_completion_tokens")
	case fieldMaxCompletionTokens:
		p.MaxTokensField = ""
		say("max_completion_tokens dropped; the server decides how long answers are")
	case fieldTemperature:
		p.Temperature = false
		say("temperature dropped; the server's default holds")
	case fieldIgnoreEOS:
		p.IgnoreEOS = false
		say("ignore_eos dropped; answers may stop early")
	case fieldMinTokens:
		p.MinTokens = false
		say("min_tokens dropped")
	case fieldStreamOptions:
		p.StreamOptions, p.ContinuousUsage = false, false
		say("stream_options dropped; tokens estimated unless the server counts them unasked")
	case fieldContinuousUsage:
		p.ContinuousUsage = false
		say("continuous_usage_stats dropped; tokens per chunk unknown")
	}
	return p
}

// Local reports whether the endpoint is on this machine or in a private network, as far as its name says: loopback,
// private and link-local addresses, and names that no public DNS has. A public one calls for care with load.
func (c *Client) Local() bool { return localHost(c.target.base.Hostname()) }

func localHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		addr = addr.Unmap()
		shared := netip.MustParsePrefix("100.64.0.0/10") // carrier-grade NAT, and overlay networks such as Tailscale's
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsUnspecified() || shared.Contains(addr)
	}
	if !strings.Contains(host, ".") {
		return true // localhost, a Docker or Kubernetes service
	}
	for _, suffix := range []string{".localhost", ".local", ".internal", ".lan", ".home.arpa", ".svc"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return false
}
