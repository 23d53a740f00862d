// This file connects to NATS, and starts one where there is none.

package remote

import (
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Link says how a NATS is reached.
type Link struct {
	URL   string // nats://host:4222, or tls://host:4222
	Token string // "": none
	Creds string // a file of NATS credentials; "": none
	CA    string // a PEM file of certificate authorities; "": the system's
	Cert  string // PEM files of a client certificate and its key; "": none
	Key   string
}

// Connect connects, and goes on trying when the connection is lost. Where wait is set, it waits for a NATS that is not there yet. Its
// errors are sentences.
func (l Link) Connect(name string, wait bool) (*nats.Conn, error) {
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
		return nil, fmt.Errorf("%q is not the address of a NATS; write nats://host:4222 or tls://host:4222", hidden(l.URL))
	}
	options := []nats.Option{
		nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, time.Second),
		nats.ReconnectBufSize(-1), // reports are kept elsewhere, and old orders are of no use
		nats.Timeout(5 * time.Second), nats.RetryOnFailedConnect(wait), nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // else it writes into the console
	}
	if l.Token != "" {
		options = append(options, nats.Token(l.Token))
	}
	if l.Creds != "" {
		options = append(options, nats.UserCredentials(l.Creds))
	}
	if l.CA != "" {
		options = append(options, nats.RootCAs(l.CA))
	}
	if l.Cert != "" {
		options = append(options, nats.ClientCert(l.Cert, l.Key))
	}
	if u.Scheme == "tls" {
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	conn, err := nats.Connect(l.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("NATS at %s can't be used: %w", hidden(l.URL), err)
	}
	return conn, nil
}

// Safe reports whether nobody reads along on the way: it is encrypted, or never leaves this machine.
func (l Link) Safe() bool {
	u, err := url.Parse(l.URL)
	if err != nil {
		return false
	}
	if u.Scheme == "tls" {
		return true
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
}

// hidden is an address without a name or a password that may stand in it.
func hidden(text string) string {
	if u, err := url.Parse(text); err == nil {
		u.User = nil
		return u.String()
	}
	return "that address"
}

// Embed starts a NATS in this process, on loopback, with a token that nobody knows. stop ends it.
func Embed() (link Link, stop func(), err error) {
	s, link, err := serve(embedded(rand.Text() + rand.Text()))
	if err != nil {
		return link, nil, err
	}
	return link, func() {
		s.Shutdown()
		s.WaitForShutdown()
	}, nil
}

// embedded are the options of a NATS that nobody but who knows the token can use, and nobody from elsewhere can reach.
func embedded(token string) *server.Options {
	return &server.Options{
		ServerName: "tokdyno", Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token,
		NoSigs: true, NoLog: true, MaxPayload: 8 << 20, PingInterval: 2 * time.Second,
	}
}

// serve starts a NATS.
func serve(o *server.Options) (s *server.Server, link Link, err error) {
	if s, err = server.NewServer(o); err != nil {
		return nil, link, fmt.Errorf("the embedded NATS can't be started: %w", err)
	}
	go s.Start()
	if !s.ReadyForConnections(5 * time.Second) {
		s.Shutdown()
		return nil, link, errors.New("the embedded NATS did not start within 5 s")
	}
	return s, Link{URL: "nats://" + s.Addr().String(), Token: o.Authorization}, nil
}
