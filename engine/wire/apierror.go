// Errors as servers word them: OpenAI, vLLM, FastAPI, Google and plain strings.

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	openai "github.com/sashabaranov/go-openai"
)

const maxSentence = 300 // runes of a server's message that are kept

// parseError reads an error from a JSON body: {"error": {…}}, {"error": "text"}, vLLM's flat
// {"object": "error", "message": …}, FastAPI's {"detail": …}, any of these in an array, and else whatever messageIn finds. It
// returns nil if the body is none of them. Param names the fields at fault, separated by commas, where the server says.
func parseError(body []byte) *openai.APIError {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		var several []json.RawMessage
		if json.Unmarshal(body, &several) != nil || len(several) == 0 || several[0][0] == '[' {
			return nil
		}
		return parseError(several[0])
	}
	var forms struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &forms) != nil {
		return nil
	}
	switch {
	case present(forms.Error) && (forms.Error[0] == '{' || forms.Error[0] == '"' || !present(forms.Message)):
		return anyError(forms.Error)
	case present(forms.Message):
		return objectError(body)
	case present(forms.Detail):
		return detailError(forms.Detail)
	}
	if text := messageIn(body); text != "" {
		return &openai.APIError{Message: text}
	}
	return nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// anyError reads an error that is an object, or else the message itself.
func anyError(raw json.RawMessage) *openai.APIError {
	if raw[0] == '{' {
		return objectError(raw)
	}
	return &openai.APIError{Message: stringOr(raw)}
}

// objectError reads an error object. One that has no message, or a strange one, is shown as it is.
func objectError(raw json.RawMessage) *openai.APIError {
	var e openai.APIError
	if json.Unmarshal(raw, &e) == nil && e.Message != "" {
		return &e
	}
	var loose struct{ Message, Detail, Type json.RawMessage }
	_ = json.Unmarshal(raw, &loose) // what can't be read stays absent
	for _, text := range []json.RawMessage{loose.Message, loose.Detail, loose.Type} {
		if present(text) {
			return &openai.APIError{Message: stringOr(text)}
		}
	}
	return &openai.APIError{Message: string(raw)}
}

// detailError reads FastAPI's detail: a string, an object, or a list of what is wrong where.
func detailError(raw json.RawMessage) *openai.APIError {
	var faults []struct {
		Loc []any  `json:"loc"`
		Msg string `json:"msg"`
	}
	if json.Unmarshal(raw, &faults) != nil || len(faults) == 0 {
		return anyError(raw)
	}
	var messages, params []string
	for _, fault := range faults {
		var place []string
		for i, step := range fault.Loc {
			if name := fmt.Sprint(step); i > 0 || name != "body" {
				place = append(place, name)
			}
		}
		at := strings.Join(place, ".")
		params = append(params, at)
		messages = append(messages, strings.TrimPrefix(at+": "+fault.Msg, ": "))
	}
	param := strings.Join(params, ",")
	return &openai.APIError{Message: strings.Join(messages, "; "), Param: &param}
}

// stringOr returns the string that raw is, or else raw itself.
func stringOr(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// failureText is the message of an error inside a stream.
func failureText(c *chunk) string {
	if e := parseError(c.payload); e != nil {
		return e.Message
	}
	return anyError(c.failure).Message
}

// statusError turns an HTTP error answer into go-openai's error: an APIError where the body says something, else a
// RequestError.
func statusError(status int, body []byte) error {
	if e := parseError(body); e != nil {
		e.HTTPStatusCode = status
		e.HTTPStatus = http.StatusText(status)
		return e
	}
	return &openai.RequestError{HTTPStatusCode: status, HTTPStatus: http.StatusText(status), Body: body}
}

// errorText is what the server said in an error made by statusError, on one line, however long; "" if it said nothing
// readable.
func errorText(err error) string {
	switch e := err.(type) {
	case *openai.APIError:
		return flat(e.Message)
	case *openai.RequestError:
		if !looksLikeHTML(e.Body) {
			return flat(string(e.Body))
		}
	}
	return ""
}

// looksLikeHTML reports whether a body begins like a web page (or XML) rather than like JSON or an event stream.
func looksLikeHTML(body []byte) bool {
	body = beginning(body)
	return len(body) > 0 && body[0] == '<'
}

// beginning is a body from the first byte on that says something of its form.
func beginning(body []byte) []byte { return bytes.TrimLeft(body, string(byteOrderMark)+" \t\r\n") }

// oneLine makes a server's text safe to show: no control characters, one line, not too long. Where it may have a secret in
// it, that is to be taken out of the flat text, before it is cut: see Client.clean.
func oneLine(text string) string { return cut(flat(text)) }

// flat is a text on one line, without control characters.
func flat(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// cut shortens a text to maxSentence.
func cut(text string) string {
	if runes := []rune(text); len(runes) > maxSentence {
		text = string(runes[:maxSentence-1]) + "…"
	}
	return text
}
