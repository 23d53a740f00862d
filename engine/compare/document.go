// This file is a comparison as a document, as JSON has it.

package compare

import (
	"encoding/json"
	"io"
	"math"
	"time"
)

// Schema is the version of the document's JSON form. It grows when a member changes its meaning or goes away.
const Schema = 1

// Document is what runs are worth against a baseline. Absent is null, never 0.
type Document struct {
	Schema   int          `json:"schema"`
	Tokdyno  string       `json:"tokdyno"`  // the program's version
	Baseline []Run        `json:"baseline"` // A; several are pooled
	Noise    float64      `json:"noise"`    // by how much a figure may differ and still counts as the same, a part of it
	Notes    []string     `json:"notes"`    // sentences that a reader should know
	Runs     []Comparison `json:"runs"`     // each against the baseline
}

// Comparison is one run against the baseline.
type Comparison struct {
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
}

// Level is one load, under which both were measured.
type Level struct {
	Name          string         `json:"name"` // "c=8"
	SecondsA      float64        `json:"measured_s_a"`
	SecondsB      float64        `json:"measured_s_b"`
	Differences   []Difference   `json:"differences"`
	Distributions []Distribution `json:"distributions"`
}

// Distribution is how a latency was spread on both sides.
type Distribution struct {
	Metric string    `json:"metric"` // "ttft"
	Unit   string    `json:"unit"`
	A      []float64 `json:"a"` // quantiles at equal distances, from the least to the largest; empty: none was measured
	B      []float64 `json:"b"`
}

// WriteJSON writes the document as indented JSON.
func (d *Document) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// distributions are those of the latencies of two sets of runs.
func distributions(a, b []*Series) []Distribution {
	list := []Distribution{}
	for _, of := range []struct {
		name   string
		values func(*Series) *Values
	}{
		{"ttft", func(s *Series) *Values { return &s.TTFT }},
		{"tpot", func(s *Series) *Values { return &s.TPOT }},
		{"itl", func(s *Series) *Values { return &s.ITL }},
		{"e2el", func(s *Series) *Values { return &s.E2EL }},
	} {
		list = append(list, Distribution{Metric: of.name, Unit: "ms", A: sketch(a, of.values), B: sketch(b, of.values)})
	}
	return list
}

// sketch is a distribution in so few values that it can be drawn: as many quantiles, or all where there are fewer.
func sketch(runs []*Series, of func(*Series) *Values) []float64 {
	const points = 101
	var all Values
	for _, s := range runs {
		if s == nil {
			continue
		}
		v := of(s)
		for i := range v.V {
			all.Add(0, v.V[i], v.Weight(i))
		}
	}
	sorted := all.sorted()
	for i, v := range sorted.v { // to the microsecond, which is finer than anything here is measured
		sorted.v[i] = math.Round(1e3*v) / 1e3
	}
	n := min(points, len(sorted.v))
	out := make([]float64, n)
	for i := range out {
		switch {
		case i == 0:
			out[i] = sorted.v[0]
		case i == n-1:
			out[i] = sorted.v[len(sorted.v)-1]
		default:
			out[i] = sorted.quantile(float64(i) / float64(n-1))
		}
	}
	return out
}
