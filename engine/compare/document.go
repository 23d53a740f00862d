// This file is a comparison as a document, as JSON has it.

package compare

import (
	"encoding/json"
	"io"
	"time"
)

// Schema is the version of the document's JSON form. It grows when a member changes its meaning or goes away.
const Schema = 1

// Document is what runs are worth against a baseline. Absent is null, never 0.
type Document struct {
	Schema   int          `json:"schema"`
	Tokdyno  string       `json:"tokdyno"`  // the program's version
	Baseline []Run        `json:"baseline"` // A; several are pooled
	Duel     bool         `json:"duel"`     // they are sides of one duel, and not one run after the other
	Noise    float64      `json:"noise"`    // by how much a figure may differ and still counts as the same, a part of it
	Notes    []string     `json:"notes"`    // sentences that a reader should know
	Runs     []Comparison `json:"runs"`     // each against the baseline

	alpha float64 // how likely each may be called different where it is not
}

// Comparison is one run against the baseline.
type Comparison struct {
	Letter   string   `json:"letter"`   // of the run: "B", or, of a duel of several, that of its side
	Run      Run      `json:"run"`      // B
	Warnings []string `json:"warnings"` // why the figures are not to be compared, where somebody had it done all the same
	Levels   []Level  `json:"levels"`   // those that both have, ascending
	Unpaired []string `json:"unpaired"` // those that only one has
}

// Run says which run was compared.
type Run struct {
	Name      string     `json:"name"` // as the person called it
	File      string     `json:"file"` // ""; none is kept
	URL       string     `json:"url"`
	Model     string     `json:"model"`
	Server    *string    `json:"server"`
	Started   *time.Time `json:"started"`
	Load      string     `json:"load"`
	ShapeHash string     `json:"shape_hash"`
	Simulated bool       `json:"simulated"` // it is a simulated server's
}

// Level is one load, under which both were measured.
type Level struct {
	Name          string         `json:"name"` // "c=8"
	SecondsA      float64        `json:"measured_s_a"`
	SecondsB      float64        `json:"measured_s_b"`
	Confidence    float64        `json:"confidence"` // of the intervals
	Differences   []Difference   `json:"differences"`
	Distributions []Distribution `json:"distributions"`
}

// WriteJSON writes the document as indented JSON.
func (d *Document) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}
