// Which server it is that answers.

package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// identify names the server, from the model list's owner, the Server header, the fingerprint in an answer, and its
// version page; "" if none of them is known.
func (c *Client) identify(ctx context.Context, from listed, fingerprint string) string {
	owner, server := strings.ToLower(from.ownedBy), strings.ToLower(from.server)
	switch {
	case strings.HasPrefix(server, "tokdyno-sim"), owner == "tokdyno-sim":
		return "tokdyno-sim"
	case server == "llama.cpp", owner == "llamacpp":
		return strings.TrimSpace("llama.cpp " + oneLine(fingerprint))
	case owner == "vllm":
		return strings.TrimSpace("vLLM " + c.version(ctx, "version"))
	case owner == "sglang":
		return strings.TrimSpace("SGLang " + c.version(ctx, "get_server_info"))
	case owner == "library", strings.HasPrefix(fingerprint, "fp_ollama"):
		return strings.TrimSpace("Ollama " + c.version(ctx, "api", "version"))
	case owner == "tensorrt_llm", owner == "lmdeploy", owner == "tabbyapi", owner == "aphrodite-engine":
		return oneLine(from.ownedBy)
	}
	return ""
}

// version reads {"version": "…"} from one of the server's pages; "" if it is not there. It is only asked of servers
// known to have the page.
func (c *Client) version(ctx context.Context, page ...string) string {
	resp, text, err := c.get(ctx, c.target.root(page...))
	if err != nil || resp.StatusCode != http.StatusOK {
		return ""
	}
	var said struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(text, &said) != nil {
		return ""
	}
	return oneLine(said.Version)
}
