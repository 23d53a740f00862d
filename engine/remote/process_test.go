//go:build unix

// This file tests workers that are processes of their own, which die and freeze.

package remote

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"tokdyno/engine"
	"tokdyno/engine/snapshot"
)

// envProcess has the test's own program be a worker: it holds a processOf as JSON.
const envProcess = "TOKDYNO_TEST_WORKER"

// processOf is what a worker's process is told.
type processOf struct {
	Name  string
	Link  Link
	Times Times
}

func TestMain(m *testing.M) {
	if told := os.Getenv(envProcess); told != "" {
		if err := work(told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := flag.Set("test.parallel", "6"); err != nil { // they wait more than they compute
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// work is a worker until its standard input ends, as it does with the test.
func work(told string) error {
	var of processOf
	if err := json.Unmarshal([]byte(told), &of); err != nil {
		return err
	}
	conn, err := of.Link.Connect(of.Name, false)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // an error is its end as well
		cancel()
	}()
	return NewWorker(conn, WorkerConfig{Name: of.Name, Times: of.Times}).Run(ctx)
}

// process starts a worker as a process of its own, which ends with the test.
func (r *rig) process(name string) *os.Process {
	r.t.Helper()
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	told, err := json.Marshal(processOf{name, r.link, r.times})
	if err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env, cmd.Stderr = append(os.Environ(), envProcess+"="+string(told)), os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill() // which ends one that is frozen, too
		_ = input.Close()
		_ = cmd.Wait() // it was killed
	})
	return cmd.Process
}

// processes are a rig with two of them, of which b has requests in flight.
func processes(t *testing.T) (run *trial, b *os.Process) {
	r := newRig(t)
	r.times = Times{Orders: quick, Hello: quick, Lost: 10 * quick, Alone: 40 * quick}
	r.process("a")
	b = r.process("b")
	run = r.begin(2, func(*engine.Config) {})
	run.await("b at work", func(s *snapshot.Snapshot) bool { return named(s, "b").Started > 10 && named(s, "b").InFlight > 0 })
	return run, b
}

// allByA reports whether b is lost, and a has its share.
func allByA(s *snapshot.Snapshot) bool {
	return named(s, "b").State == snapshot.WorkerLost && named(s, "a").Share == 8
}

func TestAProcessThatIsKilledIsLostWithWhatItHadInFlight(t *testing.T) {
	t.Parallel()
	run, b := processes(t)
	if err := b.Kill(); err != nil {
		t.Fatal(err)
	}
	run.await("the loss of b", allByA)
	s := run.finish() // which gives it up
	if n := named(s, "b").Lost; n < 1 || n > 4 || s.Counts.Cancelled < n {
		t.Errorf("b had %d requests in flight; counts %+v", n, s.Counts)
	}
}

func TestAProcessThatWasFrozenTakesPartAgain(t *testing.T) {
	t.Parallel()
	run, b := processes(t)
	if err := b.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s := run.await("the loss of b", allByA)
	if err := b.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	started := named(s, "b").Started
	run.await("b at work again", func(s *snapshot.Snapshot) bool {
		return named(s, "b").State == snapshot.WorkerWorking && named(s, "b").Started > started+10 && named(s, "a").Share == 4
	})
	run.finish()
}
