// This file runs what the documentation shows: every command, in the order of its page, on simulated servers. Those that it shows
// with what they print are run by docs/examples.

package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"tokdyno/engine/sim"
	"tokdyno/ui/session"
)

// A reader runs a page's commands one after the other, so that one may use what those before it left behind: a kept run, a
// file. They are run for as long as it takes to see that they work: loads are shortened.
func TestEveryCommandInTheDocumentationRuns(t *testing.T) {
	if os.Getenv("TOKDYNO_EXAMPLES") == "" {
		t.Skip("takes a minute; with TOKDYNO_EXAMPLES=1 it runs")
	}
	b := newBench(t)
	pages := map[string][]commandLine{}
	for _, l := range documented(t) {
		if l.output {
			continue
		}
		pages[l.where] = append(pages[l.where], l)
	}
	for _, where := range slices.Sorted(maps.Keys(pages)) {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			folder := b.folder(t)
			for _, l := range pages[where] {
				line := strings.Join(l.args, " ")
				out, status := b.run(t, folder, b.shortened(l.args))
				if !l.mayEndWith(status) {
					t.Errorf("tokdyno %s: exit status %d\n%s", line, status, out)
				}
				t.Logf("%d  tokdyno %s", status, line)
			}
		})
	}
}

// mayEndWith reports whether an exit status is one of a command that works. The verdict of a load that was shortened is not yet
// known, or not to be relied on.
func (l commandLine) mayEndWith(status int) bool {
	switch l.command() {
	case "check", "sweep", "compare":
		return slices.Contains([]int{session.StatusOK, session.StatusMissed, session.StatusUntrusted}, status)
	case "doctor", "gpu": // what is amiss with the machine that this runs on is no fault of the command's
		return status == session.StatusOK || status == session.StatusMissed
	}
	return status == session.StatusOK
}

// command is the subcommand; "": the console.
func (l commandLine) command() string {
	if len(l.args) > 0 && regexp.MustCompile(`^[a-z]+$`).MatchString(l.args[0]) {
		return l.args[0]
	}
	return ""
}

// bench is what the commands are run with.
type bench struct {
	program string
	servers []string // the addresses of simulated ones
	runs    string   // a folder of kept runs, to begin with
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{program: filepath.Join(t.TempDir(), "tokdyno"), runs: t.TempDir()}
	if out, err := exec.Command("go", "build", "-o", b.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range 2 {
		s, err := sim.Start(sim.Config{TimeScale: 8})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		b.servers = append(b.servers, strings.TrimPrefix(s.URL(), "http://"))
	}
	for _, name := range []string{"plain", "monday", "tuesday", "wednesday"} {
		check := commandLine{args: []string{"check", b.servers[0], "--requests", "100"}}
		if name != "plain" {
			check.args = append(check.args, "--preset", "chat") // as most pages have it
		}
		for _, l := range []commandLine{check, {args: []string{"runs", "name", "last", name}}, {args: []string{"runs", "baseline", name}}} {
			if out, status := b.run(t, b.runs, l.args); !l.mayEndWith(status) {
				t.Fatalf("%v: exit status %d\n%s", l.args, status, out)
			}
		}
	}
	return b
}

// folder is one to work in, with the kept runs.
func (b *bench) folder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(b.runs)); err != nil {
		t.Fatal(err)
	}
	return folder
}

var (
	endpoint = regexp.MustCompile(`^(?:http://)?(?:[a-z][\w.-]*|127\.0\.0\.1):800(\d)$|^\$ENDPOINT$`)
	second   = regexp.MustCompile(`-2:|:8001`)
)

// shortened is a command line whose endpoints are simulated ones, and whose load ends soon.
func (b *bench) shortened(args []string) []string {
	var list []string
	for i, a := range args {
		switch {
		case a == "--search" && !slices.Contains(args, "--steady"):
			a = "--levels=1,2"
		case second.MatchString(a) && endpoint.MatchString(a):
			a = b.servers[1]
		case endpoint.MatchString(a):
			a = b.servers[0]
		case i > 0 && (args[i-1] == "--for" || args[i-1] == "--longest"):
			a = "2s"
		case strings.HasPrefix(a, "--for="):
			a = "--for=2s"
		case i > 0 && args[i-1] == "--serve-metrics":
			a = "127.0.0.1:0"
		case strings.HasPrefix(a, "--serve-metrics="):
			a = "--serve-metrics=127.0.0.1:0"
		}
		list = append(list, a)
	}
	switch {
	case len(args) > 0 && args[0] == "sweep" && !slices.Contains(args, "--steady"):
		list = append(list, "--steady", "500ms", "--longest", "2s")
	case len(args) > 0 && args[0] == "sim" && !slices.Contains(args, "list"):
		list = append(list, "--listen", "127.0.0.1:0")
	}
	return list
}

// run runs a command at a terminal, and leaves it once it has drawn something: the console with q, the simulated server with
// ctrl+c. Others end by themselves.
func (b *bench) run(t *testing.T, folder string, args []string) (out string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_STATE_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var screen bytes.Buffer
	// A key that comes too early is not heard; a second ctrl+c kills.
	presses, pressed := map[string]int{"q": 10, "\x1b": 10, "\x03": 1}, map[string]int{}
	buffer := make([]byte, 64<<10)
	for {
		n, err := terminal.Read(buffer)
		screen.Write(buffer[:n])
		if err != nil { // on Linux, that of a terminal whose program has ended
			break
		}
		for shown, key := range map[string]string{"quit": "q", "esc": "\x1b", "ready at": "\x03"} {
			if bytes.Contains(screen.Bytes(), []byte(shown)) && pressed[key] < presses[key] {
				pressed[key]++
				_, _ = terminal.WriteString(key)
			}
		}
	}
	_ = cmd.Wait() // what it returns is in ProcessState
	return screen.String(), cmd.ProcessState.ExitCode()
}
