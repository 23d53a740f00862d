// This file writes a document into a file.

package form

import (
	"io"

	"tokdyno/engine/wholefile"
)

// Save writes a document into a file, in place of what was there, or adds a row to that. Where that fails, what was there stays.
func (f Form[D]) Save(file string, d *D) error {
	if f.Add != nil {
		switch there, err := f.begun(file); {
		case err != nil:
			return err
		case there:
			return f.add(file, d)
		}
	}
	return wholefile.Write(file, func(w io.Writer) error { return f.Write(w, d) })
}
