// This file is what a person said of a run.

package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"tokdyno/engine/wholefile"
)

// Said is what a person said of a run, and what came of it beside its report. The zero Said is nothing.
type Said struct {
	Name     string `json:"name,omitempty"`
	Baseline bool   `json:"baseline,omitempty"` // later runs are held against it
	Worse    bool   `json:"worse,omitempty"`    // than its baseline, by more than was allowed: it is not a good one for others
}

// stays reports whether the run is not to be pruned.
func (s Said) stays() bool { return s.Name != "" || s.Baseline }

const saidSuffix = ".json"

func said(path string) (s Said) {
	if text, err := os.ReadFile(path + saidSuffix); err == nil {
		_ = json.Unmarshal(text, &s) // what can't be read was not said
	}
	return s
}

func forget(path string) error {
	if err := os.Remove(path + saidSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Say puts down what a person said of a run. Nothing takes away what was said before.
func Say(path string, s Said) error {
	if s == (Said{}) {
		return forget(path)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	err = wholefile.Write(path+saidSuffix, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("what you say of the run can't be written: %w", err)
	}
	return nil
}

// CheckName says in a sentence why a run can't have a name.
func CheckName(name string) error {
	switch {
	case !regexp.MustCompile(`^[\pL\pN][\pL\pN._ -]{0,63}$`).MatchString(name):
		return fmt.Errorf("%q is no name for a run: it has up to 64 letters, digits, spaces and . _ -, and begins with one of the first two", name)
	case strings.HasPrefix(name, last):
		return fmt.Errorf("%q is no name for a run: last, last~1 and so on are the latest ones", name)
	case strings.HasSuffix(name, Suffix):
		return fmt.Errorf("%q is no name for a run: it looks like a file", name)
	}
	return nil
}
