// Command tokdyno puts live load on an LLM inference endpoint and shows what that does, while knobs are turned.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tokdyno/engine"
	"tokdyno/gpu"
	"tokdyno/gpu/source"
	"tokdyno/ui/cell"
	"tokdyno/ui/flags"
	"tokdyno/ui/report"
	"tokdyno/ui/session"
)

// helpColumns is how wide the help is: what every terminal has.
const helpColumns = 80

func main() {
	root, err := newRoot(session.Std(this().version))
	if err == nil {
		err = root.Execute()
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintln(os.Stderr, report.OneLine("tokdyno: "+sentence(err)))
	}
	os.Exit(session.ExitStatus(err))
}

// sentence adds where to look to the flag parser's errors, which say only what is wrong. Several errors are parted by
// semicolons.
func sentence(err error) string {
	var usage *usageError
	if errors.As(err, &usage) {
		return fmt.Sprintf("%s; see %s --help", cell.OneLine(usage.err), usage.command)
	}
	return cell.OneLine(err)
}

// usageError is a command line that can't be understood.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func newRoot(std session.Streams) (*cobra.Command, error) {
	log.SetOutput(io.Discard) // net/http logs what servers send amiss, a key among it, and would write into the console
	me, err := newUser()
	if err != nil {
		return nil, err
	}
	demo, err := newDemo(std, me)
	if err != nil {
		return nil, err
	}
	root, err := newConsole(std, me, demo)
	if err != nil {
		return nil, err
	}
	root.Use = "tokdyno [URL…]"
	root.Version = this().String()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", helpColumns)))
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{command: c.CommandPath(), err: flags.Explain(err)}
	})
	check, err := newCheck(std, me)
	if err != nil {
		return nil, err
	}
	sweep, err := newSweep(std, me)
	if err != nil {
		return nil, err
	}
	settings, err := newConfig(std, me)
	if err != nil {
		return nil, err
	}
	replay, devices, doctor, themes := newReplay(std, me), newGPU(std), newDoctor(std, me), newThemes(std, me)
	worker := newWorker(std)
	root.AddCommand(demo, check, sweep, newRuns(std), replay, newReport(std), newCompare(std), newPresets(std, me), devices,
		settings, themes, doctor, newSim(std), worker, newVersion(std), newMan())
	me.bind(root, root, demo, check, sweep, replay, devices, themes, doctor, worker)
	return root, nil
}

func newPresets(std session.Streams, me *user) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "presets",
		Short: "Use cases by name: a load, its shape, and its SLO",
		Long: `presets lists what --preset takes. A preset is a file of lines such as
"concurrency: 8"; its keys are the load's flags with _ for -, and title, for and
source. Flags beside --preset override what it says; limits that --slo does not
name stay.`,
		Example: `  tokdyno presets
  tokdyno presets show chat > mine.yaml
  tokdyno http://localhost:8000 --preset chat --concurrency 32
  tokdyno check localhost:8000 --preset ./mine.yaml`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return session.ListPresets(std.Out, std.Err, me.library) },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "show NAME",
		Short: "Print a preset as a file to copy",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{cmd.CommandPath(), errors.New("give the name of one preset; \"tokdyno presets\" lists them")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return session.ShowPreset(std.Out, me.library, args[0])
		},
	})
	return cmd
}

func newGPU(std session.Streams) *cobra.Command {
	var gpus flags.GPUs
	survey := session.Survey{Look: source.Look}
	cmd := &cobra.Command{
		Use:   "gpu",
		Short: "What can be read of the GPUs from here, and why not where it can't",
		Example: `  tokdyno gpu
  tokdyno gpu --json
  tokdyno gpu --gpu ssh:gpu-7 --gpu http://gpu-8:9400/metrics --watch`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if survey.Names, survey.Options, err = asked(cmd, &gpus); err != nil {
				return err
			}
			return session.GPU(cmd.Context(), survey, std)
		},
	}
	cmd.Flags().SortFlags = false
	gpus.Bind(cmd.Flags())
	cmd.Flags().BoolVar(&survey.JSON, "json", false, "print JSON: each metric with its value or why there is none")
	cmd.Flags().BoolVar(&survey.Watch, "watch", false, "again and again, until interrupted")
	return cmd
}

// asked are the sources of GPU figures that a command line names.
func asked(cmd *cobra.Command, gpus *flags.GPUs) (names []string, options gpu.Options, err error) {
	names, err = gpus.Names()
	if err == nil {
		options, err = gpus.Options()
	}
	if err != nil {
		err = &usageError{cmd.CommandPath(), err}
	}
	return names, options, err
}

// configured is the configuration that a command line describes. Its errors are of usage.
func configured(
	cmd *cobra.Command, run *flags.Run, urls []string, std session.Streams,
) (cfg engine.Config, sources session.Sources, duel session.Duel, err error) {
	found, err := run.Workers.Config()
	switch {
	case err != nil:
	case found.Attach && len(cmd.Flags().Args()) > 0:
		err = errors.New("--attach takes over a run with its endpoint; leave out the URL")
	case found.Attach:
		urls, err = found.Find(cmd.Context())
	case len(urls) == 0:
		err = errors.New("no endpoint: give a URL such as http://localhost:8000, set OPENAI_BASE_URL, or try tokdyno demo")
	}
	if err == nil {
		urls, duel, err = run.Duel.Config(urls)
	}
	if err != nil {
		return cfg, sources, duel, &usageError{cmd.CommandPath(), err}
	}
	if hint := run.Duel.Hint(urls); hint != "" {
		fmt.Fprintln(std.Err, hint)
	}
	if meant := cmd.SuggestionsFor(urls[0]); len(meant) > 0 {
		return cfg, sources, duel, &usageError{cmd.CommandPath(), fmt.Errorf("there is no command %q; did you mean %s?", urls[0], meant[0])}
	}
	if cfg, sources, err = run.Config(urls); err != nil {
		return cfg, sources, duel, &usageError{cmd.CommandPath(), err}
	}
	if sources.Workers.Any() && duel.Mode != "" {
		return cfg, sources, duel, &usageError{cmd.CommandPath(), errors.New("a duel is made by one process; leave out --workers or --duel")}
	}
	if found.Attach {
		sources.Workers = found
	}
	sources.OpenGPU = source.Open
	cfg.Keep = run.Keep.Keeping().To(std)
	return cfg, sources, duel, nil
}
