//go:build linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
)

var soak = flag.Duration("soak", 0, "how long TestSoakOfTheConsole turns knobs at random, telling of the process every minute; 0: it is skipped")

// soakFile is where the child process tells of itself. With it the test binary is tokdyno demo.
const soakFile = "TOKDYNO_SOAK_FILE"

// footprint is what a process takes, once garbage is collected.
type footprint struct {
	Seconds    float64
	Goroutines int
	HeapMiB    float64
	RSSMiB     float64
}

// TestSoakChild is the demo, in a process of its own.
func TestSoakChild(t *testing.T) {
	file := os.Getenv(soakFile)
	if file == "" {
		t.Skip("it is for TestSoakOfTheConsole")
	}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	go func() {
		for range time.Tick(5 * time.Second) {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			line, _ := json.Marshal(footprint{time.Since(begun).Seconds(), runtime.NumGoroutine(), float64(m.HeapAlloc) / (1 << 20), resident()})
			fmt.Fprintf(out, "%s\n", line)
		}
	}()
	os.Args = append(os.Args[:1], "demo", "--time-scale", "5", "--share", "ssh://127.0.0.1:"+os.Getenv("TOKDYNO_SOAK_PORT"),
		"--fault", "http_429=1%", "--fault", "http_5xx=1%", "--fault", "disconnect=0.5%", "--fault", "truncate_mid=0.5%:8",
		"--fault", "error_mid=0.5%:8", "--fault", "stall_mid=0.5%:2s:8", "--fault", "stall_first=0.5%:2s")
	main()
}

// resident is how much of the memory is this process's, in MiB; 0 where the system does not say.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	var size, pages float64
	if _, scanned := fmt.Sscan(string(text), &size, &pages); err != nil || scanned != nil {
		return 0
	}
	return pages * float64(os.Getpagesize()) / (1 << 20)
}

// hand is a person who presses whatever there is.
type hand struct {
	t        *testing.T
	random   *rand.Rand
	terminal *os.File
	process  *os.Process
	port     string
}

func (h *hand) send(keys string) {
	if _, err := h.terminal.WriteString(keys); err != nil {
		h.t.Fatalf("the console is gone: %v", err)
	}
}

func (h *hand) resize(w, rows int) {
	if err := pty.Setsize(h.terminal, &pty.Winsize{Cols: uint16(w), Rows: uint16(rows)}); err != nil {
		h.t.Fatal(err)
	}
}

// command types a line behind a colon, whatever is open. Keys that come at once are taken for a paste.
func (h *hand) command(line string) {
	for _, keys := range []string{"\x1b", "\x1b", "\x1b", ":", line, "\r"} {
		h.send(keys)
		time.Sleep(60 * time.Millisecond)
	}
}

// one does one thing.
func (h *hand) one() {
	keys := strings.Split("1 2 3 4 5 6 + - } { = _ [ ] f n a ? j k l h \t \r \x1b v x y Y s S c d e b g G , . < > ( ) p t / z \x1b[A \x1b[B \x1b[C \x1b[D \x1b[5~ \x1b[6~", " ")
	commands := []string{
		"c 8", "c 64", "rate 20", "rate off", "slo ttft=300ms", "slo tpot=20ms", "slo fit", "prompt 64-512", "output 16-64", "preset chat",
		"preset demo", "auto ladder", "auto search samples=30", "auto off", "new", "mark here", "theme light", "theme dark", "theme mono",
		"requests failed", "pause", "pause", "nonsense",
	}
	switch dice := h.random.IntN(1000); {
	case dice < 850:
		h.send(keys[h.random.IntN(len(keys))])
	case dice < 960:
		h.command(commands[h.random.IntN(len(commands))])
	case dice < 990: // a window that is dragged
		for range 20 {
			h.resize(1+h.random.IntN(220), 1+h.random.IntN(60))
			time.Sleep(10 * time.Millisecond)
		}
		h.resize(120, 36)
	case dice < 995:
		h.send("\x1a") // ctrl+z
		time.Sleep(500 * time.Millisecond)
		_ = h.process.Signal(syscall.SIGCONT)
	default:
		h.watch()
	}
}

