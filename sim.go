// This file is the command of the simulated server.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tokdyno/engine/sim"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

func printFaults(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range sim.FaultList() {
		fmt.Fprintf(t, "%s\t%s\n", f.Form, f.Does)
	}
	return t.Flush()
}

func newSim(std session.Streams) *cobra.Command {
	var server flags.Simulator
	var listen string
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "The simulated inference server on its own",
		Long: `sim serves /v1/chat/completions, /v1/completions, /v1/models, /tokenize, /health
and /metrics from a model of a continuous-batching server, until it is
interrupted. It prints its URL when it is ready.`,
		Example: `  tokdyno sim
  tokdyno sim --listen 127.0.0.1:8000 --profile h100-70b --time-scale 4
  tokdyno sim --fault http_429=5% --fault truncate_mid=2%:20
  tokdyno sim --fault list`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if server.ListsFaults() {
				return printFaults(std.Out)
			}
			cfg, err := server.Config()
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			cfg.Listen = listen
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return serve(ctx, cfg, std.Out)
		},
	}
	server.Bind(cmd.Flags())
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8000", "`address` to listen on")
	return cmd
}

func serve(ctx context.Context, cfg sim.Config, out io.Writer) error {
	server, err := sim.Start(cfg)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "SIMULATED %s ready at %s\n", cfg.Profile.Name, server.URL())
	<-ctx.Done()
	return server.Close()
}
