// This file tests what is said of files that cannot be opened, and of lines that are skipped.

package lines

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ path, want string }{
		{dir, " is a directory; name a file in it"},
		{write("empty", ""), " is empty"},
		{write("a.gz", "\x1f\x8b\x08\x00"), " is packed with gzip; unpack it first, with gunzip"},
		{write("a.zst", "\x28\xb5\x2f\xfd"), " is packed with zstd; unpack it first, with unzstd"},
		{write("a.zip", "PK\x03\x04"), " is a zip archive; unpack it first, with unzip"},
		{write("a.parquet", "PAR1"), " is a Parquet file; write it as JSON lines first"},
		{write("wide.txt", "\xff\xfeh\x00"), " is UTF-16 text; save it as UTF-8 first"},
		{os.DevNull, " is a pipe or a device, which can be read only once; write it to a file first"},
	} {
		_, _, err := Open("data set", tt.path)
		if want := "data set " + tt.path + tt.want; err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestOpenKeepsTheCause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone")
	_, _, err := Open("trace", path)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want it to wrap fs.ErrNotExist", err)
	}
	if os.Geteuid() == 0 {
		return // root may read everything
	}
	if err := os.WriteFile(path, []byte("x"), 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open("trace", path); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v, want it to wrap fs.ErrPermission", err)
	}
}

func TestOpenLeavesTextToItsReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("hi"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, info, err := Open("data set", path)
	if err != nil || info.Size() != 2 {
		t.Fatal(info, err)
	}
	if entries := all(t, NewReader(file).Line); len(entries) != 1 || string(entries[0].Bytes) != "hi" {
		t.Errorf("%v", entries)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

func TestSkippedKeepsTheFirstFew(t *testing.T) {
	var s Skipped
	for i, want := range map[int]string{0: "", 1: "1 line skipped; line 1: bad", 8: "8 lines skipped; the first is line 1: bad"} {
		s = Skipped{}
		for line := range i {
			s.Add(line+1, errors.New("bad"))
		}
		if s.String() != want {
			t.Errorf("%d: %q, want %q", i, s, want)
		}
		if len(s.First) != min(i, keptFirst) {
			t.Errorf("%d of %d are kept", len(s.First), i)
		}
	}
}
