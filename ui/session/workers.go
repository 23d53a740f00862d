// This file starts workers for a run, or finds those that have joined.

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/remote"
	"tokdyno/engine/wire"
)

// Workers say which processes make a load.
type Workers struct {
	Local  int  // so many of this machine's own; 0: those that have joined
	Joined bool // the workers that have joined a NATS
	Least  int  // of those, so many the load waits for; 0: it begins with those that are there
	// Wait is for how long it does; 0: remote.DefaultWait.
	Wait   time.Duration
	Link   remote.Link // that NATS; "": one in this process, where there are workers of its own
	Attach bool        // take over a run whose console has died
	found  *remote.Found
}

// Any reports whether workers make the load, rather than this process.
func (w Workers) Any() bool { return w.Local > 0 || w.Joined }

// The environment that a worker of this machine's own has beside its parent's.
const (
	// EnvToken has the token of the NATS that a worker joins, where no file has it.
	EnvToken = "TOKDYNO_NATS_TOKEN"
	// envChild has a worker end with its parent, whose end of the worker's standard input then closes.
	envChild = "TOKDYNO_WORKER_CHILD"
	envKey   = "OPENAI_API_KEY"
)

// open connects to the workers, having started them where they are this machine's own, and has them make the load of a configuration.
func (w Workers) open(ctx context.Context, cfg *engine.Config) (done func() error, err error) {
	var closers []func()
	closed := func() error {
		for i := len(closers) - 1; i >= 0; i-- {
			closers[i]()
		}
		return nil
	}
	defer func() {
		if err != nil {
			_ = closed()
		}
	}()
	if w.Link.URL == "" {
		link, stop, err := remote.Embed()
		if err != nil {
			return nil, err
		}
		w.Link = link
		closers = append(closers, stop)
	}
	conn, err := w.Link.Connect("tokdyno", false)
	if err != nil {
		return nil, &failure{StatusEndpoint, fmt.Errorf("--workers: %w", err)}
	}
	closers = append(closers, conn.Close)
	for i := range w.Local {
		stop, err := w.start(ctx, i+1, cfg)
		if err != nil {
			return nil, fmt.Errorf("--workers: %w", err)
		}
		closers = append(closers, stop)
	}
	if w.found != nil {
		if err := w.found.Into(cfg); err != nil {
			return nil, fmt.Errorf("--attach: %w", err)
		}
	}
	cfg.Generator = func(m engine.Making) (engine.Generator, error) {
		return remote.NewFleet(remote.FleetConfig{
			Conn: conn, Safe: w.Link.Safe(), Want: max(w.Local, w.Least), Wait: w.Wait, Take: w.found,
		}, m)
	}
	return closed, nil
}

// Find finds the run that is to be taken over, and returns the addresses of its endpoints.
func (w *Workers) Find(ctx context.Context) ([]string, error) {
	conn, err := w.Link.Connect("tokdyno", false)
	if err != nil {
		return nil, &failure{StatusEndpoint, fmt.Errorf("--attach: %w", err)}
	}
	defer conn.Close()
	if w.found, err = remote.Find(ctx, conn, remote.Times{}); err != nil {
		return nil, fmt.Errorf("--attach: %w", err)
	}
	return w.found.URLs(), nil
}

// start starts a worker of this machine's own. Secrets go by its environment: anybody may read its arguments.
func (w Workers) start(ctx context.Context, number int, cfg *engine.Config) (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"worker", "--config", "off", "--join", w.Link.URL, "--name", fmt.Sprintf("local-%d", number)}
	for _, e := range append([]wire.Endpoint{cfg.Endpoint}, cfg.Others...) {
		host, err := e.Host()
		if err != nil {
			return nil, err
		}
		args = append(args, "--allow", host)
	}
	for flag, file := range map[string]string{"--nats-creds": w.Link.Creds, "--nats-ca": w.Link.CA, "--nats-cert": w.Link.Cert, "--nats-key": w.Link.Key} {
		if file != "" {
			args = append(args, flag, file)
		}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), self, args...)
	cmd.Env = append(os.Environ(), envChild+"=1", EnvToken+"="+w.Link.Token, envKey+"="+cfg.Endpoint.Key,
		fmt.Sprintf("GOMAXPROCS=%d", coresEach(runtime.GOMAXPROCS(0), w.Local)))
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var ended sync.WaitGroup
	ended.Go(func() { _ = cmd.Wait() }) // how it ended, its last report says
	return func() {
		_ = input.Close() // which ends it
		kill := time.AfterFunc(2*time.Second, func() { _ = cmd.Process.Kill() })
		ended.Wait()
		kill.Stop()
	}, nil
}

// coresEach is how many of a machine's cores each of its workers is to use: together they have them all. With as many threads as cores
// in each of them, they would wake one another's up in vain.
func coresEach(cores, workers int) int { return (cores + workers - 1) / workers }

// Work runs a worker until it is interrupted or, where a console started it, that ends.
func Work(ctx context.Context, link remote.Link, cfg remote.WorkerConfig, std Streams) error {
	child := os.Getenv(envChild) != ""
	cfg.Shares = child
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if child {
		signal.Ignore(os.Interrupt) // which was meant for the console
		go func() {
			_, _ = io.Copy(io.Discard, std.In) // until the console has ended
			stop()
		}()
	} else {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	if link.Token == "" {
		link.Token = os.Getenv(EnvToken)
	}
	if err := errors.Join(os.Unsetenv(EnvToken), os.Unsetenv(envChild)); err != nil {
		return err
	}
	conn, err := link.Connect("tokdyno worker", true)
	if err != nil {
		return fmt.Errorf("--join: %w", err)
	}
	defer conn.Close()
	w := remote.NewWorker(conn, cfg)
	if !child {
		fmt.Fprintln(std.Out, w.Says())
	}
	return w.Run(ctx)
}
