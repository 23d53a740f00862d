// This file is the flags of a duel.

package flags

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/duel"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/session"
)

// Duel are the flags that say whether several endpoints are held side by side.
type Duel struct {
	mode   string
	turn   time.Duration
	spread bool
	winner string
	margin string
}

// Bind adds the flags to a command.
func (d *Duel) Bind(f *pflag.FlagSet) {
	f.StringVar(&d.mode, "duel", "", "hold the endpoints side by side, each under the same load: together, or by `turns` where they share a GPU (alternate)")
	f.Lookup("duel").NoOptDefVal = string(snapshot.Together)
	timeVar(f, &d.turn, "turn", duel.DefaultTurn, "20s", "measure each side for this `time` in its turn, once it has settled")
	f.BoolVar(&d.spread, "spread", false, "spread one load over the endpoints, each request to the next: what is done without --duel, unasked")
}

// BindWinner adds those of who is to win.
func (d *Duel) BindWinner(f *pflag.FlagSet) {
	f.StringVar(&d.winner, "winner", "", "the `side` of the duel that has to be better, or equal within the margin: A, B …")
	f.StringVar(&d.margin, "margin", session.DefaultMargin,
		"by how much `what` may be worse: a share of goodput (without an SLO, of TTFT and TPOT p95 and output), or 'ttft p95 10%, output_tok_s 5%'")
}

// Config takes from the command's arguments the mode, where it stands apart from its flag ("--duel alternate"), and says what
// duel there is. Its errors are of usage.
func (d *Duel) Config(urls []string) (rest []string, of session.Duel, err error) {
	mode := snapshot.DuelMode(d.mode)
	if mode != "" {
		rest = slices.DeleteFunc(slices.Clone(urls), func(arg string) bool {
			is := arg == string(snapshot.Together) || arg == string(snapshot.Alternate)
			if is {
				mode = snapshot.DuelMode(arg)
			}
			return is
		})
	} else {
		rest = urls
	}
	switch {
	case mode != "" && mode != snapshot.Together && mode != snapshot.Alternate:
		return nil, of, fmt.Errorf("--duel %s: a duel is together or alternate", mode)
	case mode != "" && d.spread:
		return nil, of, fmt.Errorf("--duel and --spread don't go together: the load is each one's, or one over all")
	case mode != "" && (len(rest) < 2 || len(rest) > duel.Most):
		return nil, of, fmt.Errorf("--duel needs two to %d endpoints; got %d", duel.Most, len(rest))
	case d.winner != "" && mode == "":
		return nil, of, fmt.Errorf("--winner needs --duel")
	case d.turn <= 0:
		return nil, of, fmt.Errorf("--turn %s is no time to measure in", d.turn)
	}
	return rest, session.Duel{Mode: mode, Turn: d.turn, Winner: d.winner, Margin: d.margin}, nil
}

// Hint says how to hold several endpoints side by side, where nobody said what is to be done with them; else "".
func (d *Duel) Hint(urls []string) string {
	if len(urls) < 2 || d.mode != "" || d.spread {
		return ""
	}
	return "one load is spread over the endpoints, each request to the next (--spread); --duel holds them side by side"
}
