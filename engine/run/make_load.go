// This file says in a report what load there was.

package run

import (
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/snapshot"
)

func newLoad(k *snapshot.Knobs, seed uint64) Load {
	l := Load{
		Mode:      string(k.Load.Mode),
		Shape:     newShape(&k.Shape),
		ShapeHash: k.ShapeHash(),
		Seed:      Seed(seed),
		Text:      k.LoadString(),
	}
	if ramp := k.Load.Ramp.String(); k.Load.Ramp != (load.Ramp{}) {
		l.Ramp = &ramp
	}
	if k.Load.Mode == load.Closed {
		start := k.Load.Start()
		l.Concurrency, l.Conversations, l.Start = &k.Load.Concurrency, k.Load.Conversations, &start
		return l
	}
	if k.Load.MaxInFlight > 0 {
		l.MaxInFlight = &k.Load.MaxInFlight
	}
	if k.Load.Mode == load.Replay {
		name, speed := k.Load.Timetable.Name(), k.Load.Level()
		l.Trace, l.Speed = &name, &speed
		l.Shape.PromptTokens, l.Shape.OutputTokens = fromFile, fromFile
		return l
	}
	arrival, rate := string(k.Load.Arrival), k.Load.MeanRate()
	l.Rate, l.Arrival = &rate, &arrival
	return l
}

// fromFile stands for lengths that a file sets.
const fromFile = "from file"

func newShape(s *shape.Shape) Shape {
	r := Shape{
		PromptTokens:  s.Prompt.String(),
		OutputTokens:  s.Output.String(),
		PrefixOverlap: s.PrefixOverlap,
		Prefixes:      max(s.Prefixes, 1),
		Text:          s.Text.String(),
		ThinkS:        s.Think.Seconds(),
	}
	if s.Converses() {
		turns := s.Turns.String()
		r.Turns = &turns
	}
	if s.Data != nil {
		name := s.Data.Name()
		r.Data, r.PromptTokens = &name, fromFile
		if s.Output == (shape.Length{}) {
			r.OutputTokens = fromFile
		}
	}
	return r
}

// newAnswerLengths says how well answers had the length that was asked for in a stage.
func newAnswerLengths(a snapshot.AnswerLengths) AnswerLengths {
	r := AnswerLengths{N: a.N}
	if a.N > 0 {
		r.Asked, r.Achieved = rate(a.Asked), rate(a.Achieved)
		r.Early = rate(float64(a.Early) / float64(a.N))
	}
	return r
}

// newPromptLengths says how well prompts had the length that was asked for in a stage.
func newPromptLengths(p snapshot.PromptLengths) PromptLengths {
	r := PromptLengths{Method: string(p.Method), N: p.N}
	if p.N > 0 {
		r.Asked, r.Achieved = rate(p.Asked), rate(p.Achieved)
	}
	return r
}
