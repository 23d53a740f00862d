// /sim/faults: the faults, read and set over HTTP while the server runs.

package sim

import (
	"io"
	"net/http"
	"net/netip"
	"strings"
)

// maxFaultBody bounds what is read of a new set of faults.
const maxFaultBody = 64 << 10

// serveFaults answers with the faults in force: GET as they are, PUT and POST after putting those in the body in their
// place. Both ways it is ParseFaults's text, or JSON where Content-Type or Accept says so. Peers other than loopback get
// what a route that isn't there gives: whoever shares the simulator over a network does not share its switches.
func (s *Server) serveFaults(w http.ResponseWriter, r *http.Request) {
	if !fromLoopback(r) {
		writeDetail(w, http.StatusNotFound)
		return
	}
	if r.Method != http.MethodGet {
		f, err := readFaults(r)
		if err != nil {
			badRequest("", "%v.", err).write(w)
			return
		}
		s.SetFaults(f)
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		writeJSON(w, http.StatusOK, s.Faults())
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, s.Faults().String()+"\n") // a client that went away is no concern
}

// readFaults reads the body of a request.
func readFaults(r *http.Request) (Faults, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxFaultBody))
	if err != nil {
		return Faults{}, err
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return ParseFaults([]string{string(body)})
	}
	var f Faults
	return f, f.UnmarshalJSON(body)
}

// fromLoopback reports whether the request came from this machine, by its loopback address.
func fromLoopback(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}
