// This file compares with golden files, and writes them anew with -update.

package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files: look at the difference before committing it")

// Check fails the test where got differs from the file of that name in testdata.
func Check(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got+"\n", "\n")); diff != "" {
		t.Errorf("%s differs from what it was (-want +got); -update rewrites it:\n%s", path, diff)
	}
}

// Page fails the test where a page under docs/ is not what is made of the program's own tables.
func Page(t *testing.T, name, made string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", name) // of a package two folders down, as all that have such a page
	if *update {
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != made {
		t.Errorf("%s is not what the tables say; go test -run %s -update in this folder rewrites it", path, t.Name())
	}
}
