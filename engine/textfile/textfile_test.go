package textfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadIsWhatAPersonWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	for written, want := range map[string]string{
		"sk-ä\n":                          "sk-ä\n",
		"\xef\xbb\xbfsk-ä\n":              "sk-ä\n",
		"\xff\xfes\x00k\x00-\x00\xe4\x00": "sk-ä", // as PowerShell and Notepad write it
		"\xfe\xff\x00s\x00k":              "sk",
		"":                                "",
		"\xef\xbb\xbf":                    "",
		"sk\xff\xfe":                      "sk\xff\xfe", // no mark: as it is
	} {
		if err := os.WriteFile(path, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(path, 1<<10); string(got) != want || err != nil {
			t.Errorf("%q is read as %q, %v; want %q", written, got, err, want)
		}
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 2049)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, 2048); err == nil || err.Error() != "it is larger than 2 KiB" {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
