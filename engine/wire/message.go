// The short message that an answer carries where it has no tokens, whatever form the server gave it.

package wire

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"tokdyno/engine/record"
)

// messageNames are members in which servers say in words what went wrong, the plainest first, in small letters. Which of
// them an object has is all that is asked; what else is in it differs from server to server.
func messageNames() []string {
	return []string{
		"message", "msg", "error_message", "errormessage", "error_msg", "errormsg", "errmsg", "err_msg", "status_msg",
		"status_message", "statusmessage", "ret_msg", "retmsg", "error_description", "detail", "details", "description",
		"faultstring", "error", "err", "reason", "title",
	}
}

// codeNames are members in which servers say by a number or a word whether something went wrong.
func codeNames() []string {
	return []string{
		"code", "status_code", "statuscode", "error_code", "errorcode", "errcode", "err_code", "ret_code", "retcode", "ret", "errno",
	}
}

// maxMessageDepth is how many objects deep a message is looked for.
const maxMessageDepth = 4

// messageIn finds what a JSON document says in words of a failure: a string under one of the names, at the top or in an
// object or list within it, with the code beside it, such as "insufficient balance (1008)". It is "" where there is none,
// and where the code beside it says that nothing is wrong.
func messageIn(document []byte) string { return messageAt(bytes.TrimSpace(document), maxMessageDepth) }

func messageAt(raw []byte, depth int) string {
	if len(raw) == 0 || depth == 0 {
		return ""
	}
	if raw[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			for _, one := range list {
				if text := messageAt(one, depth-1); text != "" {
					return text
				}
			}
		}
		return ""
	}
	var members map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &members) != nil {
		return ""
	}
	low := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		low[strings.ToLower(name)] = value
	}
	code := codeIn(low)
	if fine(code) {
		return ""
	}
	for _, name := range messageNames() {
		if text := word(low[name]); strings.TrimSpace(text) != "" {
			if code != "" && !strings.Contains(text, code) {
				text += " (" + code + ")"
			}
			return text
		}
	}
	for _, name := range append(messageNames(), "errors", "base_resp", "status", "header", "fault", "response", "result", "data") {
		if text := messageAt(low[name], depth-1); text != "" {
			return text
		}
	}
	return ""
}

// codeIn is the code of an object, a number or a word; "" where it has none.
func codeIn(members map[string]json.RawMessage) string {
	for _, name := range codeNames() {
		raw := members[name]
		if len(raw) == 0 || strings.ContainsAny(string(raw[:1]), "{[ntf") {
			continue
		}
		return stringOr(raw)
	}
	return ""
}

// fine reports whether a code says that nothing is wrong.
func fine(code string) bool {
	switch strings.ToLower(code) {
	case "0", "200", "ok", "success":
		return true
	}
	return false
}

// pageTitle finds the title of a web page.
var pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.{1,200}?)</title>`)

// pageName is what a web page is called: a web page ("Just a moment...").
func pageName(page []byte) string {
	if m := pageTitle.FindSubmatch(page); m != nil {
		if title := flat(html.UnescapeString(string(m[1]))); title != "" {
			return `a web page ("` + title + `")`
		}
	}
	return "a web page"
}

// maxAside bounds what is kept of an answer beside its chunks.
const maxAside = 16 << 10

// setAside keeps a part of an answer that is no chunk, for it may say why there are none.
func (a *answer) setAside(text []byte) {
	if len(a.aside)+len(text) < maxAside {
		a.aside = append(append(a.aside, text...), '\n')
	}
}

// said is what an answer says in words beside its chunks, on one line; "" for nothing. plain: it is no JSON, and so perhaps
// no message.
func (a *answer) said() (text string, plain bool) {
	all := bytes.TrimSpace(a.aside)
	if len(all) == 0 {
		return "", false
	}
	if all[0] != '{' && all[0] != '[' {
		return flat(string(all)), true
	}
	text = messageIn(all)
	for one := range bytes.Lines(all) { // several documents, of which the last that says something counts
		if m := messageIn(one); m != "" {
			text = m
		}
	}
	return flat(text), false
}

// withSaid is a failure with what the answer says in words, if it does. An answer of nothing but words is an error that the
// server reports, in a form of its own.
func (a *answer) withSaid(v verdict) verdict {
	text, plain := a.said()
	switch {
	case text == "":
		return v
	case a.rec.Chunks == 0 && !plain:
		v.kind = record.KindStreamError
		v.sentence = "the server answered with a message instead of tokens: " + text
	default:
		v.sentence += "; the server said: " + text
	}
	return v
}
