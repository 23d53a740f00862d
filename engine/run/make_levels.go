// This file makes levels of a run's stages, and says which of them is the operating point.

package run

import (
	"slices"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
)

// takeLevels adds the levels of the curve in which something happened, answers how far up them the SLO holds, and puts the
// operating point's figures at the top.
func (r *Report) takeLevels(s *snapshot.Snapshot) {
	var of []*stats.Summary
	for i := range s.Curve {
		if level, summary, ok := newLevel(s, &s.Curve[i]); ok {
			r.Levels, of = append(r.Levels, level), append(of, summary)
		}
	}
	verdicts := make([]slo.Verdict, len(r.Levels))
	for i := range r.Levels {
		verdicts[i] = r.Levels[i].SLO.Requests
	}
	r.Reach = slo.NewReach(verdicts)
	if i := r.Reach.Held; i >= 0 {
		r.Answer.Level = &r.Levels[i].Level
	}
	if i := r.Reach.Missed; i >= 0 {
		missed := &r.Levels[i]
		r.Answer.Missed, r.Answer.Binding = &missed.Level, missed.SLO.Binding
		r.Answer.Relaxed = relaxed(&s.Knobs, of[i])
	}

	row := r.choose(s)
	if row == nil {
		return
	}
	summary := row.Summary
	at := newStage(s, row)
	r.Load, r.MeasuredS, r.Figures, r.Efficiency = at.Load, at.MeasuredS, at.Figures, at.Efficiency
	r.Name, r.Settled = stage.Axis(row.Knobs.Load.Axis()).Name(row.Knobs.Load.Level()), !summary.Settling
	if r.At >= 0 {
		level := &r.Levels[r.At]
		r.MeasuredS, r.Figures, summary = level.MeasuredS, level.Figures, of[r.At]
	}
	r.Judged = r.Figures.Requests.OK + r.Figures.Requests.Failed
	r.Prompts, r.Answers = newPromptLengths(row.Prompts), newAnswerLengths(row.Answers)
	for _, note := range []string{
		orEmpty(r.Untrusted), lateness(summary, &s.Knobs), summary.InStep.Sentence(), row.Answers.Sentence(), unlikeAnswers(s.Stages),
	} {
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
	}
}

// choose says which level is the operating point, by At, and returns the newest stage of it; nil: nothing happened.
func (r *Report) choose(s *snapshot.Snapshot) *snapshot.StageRow {
	r.At = r.Reach.Held
	if r.At < 0 {
		r.At = r.Reach.Missed
	}
	if w := r.Sweep; r.At < 0 && w != nil && w.Level != nil { // no level was judged by its single requests
		r.At = slices.IndexFunc(r.Levels, func(l Level) bool { return l.Level == *w.Level })
	}
	if r.At >= 0 {
		stages := r.Levels[r.At].Stages
		return stageOf(s, stages[len(stages)-1])
	}
	var chosen *snapshot.StageRow
	for i := range s.Stages {
		row := &s.Stages[i]
		if !row.Empty() && (chosen == nil || !row.Summary.Settling || chosen.Summary.Settling) {
			chosen = row
		}
	}
	if chosen != nil {
		r.At = slices.IndexFunc(r.Levels, func(l Level) bool { return slices.Contains(l.Stages, chosen.Number) })
	}
	return chosen
}

// newLevel makes a level of a point of the curve, and returns what its figures are of; false where nothing happened at it.
func newLevel(s *snapshot.Snapshot, p *stage.Point) (Level, *stats.Summary, bool) {
	var stages []int
	for _, n := range p.Stages {
		if row := stageOf(s, n); row != nil && !row.Empty() && row.Summary.Settling != p.Settled {
			stages = append(stages, n)
		}
	}
	if len(stages) == 0 {
		return Level{}, nil, false
	}
	row, summary := stageOf(s, stages[len(stages)-1]), p.Summary
	if len(stages) == 1 {
		summary = row.Summary // which also knows what is defined of a single stage alone
	}
	level := Level{
		Load:      newLoad(&row.Knobs, s.Seed),
		Stages:    stages,
		Apart:     []int{},
		MeasuredS: seconds(summary.Spans),
		Settled:   p.Settled,
		Figures:   newFigures(s, summary),
		Name:      stage.Axis(row.Knobs.Load.Axis()).Name(p.Level),
		Level:     p.Level,
	}
	if p.EarlierDiffer {
		for i := range s.Stages {
			earlier := &s.Stages[i]
			if earlier.Knobs.SameLoad(row.Knobs) && !earlier.Summary.Settling && !slices.Contains(stages, earlier.Number) {
				level.Apart = append(level.Apart, earlier.Number)
			}
		}
	}
	return level, summary, true
}

// stageOf is the stage of a number; nil where it is not in the snapshot.
func stageOf(s *snapshot.Snapshot, number int) *snapshot.StageRow {
	i := slices.IndexFunc(s.Stages, func(row snapshot.StageRow) bool { return row.Number == number })
	if i < 0 {
		return nil
	}
	return &s.Stages[i]
}

// relaxed are limits in round numbers that a level keeps in place of those that it missed, each by itself; nil where none of
// its tails is known.
func relaxed(k *snapshot.Knobs, of *stats.Summary) *string {
	var wider slo.Criteria
	for m, d := range map[slo.Metric]stats.Distribution{slo.TTFT: of.TTFT, slo.TTFA: of.TTFA, slo.TPOT: of.TPOT, slo.E2EL: of.E2EL} {
		if reached, ok := kept(d, k.Target); ok && k.SLO[m] > 0 && reached > k.SLO[m] {
			wider[m] = slo.RoundUp(reached)
		}
	}
	if !wider.Active() {
		return nil
	}
	text := wider.String()
	return &text
}

// kept is what at least a share of the requests kept, by the percentiles that there are.
func kept(d stats.Distribution, share float64) (time.Duration, bool) {
	switch {
	case d.N == 0:
		return 0, false
	case share <= 0.90:
		return d.P90, true
	case share <= 0.95:
		return d.P95, true
	case share <= 0.99:
		return d.P99, true
	}
	return d.Max, true
}

// wanted is what would make the verdict on the operating point known, if it is a matter of more requests: a run of so many,
// where their number ended it, or else one of so long. It leaves a tenth to chance.
func wanted(r *Report, s *snapshot.Snapshot) load.Budget {
	const margin = 1.1
	j := &r.SLO
	if j.Requests != slo.Unknown || len(r.Levels) > 1 || j.N >= *j.Needed {
		return load.Budget{}
	}
	unjudged := s.Counts.Started - j.N // the ramp's, and those at the end
	if most := s.Budget.Requests; most > 0 && s.Counts.Started >= most {
		return load.Budget{Requests: roundedUp(float64(unjudged)+margin*float64(*j.Needed), 10)}
	}
	if j.N == 0 {
		return load.Budget{Duration: time.Duration(roundedUp(3*r.DurationS, 5)) * time.Second}
	}
	lost := r.DurationS - r.MeasuredS
	whole := lost + margin*r.MeasuredS*float64(*j.Needed)/float64(j.N)
	return load.Budget{Duration: time.Duration(roundedUp(whole, 5)) * time.Second}
}

// roundedUp is the next multiple of a step.
func roundedUp(v float64, step int) int { return (int(v)/step + 1) * step }
