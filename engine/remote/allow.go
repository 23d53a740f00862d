// This file says on which endpoints a worker puts load.

package remote

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"tokdyno/engine/wire"
)

// allowed says in a sentence why a worker puts no load on an endpoint; nil where it does. list are hosts, or hosts with a port; with
// none, it puts load on what is on its own machine or in a private network.
func allowed(list []string, e *wire.Endpoint) error {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" {
		if u, err = url.Parse("http://" + e.URL); err != nil {
			return fmt.Errorf("the endpoint's address can't be read")
		}
	}
	if len(list) == 0 {
		if e.Local() {
			return nil
		}
		return fmt.Errorf("this worker puts load on its own machine and private networks only; start it with --allow %s", u.Hostname())
	}
	for _, one := range list {
		if strings.EqualFold(one, u.Hostname()) || strings.EqualFold(one, net.JoinHostPort(u.Hostname(), port(u))) || strings.EqualFold(one, u.Host) {
			return nil
		}
	}
	return fmt.Errorf("this worker was not allowed to put load on %s; start it with --allow %s", u.Host, u.Host)
}

// port is that of an address, which its scheme says where it does not.
func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
