// This file reads the rows that nvidia-smi writes.

package source

import (
	"slices"
	"strconv"
	"strings"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// smiField is a column: what it is called in a query, and where its value belongs.
type smiField struct {
	names []string // the newest first; nvidia-smi refuses a whole query for one name that it does not know
	value func(*gpu.Device) *optional.Value
}

// The columns that are no values. The name comes last, since it alone may contain commas.
const (
	smiIndex   = "index"
	smiUUID    = "uuid"
	smiMIG     = "mig.mode.current"
	smiReasons = "clocks_event_reasons.active"
	smiName    = "name"
)

// smiFields are all columns that are asked for. Figures are in MiB, percent, W, °C and MHz.
func smiFields() []smiField {
	none := func(*gpu.Device) *optional.Value { return nil }
	one := func(value func(*gpu.Device) *optional.Value, names ...string) smiField { return smiField{names, value} }
	return []smiField{
		one(none, smiIndex),
		one(none, smiUUID),
		one(func(d *gpu.Device) *optional.Value { return &d.MemUsedMiB }, "memory.used"),
		one(func(d *gpu.Device) *optional.Value { return &d.MemTotalMiB }, "memory.total"),
		one(func(d *gpu.Device) *optional.Value { return &d.MemReservedMiB }, "memory.reserved"),
		one(func(d *gpu.Device) *optional.Value { return &d.UtilPercent }, "utilization.gpu"),
		one(func(d *gpu.Device) *optional.Value { return &d.MemCopyUtil }, "utilization.memory"),
		one(func(d *gpu.Device) *optional.Value { return &d.PowerW }, "power.draw"),
		one(func(d *gpu.Device) *optional.Value { return &d.PowerLimitW }, "enforced.power.limit", "power.limit"),
		one(func(d *gpu.Device) *optional.Value { return &d.TempC }, "temperature.gpu"),
		one(func(d *gpu.Device) *optional.Value { return &d.SMClockMHz }, "clocks.sm"),
		one(func(d *gpu.Device) *optional.Value { return &d.SMClockMaxMHz }, "clocks.max.sm"),
		one(func(d *gpu.Device) *optional.Value { return &d.MemClockMHz }, "clocks.mem"),
		one(none, smiReasons, "clocks_throttle_reasons.active"),
		one(none, smiMIG),
		one(none, smiName),
	}
}

// smiWithout are the fields after nvidia-smi refused one by name: it goes by its older name, or is left out. ok is false if
// no field has that name, or if nothing can be read without it.
func smiWithout(fields []smiField, refused string) (_ []smiField, ok bool) {
	at := slices.IndexFunc(fields, func(f smiField) bool { return f.names[0] == refused })
	if at < 0 || refused == smiIndex || refused == smiName {
		return nil, false
	}
	fields = slices.Clone(fields)
	if older := fields[at].names[1:]; len(older) > 0 {
		fields[at].names = older
		return fields, true
	}
	return slices.Delete(fields, at, at+1), true
}

// smiRefused finds the field that nvidia-smi says it does not know.
func smiRefused(message string) (field string, ok bool) {
	_, rest, begun := strings.Cut(message, `Field "`)
	field, rest, ended := strings.Cut(rest, `"`)
	return field, begun && ended && strings.Contains(rest, "not a valid field")
}

// parseSMI reads a row; ok is false if the line is none, such as a message.
func parseSMI(line string, fields []smiField) (d gpu.Device, ok bool) {
	cells := strings.SplitN(line, ",", len(fields))
	if len(cells) != len(fields) {
		return gpu.Device{}, false
	}
	divided := false
	for i, f := range fields {
		cell := strings.ToValidUTF8(strings.TrimSpace(cells[i]), "\uFFFD")
		d.Lost = d.Lost || smiReason(cell) == optional.ReasonLost
		if v := f.value(&d); v != nil {
			*v = smiValue(cell)
			continue
		}
		switch f.names[0] {
		case smiIndex:
			index, err := strconv.ParseUint(cell, 10, 16)
			if err != nil {
				return gpu.Device{}, false
			}
			d.Index = int(index)
		case smiUUID:
			if smiReason(cell) == "" {
				d.UUID = properUUID(cell)
			}
		case smiName:
			d.Name = cell
			if cell == "" || smiReason(cell) != "" {
				d.Name = "GPU " + strconv.Itoa(d.Index)
			}
		case smiMIG:
			divided = cell == "Enabled"
		default:
			if set, err := strconv.ParseUint(strings.TrimPrefix(cell, "0x"), 16, 63); err == nil && strings.HasPrefix(cell, "0x") {
				d.ClockReasons = gpu.ClockReasons(set) | gpu.ClockReasonsKnown
			}
		}
	}
	for _, f := range smiFields() { // what was left out because this nvidia-smi does not know it
		if v := f.value(&d); v != nil && !v.OK() && v.NA == "" {
			*v = optional.NA(gpu.ReasonOldDriver)
		}
	}
	if divided {
		for _, v := range []*optional.Value{&d.UtilPercent, &d.MemCopyUtil} {
			if !v.OK() {
				*v = optional.NA(gpu.ReasonMIG)
			}
		}
	}
	explain(&d, gpu.ReasonNotInSMI)
	return d, true
}

// smiValue reads a cell: a number, a number with its unit, or words in brackets.
func smiValue(cell string) optional.Value {
	if reason := smiReason(cell); reason != "" {
		return optional.NA(reason)
	}
	number, _, _ := strings.Cut(cell, " ")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return optional.NA(gpu.ReasonUnreadable)
	}
	return optional.Of(v)
}

// smiReason is what words in place of a value mean; "" for what are no such words.
func smiReason(cell string) string {
	words := strings.ToLower(strings.Trim(cell, "[]"))
	switch {
	case words == "n/a", words == "not supported", words == "":
		return gpu.ReasonNotSupported
	case words == "gpu is lost":
		return optional.ReasonLost
	case strings.Contains(words, "permission"):
		return gpu.ReasonPermission
	case strings.Contains(words, "requires reset"), strings.Contains(words, "reset required"):
		return gpu.ReasonReset
	case strings.HasPrefix(cell, "["):
		return gpu.ReasonDriverError // [Unknown Error], [Not Found], and what else there may be
	default:
		return ""
	}
}
