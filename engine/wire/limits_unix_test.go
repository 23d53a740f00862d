// The limits of the machine that the test runs on.

//go:build unix

package wire

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestFileLimitIsRaisedToTheHardOne(t *testing.T) {
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) })
	low := before
	low.Cur = 512
	if before.Max < 1024 || unix.Setrlimit(unix.RLIMIT_NOFILE, &low) != nil {
		t.Skip("the limit of open files is too low to be lowered")
	}
	soft, err := RaiseFileLimit()
	var after unix.Rlimit
	if getting := unix.Getrlimit(unix.RLIMIT_NOFILE, &after); getting != nil {
		t.Fatal(getting)
	}
	if err != nil {
		t.Fatal(err)
	}
	if soft == 512 && uint64(after.Cur) == 512 {
		t.Skip("the system does not grant its hard limit")
	}
	if soft != uint64(before.Max) || uint64(after.Cur) != soft {
		t.Errorf("soft limit said to be %d, is %d; the hard one is %d", soft, after.Cur, before.Max)
	}
	if again, err := RaiseFileLimit(); again != soft || err != nil {
		t.Errorf("raised again: %d, %v", again, err)
	}
}

func TestPortRanges(t *testing.T) {
	for text, want := range map[string]int{"32768\t60999\n": 28232, "1 1": 1, "": 0, "x y": 0, "9 1": 0} {
		if got := portsOf(text); got != want {
			t.Errorf("%q: %d ports, want %d", text, got, want)
		}
	}
}
