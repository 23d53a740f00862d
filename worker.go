// This file is the command of a worker.

package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

func newWorker(std session.Streams) *cobra.Command {
	var own flags.Worker
	var nats flags.NATS
	var keyEnv string
	cmd := &cobra.Command{
		Use:   "worker --join nats://HOST:4222",
		Short: "Make a part of the load that a console on another machine asks for",
		Long: `worker joins a NATS and waits for a console that is started with --workers
nats://… there. It makes the part of the load that it is given and reports each
token's time; the console adds up the figures of all workers. It stops its load
within 5 s when it no longer hears its console.

It puts load on its own machine and private networks only, unless --allow names
the endpoint's host. The API key is the worker's own: it reads it from the
environment, and the console sends none.`,
		Example: `  tokdyno worker --join nats://bench-1:4222 --nats-token-file token
  tokdyno worker --join tls://nats.example.com:4222 --allow api.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if own.Join == "" {
				return &usageError{cmd.CommandPath(), errors.New("--join is missing: give the address of a NATS such as nats://host:4222")}
			}
			link, err := nats.Link(own.Join)
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			cfg := own.Config()
			cfg.Version, cfg.Key = this().version, strings.TrimSpace(os.Getenv(keyEnv))
			return session.Work(cmd.Context(), link, cfg, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	own.Bind(f)
	nats.Bind(f)
	f.StringVar(&keyEnv, "api-key-env", "OPENAI_API_KEY", "environment `variable` that holds the API key")
	return cmd
}
