// This file is the flags of a duel.

package flags

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/duel"
	"tokdyno/engine/sim"
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

// duelFlags adds those of a duel wherever there may be one.
func duelFlags(f *pflag.FlagSet, mode *string, turn *time.Duration) {
	f.StringVar(mode, "duel", "", "hold endpoints side by side, each under the same load: together, or by `turns` where they share a GPU (alternate)")
	f.Lookup("duel").NoOptDefVal = string(snapshot.Together)
	timeVar(f, turn, "turn", duel.DefaultTurn, "20s", "by turns, measure each side for this `time` once it has settled")
}

// Bind adds the flags to a command.
func (d *Duel) Bind(f *pflag.FlagSet) {
	duelFlags(f, &d.mode, &d.turn)
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
	mode, rest, err := modeOf(d.mode, urls)
	switch {
	case err != nil:
		return nil, of, err
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

// modeOf is the mode that a flag says, or an argument apart from it, and what else there is of arguments.
func modeOf(flag string, args []string) (mode snapshot.DuelMode, rest []string, err error) {
	if mode, rest = snapshot.DuelMode(flag), args; mode == "" {
		return mode, rest, nil
	}
	rest = slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		is := arg == string(snapshot.Together) || arg == string(snapshot.Alternate)
		if is {
			mode = snapshot.DuelMode(arg)
		}
		return is
	})
	if mode != snapshot.Together && mode != snapshot.Alternate {
		return mode, rest, fmt.Errorf("--duel %s: a duel is together or alternate", mode)
	}
	return mode, rest, nil
}

// Hint says how to hold several endpoints side by side, where nobody said what is to be done with them; else "".
func (d *Duel) Hint(urls []string) string {
	if len(urls) < 2 || d.mode != "" || d.spread {
		return ""
	}
	return "one load is spread over the endpoints, each request to the next (--spread); --duel holds them side by side"
}

// DemoConcurrency is the load of a demo's duel where nobody chose one: more than the second server has room for in a batch.
const DemoConcurrency = 12

// Demo are the flags of a duel of simulated servers.
type Demo struct {
	mode    string
	turn    time.Duration
	against string
}

// Bind adds the flags to a command.
func (d *Demo) Bind(f *pflag.FlagSet) {
	duelFlags(f, &d.mode, &d.turn)
	f.StringVar(&d.against, "against", "", "`profile` of the duel's second server; default: the first one's, with a quarter of the batch")
}

// Config returns the servers of the duel, of which the first is given, and says what duel there is; none without --duel. Its
// errors are of usage.
func (d *Demo) Config(first sim.Config, args []string) (servers []sim.Config, of session.Duel, err error) {
	mode, rest, err := modeOf(d.mode, args)
	switch {
	case err != nil:
		return nil, of, err
	case len(rest) > 0:
		return nil, of, fmt.Errorf("demo takes no endpoint; got %q", rest[0])
	case mode == "" && d.against != "":
		return nil, of, fmt.Errorf("--against needs --duel")
	}
	second := first
	second.Profile.MaxNumSeqs = max(first.Profile.MaxNumSeqs/4, 1)
	if d.against != "" {
		if second.Profile, err = sim.LookupProfile(d.against); err != nil {
			return nil, of, err
		}
	}
	return []sim.Config{first, second}, session.Duel{Mode: mode, Turn: d.turn}, nil
}
