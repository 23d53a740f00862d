// The kernel's arrival stamps, and that reading for them is like any other reading.

package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

// loopback returns the two ends of a TCP connection.
func loopback(t testing.TB) (near, far *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dialed, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialed.Close(); accepted.Close() })
	return dialed.(*net.TCPConn), accepted.(*net.TCPConn)
}

// stampedEnd is loopback with a near end that has the kernel's stamps.
func stampedEnd(t testing.TB) (*kernelStamps, *net.TCPConn) {
	t.Helper()
	near, far := loopback(t)
	s, err := newKernelStamps(near, record.NewClock())
	if err != nil {
		t.Skip(err)
	}
	k := s.(*kernelStamps)
	one := make([]byte, 1)
	for range 1 << 17 { // stamping begins a moment after the first socket has asked for it
		if _, err := far.Write(one); err != nil {
			t.Fatal(err)
		}
		if _, s, err := k.readStamped(one); err != nil || s.kernel {
			return k, far
		}
	}
	t.Skip("the kernel takes the option but stamps nothing")
	return nil, nil
}

// reading is what a read gave, in a form that can be compared.
type reading struct {
	Bytes                         int
	Error                         string
	EOF, Closed, Deadline, Expiry bool
}

func readingOf(n int, err error, c net.Conn) reading {
	r := reading{Bytes: n}
	if err != nil {
		r.Error = strings.NewReplacer(c.LocalAddr().String(), "near", c.RemoteAddr().String(), "far").Replace(fmt.Sprintf("%T %v", err, err))
		var timeout net.Error
		r.EOF, r.Closed, r.Deadline = err == io.EOF, errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrDeadlineExceeded)
		r.Expiry = errors.As(err, &timeout) && timeout.Timeout()
	}
	return r
}

