package snapshot

import (
	"testing"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/slo"
)

func TestOnlyWhatWasTurnedIsCarriedOver(t *testing.T) {
	from := Knobs{
		Load:  load.Setting{Mode: load.Closed, Concurrency: 8, Rate: 2},
		Shape: shape.Shape{Prompt: shape.Fixed(512), Output: shape.Fixed(128)},
		SLO:   slo.Criteria{slo.TTFT: 300 * time.Millisecond}, Target: 0.9,
	}
	to, other := from, from
	to.Load.Concurrency, to.Shape.Prompt, to.Target = 16, shape.Fixed(1024), 0.99
	other.Load.Rate, other.Shape.Output, other.SLO, other.Paused = 7, shape.Fixed(64), slo.Criteria{slo.TPOT: time.Second}, true
	want := other
	want.Load.Concurrency, want.Shape.Prompt, want.Target = 16, shape.Fixed(1024), 0.99
	if got := other.Carry(from, to); got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := other.Carry(from, from); got != other {
		t.Errorf("nothing was turned, and %+v came of it", got)
	}
}
