// Words HTTP statuses, with what to do about them.

package wire

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// pageSentence is said of a web page that came instead of an answer.
func pageSentence(asked *url.URL, page []byte) string {
	return shown(asked) + " answers with " + pageName(page) +
		", not with an API; is it another port or path, such as …/v1, or a login page before it?"
}

// adviceOf says what a status means that net/http has no name for, and what to do about one; "" where there is nothing to
// say that its name does not.
func adviceOf(status int) (name, advice string) {
	switch status {
	case http.StatusPaymentRequired:
		return "", "is there credit left?"
	case http.StatusRequestEntityTooLarge:
		return "", "ask with shorter prompts"
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return "", "what stands before the server gave up waiting: raise its time limit, or ask for fewer tokens"
	case http.StatusBadGateway:
		return "", "what stands before the server got no proper answer from it; is it running?"
	case 520:
		return "Unknown Error of the Origin", "the server behind Cloudflare gave no proper answer"
	case 521:
		return "Origin Is Down", "the server behind Cloudflare takes no connection; is it running?"
	case 522:
		return "Connection Timed Out", "Cloudflare got no connection to the server behind it in time"
	case 523:
		return "Origin Is Unreachable", "Cloudflare finds no way to the server behind it"
	case 524:
		return "A Timeout Occurred", "the server behind Cloudflare took longer than that waits, mostly 100 s: " +
			"ask for fewer tokens, load it less, or go around Cloudflare"
	case 525, 526:
		return "TLS Failed Behind Cloudflare", "the certificate of the server behind it is not accepted"
	case 529:
		return "Overloaded", "the server has more to do than it can; load it less, or --retry"
	case 530:
		return "Origin Error", "Cloudflare can't reach the server behind it"
	}
	return "", ""
}

// statusProblem words an answer whose status is not 2xx. The advice about a key is only for who sent one, or was asked for
// one: a page in the way is no matter of keys.
func (c *Client) statusProblem(resp *http.Response, text []byte, asked *url.URL) *Error {
	err := statusError(resp.StatusCode, text)
	said, page := c.clean(errorText(err)), looksLikeHTML(text)
	switch {
	case page:
		said = " with " + c.clean(pageName(text))
	case said != "":
		said = ": " + said
	}
	status := resp.StatusCode
	name, advice := adviceOf(status)
	if name == "" {
		name = http.StatusText(status)
	}
	if advice != "" {
		advice = "; " + advice
	}
	var sentence string
	switch {
	case speaksTLS(text):
		sentence = c.target.base.Host + " speaks https, not http; write https:// in the endpoint URL"
	case status == http.StatusForbidden && page:
		sentence = fmt.Sprintf("the server answered %d %s%s; is a login, a firewall or a check for robots before it?", status, name, said)
		if c.sendsKey() {
			sentence += " If it is the key: check --api-key-env, --api-key-file or --header"
		}
	case c.sendsKey() && (status == http.StatusUnauthorized || status == http.StatusForbidden):
		sentence = fmt.Sprintf("the server does not accept the API key (%d)%s; check --api-key-env, --api-key-file or --header", status, said)
	case status == http.StatusUnauthorized, status == http.StatusForbidden && asksForKey(resp, said):
		sentence = fmt.Sprintf("the server wants an API key (%d)%s; give one with --api-key-env or --api-key-file", status, said)
	case status == http.StatusProxyAuthRequired:
		sentence = fmt.Sprintf("the proxy %s wants credentials (%d)%s; --no-proxy goes without it", c.proxyHost(), status, said)
	case status == http.StatusNotFound:
		sentence = fmt.Sprintf("not found (404): %s%s", shown(asked), said)
	case status == http.StatusMethodNotAllowed:
		sentence = fmt.Sprintf("%s takes no such requests (405)%s; is the path right?", shown(asked), said)
	case status == http.StatusTooManyRequests:
		sentence = fmt.Sprintf("the server turned the request away, too many (429)%s", said)
	case status >= 300 && status < 400:
		sentence = redirectSentence(resp)
	default:
		sentence = strings.TrimSpace(fmt.Sprintf("the server answered %d %s", status, name)) + said + advice
	}
	return &Error{sentence: c.clean(sentence), err: err}
}

// sendsKey reports whether requests carry a key, be it in a header of the user's own.
func (c *Client) sendsKey() bool {
	if c.ep.Key != "" {
		return true
	}
	for name := range c.ep.Header {
		low := strings.ToLower(name)
		if strings.Contains(low, "auth") || strings.Contains(low, "key") || strings.Contains(low, "token") {
			return true
		}
	}
	return false
}

// asksForKey reports whether an answer says that a key is missing.
func asksForKey(resp *http.Response, said string) bool {
	low := strings.ToLower(said)
	for _, word := range []string{"api key", "api-key", "api_key", "apikey", "authenticat", "authoriz", "bearer", "token", "credential"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return resp.Header.Get("WWW-Authenticate") != ""
}

// speaksTLS reports whether a server says that it was asked without TLS, as nginx, Go and Apache word it.
func speaksTLS(text []byte) bool {
	said := string(text[:min(len(text), 4<<10)])
	return strings.Contains(said, "HTTP request was sent to HTTPS port") || strings.Contains(said, "HTTP request to an HTTPS server") ||
		strings.Contains(said, "speaking plain HTTP to an SSL-enabled server")
}

// redirectSentence says where a redirect points. It is not followed: a POST may not be repeated elsewhere unasked, and
// the key belongs to the host that the user named.
func redirectSentence(resp *http.Response) string {
	where, err := resp.Location()
	if err != nil {
		return fmt.Sprintf("the server answered %d, a redirect to nowhere", resp.StatusCode)
	}
	where.User = nil
	return fmt.Sprintf("the server redirects to %s (%d), which is not followed; give that as the endpoint URL", shown(where), resp.StatusCode)
}
