// This file is where a run is shared: ssh://127.0.0.1:2222.

package share

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// defaultPort is the one where none is named. That of ssh itself belongs to the machine's own server.
const defaultPort = "2222"

// Place is where a run is shared. The zero Place is nowhere.
type Place struct{ host, port string }

// ParsePlace reads ssh://HOST:PORT. Its error is a sentence.
func ParsePlace(text string) (Place, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "ssh" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return Place{}, fmt.Errorf("%q is no place to share a run at; write ssh://127.0.0.1:2222", text)
	}
	p := Place{u.Hostname(), u.Port()}
	if p.port == "" {
		p.port = defaultPort
	}
	return p, nil
}

// Local reports whether nobody but who is on this machine gets there.
func (p Place) Local() bool {
	ip := net.ParseIP(p.host)
	return p.host == "localhost" || ip != nil && ip.IsLoopback()
}

// address is what is listened at.
func (p Place) address() string { return net.JoinHostPort(p.host, p.port) }

// command is what is typed to watch. A host that stands for every one of the machine's is left to be filled in.
func (p Place) command() string {
	host := p.host
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "THIS-HOST"
	}
	return fmt.Sprintf("ssh -p %s %s", p.port, host)
}