// watch is a watcher who comes, presses a few keys, and leaves with or without a word.
func (h *hand) watch() {
	client, err := ssh.Dial("tcp", "127.0.0.1:"+h.port, &ssh.ClientConfig{User: "soak", HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		h.t.Errorf("nobody can watch: %v", err)
		return
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		return
	}
	in, err := session.StdinPipe()
	if err == nil {
		err = session.RequestPty("xterm", 24+h.random.IntN(30), 80+h.random.IntN(60), nil)
	}
	if err == nil {
		err = session.Shell()
	}
	if err != nil {
		h.t.Errorf("a watcher gets no console: %v", err)
		return
	}
	for _, k := range "2345613?" {
		_, _ = io.WriteString(in, string(k))
		time.Sleep(100 * time.Millisecond)
	}
	if h.random.IntN(2) == 0 {
		_, _ = io.WriteString(in, "\x03")
		_ = session.Wait()
	}
}

// TestSoakOfTheConsole turns knobs, resizes, suspends and watches at random, with faults mixed, and looks whether the
// process takes more and more.
func TestSoakOfTheConsole(t *testing.T) {
	if *soak == 0 {
		t.Skip("it is for hours: go test -run TestSoakOfTheConsole -v -timeout 0 . -args -soak 1h")
	}
	folder := t.TempDir()
	file, port := filepath.Join(folder, "footprints"), "22522"
	command := exec.Command(os.Args[0], "-test.run", "^TestSoakChild$", "-test.timeout", "0")
	command.Dir = folder
	command.Env = append(os.Environ(), soakFile+"="+file, "TOKDYNO_SOAK_PORT="+port, "TERM=screen-256color", "LC_ALL=C.UTF-8", "XDG_STATE_HOME="+folder)
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	last := make(chan string)
	go func() {
		var tail []byte
		buffer := make([]byte, 64<<10)
		for {
			n, err := terminal.Read(buffer)
			tail = append(tail, buffer[:n]...)
			tail = tail[max(0, len(tail)-20_000):]
			if err != nil {
				last <- string(tail)
				return
			}
		}
	}()
	time.Sleep(2 * time.Second)
	const seed = 1
	h := &hand{t: t, random: rand.New(rand.NewPCG(seed, seed)), terminal: terminal, process: command.Process, port: port}
	calm := func() footprint { // few streams, and nobody's hand at the knobs
		for _, line := range []string{"auto off", "rate off", "c 8"} {
			h.command(line)
		}
		time.Sleep(25 * time.Second)
		return lastFootprint(t, file)
	}
	var marks []footprint
	for end, minute := time.Now().Add(*soak), time.Now(); time.Now().Before(end); {
		h.one()
		time.Sleep(time.Duration(h.random.IntN(120)) * time.Millisecond)
		if h.random.IntN(400) == 0 { // or doublings would take all memory there is
			h.command("c 16")
		}
		if time.Since(minute) > 2*time.Minute {
			now := calm()
			marks = append(marks, now)
			t.Logf("%4.0f s: %d goroutines, heap %.1f MiB, resident %.1f MiB", now.Seconds, now.Goroutines, now.HeapMiB, now.RSSMiB)
			minute = time.Now()
		}
	}
	h.send("\x03")
	said := <-last
	if err := command.Wait(); err != nil || strings.Contains(said, "the console failed") {
		t.Errorf("it ended with %v:\n%s", err, said)
	}
	if len(marks) < 3 {
		return
	}
	first, end := marks[len(marks)/2], marks[len(marks)-1]
	if end.Goroutines > first.Goroutines+60 {
		t.Errorf("goroutines grew from %d to %d", first.Goroutines, end.Goroutines)
	}
	if end.HeapMiB > 1.5*first.HeapMiB+20 {
		t.Errorf("the heap grew from %.1f to %.1f MiB in the second half", first.HeapMiB, end.HeapMiB)
	}
}

func lastFootprint(t *testing.T, file string) (f footprint) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &f); err != nil {
		t.Fatal(err)
	}
	return f
}
