// This file holds the flags of workers, and of the NATS that they and their console meet at.

package flags

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/remote"
	"tokdyno/engine/textfile"
	"tokdyno/ui/session"
)

// mostLocal is how many workers this machine may have of its own: more than it has cores are of no use.
const mostLocal = 64

// Workers are the flags that say which processes make a load.
type Workers struct {
	workers string
	least   int
	wait    time.Duration
	attach  bool
	nats    NATS
}

// Bind adds the flags to a command.
func (w *Workers) Bind(f *pflag.FlagSet) {
	f.StringVar(&w.workers, "workers", "", "processes that make the load together: a `number` of this machine's own, or nats://host:4222 "+
		"for those that have joined there; see tokdyno worker")
	f.IntVar(&w.least, "workers-min", 0, "begin when this `number` of workers have joined nats://…; 0: with those that are there")
	f.DurationVar(&w.wait, "workers-wait", remote.DefaultWait, "wait up to this `time` for workers, then give up")
	f.StringVar(&w.nats.url, "nats", "", "`URL` of the NATS where a number of --workers meet; default: one inside tokdyno, on loopback")
	w.nats.Bind(f)
	f.BoolVar(&w.attach, "attach", false, "take over a run of --workers nats://… whose console has died: its endpoint, knobs and numbers")
}

// Config is what the flags say. Its errors are sentences about the command line.
func (w *Workers) Config() (s session.Workers, err error) {
	text := strings.TrimSpace(w.workers)
	n, numeral := strconv.Atoi(text)
	switch {
	case text == "":
		if w.nats.url != "" || w.attach || w.least > 0 {
			return s, errors.New("--nats, --workers-min and --attach are about workers; give --workers as well")
		}
		return s, nil
	case numeral == nil && (n < 1 || n > mostLocal):
		return s, fmt.Errorf("--workers %d is out of range: this machine may have 1 to %d of its own", n, mostLocal)
	case numeral == nil:
		s.Local = n
		s.Link, err = w.nats.Link(w.nats.url)
	case strings.Contains(text, "://"):
		s.Joined = true
		s.Link, err = w.nats.Link(text)
	case text == "joined" && w.nats.url != "":
		s.Joined = true
		s.Link, err = w.nats.Link(w.nats.url)
	default:
		return s, fmt.Errorf("--workers %q is neither a number nor the address of a NATS such as nats://host:4222", text)
	}
	s.Least, s.Wait = w.least, w.wait
	switch {
	case err != nil:
	case w.least < 0 || w.wait <= 0:
		err = errors.New("--workers-min and --workers-wait have to be more than nothing")
	case w.least > 0 && !s.Joined:
		err = errors.New("--workers-min is about workers that join a NATS; give --workers nats://host:4222")
	}
	if s.Attach = w.attach; w.attach && !s.Joined && err == nil {
		err = errors.New("--attach takes over a run of workers that have joined a NATS; give --workers nats://host:4222")
	}
	return s, err
}

// Worker are the flags of a worker itself.
type Worker struct {
	Join string // the address of its NATS
	cfg  remote.WorkerConfig
}

// Bind adds the flags to a command.
func (w *Worker) Bind(f *pflag.FlagSet) {
	f.StringVar(&w.Join, "join", "", "`address` of the NATS that a worker joins: nats://host:4222, or tls://host:4222")
	f.StringArrayVar(&w.cfg.Allow, "allow", nil, "`host` or host:port that a worker may put load on; may be repeated; "+
		"default: its own machine and private networks")
	f.IntVar(&w.cfg.Most, "max-concurrency", 0, "most requests in flight of a worker: a `number`; 0: as many as the machine holds")
	f.StringVar(&w.cfg.Name, "name", "", "what the console calls a worker; default: its host and process")
}

// Config is what the flags say.
func (w *Worker) Config() remote.WorkerConfig { return w.cfg }

// NATS are the flags that say how a NATS is reached.
type NATS struct {
	url       string
	tokenFile string
	link      remote.Link
}

// Bind adds the flags to a command.
func (n *NATS) Bind(f *pflag.FlagSet) {
	f.StringVar(&n.tokenFile, "nats-token-file", "", "`file` that holds the token of the NATS; without one, the variable "+session.EnvToken)
	f.StringVar(&n.link.Creds, "nats-creds", "", "`file` of NATS credentials")
	f.StringVar(&n.link.CA, "nats-ca", "", "PEM `file` of certificate authorities to trust for the NATS")
	f.StringVar(&n.link.Cert, "nats-cert", "", "PEM `file` of a client certificate for the NATS, with --nats-key")
	f.StringVar(&n.link.Key, "nats-key", "", "PEM `file` of that certificate's key")
}

// Link is the NATS at an address; "": the one inside tokdyno.
func (n *NATS) Link(url string) (remote.Link, error) {
	link := n.link
	if link.URL = url; url == "" {
		return link, nil
	}
	link.Token = os.Getenv(session.EnvToken)
	if n.tokenFile == "" {
		return link, nil
	}
	b, err := textfile.Read(n.tokenFile, maxKeyFile)
	if err != nil {
		return link, fmt.Errorf("--nats-token-file can't be read: %w", err)
	}
	if link.Token = strings.TrimSpace(string(b)); link.Token == "" {
		return link, fmt.Errorf("--nats-token-file %s is empty", n.tokenFile)
	}
	return link, nil
}
