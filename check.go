// This file is the commands that need no terminal: check and sweep.

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tokdyno/engine"
	"tokdyno/engine/units"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

// How long a check takes where neither a time nor a number of requests is given: checkLength, or until the verdict is known,
// up to longestCheck.
const (
	checkLength  = 20 * time.Second
	longestCheck = 3 * checkLength
	duelLength   = 2 * time.Minute // in less, hardly any difference can be told
)

const (
	checkHelp = `check needs no terminal. It prints a line a second, then the report, which
begins with the verdict: held, missed or not yet known. Without --for and
--requests it takes 20 s, and up to 60 s where the verdict is not known by then:
an SLO that 99 % of requests have to meet takes 100 of them. With
--max-regression it takes 60 s. Its exit status says how it went:

  0  every SLO held, or none was given; and it is no worse than its baseline by
     more than is allowed
  1  an SLO was missed, or it is worse than its baseline (--baseline,
     --max-regression)
  2  the command line is wrong
  3  the endpoint can't be used
  4  the verdict is not yet known, for too few requests were judged or compared;
     or the figures are not to be trusted: arrivals were never started, token
     counts are estimates, streams are buffered on their way, or tokdyno itself
     was the bottleneck
130  it was interrupted; the report says how far it got

With --duel, all endpoints get the same load and are compared, for 2 min unless
told otherwise. With --winner B the status is that of the comparison: 0 where B
is better or equal within the --margin, 1 where it is worse, 4 where that can't
be told.`
	checkExamples = `  tokdyno check http://localhost:8000 --for 20s --slo 'ttft=500ms tpot=40ms'
  tokdyno check localhost:8000 --requests 200 -c 16 --report result.html
  tokdyno check localhost:8000 --rate 4 --for 1m --json - --records r.jsonl
  tokdyno check localhost:8000 --for 2m --baseline last-good \
    --max-regression 'ttft p95 10%, output_tok_s 5%' --confirm
  tokdyno check gpu-1:8000 gpu-2:8000 --duel --for 5m --winner B`
)

func newCheck(std session.Streams, me *user) (*cobra.Command, error) {
	var run flags.Run
	var output session.Output
	var against session.Against
	cmd := &cobra.Command{
		Use:   "check URL…",
		Short: "Load for a time or a number of requests, then print the report",
		Long:  checkHelp, Example: checkExamples,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noneEmpty(cmd, "baseline", "max-regression"); err != nil {
				return err
			}
			length := checkLength
			if against.Regression != "" {
				length = longestCheck // in less, hardly any difference can be told
			}
			run.Load.SetDuration(length, longestCheck)
			cfg, sources, duel, err := configured(cmd, &run, me.urls(args), std)
			if err != nil {
				return err
			}
			if duel.Mode != "" {
				return checkDuel(cmd, cfg, sources, output, duel, &against, std)
			}
			return session.CheckAgainst(cmd.Context(), cfg, sources, output, against, std)
		},
	}
	cmd.Flags().SortFlags = false
	err := run.Bind(cmd.Flags(), me.library.Nothing())
	output.Bind(cmd.Flags())
	against.Bind(cmd.Flags())
	run.Duel.BindWinner(cmd.Flags())
	length := cmd.Flags().Lookup("duration")
	length.Usage = fmt.Sprintf("end after this `time`; left out: after %s, or as soon after that as the verdict is known, %s at the latest",
		units.Time(checkLength), units.Time(longestCheck))
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "duration" { // of the other commands
			name = "for"
		}
		return pflag.NormalizedName(name)
	})
	return cmd, err
}

// checkDuel is a check of endpoints side by side.
func checkDuel(
	cmd *cobra.Command, cfg engine.Config, sources session.Sources, output session.Output, duel session.Duel, against *session.Against,
	std session.Streams,
) error {
	if against.Baseline != "" || against.Regression != "" || against.Confirm {
		return &usageError{cmd.CommandPath(), errors.New("a duel holds its sides against each other, not against a --baseline")}
	}
	if !cmd.Flags().Changed("duration") && cfg.Budget.Requests == 0 {
		cfg.Budget.Duration = duelLength
	}
	return session.CheckDuel(cmd.Context(), cfg, sources, output, duel, std)
}

// noneEmpty refuses flags that are given without a value, as by a variable of a script that is not set: they would switch off
// what they ask for.
func noneEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f.Changed && strings.TrimSpace(f.Value.String()) == "" {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--%s is empty; leave it out if it is not wanted", name)}
		}
	}
	return nil
}

func newSweep(std session.Streams, me *user) (*cobra.Command, error) {
	var run flags.Run
	var autopilot flags.Autopilot
	var output session.Output
	cmd := &cobra.Command{
		Use:   "sweep URL…",
		Short: "Walk or search levels of load, then print what was found",
		Long: `sweep needs no terminal. It walks levels of concurrency, or of --rate, each
until it is steady and enough requests are measured (a ladder), or finds the
highest level that still holds the SLO (--search). Its exit status says how it
went:

  0  a level held the SLO, or none was given
  1  none did
  2  the command line is wrong
  3  the endpoint can't be used: no request completed
  4  it did not come to its end, could not judge a level, or tokdyno itself was
     the bottleneck
130  it was interrupted`,
		Example: `  tokdyno sweep http://localhost:8000
  tokdyno sweep localhost:8000 --levels 1,2,4,8,16,32 --json curve.json
  tokdyno sweep localhost:8000 --search --slo 'ttft=500ms tpot=40ms'
  tokdyno sweep localhost:8000 --rate 1 --search --preset chat`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, sources, duel, err := configured(cmd, &run, me.urls(args), std)
			if err != nil {
				return err
			}
			if cfg.Autopilot, err = autopilot.Config(); err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			if duel.Mode != "" {
				return session.CheckDuel(cmd.Context(), cfg, sources, output, duel, std)
			}
			return session.Check(cmd.Context(), cfg, sources, output, std)
		},
	}
	cmd.Flags().SortFlags = false
	autopilot.Bind(cmd.Flags())
	err := run.Bind(cmd.Flags(), me.library.Nothing())
	output.Bind(cmd.Flags())
	return cmd, err
}
