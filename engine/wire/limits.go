// How many streams this machine can hold open.

package wire

import (
	"fmt"
	"math"
)

// fileReserve is kept back for everything that is no stream: files, the server's metrics, the console.
const fileReserve = 64

// RaiseFileLimit raises this process's soft limit of open files to the hard one, if the system grants that, and returns
// the soft limit that then holds; 0 where the system has none. The error, a sentence for the user, says that it stayed as it was.
func RaiseFileLimit() (soft uint64, err error) { return raiseFileLimit() }

// StreamsThatFit returns how many streams can be open to one endpoint at a time, by this process's limit of open files
// and the system's local ports, and a sentence for the user on what bounds them; math.MaxInt and "" if nothing is known
// to. It is for saying so before a run; during one, what does not fit fails with record.KindClientFD or KindClientPort.
func StreamsThatFit() (streams int, bound string) {
	soft, open := fileLimit()
	return streamsThatFit(soft, open, localPorts())
}

// streamsThatFit is StreamsThatFit for given limits, of which 0 is none: a stream takes a file and a local port, so
//
//	min(files − open − reserve, ports)
func streamsThatFit(files uint64, open, ports int) (int, string) {
	streams, bound := math.MaxInt, ""
	if files > 0 && files < math.MaxInt32 {
		streams = max(0, int(files)-open-fileReserve)
		bound = fmt.Sprintf("this process may have %d files open; raise the limit (ulimit -n) for more than %d streams", files, streams)
	}
	if ports > 0 && ports < streams {
		streams = ports
		bound = fmt.Sprintf("this machine has %d local ports for connections to one endpoint "+
			"(net.ipv4.ip_local_port_range)", ports)
	}
	return streams, bound
}
