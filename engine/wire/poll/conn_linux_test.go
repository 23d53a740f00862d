// What net.Conn promises, and what is beyond it.

package poll

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/net/nettest"

	"tokdyno/engine/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ways are the ways in which a Poller waits.
var ways = map[string]func(*Poller){
	"at once":          func(p *Poller) { p.Fix(0) },
	"tick":             func(p *Poller) { p.Fix(maxTick) },
	"as it finds best": func(*Poller) {},
}

// pipe returns a connection of a Poller, and its other end.
func pipe(p *Poller) (near *Conn, far *net.TCPConn, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer listener.Close()
	dialed, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	accepted, err := listener.Accept()
	if err != nil {
		return nil, nil, err
	}
	near, err = p.Adopt(dialed.(*net.TCPConn))
	return near, accepted.(*net.TCPConn), err
}

func TestConnectionsKeepThePromisesOfNetConn(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			nettest.TestConn(t, func() (near, far net.Conn, stop func(), err error) {
				p := New(record.NewClock())
				way(p)
				near, far, err = pipe(p)
				return near, far, func() { near.Close(); far.Close(); p.Close() }, err
			})
		})
	}
}

// each runs a test in all ways, with a connection.
func each(t *testing.T, test func(t *testing.T, near *Conn, far *net.TCPConn)) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			p := New(record.NewClock())
			way(p)
			near, far, err := pipe(p)
			if err != nil {
				t.Fatal(err)
			}
			test(t, near, far)
			near.Close()
			far.Close()
			p.Close()
		})
	}
}

func TestRunReadsAllThatComes(t *testing.T) {
	each(t, func(t *testing.T, near *Conn, far *net.TCPConn) {
		want := strings.Repeat("0123456789", 100_000)
		var writing sync.WaitGroup
		writing.Go(func() {
			for i := 0; i < len(want); i += 1 + i%9000 { // pieces from a byte to more than a read takes
				if _, err := io.WriteString(far, want[i:min(len(want), i+1+i%9000)]); err != nil {
					t.Error(err)
				}
			}
			far.CloseWrite()
		})
		var got strings.Builder
		into := make([]byte, 4096)
		near.Run(func() bool {
			for {
				n, err := near.Read(into)
				got.Write(into[:n])
				switch err {
				case nil:
				case ErrWait:
					return false
				default:
					if err != io.EOF {
						t.Error(err)
					}
					return true
				}
			}
		})
		writing.Wait()
		if got.String() != want {
			t.Errorf("%d bytes of %d came", got.Len(), len(want))
		}
	})
}

func TestTheEndThatComesWithTheLastBytesIsSeen(t *testing.T) {
	// The read of the bytes is shorter than its buffer, and nothing more is told of the connection.
	each(t, func(t *testing.T, near *Conn, far *net.TCPConn) {
		if _, err := io.WriteString(far, "the last"); err != nil {
			t.Fatal(err)
		}
		far.Close()
		got, err := io.ReadAll(near)
		if string(got) != "the last" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestRunEndsWhenItsConnectionIsClosed(t *testing.T) {
	each(t, func(t *testing.T, near *Conn, far *net.TCPConn) {
		var closing sync.WaitGroup
		if _, err := io.WriteString(far, "x"); err != nil {
			t.Error(err)
		}
		read := 0
		near.Run(func() bool {
			var one [1]byte
			for {
				n, err := near.Read(one[:])
				switch read += n; {
				case n == 1:
					closing.Go(func() { near.Close() })
				case err == ErrWait:
					return false
				case !errors.Is(err, net.ErrClosed):
					t.Error(err)
					fallthrough
				default:
					return true
				}
			}
		})
		if read != 1 {
			t.Errorf("%d bytes came", read)
		}
		closing.Wait()
	})
}

func TestRunsOfManyConnections(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			p := New(record.NewClock())
			way(p)
			const connections, messages = 300, 40 // more than are asked for at once
			var all sync.WaitGroup
			for i := range connections {
				near, far, err := pipe(p)
				if err != nil {
					t.Fatal(err)
				}
				all.Go(func() {
					defer far.Close()
					for j := range messages {
						if _, err := fmt.Fprintf(far, "%d of %d\n", j, i); err != nil {
							t.Error(err)
						}
						var reply [1]byte
						if _, err := io.ReadFull(far, reply[:]); err != nil {
							t.Error(err)
						}
					}
				})
				all.Go(func() {
					defer near.Close()
					j := 0
					near.Run(func() bool {
						for ; j < messages; j++ {
							into := make([]byte, 64)
							n, err := near.Read(into)
							if err == ErrWait {
								return false
							}
							if want := fmt.Sprintf("%d of %d\n", j, i); string(into[:n]) != want || err != nil {
								t.Errorf("%q, %v; want %q", into[:n], err, want)
								return true
							}
							if _, err := near.Write([]byte{'.'}); err != nil {
								t.Error(err)
							}
						}
						return true
					})
				})
			}
			all.Wait()
			p.Close()
		})
	}
}

func TestWaitingForATickIsNoLateness(t *testing.T) {
	p := New(record.NewClock())
	p.Fix(maxTick)
	near, far, err := pipe(p)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	defer near.Close()
	defer far.Close()
	before := p.clock()
	for range 5 {
		if _, err := io.WriteString(far, "x"); err != nil {
			t.Fatal(err)
		}
		var more [2]byte // than comes
		if _, err := near.Read(more[:]); err != nil {
			t.Fatal(err)
		}
		now := p.clock()
		due := near.Arrived(now)
		if due <= before || due > now {
			t.Errorf("the tick was to be at %d; read from %d to %d", due, before, now)
		}
		before = due
	}
}

func TestWatchEndsByWhatComesOrByUnwatch(t *testing.T) {
	each(t, func(t *testing.T, near *Conn, far *net.TCPConn) {
		seen := make(chan string, 1)
		step := func() bool {
			var two [2]byte
			n, err := near.Read(two[:])
			if err == ErrWait {
				return false
			}
			seen <- string(two[:n])
			return true
		}
		say := func(text string) {
			if _, err := io.WriteString(far, text); err != nil {
				t.Error(err)
			}
		}
		near.Watch(step)
		if !near.Unwatch() {
			t.Error("it was over before anything came")
		}
		say("a")
		var one [2]byte
		if n, err := near.Read(one[:]); string(one[:n]) != "a" || err != nil {
			t.Errorf("%q, %v: not watched, it is read as ever", one[:n], err)
		}
		near.Watch(step)
		say("b")
		if got := <-seen; got != "b" {
			t.Errorf("%q came", got)
		}
		if near.Unwatch() {
			t.Error("it was not over when something had come")
		}
	})
}
