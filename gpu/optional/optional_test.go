package optional

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestAnUnknownValueIsNeverZero(t *testing.T) {
	var none Value
	if none.OK() || none.Why() != "n/a" {
		t.Errorf("the zero Value: OK %v, %q", none.OK(), none.Why())
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if Of(v) != NA(ReasonNotANumber) {
			t.Errorf("%v is a value", v)
		}
	}
	if zero := Of(0); !zero.OK() || zero.Why() != "" || zero.Equal(none) {
		t.Error("a measured zero is no value")
	}
	for reason, want := range map[string]string{
		"": "n/a", ReasonNone: "n/a", ReasonFirstSample: "…", ReasonLost: "LOST", "permission": "n/a (permission)", "MIG": "n/a (MIG)",
	} {
		if got := NA(reason).Why(); got != want || NA(reason).OK() {
			t.Errorf("%q is shown as %q, want %q", reason, got, want)
		}
	}
}

func TestJSONKeepsAValueOrItsReason(t *testing.T) {
	for _, c := range []struct {
		value Value
		text  string
	}{
		{Of(0), `{"value":0}`},
		{Of(1.5), `{"value":1.5}`},
		{NA("permission"), `{"na":"permission"}`},
		{Value{}, `{"na":"n/a"}`},
	} {
		if text, err := json.Marshal(c.value); err != nil || string(text) != c.text {
			t.Errorf("%+v is written as %s, %v; want %s", c.value, text, err, c.text)
		}
	}
	for text, want := range map[string]Value{"null": NA(ReasonNone), "{}": NA(ReasonNone), `{"value":0}`: Of(0)} {
		got := Of(7)
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is read as %+v, %v; want %+v", text, got, err, want)
		}
	}
	if err := json.Unmarshal([]byte(`{"value":"1"}`), new(Value)); err == nil {
		t.Error("a text is a value")
	}
	rapid.Check(t, func(t *rapid.T) {
		want := NA(rapid.StringMatching(`[a-zA-Z/ +]{1,12}`).Draw(t, "reason"))
		if rapid.Bool().Draw(t, "known") {
			want = Of(rapid.Float64().Draw(t, "value"))
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Value
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%+v became %+v by %s (%v)", want, got, text, err)
		}
	})
}
