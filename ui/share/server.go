// This file is the server: who comes, what is shown to them, who watches.

package share

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/charmbracelet/ssh"
	gossh "golang.org/x/crypto/ssh"

	"tokdyno/ui/console"
	"tokdyno/ui/theme"
)

// Most is how many can watch at a time.
const Most = 20

const (
	mostCells = 500         // of a terminal, in both directions: a frame is drawn for every one
	longName  = 40          // of a watcher, in characters
	farewell  = time.Second // for the terminals of all watchers to be left as they were
)

// Config says where a run is shared, and with whom.
type Config struct {
	Place   Place
	Keys    string // a file as ssh's authorized_keys; "": everybody who gets there
	HostKey string // the file of this machine's key, which is made where there is none
}

// Show draws a run for a watcher until they leave, or until ctx ends.
type Show func(ctx context.Context, w console.Watcher) error

// Server shares a run until it is closed.
type Server struct {
	cfg      Config
	show     Show
	guests   guests // nil: everybody
	listener net.Listener
	ssh      *ssh.Server
	host     gossh.PublicKey

	open  context.Context
	close context.CancelFunc
	work  sync.WaitGroup // whatever it has begun

	mu          sync.Mutex
	connections map[*guest]bool
	watching    []string
	sessions    sync.WaitGroup // counted under mu, and not any more once open has ended
}

// Open listens, and shows the run to everybody who may watch and asks for a terminal. Its error is a sentence.
func Open(cfg Config, show Show) (*Server, error) {
	s := &Server{cfg: cfg, show: show, connections: map[*guest]bool{}}
	if cfg.Keys == "" && !cfg.Place.Local() {
		return nil, fmt.Errorf("%s is not this machine alone: say who may watch, with --share-keys FILE as ~/.ssh/authorized_keys", cfg.Place.host)
	}
	if cfg.Keys != "" {
		var err error
		if s.guests, err = readGuests(cfg.Keys); err != nil {
			return nil, err
		}
	}
	signer, err := hostKey(cfg.HostKey)
	if err != nil {
		return nil, err
	}
	s.host = signer.PublicKey()
	if s.listener, err = net.Listen("tcp", cfg.Place.address()); err != nil {
		var reason syscall.Errno // what the network says around it is said here
		if errors.As(err, &reason) {
			err = reason
		}
		return nil, fmt.Errorf("the run can't be shared at %s: %w", cfg.Place.address(), err)
	}
	s.open, s.close = context.WithCancel(context.Background())
	s.ssh = &ssh.Server{Version: "tokdyno", HostSigners: []ssh.Signer{signer}, Handler: s.serve, ConnCallback: s.welcome}
	if s.guests != nil {
		s.ssh.PublicKeyHandler = func(_ ssh.Context, key ssh.PublicKey) bool {
			_, known := s.guests[string(key.Marshal())]
			return known
		}
	}
	s.work.Go(func() { _ = s.ssh.Serve(s.listener) }) // until it is closed, which is no error
	return s, nil
}

// Sentence says how the run is watched, and by what watchers know that it is this machine.
func (s *Server) Sentence() string {
	place := s.cfg.Place
	_, place.port, _ = net.SplitHostPort(s.listener.Addr().String()) // of port 0, the one that was found
	return fmt.Sprintf("shared, read only: %s  (host key %s)", place.command(), gossh.FingerprintSHA256(s.host))
}

// Watching is who watches, each by another name, in the order in which they came.
func (s *Server) Watching() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.watching)
}

// Close sends everybody away, and returns when nothing of the server is left.
func (s *Server) Close() {
	s.mu.Lock()
	s.close()
	s.mu.Unlock()
	left := make(chan struct{})
	s.work.Go(func() {
		s.sessions.Wait()
		close(left)
	})
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-left:
	case <-late.C: // somebody's terminal takes nothing any more
	}
	_, _ = s.listener.Close(), s.ssh.Close()
	s.showOut()
	s.sessions.Wait()
	s.work.Wait()
}

// enter takes a watcher in; leave takes them out again. The error is a sentence.
func (s *Server) enter(name string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.open.Err() != nil:
		return nil, errors.New("the run is no longer shared")
	case len(s.watching) >= Most:
		return nil, fmt.Errorf("%d watch already, and no more can; try again later", Most)
	}
	for n, first := 2, name; slices.Contains(s.watching, name); n++ {
		name = fmt.Sprintf("%s (%d)", first, n)
	}
	s.watching = append(s.watching, name)
	s.sessions.Add(1)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watching = slices.DeleteFunc(s.watching, func(other string) bool { return other == name })
		s.sessions.Done()
	}, nil
}

// serve shows the run in a session.
func (s *Server) serve(session ssh.Session) {
	refuse := func(sentence string) {
		fmt.Fprintf(session.Stderr(), "tokdyno: %s\r\n", sentence)
		_ = session.Exit(1) // it may have gone
	}
	terminal, windows, ok := session.Pty()
	if !ok {
		refuse("watching needs a terminal; use ssh -t")
		return
	}
	leave, err := s.enter(s.nameOf(session))
	if err != nil {
		refuse(err.Error())
		return
	}
	defer leave()
	if err := atHome(session.Context()); err != nil {
		return
	}
	ctx, cancel := context.WithCancel(session.Context())
	defer cancel()
	defer context.AfterFunc(s.open, cancel)()

	sizes := make(chan console.Size)
	s.work.Go(func() { // to the end of the connection, or it would hang with nobody to take its windows
		for w := range windows {
			select {
			case sizes <- console.Size{W: clamp(w.Width), H: clamp(w.Height)}:
			case <-ctx.Done():
			}
		}
	})
	th, err := themeFor(append(session.Environ(), "TERM="+terminal.Term))
	if err == nil {
		err = s.show(ctx, console.Watcher{In: session, Out: session, Theme: th, Sizes: sizes, Watching: s.Watching})
	}
	switch {
	case s.open.Err() != nil:
		fmt.Fprint(session, "The run is no longer shared: its owner has left.\r\n")
	case err != nil && ctx.Err() == nil:
		refuse(err.Error())
	}
}

func clamp(cells int) int { return min(max(cells, 0), mostCells) }

// nameOf is how a watcher is called: by the name behind the key, or the one that they log in by, and from where.
func (s *Server) nameOf(session ssh.Session) string {
	name := session.User()
	if key := session.PublicKey(); key != nil && s.guests[string(key.Marshal())] != "" {
		name = s.guests[string(key.Marshal())]
	}
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
	if r := []rune(name); len(r) > longName {
		name = string(r[:longName])
	}
	if name == "" {
		name = "somebody"
	}
	if host, _, err := net.SplitHostPort(session.RemoteAddr().String()); err == nil && !(Place{host: host}).Local() {
		name += " from " + host
	}
	return name
}

// themeFor is the theme for a watcher's terminal, as far as the client tells of it.
func themeFor(environ []string) (theme.Theme, error) {
	told := make(map[string]string, len(environ))
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		told[name] = value
	}
	return theme.Choose(theme.Terminal{
		Getenv:    func(name string) string { return told[name] },
		NoLocale:  told["LC_ALL"]+told["LC_CTYPE"]+told["LANG"] == "", // most clients tell of none
		LineCells: theme.LineCells(),
	})
}
