// This file reads Ollama's /api/ps, which stands in for a metrics page.

package server

import (
	"encoding/json"

	"tokdyno/gpu/optional"
)

// InterpretOllama reads the list of loaded models; false: the text is something else.
func InterpretOllama(text []byte) (Metrics, bool) {
	var answer struct {
		Models *[]struct {
			Name    string   `json:"name"`
			VRAM    *float64 `json:"size_vram"`
			Context *float64 `json:"context_length"` // since 0.11
		} `json:"models"`
	}
	if json.Unmarshal(text, &answer) != nil || answer.Models == nil {
		return Metrics{}, false
	}
	m := unknown(string(Ollama) + " does not tell")
	m.Kind = Ollama
	m.Loaded = make([]LoadedModel, 0, len(*answer.Models))
	value := func(v *float64) optional.Value {
		if v == nil {
			return optional.NA(reasonNotOnPage)
		}
		if *v < 0 {
			return optional.NA(reasonOutOfRange)
		}
		return optional.Of(*v)
	}
	for _, model := range *answer.Models {
		m.Loaded = append(m.Loaded, LoadedModel{Name: model.Name, VRAMBytes: value(model.VRAM), ContextTokens: value(model.Context)})
	}
	return m, true
}
