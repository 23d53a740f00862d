// This file says on which endpoints a worker puts load.

package remote

import (
	"fmt"
	"net"
	"slices"
	"strings"

	"tokdyno/engine/wire"
)

// allowed says in a sentence why a worker puts no load on an endpoint; nil where it does. list are hosts, or hosts with a port; with
// none, it puts load on what is on its own machine or in a private network.
func allowed(list []string, e *wire.Endpoint) error {
	where, err := e.Host()
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(where)
	if err != nil {
		return fmt.Errorf("the endpoint's address %s can't be read: %w", where, err)
	}
	bracketed := strings.TrimSuffix(net.JoinHostPort(host, ""), ":") // where it is an IPv6 address
	switch {
	case len(list) == 0 && !e.Local():
		return fmt.Errorf("this worker puts load on its own machine and private networks only; start it with --allow %s", bracketed)
	case len(list) > 0 && !slices.ContainsFunc(list, func(one string) bool {
		return strings.EqualFold(one, host) || strings.EqualFold(one, bracketed) || strings.EqualFold(one, where)
	}):
		return fmt.Errorf("this worker was not allowed to put load on %s; start it with --allow %s", where, where)
	}
	return nil
}
