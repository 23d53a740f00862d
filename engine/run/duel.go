// This file is the result of a duel: the report of each side, and what they differ by.

package run

import (
	"encoding/json"
	"io"

	"tokdyno/engine/compare"
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
