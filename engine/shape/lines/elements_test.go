// This file tests how a JSON array is split into its elements, whole and damaged.

package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// shown writes entries as "element" and "line:fault!".
func shown(entries []Entry) string {
	var parts []string
	for _, e := range entries {
		if e.Fault == nil {
			parts = append(parts, string(e.Bytes))
		} else {
			parts = append(parts, fmt.Sprintf("%d:%v!", e.Line, e.Fault))
		}
	}
	return strings.Join(parts, " ")
}

func TestElements(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"none", "[]", ""},
		{"none, with space", " [ \n ] \n", ""},
		{"one", `[{"a":1}]`, `{"a":1}`},
		{"several", "[{\"a\":[1,{}]} ,\n {\"b\":\"]}\"}]\n", `{"a":[1,{}]} {"b":"]}"}`},
		{"all kinds", `[1,"x",null,[2],-3.5e1]`, `1 "x" null [2] -3.5e1`},
		{"byte order mark", "\xef\xbb\xbf[{}]", `{}`},
		{"malformed in the middle", "[{\"a\":1},\n{\"b\":tru},\n{\"c\":3}]", `{"a":1} 2:element 2 of the array is not valid JSON at byte 19 of the file! {"c":3}`},
		{"malformed at the end", `[{"a":1},{"b":}]`, `{"a":1} 1:element 2 of the array is not valid JSON at byte 15 of the file!`},
		{"a brace is missing", `[{"a":{"x":1},{"b":2},{"c":3}]`, `1:element 1 of the array is not valid JSON at byte 15 of the file! {"b":2} {"c":3}`},
		{"a quote is missing", "[{\"a\":\"x},\n{\"b\":\"y\"},\n{\"c\":3}]", `1:element 1 of the array is not valid JSON at byte 11 of the file! {"b":"y"} {"c":3}`},
		{"a quote too many", `[{"a":"x"y"},{"b":2}]`, `1:element 1 of the array is not valid JSON at byte 10 of the file! {"b":2}`},
		{"a comma is missing", `[{"a":1} {"b":2}]`, `{"a":1} 1:behind element 1 of the array there is something that does not belong there! {"b":2}`},
		{"a comma too many", `[{"a":1},,{"b":2}]`, `{"a":1} 1:behind element 1 of the array there is something that does not belong there! {"b":2}`},
		{"a comma before the end", `[{"a":1},]`, `{"a":1} 1:behind element 1 of the array there is something that does not belong there!`},
		{"a comma before the beginning", `[,{"a":1}]`, `1:at the beginning of the array there is something that does not belong there! {"a":1}`},
		{"no array", "x {}", `1:at the beginning of the array there is something that does not belong there! {}`},
		{"more behind the array", "[{}]\n{\"b\":2}", `{} 2:behind the end of the array there is something that does not belong there! {"b":2}`},
		{"cut short behind an element", `[{"a":1}`, `{"a":1} 1:the file ends before its array does!`},
		{"cut short behind a comma", `[{"a":1},`, `{"a":1} 1:the file ends before its array does!`},
		{"cut short within an element", "[{\"a\":1},\n{\"b\":\n\"x", `{"a":1} 3:the file ends within element 2 of the array!`},
		{"cut short within a number", `[12`, `12 1:the file ends before its array does!`},
		{"not UTF-8", "[{\"a\":\"\xff\"},{}]", `1:element 1 of the array: byte 7 is not valid UTF-8! {}`},
		{"nests too deep", "[" + strings.Repeat("[", 2000) + ",{\"a\":1}]", `1:element 1 of the array is not valid JSON at byte 1002 of the file! {"a":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(all(t, NewReader(strings.NewReader(tt.in)).Element)); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestElementTooLongIsPassedOver(t *testing.T) {
	for _, element := range []string{
		`{"b":"` + strings.Repeat("x", 1<<20-7) + `"}`,
		`{"b":"` + strings.Repeat("x", 3<<20) + `"}`,
		strings.Repeat("1", 3<<20),
		strings.Repeat("[1,", 300) + strings.Repeat("1,", 1<<20),
	} {
		in := `[{"a":1},` + element + `,{"c":3}]`
		want := `{"a":1} 1:element 2 of the array is longer than 1 MiB! {"c":3}`
		r := NewReader(strings.NewReader(in))
		r.limit = 1 << 20
		if got := shown(all(t, r.Element)); got != want {
			t.Errorf("of %d bytes: %.200s", len(element), got)
		}
	}
}

// TestElementsAreThoseOfTheFile splits arrays that are larger than the window, and finds each element at its place.
func TestElementsAreThoseOfTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []json.RawMessage
		for range rapid.IntRange(1, 20).Draw(t, "elements") {
			text := strings.Repeat(rapid.SampledFrom([]string{"x", `\"`, "]", "{", "é", "\n"}).Draw(t, "text"), rapid.IntRange(0, 20_000).Draw(t, "times"))
			value, err := json.Marshal(map[string]any{"a": []string{text}, "b": map[string]int{}})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, value)
		}
		file, err := json.MarshalIndent(want, "", rapid.SampledFrom([]string{"", " "}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		entries := all(t, NewReader(iotest.HalfReader(bytes.NewReader(file))).Element)
		if len(entries) != len(want) {
			t.Fatalf("%d elements, want %d", len(entries), len(want))
		}
		for i, e := range entries {
			var compact bytes.Buffer
			if e.Fault != nil || json.Compact(&compact, e.Bytes) != nil || !bytes.Equal(compact.Bytes(), want[i]) {
				t.Fatalf("element %d: fault %v, %d bytes", i, e.Fault, len(e.Bytes))
			}
			line := 1 + bytes.Count(file[:e.Offset], []byte("\n"))
			if !bytes.HasPrefix(file[e.Offset:], e.Bytes) || e.Line != line || e.Element != i+1 {
				t.Fatalf("element %d is given as %d on line %d at %d", i+1, e.Element, e.Line, e.Offset)
			}
		}
	})
}

