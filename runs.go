// This file is the commands of runs that are kept.
package main

import (
	"errors"

	"github.com/spf13/cobra"

	"tokdyno/ui/flags"
	"tokdyno/ui/report/form"
	"tokdyno/ui/session"
)

func newRuns(std session.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "The runs that are kept on this machine",
		Long: `runs lists the runs that are kept: each of the console, of check and of sweep,
unless --no-keep is given. The oldest go when there are too many (--keep-runs,
--keep-size); those with a name and baselines stay. Neither a key nor a header
nor what was asked or answered is in them.

A run is called last, last~1 for the one before, by its name, or by its file.`,
		Example: `  tokdyno runs
  tokdyno runs show last
  tokdyno runs name last before-upgrade
  tokdyno runs rm last~3 last~4`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return session.ListRuns(std) },
	}
	var off bool
	baseline := &cobra.Command{
		Use:   "baseline RUN",
		Short: "Say that a run is one that later ones are held against",
		Args:  exactly(1, "give one run, such as last"),
		RunE:  func(_ *cobra.Command, args []string) error { return session.MarkBaseline(std, args[0], !off) },
	}
	baseline.Flags().BoolVar(&off, "off", false, "it is none any more")
	cmd.AddCommand(
		&cobra.Command{
			Use:   "show RUN",
			Short: "Print what is known of a run, and its report",
			Args:  exactly(1, "give one run, such as last"),
			RunE:  func(_ *cobra.Command, args []string) error { return session.ShowRun(std, args[0]) },
		},
		&cobra.Command{
			Use:   "name RUN NAME",
			Short: "Give a run a name; an empty one takes it away",
			Args:  exactly(2, "give a run, such as last, and its name"),
			RunE:  func(_ *cobra.Command, args []string) error { return session.NameRun(std, args[0], args[1]) },
		},
		baseline,
		&cobra.Command{
			Use:   "rm RUN…",
			Short: "Remove runs",
			Args: func(cmd *cobra.Command, args []string) error {
				if len(args) == 0 {
					return &usageError{cmd.CommandPath(), errors.New("give a run, such as last~3")}
				}
				return nil
			},
			RunE: func(_ *cobra.Command, args []string) error { return session.RemoveRuns(std, args) },
		},
	)
	return cmd
}

func newReplay(std session.Streams, me *user) *cobra.Command {
	var looks flags.Look
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "The console on a run that was kept",
		Long: `replay shows a kept run as the console showed it: every page, its marks and its
stages. Space plays and pauses, < and > change the speed, comma and full stop go
ten seconds back and on, ( and ) from stage to stage and mark to mark, :seek to
any time. The SLO can be turned, which scores anew what was recorded; the load
is what it was.`,
		Example: `  tokdyno replay last
  tokdyno replay before-upgrade`,
		Args: exactly(1, "give one run, such as last; \"tokdyno runs\" lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return session.Replay(cmd.Context(), args[0], me.look(&looks), std)
		},
	}
	looks.BindColours(cmd.Flags())
	looks.Share.Bind(cmd.Flags())
	return cmd
}

func newReport(std session.Streams) *cobra.Command {
	var to session.ReportForm
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "The report of a run that was kept",
		Long: "report writes the report of a kept run as text, or in the form that the name of\nthe file ends in:\n\n" + form.Reports().List() + `

The last five are for scripts made for those tools. A result of vllm bench serve
or AIPerf's profile_export.jsonl is taken for a run, here and wherever one is
taken.`,
		Example: `  tokdyno report last
  tokdyno report last -o run.html
  tokdyno report last~1 --format md
  tokdyno report last --format vllm -o vllm.json
  tokdyno report vllm.json`,
		Args: exactly(1, "give one run, such as last; \"tokdyno runs\" lists them"),
		RunE: func(_ *cobra.Command, args []string) error { return session.Report(std, args[0], to) },
	}
	to.Bind(cmd.Flags())
	return cmd
}

func newCompare(std session.Streams) *cobra.Command {
	var comparing session.Comparing
	cmd := &cobra.Command{
		Use:   "compare A B…",
		Short: "What differs between runs by more than chance",
		Long: `compare holds runs against the first one, level by level: percentiles,
throughput, goodput and failures, each with its change, the 95 % interval of it,
and what can be said: better, worse, the same within the noise (--noise), or
that it can't be told, with how long each would have to be measured to find a
change of 10 % nine times in ten.

Requests of a run are not independent, so what is counted are blocks of time, at
least ten of them, each as long as a request takes; several runs for A, between
commas, are pooled, and how far they are apart is in the intervals. Where
several metrics are compared, those that stand alone have to be clearer. Runs
whose requests or models differ are refused.

It is written as text, or in the form that the name of the file ends in:

` + form.Comparisons().List(),
		Example: `  tokdyno compare last~1 last
  tokdyno compare good last --metrics 'ttft p95, output_tok_s' --noise 3%
  tokdyno compare monday,tuesday,wednesday last -o comparison.md
  tokdyno compare good last -o comparison.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return &usageError{cmd.CommandPath(), errors.New("give two runs, such as last~1 last; \"tokdyno runs\" lists them")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return session.Compare(std, args[0], args[1:], comparing) },
	}
	cmd.Flags().SortFlags = false
	comparing.Bind(cmd.Flags())
	return cmd
}

// exactly wants so many arguments.
func exactly(n int, otherwise string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return &usageError{cmd.CommandPath(), errors.New(otherwise)}
		}
		return nil
	}
}
