// This file finds a run by what a person calls it.

package kept

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// last is the newest run; last~1 is the one before it.
const last = "last"

// Find finds the file of a run: "last", "last~2" for the one two before it, its name, its file in the folder, or any path.
// The error is a sentence.
func (r Runs) Find(what string) (path string, err error) {
	paths, err := r.paths()
	if err != nil {
		return "", err
	}
	if back, ok := strings.CutPrefix(what, last); ok && (back == "" || back[0] == '~') {
		return recent(paths, what, back)
	}
	for _, p := range paths {
		if name := said(p).Name; name != "" && name == what {
			return p, nil
		}
	}
	for _, p := range paths {
		if run := (Run{Path: p}); run.File() == strings.TrimSuffix(what, Suffix) {
			return p, nil
		}
	}
	switch info, err := os.Stat(what); {
	case err != nil:
	case info.Mode().IsRegular():
		return what, nil
	case info.IsDir():
		return "", fmt.Errorf("%q is a folder; give a run's file, or its name", what)
	default:
		return "", fmt.Errorf("%q is no file; a run is read from one", what)
	}
	return "", fmt.Errorf("there is no run %q: say last, last~1 for the one before it, a name, or a file; \"tokdyno runs\" lists them", what)
}

func recent(paths []string, what, back string) (string, error) {
	n := 0
	if back != "" {
		var err error
		if n, err = strconv.Atoi(back[1:]); err != nil || n < 0 {
			return "", fmt.Errorf("%q is no run: write last~1 for the one before the last", what)
		}
	}
	switch {
	case n < len(paths):
		return paths[n], nil
	case len(paths) == 0:
		return "", fmt.Errorf("there is no run %s: none is kept here so far", what)
	case len(paths) == 1:
		return "", fmt.Errorf("there is no run %s: one is kept here, which is last", what)
	}
	return "", fmt.Errorf("there is no run %s: %d are kept here, from last to last~%d", what, len(paths), len(paths)-1)
}
