// This file tests the reading of values against encoding/json.

package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestWhole(t *testing.T) {
	for in, want := range map[string]int64{"0": 0, "12": 12, "-3": -3, "12.0": 12, "1.2e1": 12, "9007199254740991": 1<<53 - 1, "999999999999999": 999999999999999} {
		if got, ok := Whole([]byte(in)); got != want || !ok {
			t.Errorf("%s is read as %d, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "x", "1.5", "9007199254740992", "99999999999999999999", "1e300", "1e999", "NaN", "inf", "0x1p4", "1_0", `"12"`, "null"} {
		if got, ok := Whole([]byte(in)); ok {
			t.Errorf("%s is read as %d", in, got)
		}
	}
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		`"a b"`:            "a b",
		`"\"\\\/\n\u00e9"`: "\"\\/\né",
		`"\ud83d\ude00"`:   "😀",
		`"\ud83d"`:         "�",
		`12`:               "",
		``:                 "",
	} {
		if got := Decode([]byte(in)); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}

func TestNamesComeWithoutTheirEscapes(t *testing.T) {
	long := strings.Repeat("é", 40)
	for name := range Members([]byte(`{"r\u006fle":1}`)) {
		if string(name) != "role" {
			t.Errorf("%q", name)
		}
	}
	for name := range Members([]byte(`{"\/` + long + `":1}`)) {
		if string(name) != "/"+long {
			t.Errorf("%q", name)
		}
	}
}

func TestWhatFollowsAFaultIsNotReturned(t *testing.T) {
	for in, want := range map[string]int{
		`{"a":1,"b":2}`: 2, `{"a":1,"b":2`: 2, `{"a":1,"b":x,"c":3}`: 1, `{"a":1 "b":2}`: 1, `{"a":1,b:2}`: 1, `["a"]`: 0, ``: 0,
	} {
		n := 0
		for name, value := range Members([]byte(in)) {
			n++
			if len(name) != 1 || !json.Valid(value) {
				t.Errorf("%s has the member %q: %q", in, name, value)
			}
		}
		if n != want {
			t.Errorf("%s has %d members, want %d", in, n, want)
		}
	}
	for in, want := range map[string]int{`[1,2]`: 2, `[1,2`: 2, `[1,x,3]`: 1, `[1 2]`: 1, `{}`: 0, ``: 0} {
		n := 0
		for range Elements([]byte(in)) {
			n++
		}
		if n != want {
			t.Errorf("%s has %d elements, want %d", in, n, want)
		}
	}
}

func TestReadingDoesNotAllocate(t *testing.T) {
	text := []byte(`{"id":"a1","n":12,"turns":[{"from":"human","value":"a\n"},{"from":"gpt","value":null}]}`)
	if n := testing.AllocsPerRun(10, func() {
		if _, err := Check(text); err != nil {
			t.Error(err)
		}
		for _, turns := range Members(text) {
			for turn := range Elements(turns) {
				for _, value := range Members(turn) {
					Text(value)
				}
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzCheck holds the grammar against encoding/json's, and cuts: every beginning of valid JSON is short or valid, but
// never malformed.
func FuzzCheck(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := Check(b)
		valid := err == nil && len(bytes.TrimLeft(b[n:], " \t\r\n")) == 0
		if deep := bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > MaxDepth; !deep && valid != json.Valid(b) {
			t.Fatalf("%q: %d, %v; encoding/json says %v", b, n, err, json.Valid(b))
		}
		if n < 0 || n > len(b) || errors.Is(err, ErrShort) && n != len(b) {
			t.Fatalf("%q: %d, %v", b, n, err)
		}
		if !valid || !utf8.Valid(b) {
			return
		}
		for i := range min(n, 200) {
			if _, err := Check(b[:i]); err != nil && !errors.Is(err, ErrShort) {
				t.Fatalf("%q is valid, but its first %d bytes are %v", b, i, err)
			}
		}
		walk(t, b[:n])
	})
}

// walk holds Members, Elements and Text against encoding/json, all the way down.
func walk(t *testing.T, value []byte) {
	var names []string
	members := map[string]json.RawMessage{}
	for name, v := range Members(value) {
		if !json.Valid(v) {
			t.Fatalf("%q has the member %q: %q", value, name, v)
		}
		names = append(names, string(name))
		members[string(name)] = v
		walk(t, v)
	}
	elements := 0
	for v := range Elements(value) {
		elements++
		walk(t, v)
	}
	var wantMembers map[string]json.RawMessage
	if json.Unmarshal(value, &wantMembers) == nil && len(wantMembers) != len(members) {
		t.Fatalf("%q has the members %q, encoding/json finds %d", value, names, len(wantMembers))
	}
	for name, v := range wantMembers {
		if string(bytes.TrimSpace(v)) != string(members[name]) {
			t.Fatalf("%q: member %q is %q, want %q", value, name, members[name], v)
		}
	}
	var wantElements []json.RawMessage
	if json.Unmarshal(value, &wantElements) == nil && len(wantElements) != elements {
		t.Fatalf("%q has %d elements, encoding/json finds %d", value, elements, len(wantElements))
	}
	var text string
	if value := bytes.TrimLeft(value, " \t\r\n"); value[0] == '"' && json.Unmarshal(value, &text) == nil && Decode(value) != text {
		t.Fatalf("%q is %q, want %q", value, Decode(value), text)
	}
}

func TestWalkAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.StringMatching(`[a"\\{}\[\], é]{0,9}`)).Draw(t, "texts")
		value, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for v := range Elements(value) {
			got = append(got, Decode(v))
		}
		if strings.Join(got, "\x00") != strings.Join(texts, "\x00") || len(got) != len(texts) {
			t.Fatalf("%s is walked as %q", value, got)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	line := []byte(`{"id":"a1","conversations":[{"from":"human","value":"` + strings.Repeat(`some words\n`, 400) + `"}]}`)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Check(line); err != nil {
			b.Fatal("not valid")
		}
	}
}
