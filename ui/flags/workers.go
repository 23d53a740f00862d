// This file holds the flags of workers, and of the NATS that they and their console meet at.

package flags

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

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
	attach  bool
	nats    NATS
}

// Bind adds the flags to a command.
func (w *Workers) Bind(f *pflag.FlagSet) {
	f.StringVar(&w.workers, "workers", "", "processes that make the load together: a `number` of this machine's own, or nats://host:4222 "+
		"for those that have joined there; see tokdyno worker")
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
		if w.nats.url != "" || w.attach {
			return s, errors.New("--nats and --attach are about workers; give --workers as well")
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
	if s.Attach = w.attach; w.attach && !s.Joined && err == nil {
		err = errors.New("--attach takes over a run of workers that have joined a NATS; give --workers nats://host:4222")
	}
	return s, err
}

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
