package wire

import (
	"net"
	"os"
	"strings"
	"testing"
)

func TestConnectionsToOneAddress(t *testing.T) {
	const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1534 1
   1: 0200000A:9A4B 0300000A:1F40 01 00000000:00000000 00:00000000 00000000     0        0 8119503 2
   2: 0200000A:9A4C 0300000A:1F40 06 00000000:00000000 00:00000000 00000000     0        0 0 2
   3: 0200000A:9A4D 0300000A:1F41 01 00000000:00000000 00:00000000 00000000     0        0 8119504 2
   4: 0100007F:9A4E 0100007F:1F40 01 00000000:00000000 00:00000000 00000000     0        0 8119505 2
   5: 0100007F:9A4F 0100007F:1F40 06 00000000:00000000 00:00000000 00000000     0        0 0 2
   6: 0100007F:9A50 0100007F:1F40 06 00000000:00000000 00:00000000 00000000     0        0 0 2
`
	if n := mostToOne(strings.NewReader(table)); n != 2 {
		t.Errorf("%d connections to one address, want 2", n)
	}
	lines := strings.SplitAfter(table, "\n")
	if n := mostToOne(strings.NewReader(strings.Join(append(lines[:2], lines[5:]...), ""))); n != 1 {
		t.Errorf("%d connections on loopback, want 1: ports of those that are closed are used again", n)
	}
}

func TestSocketsInUse(t *testing.T) {
	for text, want := range map[string]int{
		"sockets: used 22\nTCP: inuse 8 orphan 0 tw 1374 alloc 8 mem 115\nUDP: inuse 3 mem 0\n": 1382,
		"TCP6: inuse 5\nUDP6: inuse 7\n": 5,
		"TCP: inuse x tw\n":              0,
		"":                               0,
	} {
		if n := tcpSockets(text); n != want {
			t.Errorf("%q: %d sockets, want %d", text, n, want)
		}
	}
}

func TestRoomCountsDescriptors(t *testing.T) {
	before := LookAtRoom()
	if before.FileLimit == 0 || before.Files == 0 {
		t.Skip("this system does not say")
	}
	for range 20 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	if after := LookAtRoom(); after.Files < before.Files+15 || after.FileLimit != before.FileLimit { // other tests may have closed some
		t.Errorf("20 more files make %+v of %+v", after, before)
	}
}

func TestTheKernelsTableHasAConnectionOnce(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for range 50 {
		c, err := net.Dial("tcp4", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	f, err := os.Open("/proc/self/net/tcp")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	if n := mostToOne(f); n < 50 {
		t.Errorf("%d connections to one address, of 50", n)
	}
}
