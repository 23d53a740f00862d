package query

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestATraceHasALaneForEachSlotAndItsPhases(t *testing.T) {
	c, _ := some(40)
	var out bytes.Buffer
	w := NewWriter(&out, "a.JSON")
	if err := Each(c.Ended(), Query{}, w.Row); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		TraceEvents []traceEvent
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	lanes, requests, phases := 0, 0, make(map[string]int)
	for _, e := range doc.TraceEvents {
		switch {
		case e.Ph == "M":
			lanes++
		case e.Cat == "request":
			requests++
			if e.Args["id"] == nil || e.Args["ttft_ms"] == nil || *e.Dur <= 0 {
				t.Errorf("a request says %v", e.Args)
			}
		case e.Cat == "phase":
			phases[e.Name]++
		}
	}
	if lanes != 8 || requests != 40 || phases["wait"] != 40 || phases["decode"] != 40 || phases["reasoning"] != 0 {
		t.Errorf("%d lanes, %d requests, phases %v", lanes, requests, phases)
	}
	out.Reset()
	if empty := NewWriter(&out, "b.json"); empty.Close() != nil || !json.Valid(out.Bytes()) {
		t.Errorf("without requests it is %q", out.String())
	}
}

// Lines and tables have the same figures under the same names.
func TestLinesAndTablesSayTheSame(t *testing.T) {
	c, _ := some(20)
	var text, table bytes.Buffer
	for w, out := range map[string]*bytes.Buffer{"a.jsonl": &text, "a.csv": &table} {
		if err := Each(c.Ended(), Query{}, NewWriter(out, w).Row); err != nil {
			t.Fatal(err)
		}
	}
	heads, _, _ := strings.Cut(table.String(), "\n")
	for line := range strings.Lines(text.String()) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, name := range strings.Split(heads, ",") {
			if _, ok := row[name]; !ok {
				t.Errorf("a line lacks %q", name)
			}
		}
		if len(row) != strings.Count(heads, ",")+1 {
			t.Errorf("a line has %d members, and the table %s", len(row), heads)
		}
	}
	if n := strings.Count(table.String(), "\n"); n != 21 {
		t.Errorf("the table has %d lines, want 21", n)
	}
}

// TestADuelsRowsSayTheirSide writes rows of two sides in each form; those of a run alone say none.
func TestADuelsRowsSayTheirSide(t *testing.T) {
	c, _ := some(3)
	for name, want := range map[string]string{
		"a.jsonl": `{"side":"B","id":`, "a.csv": "side,id,", "a.json": `"pid":2,"tid":1,"args":{"name":"B slot 1"}`,
	} {
		for _, sides := range []string{"AB", ""} {
			var out bytes.Buffer
			w := NewWriter(&out, name)
			for _, side := range strings.Split(sides, "") {
				if err := Each(c.Ended(), Query{}, func(r *Row) error { r.Side = side; return w.Row(r) }); err != nil {
					t.Fatal(err)
				}
			}
			if sides == "" {
				_ = Each(c.Ended(), Query{}, w.Row)
			}
			if has := strings.Contains(out.String(), want); has != (sides != "") {
				t.Errorf("%s of sides %q:\n%s", name, sides, out.String())
			}
		}
	}
}
