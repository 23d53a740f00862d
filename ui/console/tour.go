// This file is the tour of the demo: five keys, and what each of them shows.

package console

import (
	"fmt"
	"time"

	"tokdyno/ui/cell"
	"tokdyno/ui/theme"
)

// tourOffered is how long the demo speaks of the tour.
const tourOffered = 30 * time.Second

// tourStep asks for a key and says what is to be seen then.
type tourStep struct{ key, asks, shows string }

// tourSteps are the tour.
func tourSteps() []tourStep {
	return []tourStep{
		{
			"}", "press } to double the chosen knob: concurrency, unless you chose another",
			"the load has changed, and a line in every chart marks the moment; tok/s grows, and TPOT too",
		},
		{"2", "press 2 for the curve", "every load that has settled is a point here, with the SLO as a line: where they cross is the limit"},
		{"3", "press 3 for single requests", "a bar for each: the wait for its first token, then decoding; enter opens one"},
		{
			"a", "press a for the autopilot",
			"it raises the load level by level, each until it is measured; turning a knob takes the load back",
		},
		{"6", "press 6 for the log", "all that you did stands here with its time, and what came of it"},
	}
}

// tour is where the person stands in it.
type tour struct {
	steps []tourStep
	at    int  // the step whose key is awaited; len(steps): all are done, and the last one shows
	begun bool // now or before: it is not offered any more
}

// on reports whether the person takes it.
func (t *tour) on() bool { return t.steps != nil }

// begin starts it, on the first page.
func (t *tour) begin(m *model) {
	*t = tour{steps: tourSteps(), begun: true}
	m.help.hide()
	m.run.hush()
	m.turnTo(0)
}

// leave ends it.
func (t *tour) leave() { t.steps = nil }

// pressed is told of every key after what it did.
func (t *tour) pressed(key string) {
	switch {
	case !t.on():
	case t.at == len(t.steps):
		t.leave()
	case key == t.steps[t.at].key:
		t.at++
	}
}

// note is what it says; false where there is nothing.
func (t *tour) note() (cell.Note, bool) {
	if !t.on() {
		return cell.Note{}, false
	}
	text := fmt.Sprintf("tour %d/%d: ", min(t.at+1, len(t.steps)), len(t.steps))
	if t.at > 0 {
		text += t.steps[t.at-1].shows + ". "
	}
	if t.at == len(t.steps) {
		return cell.Note{Role: theme.Accent, Text: text + "That was the tour; ? lists the keys of any page"}, true
	}
	return cell.Note{Role: theme.Accent, Text: text + "Now " + t.steps[t.at].asks + "; esc leaves the tour"}, true
}

// tourless says why there is no tour.
func tourless(m *model) string {
	if s := m.run.latest; !s.Simulated || s.Replay != nil {
		return "the tour is for tokdyno demo: it turns the load up"
	}
	return overAlready(m)
}

// tourOffer is what the demo says at first.
func (m *model) tourOffer() (cell.Note, bool) {
	ready := !m.tour.begun && !m.run.watches && tourless(m) == "" && m.run.latest.Elapsed < tourOffered
	return cell.Note{Role: theme.Accent, Text: "new here? ? and then t: a tour of five keys"}, ready
}
