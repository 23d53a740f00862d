// This file writes a request as a command that repeats it.

package query

import (
	"encoding/json"
	"errors"
	"strings"

	"tokdyno/engine/stats"
)

// Curl is the command that sends a request again. The key is named, never written: the shell puts in $OPENAI_API_KEY. The error
// is a sentence that says why there is none.
func Curl(url string, said *stats.Said) (string, error) {
	switch {
	case len(said.Body) == 0:
		return "", errors.New("what this request said was not kept: only that of the latest, the slowest and the failed is; see --keep-text, and --record-text for recordings")
	case said.BodyCut:
		return "", errors.New("this request is too long to have been kept whole")
	}
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	return "curl -N " + quoted(url) + ` -H 'Content-Type: application/json' -H "Authorization: Bearer $OPENAI_API_KEY" -d ` +
		quoted(string(said.Body)), nil
}

// Asked is what a request's body asks, as people read it: the messages of a chat, each behind its role, or the prompt. A body
// that can't be read stands for itself.
func Asked(said *stats.Said) string {
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Prompt json.RawMessage
	}
	if json.Unmarshal(said.Body, &body) != nil {
		return string(said.Body)
	}
	text := func(raw json.RawMessage) string {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return string(raw)
		}
		return s
	}
	if len(body.Messages) == 0 {
		return text(body.Prompt)
	}
	var lines []string
	for _, m := range body.Messages {
		lines = append(lines, m.Role+": "+text(m.Content))
	}
	return strings.Join(lines, "\n")
}
