package share

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/crypto/ssh"

	"tokdyno/ui/console"
	"tokdyno/ui/internal/scene"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shared is a run that is shared on this machine, with what its owner's engine was told.
func shared(t *testing.T, keys string) (*Server, *scene.Engine) {
	t.Helper()
	fake := scene.New(scene.Busy())
	s, err := Open(Config{
		Place: Place{"127.0.0.1", "0"}, Keys: keys, HostKey: filepath.Join(t.TempDir(), "keys", "host"),
	}, func(ctx context.Context, w console.Watcher) error { return console.Watch(ctx, fake, w) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, fake
}

// terminal is a watcher's, at the other end of a connection.
type terminal struct {
	session *ssh.Session
	client  *ssh.Client
	keys    io.Writer

	mu    sync.Mutex
	more  *sync.Cond
	text  bytes.Buffer
	ended bool
}

func (m *terminal) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.more.Broadcast()
	return m.text.Write(p)
}

// until waits until the terminal was sent a text since the last call; it reports false when the session ended before.
func (m *terminal) until(text string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if i := strings.Index(m.text.String(), text); i >= 0 {
			m.text.Next(i + len(text))
			return true
		}
		if m.ended {
			return false
		}
		m.more.Wait()
	}
}

func connect(t *testing.T, s *Server, user string, auth ...ssh.AuthMethod) (*ssh.Client, error) {
	t.Helper()
	return ssh.Dial("tcp", s.listener.Addr().String(), &ssh.ClientConfig{
		User: user, Auth: auth, HostKeyCallback: ssh.FixedHostKey(s.host),
	})
}

// sit opens a terminal of w by h cells.
func sit(t *testing.T, s *Server, user string, w, h int, auth ...ssh.AuthMethod) *terminal {
	t.Helper()
	client, err := connect(t, s, user, auth...)
	if err != nil {
		t.Fatal(err)
	}
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	m := &terminal{session: session, client: client}
	m.more = sync.NewCond(&m.mu)
	session.Stdout, session.Stderr = m, m
	if m.keys, err = session.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", h, w, nil); err != nil {
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = session.Wait()
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended = true
		m.more.Broadcast()
	}()
	t.Cleanup(func() {
		client.Close()
		<-over
	})
	return m
}

func TestSeveralWatchTheirOwnPages(t *testing.T) {
	s, fake := shared(t, "")
	anna, ben := sit(t, s, "anna", 120, 36), sit(t, s, "anna", 80, 24)
	for _, m := range []*terminal{anna, ben} {
		if !m.until("READ ONLY") {
			t.Fatal("nothing shows")
		}
	}
	io.WriteString(anna.keys, "2")
	if !anna.until("2 Curve") {
		t.Error("a watcher can't turn to another page")
	}
	io.WriteString(ben.keys, "+") // one that the other does not see
	if !ben.until("read only: you are watching") {
		t.Error("a watcher is not told that it only watches")
	}
	if err := ben.session.WindowChange(40, 130); err != nil {
		t.Fatal(err)
	}
	if !ben.until("1 Live") { // which a header of 80 cells has no room for
		t.Error("a watcher's screen does not follow its terminal")
	}
	if got := s.Watching(); !slices.Equal(got, []string{"anna", "anna (2)"}) {
		t.Errorf("%q watch", got)
	}
	io.WriteString(anna.keys, "q")
	if anna.until("no end") {
		t.Error("q does not leave")
	}
	if !ben.until("1 watch") {
		t.Error("who leaves is still counted")
	}
	s.Close()
	if !ben.until("no longer shared") {
		t.Error("a watcher is not told that the owner has left")
	}
	if applied, drains, stops := fake.Seen(); len(applied)+drains+stops > 0 {
		t.Error("the run was touched")
	}
}

func TestNoMoreThanMostWatch(t *testing.T) {
	s, _ := shared(t, "")
	for i := range Most {
		leave, err := s.enter(fmt.Sprint("w", i))
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
	}
	if !sit(t, s, "late", 80, 24).until("20 watch already") {
		t.Error("it is not said why")
	}
}

func TestWatchingNeedsATerminal(t *testing.T) {
	s, _ := shared(t, "")
	client, err := connect(t, s, "script")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.CombinedOutput("tokdyno")
	if err == nil || !strings.Contains(string(out), "use ssh -t") {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := client.Dial("tcp", s.listener.Addr().String()); err == nil {
		t.Error("it forwards connections")
	}
}

func newKey(t *testing.T) (ssh.Signer, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
}

func TestOnlyKeysInTheFileAreLetIn(t *testing.T) {
	known, line := newKey(t)
	stranger, other := newKey(t)
	file := filepath.Join(t.TempDir(), "keys")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# colleagues\n\n" + line + " ben@la\x1bptop\n")
	s, _ := shared(t, file)
	if !sit(t, s, "root", 80, 24, ssh.PublicKeys(known)).until("READ ONLY") {
		t.Fatal("a known key is not let in")
	}
	if got := s.Watching(); !slices.Equal(got, []string{"ben@laptop"}) {
		t.Errorf("%q watch", got)
	}
	for name, auth := range map[string][]ssh.AuthMethod{"a stranger": {ssh.PublicKeys(stranger)}, "nobody": nil} {
		if client, err := connect(t, s, "root", auth...); err == nil {
			client.Close()
			t.Errorf("%s is let in", name)
		}
	}
	for text, want := range map[string]string{
		"":                                  "no key in it",
		"hello\n":                           "line 1 is no public key",
		line + "\n\nno-pty " + other + "\n": "line 3 has options",
	} {
		write(text)
		if _, err := readGuests(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestThisMachineIsKnownAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "host")
	first, err := hostKey(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := hostKey(file)
	if err != nil || !bytes.Equal(first.PublicKey().Marshal(), again.PublicKey().Marshal()) {
		t.Errorf("it has another key, %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: others can read it", info.Mode(), err)
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string]struct {
		place Place
		local bool
	}{
		"ssh://127.0.0.1:2222":  {Place{"127.0.0.1", "2222"}, true},
		"ssh://localhost":       {Place{"localhost", "2222"}, true},
		"ssh://[::1]:2022":      {Place{"::1", "2022"}, true},
		"ssh://0.0.0.0:2222/":   {Place{"0.0.0.0", "2222"}, false},
		"ssh://gpu-1.lan:2222":  {Place{"gpu-1.lan", "2222"}, false},
		"127.0.0.1:2222":        {},
		"ssh://":                {},
		"ssh://:2222":           {},
		"ssh://me@127.0.0.1:22": {},
		"http://127.0.0.1:2222": {},
	} {
		place, err := ParsePlace(text)
		if (err == nil) != (want.place != Place{}) || place != want.place || err == nil && place.Local() != want.local {
			t.Errorf("%s: %+v, %v, local %v", text, place, err, place.Local())
		}
	}
	if _, err := Open(Config{Place: Place{"0.0.0.0", "0"}}, nil); err == nil || !strings.Contains(err.Error(), "--share-keys") {
		t.Errorf("everybody on the network could watch: %v", err)
	}
}
