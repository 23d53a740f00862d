package lines

import "testing"

func TestTheNameThatWasMeant(t *testing.T) {
	names := []string{"concurrency", "rate", "c", "slo", "slots"}
	for unknown, want := range map[string]string{
		"concurency":  "concurrency",
		"CONCURRENCY": "concurrency",
		"conc":        "concurrency",
		"rate5":       "rate",
		"rates":       "rate",
		"sl":          "slo",
		"x":           "",
		"":            "",
		"something":   "",
	} {
		hint := "; there are five"
		if want != "" {
			hint = "; did you mean " + want + "?"
		}
		if got := Meant(unknown, names, "there are five"); got != hint {
			t.Errorf("%q: %q, want %q", unknown, got, hint)
		}
	}
}
