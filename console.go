// This file is the commands that open the console on an endpoint: one of the user's, or the simulated one.

package main

import (
	"os"

	"github.com/spf13/cobra"

	"tokdyno/engine"
	"tokdyno/presets"
	"tokdyno/ui/connect"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

func newConsole(std session.Streams, me *user, demo *cobra.Command) (*cobra.Command, error) {
	var run flags.Run
	var output session.Output
	var looks flags.Look
	cmd := &cobra.Command{
		Short: "A terminal console that puts live load on an LLM inference endpoint",
		Long: `tokdyno puts load on an OpenAI-compatible endpoint and shows TTFT, ITL,
throughput and goodput as they move. Turn concurrency, rate, lengths and SLO
thresholds while it runs, and see within a second what that did.

Without a URL, OPENAI_BASE_URL is used, or that of the configuration file;
without either, a screen shows the servers found on this machine, those of kept
runs, and the demo. With several URLs, requests go round them in turn; with
--duel, each gets the same load and they are compared.`,
		Example: `  tokdyno http://localhost:8000
  tokdyno localhost:8000 --concurrency 16 --slo 'ttft=500ms tpot=40ms'
  tokdyno https://api.example.com/v1 --model my-model --rate 2 --duration 1m
  tokdyno gpu-1:8000 gpu-2:8000 --duel --slo 'ttft=500ms tpot=40ms'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var target connect.Target
			args = me.urls(args)
			if len(args) == 0 && std.Interactive() && !cmd.Flags().Changed("attach") {
				var ok bool
				var err error
				target, ok, err = session.Connect(cmd.Context(), run.Endpoint.Config, me.look(&looks), std)
				switch {
				case err != nil || !ok:
					return err
				case target.Demo:
					demo.SetContext(cmd.Context())
					if err := me.file.Apply(demo.Flags(), os.Getenv); err != nil {
						return err
					}
					return demo.RunE(demo, nil)
				}
				args = []string{target.URL}
			}
			cfg, sources, duel, err := configured(cmd, &run, args, std)
			if err != nil {
				return err
			}
			if duel.Mode != "" {
				return session.ConsoleDuel(cmd.Context(), cfg, sources, output, duel, me.look(&looks), std)
			}
			target.Into(&cfg.Endpoint.Model, &cfg.Endpoint.Key)
			return session.Console(cmd.Context(), cfg, sources, output, me.look(&looks), std)
		},
	}
	cmd.Flags().SortFlags = false
	err := run.Bind(cmd.Flags(), me.library.Nothing())
	output.Bind(cmd.Flags())
	looks.Bind(cmd.Flags())
	return cmd, err
}

func newDemo(std session.Streams, me *user) (*cobra.Command, error) {
	var load flags.Load
	var output session.Output
	var looks flags.Look
	var server flags.Simulator
	var duel flags.Demo
	var keep flags.Keep
	preset, broken := me.library.Lookup(presets.Demo) // the user's own, if there is one, which is no matter for other commands
	if broken != nil {
		preset = me.library.Nothing()
	}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "The console on an embedded simulated endpoint and GPU",
		Long: `demo starts a simulated inference server inside tokdyno and opens the console on
it. Everything it shows is marked SIMULATED. Turn concurrency up with + and see
throughput flatten, TPOT climb, and then TTFT explode.`,
		Example: `  tokdyno demo
  tokdyno demo --profile h100-8b --concurrency 64
  tokdyno demo --duel`,
		Args: cobra.ArbitraryArgs, // of which there may be one: what follows --duel
		RunE: func(cmd *cobra.Command, args []string) error {
			if server.ListsFaults() {
				return printFaults(std.Out)
			}
			if broken != nil && !cmd.Flags().Changed("preset") {
				return broken
			}
			simConfig, err := server.Config()
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			var cfg engine.Config
			if err := load.Apply(&cfg); err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			cfg.Keep = keep.Keeping().To(std)
			servers, of, err := duel.Config(simConfig, args)
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			if of.Mode != "" {
				if !cmd.Flags().Changed("concurrency") && !cmd.Flags().Changed("preset") {
					cfg.Knobs.Load.Concurrency = flags.DemoConcurrency
				}
				return session.DemoDuel(cmd.Context(), cfg, servers, output, of, me.look(&looks), std)
			}
			return session.Demo(cmd.Context(), cfg, simConfig, output, me.look(&looks), std)
		},
	}
	cmd.Flags().SortFlags = false
	err := load.Bind(cmd.Flags(), preset)
	output.Bind(cmd.Flags())
	looks.Bind(cmd.Flags())
	server.Bind(cmd.Flags())
	duel.Bind(cmd.Flags())
	keep.Bind(cmd.Flags())
	return cmd, err
}
