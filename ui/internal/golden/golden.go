// Package golden compares what tests draw with what was looked at and found good.
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

// Update reports whether the files are to be rewritten.
func Update() bool { return *update }

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

// Sizes calls check with sizes from 1×1 up: with every size near the smallest that shows anything, again for each of the
// given number of scenes, and with a sample of the others, of which the test's own measure of time decides how thin it is.
func Sizes(leastWidth, leastHeight, scenes, thin int, check func(w, h int)) {
	for h := 1; h <= 20; h++ {
		for w := 1; w <= 60; w++ {
			if h >= leastHeight-1 && w >= leastWidth-1 {
				for range scenes {
					check(w, h)
				}
			} else if (h+w)%thin == 0 {
				check(w, h)
			}
		}
	}
	for h := 21; h <= 70; h += 12 {
		for w := 60; w <= 250; w += 29 {
			check(w, h)
		}
	}
}
