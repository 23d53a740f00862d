// This file puts the flag parser's errors into sentences.

package flags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// Explain says what a flag takes where the parser only says how it failed; other errors it returns as they are.
func Explain(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	if _, whole := invalid.GetFlag().Value.(interface{ explains() }); whole {
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
	}
	takes := map[string]string{
		"uint64": "a whole number that is not negative",
		"bool":   "true or false",
	}[invalid.GetFlag().Value.Type()]
	if takes == "" {
		return err
	}
	return fmt.Errorf("--%s takes %s, not %q", invalid.GetFlag().Name, takes, invalid.GetValue())
}
