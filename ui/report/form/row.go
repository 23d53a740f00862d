// This file adds a row to a table.

package form

import (
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"tokdyno/engine/wholefile"
)

var errOtherColumns = errors.New("its first line has other columns than a row of this tokdyno's; name another file")

// begun reports whether a file has the table's columns; it has not where it is empty or not there. The error says that something
// else is in it.
func (f Form[D]) begun(file string) (bool, error) {
	in, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	first, err := csv.NewReader(in).Read()
	switch {
	case err == io.EOF:
		return false, nil
	case err != nil || !slices.Equal(first, f.Columns()):
		return false, errOtherColumns
	}
	return true, nil
}

// add adds a row.
func (f Form[D]) add(file string, d *D) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return wholefile.Buffered(out, func(w io.Writer) error { return f.Add(w, d) })
}
