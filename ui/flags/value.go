// This file holds flags of times and numbers, which are read as settings are.

package flags

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/units"
)

// unitValue is a flag whose text is read by package units.
type unitValue[T any] struct {
	to    *T
	read  func(text string) (T, error)
	write func(T) string
	kind  string
}

func (v *unitValue[T]) Set(text string) (err error) {
	next, err := v.read(text)
	if err == nil {
		*v.to = next
	}
	return err
}

func (v *unitValue[T]) String() string { return v.write(*v.to) }
func (v *unitValue[T]) Type() string   { return v.kind }

// explains says that the errors of Set are whole sentences.
func (v *unitValue[T]) explains() {}

// timeVar adds a flag of a time with its unit; the example is one that suits it. Off is 0, where it may be off.
func timeVar(f *pflag.FlagSet, to *time.Duration, name string, value time.Duration, example, usage string) {
	*to = value
	f.Var(&unitValue[time.Duration]{to, func(text string) (time.Duration, error) {
		if units.Off(text) {
			return 0, nil
		}
		return units.ParseTime(text, example)
	}, func(d time.Duration) string {
		if d == 0 {
			return ""
		}
		return units.Time(d)
	}, "time"}, name, usage)
}

// countVar adds a flag of a whole number. Off is 0, where it may be off.
func countVar(f *pflag.FlagSet, to *int, name string, value int, usage string, what ...string) {
	*to = value
	f.Var(&unitValue[int]{to, func(text string) (int, error) {
		if units.Off(text) {
			return 0, nil
		}
		n, err := units.ParseCount(text, what...)
		if err != nil {
			err = fmt.Errorf("%w; write it like 1,000", err)
		}
		return n, err
	}, units.Count, "int"}, name, usage)
}

// numberVar adds a flag of a number, which may be written as a factor.
func numberVar(f *pflag.FlagSet, to *float64, name string, value float64, usage string) {
	*to = value
	f.Var(&unitValue[float64]{to, func(text string) (float64, error) {
		v, err := units.ParseFactor(text)
		if err != nil {
			err = fmt.Errorf("%w; write it like 2 or 0.5", err)
		}
		return v, err
	}, units.Number, "float64"}, name, usage)
}
