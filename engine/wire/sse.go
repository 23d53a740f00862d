// Lines to the fields of server-sent events.

package wire

import "bytes"

// field is the kind of a line of an event stream.
type field int

const (
	fieldBlank field = iota // ends the event
	fieldData
	fieldEvent // the event's name
	fieldOther // comments, ids, retry times and what nobody knows
)

// parseField splits a line of an event stream. One space after the colon belongs to the syntax; more are trimmed too,
// since JSON does not mind. A line that begins with a brace is taken for a data line whose "data:" was forgotten, as
// some gateways do with errors.
func parseField(line []byte) (field, []byte) {
	if len(line) == 0 {
		return fieldBlank, nil
	}
	if line[0] == '{' {
		return fieldData, line
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "data":
		return fieldData, bytes.Trim(value, " \t")
	case "event":
		return fieldEvent, bytes.Trim(value, " \t")
	}
	return fieldOther, nil
}
