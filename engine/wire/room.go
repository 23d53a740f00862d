// How much is in use of what bounds the streams that this machine can hold.

package wire

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
)

// Room is how much is in use of what connections take. A limit of 0 is not known.
type Room struct {
	Files, FileLimit int // descriptors that this process has open, and may have
	// Ports are the local ports in use to one address, that with the most of them, by all processes of this machine; 0 as well where
	// fewer than half of PortLimit can be.
	Ports, PortLimit int
}

// LookAtRoom returns how much is in use at present. Its cost is that of a few small files, unless ports run short.
func LookAtRoom() Room {
	soft, open := fileLimit()
	r := Room{Files: open, FileLimit: int(min(soft, 1<<31-1)), PortLimit: localPorts()}
	if r.PortLimit == 0 || connections() < r.PortLimit/2 {
		return r
	}
	for _, name := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		if f, err := os.Open(name); err == nil { // there may be no IPv6
			r.Ports = max(r.Ports, mostToOne(f))
			_ = f.Close() // it was read
		}
	}
	return r
}

// connections is about how many TCP connections the machine has, whatever they are to; 0 where that is not known.
func connections() (n int) {
	for _, name := range []string{"/proc/self/net/sockstat", "/proc/self/net/sockstat6"} {
		text, _ := os.ReadFile(name) // of what can't be read, there are none
		n += tcpSockets(string(text))
	}
	return n
}

// tcpSockets adds up the sockets in use, and those that keep their port for a while, of what Linux says in sockstat.
func tcpSockets(text string) (n int) {
	for line := range strings.Lines(text) {
		name, counts, _ := strings.Cut(line, ":")
		if name != "TCP" && name != "TCP6" {
			continue
		}
		fields := strings.Fields(counts)
		for i := 0; i+1 < len(fields); i += 2 {
			if fields[i] == "inuse" || fields[i] == "tw" {
				sockets, _ := strconv.Atoi(fields[i+1]) // what is no number counts as none
				n += sockets
			}
		}
	}
	return n
}

// mostToOne counts the connections to each address and port in one of Linux's tables of TCP sockets, and returns the most. One that is
// closed and waits (TIME_WAIT) keeps its port from others, but on loopback, where Linux uses it again.
func mostToOne(table io.Reader) (most int) {
	const timeWait = "06"
	to := make(map[string]int)
	for scan := bufio.NewScanner(table); scan.Scan(); {
		fields := bytes.Fields(scan.Bytes())
		if len(fields) < 4 || !bytes.Contains(fields[2], []byte(":")) || bytes.HasSuffix(fields[2], []byte(":0000")) {
			continue // the heading, or one that listens
		}
		if string(fields[3]) == timeWait && onLoopback(fields[2]) {
			continue
		}
		to[string(fields[2])]++
		most = max(most, to[string(fields[2])])
	}
	return most
}

// onLoopback reports whether an address of such a table is of the machine itself: its bytes are in words of the machine's own order.
func onLoopback(address []byte) bool {
	host, _, _ := bytes.Cut(address, []byte(":"))
	return bytes.HasSuffix(host, []byte("7F")) || string(host) == "00000000000000000000000001000000"
}
