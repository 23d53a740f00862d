// This file is the command of a worker.

package main

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tokdyno/engine/remote"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

func newWorker(std session.Streams) *cobra.Command {
	var nats flags.NATS
	var join, keyEnv string
	var cfg remote.WorkerConfig
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
			if join == "" {
				return &usageError{cmd.CommandPath(), errors.New("--join is missing: give the address of a NATS such as nats://host:4222")}
			}
			link, err := nats.Link(join)
			if err != nil {
				return &usageError{cmd.CommandPath(), err}
			}
			cfg.Version, cfg.Key = this().version, strings.TrimSpace(os.Getenv(keyEnv))
			return session.Work(cmd.Context(), link, cfg, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&join, "join", "", "`address` of the NATS: nats://host:4222, or tls://host:4222")
	nats.Bind(f)
	f.StringArrayVar(&cfg.Allow, "allow", nil, "`host` or host:port that it may put load on; may be repeated; default: its own machine and private networks")
	f.IntVar(&cfg.Most, "max-concurrency", 0, "most requests in flight: a `number`; 0: as many as the machine holds")
	f.StringVar(&cfg.Name, "name", "", "what the console calls it; default: its host and process")
	f.StringVar(&keyEnv, "api-key-env", "OPENAI_API_KEY", "environment `variable` that holds the API key")
	return cmd
}
