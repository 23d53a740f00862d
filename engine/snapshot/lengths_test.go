package snapshot

import "testing"

func TestAnswersAreAmissFromFivePercentOn(t *testing.T) {
	for achieved, want := range map[float64]bool{12: true, 94: true, 95: false, 100: false, 105: false, 106: true} {
		a := AnswerLengths{Asked: 100, Achieved: achieved, N: 1}
		if a.Amiss() != want || (a.Sentence() != "") != want {
			t.Errorf("%v of 100: amiss %t, %q", achieved, a.Amiss(), a.Sentence())
		}
		other := AnswerLengths{Asked: 100, Achieved: 100, N: 1}
		if differ := a.Differ(other); differ != other.Differ(a) || achieved < 105 && differ != want {
			t.Errorf("%v against 100: differ %t", achieved, differ)
		}
	}
	if (AnswerLengths{}).Amiss() || (AnswerLengths{}).Differ(AnswerLengths{Asked: 1, Achieved: 1, N: 1}) {
		t.Error("of no answers something is said")
	}
}
