// What a server says of a request in words of its own: the members of its usage and its timings, and headers with times.

package wire

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"tokdyno/engine/record"
)

const (
	mostTold        = 48       // facts of an answer
	mostToldPayload = 16 << 10 // bytes of the payload that has them
	deepestTold     = 4        // objects in each other
)

// meters keeps a payload that counts tokens or tells times, where what the answer says is kept: the last one has the whole.
func (a *answer) meters(payload []byte) {
	if a.keep && len(payload) <= mostToldPayload && (a.chunk.usage.told() || a.chunk.timings.predicted >= 0) {
		a.metering = append(a.metering[:0], payload...)
	}
}

// toldBy are the numbers beside the answer in a payload, by their names there: "prompt_tokens" of usage, the others with the
// member they stand in, "timings.prompt_ms". Of details those of zero are left out, for servers fill in all that they know of.
func toldBy(payload []byte) []record.Told {
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	if len(payload) == 0 || d.Decode(&members) != nil {
		return nil
	}
	var found []record.Told
	var walk func(path string, value any, depth int)
	walk = func(path string, value any, depth int) {
		switch v := value.(type) {
		case json.Number:
			detail := strings.Contains(path, "details.")
			if zero := v.String() == "0" || v.String() == "0.0"; depth > 0 && !(detail && zero) {
				found = append(found, record.Told{Name: strings.TrimPrefix(path, "usage."), Value: v.String()})
			}
		case map[string]any:
			if depth == deepestTold {
				return
			}
			for name, below := range v {
				if path != "" {
					name = path + "." + name
				}
				walk(name, below, depth+1)
			}
		}
	}
	for name, value := range members {
		if name != "error" {
			walk(name, value, 0)
		}
	}
	slices.SortFunc(found, func(a, b record.Told) int { return strings.Compare(a.Name, b.Name) })
	return found[:min(len(found), mostTold)]
}

// toldIn are the headers of an answer that tell times: Text Generation Inference's x-queue-time, OpenAI's
// openai-processing-ms, Server-Timing, and Retry-After.
func toldIn(h http.Header) []record.Told {
	var found []record.Told
	for name := range h {
		lower := strings.ToLower(name)
		timing := strings.HasSuffix(lower, "-time") || strings.HasSuffix(lower, "-ms") || strings.Contains(lower, "-time-")
		if timing || lower == "server-timing" || lower == "retry-after" {
			found = append(found, record.Told{Name: lower, Value: h.Get(name)})
		}
	}
	slices.SortFunc(found, func(a, b record.Told) int { return strings.Compare(a.Name, b.Name) })
	return found[:min(len(found), mostTold)]
}

// cleaned takes secrets out of what a server says.
func (c *Client) cleaned(told []record.Told) []record.Told {
	for i := range told {
		told[i].Name, told[i].Value = c.clean(told[i].Name), c.clean(told[i].Value)
	}
	return told
}
