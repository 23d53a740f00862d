// This file lends an endpoint's way of connecting to others who read pages of the same server.

package wire

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// PageClient returns a client for pages of the endpoint's server that are not load, and the header, keys and all, that
// goes with them. It connects as the endpoint says: certificates, proxy and limit of time to connect. The caller closes
// its idle connections. The error is a sentence about the endpoint.
func (e Endpoint) PageClient() (*http.Client, http.Header, error) {
	e, err := e.normal()
	if err != nil {
		return nil, nil, err
	}
	certificates, err := e.tlsConfig()
	if err != nil {
		return nil, nil, err
	}
	transport := &http.Transport{
		DialContext:            (&net.Dialer{Timeout: e.ConnectTimeout}).DialContext,
		TLSClientConfig:        certificates,
		TLSHandshakeTimeout:    e.ConnectTimeout,
		IdleConnTimeout:        keepAlive,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
	if !e.NoProxy {
		transport.Proxy = http.ProxyFromEnvironment
	}
	return &http.Client{Transport: transport}, e.header(), nil
}

// Host is the host and port that requests go to, as "host:port". The error is a sentence: the URL can't be understood.
func (e Endpoint) Host() (string, error) {
	t, err := parseTarget(e.URL)
	if err != nil {
		return "", err
	}
	return t.host(), nil
}

// Local reports whether the endpoint is on this machine or in a private network, as far as its name says. A URL that can't be
// understood is not.
func (e Endpoint) Local() bool {
	t, err := parseTarget(e.URL)
	return err == nil && localHost(t.base.Hostname())
}

// OnThisHost reports whether the endpoint is on this very machine, as far as its name says, so that this machine's
// accelerators may be the ones behind it. A URL that can't be understood is not.
func (e Endpoint) OnThisHost() bool {
	t, err := parseTarget(e.URL)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(t.base.Hostname(), "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback() || addr.IsUnspecified()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
