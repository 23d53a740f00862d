package nvml

import (
	"errors"
	"io/fs"
	"testing"
)

func TestALoadErrorNamesWhatWasFoundButFailed(t *testing.T) {
	missing := Attempt{"libnvidia-ml.so.1", fs.ErrNotExist}
	broken := Attempt{"/opt/lib.so", errors.New("invalid ELF header")}
	if e := (&LoadError{Tried: []Attempt{missing, missing}}); !e.Missing() || e.Error() != "cannot load libnvidia-ml.so.1: file does not exist" {
		t.Errorf("nothing anywhere: %v, missing %v", e, e.Missing())
	}
	if e := (&LoadError{Tried: []Attempt{missing, broken}}); e.Missing() || e.Error() != "cannot load /opt/lib.so: invalid ELF header" {
		t.Errorf("one is broken: %v, missing %v", e, e.Missing())
	}
}

func TestReturnCodesHaveTheHeadersNumbers(t *testing.T) {
	for code, want := range map[Return]string{
		0: "success", 1: "uninitialised", 3: "not supported", 4: "no permission", 6: "not found", 9: "driver not loaded",
		12: "library not found", 13: "function not found", 15: "GPU is lost", 16: "reset required",
		18: "library and driver differ", 77: "error 77",
	} {
		if got := code.String(); got != want {
			t.Errorf("%d is %q, want %q", int32(code), got, want)
		}
	}
}

func TestTextEndsAtTheFirstZero(t *testing.T) {
	got, r := text(func(b *byte, n uint32) Return {
		if n != 96 {
			t.Errorf("room for %d bytes", n)
		}
		*b = 'H'
		return Success
	})
	if got != "H" || r != Success {
		t.Errorf("%q, %v", got, r)
	}
	if got, r := text(func(b *byte, _ uint32) Return { *b = 'H'; return NotSupported }); got != "" || r != NotSupported {
		t.Errorf("a call that failed gave %q, %v", got, r)
	}
}
