package snapshot

import "testing"

func TestASideIsFoundByItsLetter(t *testing.T) {
	for letter, want := range map[string]int{"A": 0, " b ": 1, Letter(3): 3, "E": -1, "": -1, "AB": -1, "1": -1, "@": -1} {
		side, ok := SideOf(letter, 4)
		if ok != (want >= 0) || ok && side != want {
			t.Errorf("%q is side %d, %v, want %d", letter, side, ok, want)
		}
	}
}
