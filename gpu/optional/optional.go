// This file is a value that may be unknown.

package optional

import (
	"encoding/json"
	"math"
)

// Reasons why a Value is unknown that are shown in a form of their own. Any other is a word or two of whoever gives it.
const (
	ReasonNone        = "n/a"          // nobody said why
	ReasonFirstSample = "first sample" // a rate needs two samples
	ReasonLost        = "lost"         // what was read is gone
	ReasonNotANumber  = "not a number" // NaN or infinite
)

// Value is a reading, or the reason why there is none. The zero Value is unknown.
type Value struct {
	V  float64
	NA string // why there is no value, such as "permission"; "" if there is one, or if nobody said why there is none

	known bool
}

// Of returns the valid value v; for a v that is no finite number, an unknown one.
func Of(v float64) Value {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return NA(ReasonNotANumber)
	}
	return Value{V: v, known: true}
}

// NA returns an unknown value with its reason.
func NA(reason string) Value { return Value{NA: reason} }

// OK reports whether the value is valid.
func (v Value) OK() bool { return v.known && v.NA == "" }

// Equal reports whether both are the same value, or unknown for the same reason. Comparisons of larger values (go-cmp) use
// it; elsewhere == says the same.
func (v Value) Equal(w Value) bool { return v == w }

// Why is what stands in the place of a value that is unknown: "n/a", "n/a (permission)", "…" before a second sample,
// "LOST"; "" for a valid one.
func (v Value) Why() string {
	switch {
	case v.OK():
		return ""
	case v.NA == "" || v.NA == ReasonNone:
		return ReasonNone
	case v.NA == ReasonFirstSample:
		return "…"
	case v.NA == ReasonLost:
		return "LOST"
	default:
		return ReasonNone + " (" + v.NA + ")"
	}
}

type jsonValue struct {
	Value *float64 `json:"value,omitempty"`
	NA    string   `json:"na,omitempty"`
}

// MarshalJSON writes {"value": 1.5}, or {"na": "permission"} for an unknown one.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.OK() {
		return json.Marshal(jsonValue{Value: &v.V})
	}
	reason := v.NA
	if reason == "" {
		reason = ReasonNone
	}
	return json.Marshal(jsonValue{NA: reason})
}

// UnmarshalJSON reads what MarshalJSON writes; null is unknown.
func (v *Value) UnmarshalJSON(data []byte) error {
	var j jsonValue
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	switch {
	case j.Value != nil:
		*v = Of(*j.Value)
	case j.NA != "":
		*v = NA(j.NA)
	default:
		*v = NA(ReasonNone)
	}
	return nil
}
