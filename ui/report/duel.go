// This file prints what a duel has to say before its figures.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"tokdyno/engine/compare"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
)

// WriteDuel prints the result of a duel for people: what became of the side that was said to win, what the sides differ by, and
// the report of each, after which it is handed to more, from 0; nil: nothing follows. See Write.
func WriteDuel(w io.Writer, d *run.DuelDocument, width int, more func(side int) error) error {
	err := WriteSides(w, d.Result, width)
	if d.Differences != nil {
		err = errors.Join(err, WriteComparison(w, d.Differences, width))
	}
	for i, of := range d.Result.Endpoints {
		_, failed := fmt.Fprintf(w, "\n%s  %s\n", snapshot.Letter(i), of.Endpoint.URL)
		err = errors.Join(err, failed, Write(w, of, width))
		if more != nil {
			err = errors.Join(err, more(i))
		}
	}
	return err
}

// WriteSides prints what a duel has to say before its figures: what became of the side that was said to win, and what an
// autopilot found on each. Nothing where there was neither.
func WriteSides(w io.Writer, r *run.Duel, width int) error {
	var p sheet
	if r.Winner != nil {
		p.winner(r)
	}
	if r.Endpoints[0].Sweep != nil {
		p.found(r)
	}
	if len(p) == 0 {
		return nil
	}
	return p.print(w, width)
}

// winner says of the side that was said to win how it stands against each of the others.
func (p *sheet) winner(r *run.Duel) {
	words := map[string]string{
		compare.Held:        "%s is better than %s, or equal within the margin: %s",
		compare.Missed:      "%s is WORSE than %s by more than the margin: %s",
		compare.NotYetKnown: "it can't be told whether %s is as good as %s: %s",
	}
	one := *r.Winner
	for i := range r.Endpoints {
		other := snapshot.Letter(i)
		if other == one.Side {
			continue
		}
		var against []compare.Criterion
		for j := range one.Criteria {
			if one.Against[j] == other {
				against = append(against, one.Criteria[j])
			}
		}
		verdict := compare.Worst(against)
		p.line("winner", words[verdict], one.Side, other, criteria(against, verdict))
		if need := longest(against); verdict == compare.NotYetKnown && need != "" {
			p.line("", "measure for longer: --for %s", need)
		}
	}
	p.blank()
}

// found is the highest level that each side held, with what it gave there; nothing of one that held none.
func (p *sheet) found(r *run.Duel) {
	columns := []Column{
		{Head: "side", Left: true},
		{Head: "holds"},
		{Head: "goodput/s"},
		{Head: "out tok/s", Rank: 1},
		{Head: "TTFT p95", Rank: 3},
		{Head: "tok/s/GPU"},
		{Head: "tok/J", Rank: 2},
	}
	for i, side := range r.Endpoints {
		if side.Answer.Level == nil { // what it reports is of a level that missed
			side = new(run.Report)
		}
		level, e := cmp.Or(side.Name, cell.Unknown), &side.Efficiency
		for j, text := range []string{
			snapshot.Letter(i), level, rateOrUnknown("", side.SLO.Goodput), rateOrUnknown("", side.Throughput.Output),
			latencyOrUnknown(side.TTFT.P95), rateOrUnknown("", e.OutputPerGPU), rateOrUnknown("", e.TokensPerJoule),
		} {
			columns[j].Cells = append(columns[j].Cells, text)
		}
	}
	p.table(columns)
	p.blank()
}
