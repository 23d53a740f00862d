// Which request fields an endpoint takes, and what is sent instead of those that it refuses.

package wire

import (
	"net/netip"
	"strings"

	"tokdyno/engine/endpoint"
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

// sends reports whether requests have a field.
func sends(p *endpoint.Profile, field string) bool {
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
func (ep *Endpoint) unlimited(p *endpoint.Profile) bool {
	for _, field := range []string{fieldMaxTokens, fieldMaxCompletionTokens} {
		raw, given := ep.ExtraBody[field]
		if given && string(raw) != "null" || !given && p.MaxTokensField == field {
			return false
		}
	}
	return true
}

// without returns a profile with a refused field dropped, or max_tokens swapped for its successor.
func without(p endpoint.Profile, field string) endpoint.Profile {
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
