// This file serves it by HTTP.

package expose

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server serves an exporter until it is closed.
type Server struct {
	http    http.Server
	address string
	done    sync.WaitGroup
}

// Listen serves at an address such as "127.0.0.1:9464". Without a host, ":9464" or "9464", it is on this machine alone. The error is
// a sentence.
func (x *Exporter) Listen(address string) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil && !strings.Contains(address, ":") {
		host, port, err = "", address, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no address to listen on; write it like 127.0.0.1:9464", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program; give another port, or 0 for any", net.JoinHostPort(host, port))
	case err != nil:
		return nil, fmt.Errorf("%q can't be listened on (%w); write it like 127.0.0.1:9464", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", x.Handler())
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "tokdyno: the figures are at /metrics\n") // whoever has left does not read it
	})
	s := &Server{http: http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}, address: l.Addr().String()}
	s.done.Go(func() { _ = s.http.Serve(l) }) // it ends with Close
	return s, nil
}

// URL is where the figures are.
func (s *Server) URL() string { return "http://" + s.address + "/metrics" }

// Close ends it.
func (s *Server) Close() {
	_ = s.http.Close() // what was being read ends with the run
	s.done.Wait()
}
