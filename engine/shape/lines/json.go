// This file says what is wrong with a line that ought to be a JSON object.

package lines

import (
	"errors"
	"fmt"

	"tokdyno/engine/jsonscan"
)

// CheckLine returns nil where b is one JSON object and nothing else (RFC 8259), but for white space around it.
func CheckLine(b []byte) error {
	s := jsonscan.New(b)
	if s.Peek() != '{' {
		return errors.New("not a JSON object")
	}
	n, err := jsonscan.Check(b)
	switch {
	case errors.Is(err, jsonscan.ErrShort):
		return fmt.Errorf("%w; a whole object has to stand on one line", err)
	case err != nil:
		return fmt.Errorf("%w at byte %d", err, n+1)
	}
	rest := jsonscan.New(b[n:])
	if !rest.End() {
		return fmt.Errorf("something follows its JSON at byte %d", n+rest.At()+1)
	}
	return nil
}
