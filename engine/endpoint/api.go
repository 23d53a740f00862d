// This file is the APIs that load can be put on.

package endpoint

import (
	"fmt"
	"strings"
)

// API is one of the two OpenAI APIs that load can be put on.
type API string

// The APIs.
const (
	Chat        API = "chat"        // /v1/chat/completions
	Completions API = "completions" // /v1/completions
)

// ParseAPI reads the name of an API; "" is Chat.
func ParseAPI(name string) (API, error) {
	switch api := API(strings.ToLower(strings.TrimSpace(name))); api {
	case "":
		return Chat, nil
	case Chat, Completions:
		return api, nil
	}
	return "", fmt.Errorf("unknown API %q; it is %q or %q", name, Chat, Completions)
}
