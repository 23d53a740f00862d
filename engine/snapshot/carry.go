// This file carries a change of knobs over to others.

package snapshot

import (
	"reflect"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
)

// Carry returns the knobs with what two settings differ in set as it is in the second; all else stays.
func (k Knobs) Carry(from, to Knobs) Knobs {
	carry(reflect.ValueOf(&k).Elem(), reflect.ValueOf(from), reflect.ValueOf(to))
	return k
}

// carry goes into what is turned field by field.
func carry(at, from, to reflect.Value) {
	switch at.Interface().(type) {
	case Knobs, load.Setting, shape.Shape:
		for i := range at.NumField() {
			carry(at.Field(i), from.Field(i), to.Field(i))
		}
	default:
		if !from.Equal(to) {
			at.Set(to)
		}
	}
}
