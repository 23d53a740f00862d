// Package presets holds use cases as YAML files that are built into the program: a load and its shape, and the SLO that
// it is held against.
package presets

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
)

//go:embed *.yaml
var files embed.FS

// Preset is a use case.
type Preset struct {
	Name         string `yaml:"-"`             // the file's
	Title        string `yaml:"title"`         // a few words
	For          string `yaml:"for"`           // for whom it is, in one line
	PromptTokens string `yaml:"prompt_tokens"` // a length as it is typed: 512, 128-1024, normal 512/128
	OutputTokens string `yaml:"output_tokens"`
	Concurrency  int    `yaml:"concurrency"` // requests in flight
	SLO          string `yaml:"slo"`         // "" for none
}

// Demo is the use case of the demo.
const Demo = "demo"

// Lookup returns a preset by its name. The error names those there are.
func Lookup(name string) (Preset, error) {
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return Preset{}, fmt.Errorf("there is no preset %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return parse(name, text)
}

// Names returns the names of all presets, in order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	return names
}

// parse reads a preset. Its errors say where in the file what is wrong, and what is allowed.
func parse(name string, text []byte) (Preset, error) {
	p := Preset{Name: name}
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&p); err != nil {
		return Preset{}, fmt.Errorf("preset %s: %s", name, yaml.FormatError(err, false, false))
	}
	if err := p.validate(); err != nil {
		return Preset{}, fmt.Errorf("preset %s: %w", name, err)
	}
	return p, nil
}

func (p Preset) validate() error {
	if p.Title == "" || p.For == "" {
		return fmt.Errorf("it needs a title and a line that says for whom it is")
	}
	if _, err := shape.ParseLength(p.PromptTokens); err != nil {
		return fmt.Errorf("prompt_tokens: %w", err)
	}
	if _, err := shape.ParseLength(p.OutputTokens); err != nil {
		return fmt.Errorf("output_tokens: %w", err)
	}
	if err := (load.Setting{Mode: load.Closed, Concurrency: p.Concurrency}).Validate(); err != nil {
		return err
	}
	if _, err := slo.Parse(p.SLO); err != nil {
		return fmt.Errorf("slo: %w", err)
	}
	return nil
}