// FuzzElement holds arrays against encoding/json, and damaged ones to their bounds.
func FuzzElement(f *testing.F) {
	f.Fuzz(func(t *testing.T, file []byte) {
		r := NewReader(bytes.NewReader(file))
		entries := all(t, r.Element)
		if r.Offset() != int64(len(file)) {
			t.Fatalf("only %d of %d bytes passed", r.Offset(), len(file))
		}
		end, faults := int64(0), 0
		for _, e := range entries {
			if e.Line < 1 || e.Line > 1+bytes.Count(file, []byte("\n")) || e.Offset < end {
				t.Fatalf("%q on line %d at %d, after %d", e.Bytes, e.Line, e.Offset, end)
			}
			end = e.Offset + int64(len(e.Bytes))
			if e.Fault != nil {
				faults++
			} else if !json.Valid(e.Bytes) || !bytes.HasPrefix(file[e.Offset:], e.Bytes) {
				t.Fatalf("%q is not valid, or not in the file at %d", e.Bytes, e.Offset)
			}
		}
		var want []json.RawMessage
		plain := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
		isArray := json.Unmarshal(plain, &want) == nil && bytes.HasPrefix(bytes.TrimLeft(plain, " \t\r\n"), []byte("["))
		if isArray && len(entries) != len(want) || !isArray && faults == 0 {
			t.Fatalf("%d elements with %d faults, encoding/json has %d", len(entries), faults, len(want))
		}
	})
}

func BenchmarkElement(b *testing.B) {
	one := []byte(`{"id":"a1","conversations":[{"from":"human","value":"` + strings.Repeat(`some words\n`, 100) + `"}]},` + "\n")
	file := append([]byte("["), bytes.Repeat(one, 4_000)...)
	file = append(file, "{}]"...)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(file))
		for {
			if _, err := r.Element(); err != nil {
				break
			}
		}
	}
}
