package gpu

import (
	"reflect"
	"testing"

	"tokdyno/gpu/optional"
)

// lostDevice is a device that fell off the bus.
func lostDevice(uuid string) Device {
	d := Device{UUID: uuid, Lost: true}
	for _, v := range d.Values() {
		*v = optional.NA(optional.ReasonLost)
	}
	return d
}

func TestEveryValueHasItsPlace(t *testing.T) {
	var d Device
	places := map[*optional.Value]bool{}
	for _, v := range d.Values() {
		places[v] = true
	}
	fields := reflect.ValueOf(&d).Elem()
	for i := range fields.NumField() {
		v, ok := fields.Field(i).Addr().Interface().(*optional.Value)
		if !ok {
			continue
		}
		if !places[v] {
			t.Errorf("%s is forgotten when something is done with each value", fields.Type().Field(i).Name)
		}
		delete(places, v)
	}
	if len(places) > 0 {
		t.Errorf("%d values are no fields", len(places))
	}
}