func TestStampedReadsAreLikePlainOnes(t *testing.T) {
	do := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for _, test := range []struct {
		name string
		run  func(t *testing.T, near net.Conn, far *net.TCPConn, read func(p []byte) reading)
	}{
		{"data, then the end, and again", func(t *testing.T, _ net.Conn, far *net.TCPConn, read func([]byte) reading) {
			_, err := far.Write([]byte("hello"))
			do(t, err)
			do(t, far.Close())
			read(make([]byte, 3))
			read(make([]byte, 10))
			read(make([]byte, 10))
			read(make([]byte, 10))
		}},
		{"half closed", func(t *testing.T, near net.Conn, far *net.TCPConn, read func([]byte) reading) {
			do(t, far.CloseWrite())
			read(make([]byte, 1))
			_, err := near.Write([]byte("still heard"))
			do(t, err)
			got := make([]byte, 11)
			_, err = io.ReadFull(far, got)
			do(t, err)
			read(make([]byte, 1))
		}},
		{"reset", func(t *testing.T, _ net.Conn, far *net.TCPConn, read func([]byte) reading) {
			do(t, far.SetLinger(0))
			do(t, far.Close())
			read(make([]byte, 1))
			read(make([]byte, 1))
		}},
		{"nothing asked for", func(t *testing.T, near net.Conn, far *net.TCPConn, read func([]byte) reading) {
			read(nil)
			do(t, near.SetReadDeadline(time.Unix(1, 0)))
			read([]byte{})
			do(t, far.Close())
			read(nil)
		}},
		{"deadline long past, then lifted", func(t *testing.T, near net.Conn, far *net.TCPConn, read func([]byte) reading) {
			_, err := far.Write([]byte("x"))
			do(t, err)
			do(t, near.SetReadDeadline(time.Unix(1, 0)))
			read(make([]byte, 1))
			read(make([]byte, 1))
			do(t, near.SetReadDeadline(time.Time{}))
			read(make([]byte, 1))
		}},
		{"deadline while reading", func(t *testing.T, near net.Conn, _ *net.TCPConn, read func([]byte) reading) {
			do(t, near.SetReadDeadline(time.Now().Add(time.Millisecond)))
			read(make([]byte, 1))
		}},
		{"deadline set while reading", func(t *testing.T, near net.Conn, _ *net.TCPConn, read func([]byte) reading) {
			done := make(chan struct{})
			go func() { read(make([]byte, 1)); close(done) }()
			do(t, near.SetReadDeadline(time.Unix(1, 0)))
			<-done
		}},
		{"closed while reading", func(t *testing.T, near net.Conn, _ *net.TCPConn, read func([]byte) reading) {
			done := make(chan struct{})
			go func() { read(make([]byte, 1)); close(done) }()
			do(t, near.Close())
			<-done
			read(make([]byte, 1))
			read(nil)
		}},
		{"two readers, both ended by the close", func(t *testing.T, near net.Conn, _ *net.TCPConn, read func([]byte) reading) {
			done := make(chan struct{})
			for range 2 {
				go func() { read(make([]byte, 1)); done <- struct{}{} }()
			}
			do(t, near.Close())
			<-done
			<-done
		}},
		{"more than any buffer", func(t *testing.T, _ net.Conn, far *net.TCPConn, read func([]byte) reading) {
			go func() { _, _ = far.Write(big); far.Close() }()
			got := make([]byte, 0, 2*len(big))
			for {
				into := got[len(got):cap(got)]
				r := read(into)
				got = got[:len(got)+r.Bytes]
				if r.Error != "" {
					break
				}
			}
			if !bytes.Equal(got, big) {
				t.Errorf("%d bytes, or others than the %d that were sent", len(got), len(big))
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plain, far := loopback(t)
			var want, got []reading
			taken := make(chan struct{}, 1)
			note := func(to *[]reading, r reading) reading {
				taken <- struct{}{}
				*to = append(*to, r)
				<-taken
				return r
			}
			test.run(t, plain, far, func(p []byte) reading {
				n, err := plain.Read(p)
				return note(&want, readingOf(n, err, plain))
			})
			if test.name == "more than any buffer" {
				want = want[len(want)-1:] // how it is cut up is chance
			}
			poller := poll.New(record.NewClock())
			defer poller.Close()
			for _, polled := range []bool{false, true} {
				got = nil
				tcp, far := loopback(t)
				var near descriptorConn = tcp
				if polled {
					adopted, err := poller.Adopt(tcp)
					do(t, err)
					defer adopted.Close()
					near = adopted
				}
				s, err := newKernelStamps(near, record.NewClock())
				if err != nil {
					t.Skip(err)
				}
				c := &conn{Conn: near, in: s, clock: record.NewClock()}
				test.run(t, c, far, func(p []byte) reading {
					n, err := c.Read(p)
					return note(&got, readingOf(n, err, c))
				})
				if test.name == "more than any buffer" {
					got = got[len(got)-1:]
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("reads, polled %v (-plain +stamped):\n%s", polled, diff)
				}
			}
		})
	}
}

func TestArrivalIsBeforeTheReadThatWasLate(t *testing.T) {
	k, far := stampedEnd(t)
	for range 1000 { // an interruption amid the stamping makes an arrival later; it does not come every time
		if _, err := far.Write([]byte("x")); err != nil { // over loopback it has arrived when this returns
			t.Fatal(err)
		}
		late := k.clock()
		_, s, err := k.readStamped(make([]byte, 1))
		if err != nil || s.lag < 0 || s.at.Add(s.lag) < late {
			t.Fatalf("arrival %d, lag %v, read after %d (%v)", s.at, s.lag, late, err)
		}
		if s.kernel && s.at < late {
			return
		}
	}
	t.Error("no arrival was before its read")
}

// control is a control message with a stamp.
func control(nanoseconds int64) []byte {
	b := make([]byte, unix.CmsgSpace(16))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&b[0])) //nolint:gosec // as the kernel writes it
	h.Level, h.Type = unix.SOL_SOCKET, unix.SCM_TIMESTAMPNS
	h.SetLen(unix.CmsgLen(16))
	binary.NativeEndian.PutUint64(b[unix.CmsgLen(0):], uint64(nanoseconds/1e9))
	binary.NativeEndian.PutUint64(b[unix.CmsgLen(8):], uint64(nanoseconds%1e9))
	return b
}

