// This file is the result of a duel: the report of each side, and what they differ by.

package run

import (
	"encoding/json"
	"io"

	"tokdyno/engine/compare"
	"tokdyno/engine/snapshot"
)

// Duel is the result of a duel, as JSON has it.
type Duel struct {
	Schema      int                  `json:"schema"` // the report's
	Tokdyno     string               `json:"tokdyno"`
	Mode        string               `json:"duel"`        // "together", or "alternate"
	Endpoints   []*Report            `json:"endpoints"`   // each complete, from A on
	Differences []compare.Comparison `json:"differences"` // each of the others against A; empty: nothing could be compared
	Winner      *Winner              `json:"winner"`      // null: nobody was said to win
	Notes       []string             `json:"notes"`
}

// DuelDocument is what the forms of a duel's result are made of.
type DuelDocument struct {
	Result      *Duel
	Differences *compare.Document // nil: nothing could be compared, and the result's notes say why
	Measured    []compare.Measured
}

// NewDuel makes the result of a duel by the snapshots of its sides. Alpha is how likely any of the sides may be called different
// from A where it is not; see compare.Looks.Last.
func NewDuel(of *snapshot.Duel, version string, seriesOf func(side, stage int) *compare.Series, alpha float64) *DuelDocument {
	d := &DuelDocument{
		Result: &Duel{
			Schema: Schema, Tokdyno: version, Mode: string(of.Mode), Differences: []compare.Comparison{}, Notes: []string{},
		},
	}
	for i, s := range of.Sides {
		r, letter := NewDocument(s, version).Report, snapshot.Letter(i)
		d.Result.Endpoints = append(d.Result.Endpoints, r)
		side := compare.Side{ID: "this", Letter: letter, Turns: of.Mode == snapshot.Alternate}
		series := func(n int) *compare.Series { return seriesOf(i, n) }
		d.Measured = append(d.Measured, *NewMeasured(r, "side "+letter, series, side))
	}
	differences, err := compare.Sides(version, &d.Measured[0], d.Measured[1:], compare.Usual(), compare.Noise, alpha)
	if err != nil {
		d.Result.Notes = append(d.Result.Notes, err.Error())
		return d
	}
	d.Differences, d.Result.Differences, d.Result.Notes = differences, differences.Runs, differences.Notes
	return d
}

// Winner is what became of a side that was said to win.
type Winner struct {
	Side string `json:"side"` // "B"
	// Verdict is "held" where the side is better than all others or equal within the margin, "missed" where it is worse than
	// any by more, else "unknown".
	Verdict  string              `json:"verdict"`
	Criteria []compare.Criterion `json:"criteria"` // against each of the others, one after the other
	Against  []string            `json:"against"`  // which of them, for each of the criteria
}

// Judge judges a side against another, by a comparison in which it is what is compared.
func (w *Winner) Judge(against string, d *compare.Document, margin []compare.Allowance) {
	list := d.Runs[0].Judge(margin)
	for range list {
		w.Against = append(w.Against, against)
	}
	w.Criteria = append(w.Criteria, list...)
	w.Verdict = compare.Worst(w.Criteria)
}

// WriteJSON writes the result as indented JSON.
func (d *Duel) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}
