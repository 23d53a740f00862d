// This file runs what the documentation shows: every command, in the order of its page, on simulated servers. Those that it shows
// with what they print are run by docs/examples.

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
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
	"golang.org/x/crypto/ssh"

	"tokdyno/engine/remote"
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
			meet := meeting(t, folder)
			for _, l := range pages[where] {
				line, args := strings.Join(l.args, " "), b.shortened(l.args, meet)
				if l.command() == "worker" { // it works for as long as the page is read
					b.work(t, folder, args)
					continue
				}
				out, status := b.run(t, folder, args)
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
	keys    string   // a file of who may watch
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{program: filepath.Join(t.TempDir(), "tokdyno"), runs: t.TempDir()}
	if out, err := exec.Command("go", "build", "-o", b.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	public, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	b.keys = filepath.Join(t.TempDir(), "authorized_keys")
	if err := os.WriteFile(b.keys, ssh.MarshalAuthorizedKey(key), 0o600); err != nil {
		t.Fatal(err)
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
		check := commandLine{args: []string{"check", b.servers[0], "--requests", "40"}}
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

// meeting is the address of a NATS of a page's own, whose token lies in the page's folder.
func meeting(t *testing.T, folder string) string {
	t.Helper()
	link, stop, err := remote.Embed()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	if err := os.WriteFile(filepath.Join(folder, secret), []byte(link.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	return link.URL
}

// secret is the file that the pages name for the token of the NATS.
const secret = "token"

var (
	meetings = regexp.MustCompile(`nats://[\w.-]+:4222`)
	endpoint = regexp.MustCompile(`^(?:http://)?(?:[a-z][\w.-]*|127\.0\.0\.1):800(\d)$|^\$ENDPOINT$`)
	second   = regexp.MustCompile(`-2:|:8001`)
)

// shortened is a command line whose endpoints are simulated ones, whose NATS is at hand, and whose load ends soon.
func (b *bench) shortened(args []string, meet string) []string {
	var list []string
	for i, a := range args {
		a = meetings.ReplaceAllLiteralString(a, meet)
		switch {
		case strings.HasPrefix(a, "--allow="):
			a = "--allow=127.0.0.1"
		case a == "https://llm.example.com":
			a = b.servers[0]
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
		case strings.HasPrefix(a, "--workers-min="):
			a = "--workers-min=1"
		case i > 0 && args[i-1] == "--serve-metrics":
			a = "127.0.0.1:0"
		case i > 0 && args[i-1] == "--share":
			a = "ssh://127.0.0.1:0"
		case i > 0 && args[i-1] == "--share-keys":
			a = b.keys
		case strings.HasPrefix(a, "--serve-metrics="):
			a = "--serve-metrics=127.0.0.1:0"
		}
		list = append(list, a)
	}
	switch {
	case len(args) > 0 && args[0] == "sweep" && !slices.Contains(args, "--steady"):
		list = append(list, "--steady", "500ms", "--longest", "2s")
	case strings.Contains(strings.Join(args, " "), "nats://") && !slices.Contains(args, "--nats-token-file"): // it has it from its environment
		list = append(list, "--nats-token-file", secret)
	case len(args) > 0 && args[0] == "sim" && !slices.Contains(args, "list"):
		list = append(list, "--listen", "127.0.0.1:0")
	}
	return list
}

// command is one of the program, in a folder.
func (b *bench) command(ctx context.Context, folder string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_STATE_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	return cmd
}

// work begins a worker, which works to the end of the test.
func (b *bench) work(t *testing.T, folder string, args []string) {
	t.Helper()
	cmd := b.command(t.Context(), folder, args)
	said, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended, which kills it
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		t.Errorf("tokdyno %s: it said %q, %v", strings.Join(args, " "), line, err)
	}
}

// run runs a command at a terminal, and leaves it once it has drawn something: the console with q, the simulated server with
// ctrl+c. Others end by themselves.
func (b *bench) run(t *testing.T, folder string, args []string) (out string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := b.command(ctx, folder, args)
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
