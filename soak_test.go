//go:build linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tokdyno/engine/stats"
	"tokdyno/ui/session"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
)

var soak = flag.Duration("soak", 0, "how long TestSoakOfTheConsole turns knobs at random, telling of the process every other minute; 0: it is skipped")

// With soakFile and soakArguments the test binary is tokdyno with these arguments, and tells of itself in the file.
const (
	soakFile      = "TOKDYNO_SOAK_FILE"
	soakArguments = "TOKDYNO_SOAK_ARGUMENTS"
)

// What the soak holds the console to, on a machine that others use as well.
const (
	frameLate     = 50 * time.Millisecond  // the 99th percentile of how late frames are
	frameLateMany = 250 * time.Millisecond // with thousands of streams, which take all of two cores
	starved       = 0.1                    // the share of the time that its threads wait for a processor, above which it is not held to these
	heapGrowth    = 20.0                   // MiB from the middle of the soak to its end, beside what is kept of each request
	bytesARequest = 200.0                  // that are kept of it: its columns, with room to grow
	moreRoutines  = 60                     // than in the middle, for the requests that happen to run
	manyStreams   = 10_000
)

// footprint is what a process takes, once garbage is collected.
type footprint struct {
	At         time.Time
	Goroutines int
	HeapMiB    float64
	RSSMiB     float64
	Files      int          // that are open, connections among them
	Waited     float64      // seconds that its threads could have run, and were not let by others, since its start
	Late       stats.Sparse // since the last: how long after they were due frames stood
}

// TestSoakChild is tokdyno, in a process of its own.
func TestSoakChild(t *testing.T) {
	file := os.Getenv(soakFile)
	if file == "" {
		t.Skip("it is for TestSoakOfTheConsole")
	}
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	var lock sync.Mutex
	var late stats.Histogram
	go func() {
		for range time.Tick(5 * time.Second) {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			open, _ := os.ReadDir("/proc/self/fd")
			lock.Lock()
			line, _ := json.Marshal(footprint{
				time.Now(), runtime.NumGoroutine(), float64(m.HeapAlloc) / (1 << 20), resident(), len(open), waited(), late.Sparse(),
			})
			late.Reset()
			lock.Unlock()
			fmt.Fprintf(out, "%s\n", line)
		}
	}()
	std := session.Std("soak")
	std.Drawn = func(by time.Duration) {
		lock.Lock()
		late.Add(by, 1)
		lock.Unlock()
	}
	root, err := newRoot(std)
	if err == nil {
		root.SetArgs(strings.Fields(os.Getenv(soakArguments)))
		err = root.Execute()
	}
	if err != nil {
		t.Fatal(err)
	}
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

// waited is for how many seconds threads of this process have been ready to run, and others ran; 0 where the system does not say.
func waited() (seconds float64) {
	threads, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		var ran, waits float64
		if _, err := fmt.Sscan(string(text), &ran, &waits); err == nil {
			seconds += waits / 1e9
		}
	}
	return seconds
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

// child has the test binary be tokdyno with some arguments.
func child(folder, name, arguments string) *exec.Cmd {
	command := exec.Command(os.Args[0], "-test.run", "^TestSoakChild$", "-test.timeout", "0")
	command.Dir = folder
	command.Env = append(os.Environ(), soakFile+"="+filepath.Join(folder, name), soakArguments+"="+arguments,
		"TERM=screen-256color", "LC_ALL=C.UTF-8", "XDG_STATE_HOME="+folder)
	return command
}

// TestSoakOfTheConsole turns knobs, resizes, suspends and watches at random, with faults mixed, and now and then has thousands
// of streams run. It looks whether the process takes more and more, and how late frames are.
func TestSoakOfTheConsole(t *testing.T) {
	if *soak == 0 {
		t.Skip("it is for hours: go test -run TestSoakOfTheConsole -v -timeout 0 . -args -soak 1h")
	}
	const seed = 1
	served, watched := "127.0.0.1:"+freePort(t), freePort(t)
	folder := t.TempDir()
	server := child(folder, "server", "sim --profile h100-8b --time-scale 5 --listen "+served+
		" --fault http_429=1% --fault http_5xx=1% --fault disconnect=0.5% --fault truncate_mid=0.5%:8"+
		" --fault error_mid=0.5%:8 --fault stall_mid=0.5%:2s:8 --fault stall_first=0.5%:2s")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	for begun := time.Now(); requestsOf(served) < 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("the simulated server does not answer")
		}
	}
	command := child(folder, "console", "http://"+served+" --preset demo --share ssh://127.0.0.1:"+watched)
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	last := make(chan string, 1)
	go func() { last <- tailOf(terminal) }()
	time.Sleep(2 * time.Second)
	h := &hand{t: t, random: rand.New(rand.NewPCG(seed, seed)), terminal: terminal, process: command.Process, port: watched}

	var kept []mark
	take := func(begun time.Time, many bool) {
		m := markOf(t, filepath.Join(folder, "console"), begun, many)
		m.requests = requestsOf(served)
		kept = append(kept, m)
		t.Log(&m)
	}
	t.Log(heading)
	end := time.Now().Add(*soak)
	crowds := *soak / 4 // one of thousands of streams so often
	for crowd := time.Now().Add(crowds); time.Now().Before(end); {
		begun := time.Now()
		h.busy(begun.Add(min(2*time.Minute, *soak/8)), func() {
			if h.random.IntN(400) == 0 { // or doublings would take all memory there is
				h.command("c 16")
			}
			h.one()
		})
		h.calm(func() int { return requestsOf(served) })
		take(begun, false)
		if time.Now().After(crowd) && time.Now().Before(end) {
			crowd = crowd.Add(crowds)
			begun = time.Now()
			h.command("ramp 20s")
			h.command(fmt.Sprintf("c %d", manyStreams))
			h.busy(begun.Add(time.Minute), func() { h.send([]string{"1", "2", "3", "5", "6", "z", "j", "k", "n", "?"}[h.random.IntN(10)]) })
			take(begun, true)
			h.command("ramp off")
			h.command("c 8")
			time.Sleep(30 * time.Second) // until they have ended
		}
	}
	h.send("\x03")
	said := <-last
	if err := command.Wait(); err != nil || strings.Contains(said, "the console failed") {
		t.Errorf("it ended with %v:\n%s", err, said)
	}
	judge(t, kept)
}

// freePort is one that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// tailOf reads until there is no more, and returns the end of it.
func tailOf(r io.Reader) string {
	var tail []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		tail = append(tail, buffer[:n]...)
		tail = tail[max(0, len(tail)-20_000):]
		if err != nil {
			return string(tail)
		}
	}
}

// busy has something done again and again, until an instant.
func (h *hand) busy(until time.Time, do func()) {
	for time.Now().Before(until) {
		do()
		time.Sleep(time.Duration(h.random.IntN(120)) * time.Millisecond)
	}
}

// calm leaves few streams, and nobody's hand at the knobs, for long enough that the process tells of that. A load that was
// paused goes on.
func (h *hand) calm(answered func() int) {
	for _, line := range []string{"auto off", "rate off", "c 8", "output 16-64"} {
		h.command(line)
	}
	before := answered()
	time.Sleep(25 * time.Second)
	if answered() == before {
		h.command("pause")
		time.Sleep(10 * time.Second)
	}
}
