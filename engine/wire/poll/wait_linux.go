// Waiting for an epoll set, or for a tick.

package poll

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"tokdyno/engine/record"
)

const (
	// atOnce is how many events are asked for in a system call.
	atOnce = 256
	// bell marks the event of the bell.
	bell = -1
)

// waits is an epoll set, and waits for it in Go's own poller: the set is watched there, or a timer. A goroutine that waits so
// keeps no processor from others, and none has to be woken for it. A system call that the runtime is told of gets its watching
// thread up, twice the cost of the call; so it is not told of those here, none of which waits.
type waits struct {
	clock record.Clock
	epoll int
	bell  int // an eventfd, which ends a wait

	set   *watched // the epoll set, in Go's poller; nil: it is not there, so that nobody gets up when something comes
	timer *watched // a timerfd
	look  func(fd uintptr) (done bool)
	sleep func(fd uintptr) (done bool)

	due    record.Instant // the present tick
	slept  bool           // for it
	events [atOnce]unix.EpollEvent
	n      int
}

func newWaits(clock record.Clock) (*waits, error) {
	w := &waits{clock: clock, epoll: -1, bell: -1}
	w.look, w.sleep = w.ask, w.untilDue // made once, for method values are allocated
	if err := w.open(); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *waits) open() (err error) {
	if w.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return fmt.Errorf("opening an epoll set: %w", err)
	}
	if w.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return fmt.Errorf("opening an eventfd: %w", err)
	}
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: bell}
	if err := unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, w.bell, &event); err != nil {
		return fmt.Errorf("watching an eventfd: %w", err)
	}
	timer, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("opening a timerfd: %w", err)
	}
	if w.timer, err = watch(timer, "timerfd"); err != nil {
		return err
	}
	return w.watchSet()
}

func (w *waits) close() {
	for _, fd := range []int{w.epoll, w.bell} {
		if fd >= 0 {
			_ = unix.Close(fd) // nothing was written to it that could be lost; the same goes for the files
		}
	}
	for _, f := range []*watched{w.set, w.timer} {
		if f != nil {
			_ = f.file.Close()
		}
	}
}

// watched is a descriptor in Go's poller.
type watched struct {
	file *os.File
	raw  syscall.RawConn
}

func watch(fd int, name string) (*watched, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	f := os.NewFile(uintptr(fd), name)
	// To set no deadline changes nothing, but is refused when the poller doesn't watch the file.
	err := f.SetReadDeadline(time.Time{})
	raw, err2 := f.SyscallConn()
	if err := errors.Join(err, err2); err != nil {
		return nil, errors.Join(fmt.Errorf("watching the %s: %w", name, err), f.Close())
	}
	return &watched{f, raw}, nil
}

// watchSet puts the epoll set into Go's poller: a duplicate of it, which can be taken out again.
func (w *waits) watchSet() error {
	fd, err := unix.FcntlInt(uintptr(w.epoll), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("duplicating the epoll set: %w", err)
	}
	w.set, err = watch(fd, "epoll set")
	return err
}

// add watches a connection. What is told of it bears the two numbers.
func (w *waits) add(fd int, slot, use int32) error {
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: slot, Pad: use}
	if err := unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		return fmt.Errorf("watching the connection: %w", err)
	}
	return nil
}

// ring ends a wait.
func (w *waits) ring() {
	one := [8]byte{1}
	_, _ = unix.Write(w.bell, one[:]) // which only a counter that is full refuses, and that has rung
}

// hush makes the bell one that has not rung.
func (w *waits) hush() {
	var count [8]byte
	_, _ = unix.Read(w.bell, count[:])
}

// wait waits until something has come or, with a tick, until the next one, when perhaps nothing has. due is when that was to be;
// 0: it did not wait for a tick. What is returned is valid until the next call.
func (w *waits) wait(tick time.Duration) (came []unix.EpollEvent, due record.Instant) {
	switch {
	case w.n == atOnce && w.ask(0): // what was left the last time
	case tick == 0 && (w.set != nil || w.watchSet() == nil):
		w.due = 0
		_ = w.set.raw.Read(w.look) // nobody else closes it, so it can't fail; the same goes for the timer
	default:
		if tick == 0 { // there is no descriptor left
			tick = maxTick
		}
		if w.set != nil {
			_ = w.set.file.Close()
			w.set = nil
		}
		w.due = max(w.due.Add(tick), w.clock())
		w.slept = false
		_ = w.timer.raw.Read(w.sleep)
		w.ask(0)
	}
	return w.events[:w.n], w.due
}

// ask asks the kernel what has come; true: something has.
func (w *waits) ask(uintptr) bool {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(w.epoll), uintptr(unsafe.Pointer(&w.events[0])), atOnce, 0, 0, 0)
	w.n = int(n)
	if errno != 0 { // which means that it was interrupted
		w.n = 0
	}
	return w.n > 0
}

// untilDue sets the timer when it is called first, and is done when it is called again.
func (w *waits) untilDue(fd uintptr) bool {
	left := time.Duration(w.due - w.clock())
	if w.slept || left <= 0 {
		return true
	}
	w.slept = true
	timer := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(left))}
	_, _, errno := unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&timer)), 0, 0, 0)
	return errno != 0
}
