// This file writes JSON objects whose keys have an order.

package peers

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
)

// object is a JSON object whose keys have an order.
type object []member

type member struct {
	key   string
	value any // what is fit for JSON, an object, or what follows; a float64 that is NaN or infinite is null
}

// numbers are written without a value for each in between: there are millions of them.
type numbers []float64

// rows are lists of numbers.
type rows []numbers

func (o *object) add(key string, value any) { *o = append(*o, member{key, value}) }

// write writes a value and a line's end.
func write(w io.Writer, value any) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if err := put(out, value); err != nil {
		return err
	}
	_ = out.WriteByte('\n') // Flush tells
	return out.Flush()
}

// put writes a value; what writing meets, Flush tells.
func put(out *bufio.Writer, value any) error {
	switch v := value.(type) {
	case float64:
		_, _ = out.Write(number(out.AvailableBuffer(), v))
	case numbers:
		_ = out.WriteByte('[')
		for i, n := range v {
			if i > 0 {
				_, _ = out.WriteString(", ")
			}
			_, _ = out.Write(number(out.AvailableBuffer(), n))
		}
		_ = out.WriteByte(']')
	case rows:
		return putList(out, len(v), func(i int) any { return v[i] })
	case []object:
		return putList(out, len(v), func(i int) any { return v[i] })
	case object:
		_ = out.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				_, _ = out.WriteString(", ")
			}
			_, _ = out.WriteString(strconv.Quote(m.key) + ": ")
			if err := put(out, m.value); err != nil {
				return err
			}
		}
		_ = out.WriteByte('}')
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		_, _ = out.Write(text)
	}
	return nil
}

func putList(out *bufio.Writer, n int, at func(int) any) error {
	_ = out.WriteByte('[')
	for i := range n {
		if i > 0 {
			_, _ = out.WriteString(", ")
		}
		if err := put(out, at(i)); err != nil {
			return err
		}
	}
	_ = out.WriteByte(']')
	return nil
}

func number(to []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(to, "null"...)
	}
	return strconv.AppendFloat(to, v, 'g', -1, 64)
}

// textOrNull is a text, or null where there is none.
func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