func TestArrivals(t *testing.T) {
	const noon = 1_800_000_000_000_000_000
	const second = int64(time.Second)
	unknown := make([]byte, unix.CmsgSpace(4))
	(*unix.Cmsghdr)(unsafe.Pointer(&unknown[0])).SetLen(unix.CmsgLen(4)) //nolint:gosec // as the kernel writes it
	for _, test := range []struct {
		name    string
		control []byte
		want    stamp
		late    time.Duration
	}{
		{name: "stamped 3 ms ago", control: control(noon - 3e6), want: stamp{at: ms(997), lag: 3e6, kernel: true, burst: 8}},
		{name: "after another message", control: append(bytes.Clone(unknown), control(noon-3e6)...), want: stamp{at: ms(997), lag: 3e6, kernel: true, burst: 8}},
		{name: "just now", control: control(noon), want: stamp{at: ms(1000), kernel: true, burst: 8}},
		{name: "in the future", control: control(noon + 1), want: stamp{at: ms(1000), burst: 8}},
		{name: "10 s ago, but after what came before", control: control(noon - 10*second), want: stamp{at: ms(500), lag: 500e6, kernel: true, burst: 8}},
		{name: "longer ago than can be", control: control(noon - 10*second - 1), want: stamp{at: ms(1000), burst: 8}},
		{name: "no message", want: stamp{at: ms(1000), burst: 8}},
		{name: "another message", control: unknown, want: stamp{at: ms(1000), burst: 8}},
		{name: "half a message", control: control(noon)[:20], want: stamp{at: ms(1000), burst: 8}},
		{name: "the rest of the segment read before", control: control(noon - 7), want: stamp{at: ms(500), lag: 500e6, kernel: true, burst: 7}},
	} {
		k := &kernelStamps{
			clock: func() record.Instant { return ms(1000) },
			wall:  func() time.Time { return time.Unix(0, noon) },
			last:  stamp{at: ms(500), lag: 1, kernel: true, burst: 7}, segment: noon - 7,
		}
		k.stamped = timestamp(test.control)
		if got := k.arrival(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestTimespecsOfEitherWidth(t *testing.T) {
	narrow := make([]byte, 8)
	binary.NativeEndian.PutUint32(narrow, 1_800_000_000)
	binary.NativeEndian.PutUint32(narrow[4:], 5)
	if got := timespec(narrow); got != 1_800_000_000_000_000_005 {
		t.Errorf("%d", got)
	}
	if got := timespec(narrow[:7]); got != 0 {
		t.Errorf("%d of too few bytes", got)
	}
}

func TestStampedReadsDoNotAllocate(t *testing.T) {
	k, far := stampedEnd(t)
	if _, err := far.Write(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	c := &conn{Conn: k.Conn, in: k, clock: k.clock}
	one := make([]byte, 1)
	n := testing.AllocsPerRun(500, func() {
		if _, err := c.Read(one); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a read", n)
	}
}

// BenchmarkRead compares reads with and without stamps, of bytes that are already there.
func BenchmarkRead(b *testing.B) {
	clock := record.NewClock()
	for _, bench := range []struct {
		name string
		read func(c *net.TCPConn) func(p []byte) error
	}{
		{"bare", func(c *net.TCPConn) func([]byte) error {
			return func(p []byte) error { _, err := c.Read(p); return err }
		}},
		{"stamped at the return", func(c *net.TCPConn) func([]byte) error {
			ours := &conn{Conn: c, in: &returnStamps{Conn: c, clock: clock}, clock: clock}
			return func(p []byte) error { _, err := ours.Read(p); return err }
		}},
		{"stamped by the kernel", func(c *net.TCPConn) func([]byte) error {
			s, err := newKernelStamps(c, clock)
			if err != nil {
				b.Skip(err)
			}
			ours := &conn{Conn: c, in: s, clock: clock}
			return func(p []byte) error { _, err := ours.Read(p); return err }
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			near, far := loopback(b)
			read := bench.read(near)
			event := make([]byte, 250)
			into := make([]byte, len(event))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%16 == 0 {
					b.StopTimer()
					for range 16 {
						if _, err := far.Write(event); err != nil {
							b.Fatal(err)
						}
					}
					b.StartTimer()
				}
				if err := read(into); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestWhatWasLetLieOnPurposeIsNotReadLate(t *testing.T) {
	clock := record.NewClock()
	poller := poll.New(clock)
	poller.Fix(2 * time.Millisecond)
	tcp, far := loopback(t)
	near, err := poller.Adopt(tcp)
	if err != nil {
		t.Fatal(err)
	}
	defer poller.Close()
	defer near.Close()
	var read record.Instant // when the latest read returned
	s, err := newKernelStamps(near, func() record.Instant { read = clock(); return read })
	if err != nil {
		t.Skip(err)
	}
	lay := 0
	for range 100 {
		if _, err := far.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		_, s, err := s.readStamped(make([]byte, 2))
		if err != nil {
			t.Fatal(err)
		}
		due := near.Arrived(s.at)
		if !s.kernel || due <= s.at {
			continue
		}
		lay++
		if want := time.Duration(read - due); s.lag != want {
			t.Fatalf("the lag is %v, of what was read %v after its tick", s.lag, want)
		}
	}
	if lay == 0 {
		t.Skip("nothing lay until a tick, or the kernel does not stamp")
	}
}
