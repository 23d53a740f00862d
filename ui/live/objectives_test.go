package live

import (
	"testing"

	"tokdyno/engine/slo"
	"tokdyno/ui/figure"
	"tokdyno/ui/internal/scene"
)

func TestTheWorstObjectiveComesFirst(t *testing.T) {
	o := scene.Promised().Knobs.Objectives.At(0)
	stand := func(verdict slo.Verdict, judged, held int) slo.Standing {
		return slo.Standing{Objective: o, Verdict: verdict, Judged: judged, Held: held}
	}
	unknown, fine, tight := stand(slo.Unknown, 0, 0), stand(slo.Held, 1000, 1000), stand(slo.Held, 1000, 992)
	over, missed, worse := stand(slo.Missed, 1000, 999), stand(slo.Held, 1000, 980), stand(slo.Held, 1000, 900)
	got := figure.WorstFirst([]slo.Standing{unknown, fine, missed, tight, over, worse})
	for i, want := range []slo.Standing{worse, missed, over, tight, fine, unknown} {
		if got[i] != want {
			t.Errorf("place %d has %+v, want %+v", i, got[i], want)
		}
	}
}
