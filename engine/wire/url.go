// One way from what the user calls the endpoint to the URLs that are asked.

package wire

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tokdyno/engine/endpoint"
)

// target is an endpoint's address, taken apart.
type target struct {
	base *url.URL     // scheme, host, query, and the path below which the API lives ("/v1")
	api  endpoint.API // the API that the user's URL named in full, else ""
}

// JoinURL returns the URL that requests of an API go to, for an endpoint as a user gives it: "host:port", a server's
// root, a base URL such as ".../v1", or the full URL, which is used as it is. Without a path, "/v1" is meant; a path
// that is given is kept. The query (Azure's api-version) is kept too. Errors are sentences for the user.
func JoinURL(endpoint string, api endpoint.API) (string, error) {
	t, err := parseTarget(endpoint)
	if err != nil {
		return "", err
	}
	return t.load(api).String(), nil
}

func parseTarget(endpoint string) (target, error) {
	given := strings.TrimSpace(endpoint)
	if given == "" {
		return target{}, errors.New("no endpoint URL was given; write it like http://localhost:8000")
	}
	if strings.IndexFunc(given, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) >= 0 {
		return target{}, fmt.Errorf("the endpoint URL %q has a space or a control character in it", given)
	}
	scheme, rest, err := splitScheme(given)
	if err != nil {
		return target{}, err
	}
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	if strings.Contains(authority, "@") {
		return target{}, errors.New("the endpoint URL has a user name or password in it; give it as a header instead, " +
			"such as --header 'Authorization: Basic …'")
	}
	authority, err = hostPort(authority)
	if err != nil {
		return target{}, fmt.Errorf("the endpoint URL %q: %w", given, err)
	}
	u, err := url.Parse(scheme + "://" + authority + tail)
	if err != nil {
		var parse *url.Error
		if errors.As(err, &parse) {
			err = parse.Err // without the URL once more
		}
		return target{}, fmt.Errorf("the endpoint URL %q is not valid: %w", given, err)
	}
	u.Fragment, u.RawFragment, u.ForceQuery = "", "", false
	if api, base := foreign(u); api != "" {
		return target{}, fmt.Errorf("the endpoint URL %q is of another API (%s), which tokdyno does not speak; give %s for the chat API",
			shown(u), api, base)
	}
	return splitPath(u), nil
}

// splitScheme separates the scheme, http if none is given.
func splitScheme(given string) (scheme, rest string, err error) {
	if before, after, ok := strings.Cut(given, "://"); ok && !strings.ContainsAny(before, "/?#[") {
		scheme = strings.ToLower(before)
		if scheme != "http" && scheme != "https" {
			return "", "", fmt.Errorf("the endpoint URL %q begins with %s://; only http:// and https:// can be asked", given, before)
		}
		return scheme, after, nil
	}
	before, after, _ := strings.Cut(given, ":")
	if strings.HasPrefix(after, "/") && !strings.ContainsAny(before, "/?#[.") {
		return "", "", fmt.Errorf("the endpoint URL %q is not understood; write it like http://localhost:8000", given)
	}
	return "http", strings.TrimPrefix(given, "//"), nil
}

// hostPort checks a host and port, and gives a bare IPv6 address its brackets.
func hostPort(authority string) (string, error) {
	if isIPv6(authority) {
		return "[" + escapeZone(authority) + "]", nil
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		host, port = authority[:i], authority[i+1:]
	}
	switch {
	case strings.HasPrefix(host, "["):
		inner := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		plain := strings.Replace(inner, "%25", "%", 1)
		if !isIPv6(plain) || !strings.HasSuffix(host, "]") {
			return "", fmt.Errorf("%s is not an IPv6 address", host)
		}
		host = "[" + escapeZone(plain) + "]"
	case strings.Contains(host, ":"):
		return "", errors.New("an IPv6 address with a port needs brackets, like http://[::1]:8000")
	case strings.ContainsAny(host, "[]"):
		return "", fmt.Errorf("%q is no host; brackets go around an IPv6 address", host)
	case strings.Trim(host, ".") == "":
		return "", errors.New("there is no host in it")
	}
	if port == "" {
		return host, nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("port %s is not a number from 1 to 65535", port)
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port), nil
}

