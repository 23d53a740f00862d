// This file is what happened beside the load: at the endpoint, the client, the machines.

package journal

import (
	"slices"

	"tokdyno/engine/advice"
	"tokdyno/engine/health"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/units"
)

// outages tells when nothing succeeds any more, and when something does again.
func outages(t *teller) {
	a, b := &t.a.Outage, &t.b.Outage
	if a.Since == 0 && b.Since != 0 {
		row, _ := t.b.At.Since(b.Since)
		t.say(snapshot.Bad, "the endpoint is down: for %.1f s requests have done nothing but fail", row.Seconds())
	}
	if a.Since != 0 && b.Since == 0 {
		row, _ := t.b.At.Since(a.Since)
		if b.Over > a.Over {
			t.say(snapshot.Good, "the endpoint answers again, after %.1f s", row.Seconds())
		}
	}
}

// warnings tells what was found out of the endpoint, and when it first refuses what is sent again.
func warnings(t *teller) {
	for _, sentence := range t.b.Endpoint.Warnings {
		if !slices.Contains(t.a.Endpoint.Warnings, sentence) {
			t.say(snapshot.Caution, "%s", sentence)
		}
	}
	for _, sentence := range t.b.Endpoint.Dropped {
		if !slices.Contains(t.a.Endpoint.Dropped, sentence) {
			t.say(snapshot.Neutral, "%s", sentence)
		}
	}
	if t.a.Malformed == "" && t.b.Malformed != "" {
		t.say(snapshot.Caution, "%s", t.b.Malformed)
	}
	if t.a.Again.Attempts == 0 && t.b.Again.Attempts > 0 {
		t.say(snapshot.Caution, "a refused request was sent again: from now on attempts are counted")
	}
}

// failures tells of the first failure of each kind, and when they have become ten times as many.
func failures(t *teller) {
	for i := range t.b.Problems {
		p := &t.b.Problems[i]
		before := 0
		if at := slices.IndexFunc(t.a.Problems, func(o stats.Problem) bool { return o.Kind == p.Kind && o.Status == p.Status }); at >= 0 {
			before = t.a.Problems[at].Count
		}
		if before == 0 {
			text := "the first " + p.Name()
			if p.Example != "" {
				text += ": " + p.Example
			}
			t.say(snapshot.Bad, "%s", text)
		}
		if n := tenfold(p.Count); n >= 10 && n > tenfold(before) {
			t.say(snapshot.Bad, "%s requests have failed so by now: %s", units.Count(n), p.Name())
		}
	}
}

// tenfold is the highest power of ten that is not above a count; 0 of none.
func tenfold(n int) int {
	if n == 0 {
		return 0
	}
	power := 1
	for n >= 10*power {
		power *= 10
	}
	return power
}

// clients tells when the load generator can't be trusted, and when it can again.
func clients(t *teller) {
	a, b := &t.a.Health, &t.b.Health
	if a.Verdict == b.Verdict {
		return
	}
	switch b.Verdict {
	case health.ClientBound:
		t.once(snapshot.Bad, "client-bound, these figures are not to be trusted: "+b.Reason)
	case health.Strained:
		t.once(snapshot.Caution, "the client is strained: "+b.Reason)
	case health.OK:
		if a.Verdict == health.ClientBound || a.Verdict == health.Strained {
			t.once(snapshot.Good, "the client keeps up again")
		}
	}
}

// once says what comes and goes, unless it was said lately.
func (t *teller) once(w snapshot.Weight, text string) {
	if !t.toldLately(text) {
		t.say(w, "%s", text)
	}
}

// pilots tells what an autopilot does and finds.
func pilots(t *teller) {
	a, b := t.a.Pilot, t.b.Pilot
	if b == nil {
		return
	}
	begun := a == nil || a.Over && !b.Over
	if begun {
		t.say(snapshot.Neutral, "the autopilot begins: %s", b.Kind)
		a = &snapshot.PilotView{}
	}
	for i := range b.Progress.Rungs {
		r := &b.Progress.Rungs[i]
		if i < len(a.Progress.Rungs) && a.Progress.Rungs[i].State == r.State {
			continue
		}
		switch name := b.Axis.Name(r.Level); r.State {
		case stage.Held:
			t.say(snapshot.Good, "autopilot: %s held", name)
		case stage.Missed:
			t.say(snapshot.Bad, "autopilot: %s missed", name)
		case stage.Unknown:
			t.say(snapshot.Caution, "autopilot: of %s it is not known", name)
		case stage.Measured:
			t.say(snapshot.Neutral, "autopilot: %s is measured", name)
		}
	}
	switch {
	case b.Finished && !a.Finished:
		t.say(snapshot.Neutral, "the autopilot is done: %s", b.Result.Sentence)
	case b.Over && !a.Over:
		t.say(snapshot.Neutral, "the autopilot %s", b.Why)
	}
}

// accelerators tells when readings fail, and when they come again.
func accelerators(t *teller) {
	b := t.b.GPU
	if b == nil {
		return
	}
	if a := t.a.GPU; a == nil && b.Err == nil {
		t.say(snapshot.Neutral, "accelerators are read: %s, %d of them", b.Source, len(b.Devices))
	} else if failed := a != nil && (a.Err != nil || a.Stale > 0); failed && b.Err == nil && b.Stale == 0 {
		t.once(snapshot.Good, "accelerators are read again")
	} else if !failed && b.Err != nil {
		t.once(snapshot.Caution, "accelerators can't be read: "+b.Err.Error())
	} else if !failed && b.Stale > 0 {
		t.once(snapshot.Caution, "accelerators do not answer")
	}
}

// servers tells when the server's metrics fail, and when they come again.
func servers(t *teller) {
	a, b := t.a.Server, t.b.Server
	switch {
	case b == nil:
	case b.Err != nil && (a == nil || a.Err == nil):
		t.once(snapshot.Caution, "the server's metrics can't be read: "+b.Err.Error())
	case b.Err == nil && b.Known() && (a == nil || !a.Known()):
		t.say(snapshot.Neutral, "the server's metrics are read")
	case b.Err == nil && a != nil && a.Err != nil:
		t.once(snapshot.Good, "the server's metrics are read again")
	}
}

// advised tells what the figures have begun to mean.
func advised(t *teller) {
	for _, now := range t.b.Advice {
		said := func(o advice.Advice) bool { return o.Rule == now.Rule }
		if !slices.ContainsFunc(t.a.Advice, said) {
			t.once(snapshot.Neutral, now.Sentence)
		}
	}
}
