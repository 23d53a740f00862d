// This file is the rules, and what comes of them.

package journal

import (
	"fmt"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/snapshot"
)

// rule tells what of one topic happened between two moments.
type rule struct {
	topic snapshot.Topic
	tell  func(t *teller)
}

// rules are in the order in which what happened at once is told.
func rules() []rule {
	return []rule{
		{snapshot.OfEndpoint, outages},
		{snapshot.OfFailure, failures},
		{snapshot.OfEndpoint, warnings},
		{snapshot.OfLoad, loads},
		{snapshot.OfSLO, limits},
		{snapshot.OfAutopilot, pilots},
		{snapshot.OfStage, stages},
		{snapshot.OfVerdict, verdicts},
		{snapshot.OfClient, clients},
		{snapshot.OfGPU, accelerators},
		{snapshot.OfServer, servers},
		{snapshot.OfAdvice, advised},
		{snapshot.OfRun, states},
	}
}

// Between tells what happened from one moment of a run to the next, in order. Each sentence is of the later one's instant.
func Between(before, after *snapshot.Snapshot) []snapshot.Event {
	t := teller{a: before, b: after}
	for _, r := range rules() {
		t.topic = r.topic
		r.tell(&t)
	}
	return t.events
}

// Note is what a person wrote down.
func Note(at record.Instant, text string) snapshot.Event {
	return snapshot.Event{At: at, Topic: snapshot.OfMark, Text: text}
}

// teller is what a rule looks at, and where it tells.
type teller struct {
	a, b   *snapshot.Snapshot // before and after
	topic  snapshot.Topic
	events []snapshot.Event
}

func (t *teller) say(w snapshot.Weight, format string, args ...any) {
	t.events = append(t.events, snapshot.Event{At: t.b.At, Topic: t.topic, Weight: w, Text: fmt.Sprintf(format, args...)})
}

// quiet is for how long what comes and goes is not told again.
const quiet = time.Minute

// toldLately reports whether a sentence of the topic was said within the last minute.
func (t *teller) toldLately(text string) bool {
	for _, e := range slices.Backward(t.a.Events) {
		if age, _ := t.b.At.Since(e.At); age > quiet {
			return false
		}
		if e.Topic == t.topic && e.Text == text {
			return true
		}
	}
	return false
}