// isIPv6 reports whether text is an IPv6 address. A zone may have only characters that URLs take as they are, as the names
// of network interfaces do.
func isIPv6(text string) bool {
	addr, err := netip.ParseAddr(text)
	strange := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._~", r)
	}
	return err == nil && addr.Is6() && strings.IndexFunc(addr.Zone(), strange) < 0
}

// escapeZone writes an IPv6 zone the way URLs want it.
func escapeZone(addr string) string {
	before, zone, ok := strings.Cut(addr, "%")
	if !ok {
		return addr
	}
	return before + "%25" + zone
}

// splitPath takes the API's own part off the end of the path, if it is there.
func splitPath(u *url.URL) target {
	segments := strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' })
	t := target{base: u}
	switch n := len(segments); {
	case n >= 2 && segments[n-2] == "chat" && segments[n-1] == "completions":
		t.api = endpoint.Chat
		segments = segments[:n-2]
	case n >= 1 && segments[n-1] == "completions":
		t.api = endpoint.Completions
		segments = segments[:n-1]
	case n >= 1 && segments[n-1] == "models":
		segments = segments[:n-1]
	case n == 0:
		segments = []string{"v1"}
	}
	setPath(u, segments)
	return t
}

// foreign tells an API that can't be asked by the end of its path, with where servers that have it have the one that can;
// "" for any other path.
func foreign(u *url.URL) (api, base string) {
	segments := strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' })
	for _, known := range []struct {
		path []string
		root bool // the API that can be asked is not beside it, but at …/v1
	}{
		{[]string{"responses"}, false},
		{[]string{"messages"}, false},
		{[]string{"embeddings"}, false},
		{[]string{"rerank"}, false},
		{[]string{"images", "generations"}, false},
		{[]string{"audio", "speech"}, false},
		{[]string{"api", "generate"}, true},
		{[]string{"api", "chat"}, true},
		{[]string{"generate_stream"}, true},
	} {
		n := len(segments) - len(known.path)
		if n < 0 || !slices.Equal(segments[n:], known.path) {
			continue
		}
		rest := segments[:n]
		if known.root {
			rest = append(slices.Clip(rest), "v1")
		}
		there := url.URL{Scheme: u.Scheme, Host: u.Host}
		setPath(&there, rest)
		return "/" + strings.Join(known.path, "/"), there.String()
	}
	return "", ""
}

// setPath sets an escaped path from its segments.
func setPath(u *url.URL, segments []string) {
	raw := "/" + strings.Join(segments, "/")
	path, err := url.PathUnescape(raw)
	if err != nil {
		path = raw // cannot be: the segments come from a parsed URL
	}
	u.Path, u.RawPath = path, raw
}

// host is the host and the port that connections go to, the scheme's own where none is given.
func (t target) host() string {
	port := "80"
	if t.base.Scheme == "https" {
		port = "443"
	}
	return net.JoinHostPort(t.base.Hostname(), cmp.Or(t.base.Port(), port))
}

func (t target) with(more ...string) *url.URL {
	u := *t.base
	segments := strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' })
	setPath(&u, append(segments, more...))
	return &u
}

// load is where requests of an API go.
func (t target) load(api endpoint.API) *url.URL {
	if api == endpoint.Completions {
		return t.with("completions")
	}
	return t.with("chat", "completions")
}

// models is the model list.
func (t target) models() *url.URL { return t.with("models") }

// root is a page of the server outside the API, such as /version.
func (t target) root(page ...string) *url.URL {
	u := *t.base
	segments := strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' })
	if n := len(segments); n > 0 && segments[n-1] == "v1" {
		segments = segments[:n-1]
	}
	setPath(&u, append(segments, page...))
	return &u
}

// beside are the places for a page that some servers have outside the API and some gateways within it; first those outside.
func (t target) beside(page string) []*url.URL {
	outside, within := t.root(page), t.with(page)
	if *outside == *within {
		return []*url.URL{outside}
	}
	return []*url.URL{outside, within}
}

// shown is u for people's eyes: values of query parameters are left out, for they may be keys, except api-version.
func shown(u *url.URL) string {
	if u.RawQuery == "" {
		return u.String()
	}
	var parts []string
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, valued := strings.Cut(part, "=")
		if valued && name != "api-version" {
			part = name + "=…"
		}
		parts = append(parts, part)
	}
	bare := *u
	bare.RawQuery = ""
	return bare.String() + "?" + strings.Join(parts, "&")
}
