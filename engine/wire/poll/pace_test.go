package poll

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// load is what comes in a second: turns of the Poller, or arrivals in its ticks.
type load struct {
	turns, arrivals int
	gap             time.Duration // usual, of the fastest stream
	late            time.Duration // of each tick
	merged          float64       // share of the chunks
}

// run has the pace live through some seconds of a load.
func (p *pace) run(now *record.Instant, seconds float64, l load) {
	for range int(math.Round(seconds * 1000)) {
		*now = now.Add(time.Millisecond)
		p.gap(l.gap)
		due := record.Instant(0)
		if p.tick > 0 {
			due = now.Add(-l.late)
			p.merged(int(l.merged*1000), 1000)
		}
		// Turns and arrivals are put into the milliseconds as whole numbers as well as they go.
		at := func(n int) int {
			return int(int64(*now)*int64(n)/1e9) - int(int64(now.Add(-time.Millisecond))*int64(n)/1e9)
		}
		if p.tick == 0 {
			for range at(l.turns) {
				p.turn(*now, 0, l.arrivals/max(l.turns, 1))
			}
			continue
		}
		p.turn(*now, due, at(l.arrivals))
	}
}

func TestPace(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name  string
		loads []load
		tick  time.Duration // after each a second
	}{
		{"nothing", []load{{}}, 0},
		{"few streams", []load{{turns: 400, arrivals: 400, gap: 20 * ms}}, 0},
		{"many, spread", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms}}, maxTick},
		{"many, in step", []load{{turns: 50, arrivals: 3200, gap: 20 * ms}}, 0},
		{"a quarter of the gap", []load{{turns: 20_000, arrivals: 20_000, gap: 4 * ms}}, ms},
		{"too fast for any tick", []load{{turns: 90_000, arrivals: 90_000, gap: ms}}, 0},
		{"one stream is fast, and was not always", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms}, {turns: 3200, arrivals: 3200, gap: ms}}, 0},
		{"fewer, but not so few", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms}, {turns: 600, arrivals: 600, gap: 20 * ms}}, maxTick},
		{"as few, from the beginning", []load{{turns: 600, arrivals: 600, gap: 20 * ms}}, 0},
		{"few in the end", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms}, {turns: 400, arrivals: 400, gap: 20 * ms}}, 0},
		{"none in the end", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms}, {}}, 0},
		{"merged", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms, merged: 0.006}}, minTick},
		{"merged, but not too often", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms, merged: 0.004}}, maxTick},
		{"merged because the ticks were late", []load{{turns: 3200, arrivals: 3200, gap: 20 * ms, late: 2 * ms, merged: 0.006}}, maxTick},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var p pace
			now := record.Instant(1)
			for _, l := range tt.loads {
				p.run(&now, 2, l)
			}
			if p.tick != tt.tick {
				t.Errorf("the tick is %v, want %v", p.tick, tt.tick)
			}
		})
	}
}

func TestALongerTickThatWasAskedFor(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		gap, tick time.Duration
	}{{40 * ms, 5 * ms}, {12 * ms, 3 * ms}, {ms, 0}} {
		p, now := pace{most: 5 * ms}, record.Instant(1)
		if p.run(&now, 2, load{turns: 600, arrivals: 600, gap: tt.gap}); p.tick != tt.tick {
			t.Errorf("with a gap of %v the tick is %v, want %v", tt.gap, p.tick, tt.tick)
		}
	}
}

func TestATickThatWasHalvedIsTriedAgain(t *testing.T) {
	var p pace
	now := record.Instant(1)
	l := load{turns: 3200, arrivals: 3200, gap: 20 * time.Millisecond}
	p.run(&now, 1, l)
	l.merged = 0.006
	p.run(&now, window.Seconds()*1.5, l)
	if p.tick != maxTick/2 {
		t.Fatalf("the tick is %v after many chunks were merged, want half of %v", p.tick, maxTick)
	}
	l.merged = 0
	p.run(&now, calm.Seconds()+1, l)
	if p.tick != maxTick {
		t.Errorf("the tick is %v after a calm time, want %v", p.tick, maxTick)
	}
}

func TestAFixedTickStays(t *testing.T) {
	p := pace{tick: time.Millisecond, fixed: true}
	now := record.Instant(1)
	p.run(&now, 1, load{})
	if p.tick != time.Millisecond {
		t.Errorf("the tick is %v", p.tick)
	}
}
