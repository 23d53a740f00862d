// Tests of the text and JSON forms of faults.

package sim

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		list []string
		want Faults
		text string // "" is the list, joined
	}{
		{"nothing", nil, Faults{}, "none"},
		{"none", []string{"none"}, Faults{}, "none"},
		{"white space", []string{" ", "\n"}, Faults{}, "none"},
		{"share", []string{"http_429=5%"}, Faults{HTTP429: Rejection{Share: 5}}, ""},
		{"fraction of a percent", []string{"disconnect=0.07%"}, Faults{Disconnect: 0.07}, ""},
		{"share and duration", []string{"stall_first=2%:3s"}, Faults{StallFirst: Stall{2, 3 * time.Second}}, ""},
		{"all of an optional tail", []string{"http_5xx=5%:500:1m30s"}, Faults{HTTP5xx: Rejection{5, 90 * time.Second}, HTTP5xxStatus: 500}, ""},
		{"some of an optional tail", []string{"http_5xx=5%:500"}, Faults{HTTP5xx: Rejection{Share: 5}, HTTP5xxStatus: 500}, ""},
		{"no tokens before an error", []string{"error_mid=1%:0"}, Faults{ErrorMid: Cut{Share: 1}}, ""},
		{"three parts", []string{"stall_mid=2%:250ms:1"}, Faults{StallMid: Stall{2, 250 * time.Millisecond}, StallMidAfter: 1}, ""},
		{"parameters", []string{"refuse=stream_options,max_tokens"}, Faults{Refuse: ParamStreamOptions | ParamMaxTokens}, ""},
		{"parameters in their own order", []string{"refuse=min_tokens,temperature:vllm"}, Faults{Refuse: ParamTemperature | ParamMinTokens, RefuseBody: RefuseVLLM}, "refuse=temperature,min_tokens:vllm"},
		{"hidden reasoning", []string{"reasoning=32:hidden"}, Faults{Reasoning: 32, ReasoningField: ReasoningHidden}, ""},
		{"several", []string{"crlf", "chunk_tokens=4"}, Faults{ChunkTokens: 4, CRLF: true}, "chunk_tokens=4 crlf"},
		{"several in one", []string{"role_early\n no_usage", "slow_close=1s"}, Faults{RoleEarly: true, NoUsage: true, SlowClose: time.Second}, "role_early no_usage slow_close=1s"},
		{"shares that fill up", []string{"disconnect=33.3% http_429=33.3% error_mid=33.3%:1 truncate_mid=0.1%:1"}, Faults{
			Disconnect: 33.3, HTTP429: Rejection{Share: 33.3}, ErrorMid: Cut{33.3, 1}, TruncateMid: Cut{0.1, 1},
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseFaults(c.list)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			text := c.text
			if text == "" {
				text = strings.Join(c.list, " ")
			}
			if got.String() != text {
				t.Errorf("String is %q, want %q", got.String(), text)
			}
		})
	}
}

func TestParseFaultsSaysWhatThereIs(t *testing.T) {
	for _, c := range []struct{ item, says string }{
		{"htp_429=5%", `there is no fault "htp_429"; there are disconnect, http_429, `},
		{"none crlf", `there is no fault "none"`},
		{"=5%", `there is no fault ""`},
		{"http_429", "has the form http_429=SHARE[:RETRY_AFTER], such as http_429=5%:2s"},
		{"http_429=", "percentage above 0% and at most 100%"},
		{"http_429=5", `"5" is not a percentage`},
		{"http_429=0%", "percentage above 0%"},
		{"http_429=100.1%", "at most 100%"},
		{"http_429=NaN%", "percentage"},
		{"http_429=5%:2", `"2" is not a duration`},
		{"http_429=5%:1s:1s", "has the form"},
		{"http_5xx=5%:404", `"404" is not a status from 500 to 599`},
		{"error_mid=5%", "has the form error_mid=SHARE:TOKENS"},
		{"error_mid=5%:-1", `"-1" is not a number from 0`},
		{"stall_first=5%:-3s", "duration above 0"},
		{"stall_mid=5%:3s", "stall_mid=SHARE:DURATION:TOKENS"},
		{"chunk_tokens=0", "would do nothing"},
		{"chunk_tokens=9999999", "1048576"},
		{"refuse=top_p", "stream_options, continuous_usage_stats, max_tokens"},
		{"refuse=max_tokens:plain", "openai, vllm or fastapi"},
		{"reasoning=3:loud", "reasoning_content, reasoning, reasoning_details or hidden"},
		{"finish=STOP", "small letters"},
		{"least_output=16:loud", "named, renamed or unfinished"},
		{"finish=", "would do nothing"},
		{"role_early=yes", "takes no value"},
		{"crlf crlf", "crlf is given twice"},
		{"disconnect=60% http_429=50%", "add up to 110%"},
	} {
		_, err := ParseFaults([]string{c.item})
		if err == nil {
			t.Errorf("%s: no error", c.item)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant it to say %s", c.item, err, c.says)
		}
	}
}

func TestEveryFaultInTheListHasAnExampleThatIsRead(t *testing.T) {
	all := Faults{}
	for _, info := range FaultList() {
		f, err := ParseFaults([]string{info.Example})
		if err != nil {
			t.Error(err)
		}
		name, _, _ := strings.Cut(info.Form, "=")
		if f == (Faults{}) || f.String() != info.Example || name != info.Name || info.Does == "" {
			t.Errorf("%+v makes %q", info, f)
		}
		if err := all.set(info.Name, strings.TrimPrefix(strings.TrimPrefix(info.Example, name), "="), strings.Contains(info.Example, "=")); err != nil {
			t.Error(err)
		}
	}
	// Every field of Faults can be set by text.
	rest := all
	for _, one := range faultTable() {
		for _, field := range one.fields(&rest) {
			if isZero(field) {
				t.Errorf("%s: the example leaves a value out", one.Name)
			}
			clearValue(field)
		}
	}
	if rest != (Faults{}) || len(all.items()) != len(FaultList()) {
		t.Errorf("fields that no fault sets: %+v", rest)
	}
}

// clearValue sets a field to its zero value.
func clearValue(field any) {
	switch to := field.(type) {
	case *bool:
		*to = false
	case *Percent:
		*to = 0
	case *time.Duration:
		*to = 0
	case *int:
		*to = 0
	case *serverStatus:
		*to = 0
	case *Parameters:
		*to = 0
	case *RefusalBody:
		*to = ""
	case *ReasoningField:
		*to = ""
	case *UsageForm:
		*to = ""
	case *ErrorForm:
		*to = ""
	case *pageStatus:
		*to = 0
	case *FinishReason:
		*to = ""
	case *LeastWords:
		*to = ""
	}
}

// anyFaults draws faults as ParseFaults may return them.
func anyFaults(t *rapid.T) Faults {
	var f Faults
	for _, one := range faultTable() {
		if !rapid.Bool().Draw(t, one.Name) {
			continue
		}
		for i, field := range one.fields(&f) {
			if i > 0 && i >= one.needs && rapid.Bool().Draw(t, "left out") {
				break
			}
			switch to := field.(type) {
			case *bool:
				*to = true
			case *Percent:
				*to = Percent(rapid.Float64Range(1e-9, 20).Draw(t, "share"))
			case *time.Duration:
				*to = time.Duration(rapid.Int64Range(1, int64(maxFaultTime)).Draw(t, "duration"))
			case *int:
				*to = rapid.IntRange(1, maxFaultTokens).Draw(t, "tokens")
			case *serverStatus:
				*to = serverStatus(rapid.IntRange(500, 599).Draw(t, "status"))
			case *Parameters:
				*to = Parameters(rapid.IntRange(1, 1<<len(parameterNames)-1).Draw(t, "parameters"))
			case *RefusalBody:
				*to = rapid.SampledFrom([]RefusalBody{RefuseOpenAI, RefuseVLLM, RefuseFastAPI}).Draw(t, "body")
			case *ReasoningField:
				*to = rapid.SampledFrom([]ReasoningField{ReasoningContent, ReasoningPlain, ReasoningDetails, ReasoningHidden}).Draw(t, "field")
			case *ErrorForm:
				*to = rapid.SampledFrom([]ErrorForm{ErrorCode, ErrorBaseResp}).Draw(t, "form")
			case *pageStatus:
				*to = pageStatus(rapid.IntRange(200, 599).Draw(t, "status"))
			case *UsageForm:
				*to = rapid.SampledFrom([]UsageForm{UsageInput, UsageStrings, UsageBelow, UsageUncached}).Draw(t, "form")
			case *FinishReason:
				*to = FinishReason(rapid.StringMatching("[a-z_]{1,20}").Draw(t, "reason"))
			}
		}
	}
	return f
}

func TestFaultsSurviveTheirTextAndJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFaults(t)
		got, err := ParseFaults([]string{f.String()})
		if err != nil || got != f {
			t.Fatalf("%s: %v\n%s", f, err, cmp.Diff(f, got))
		}
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		var back Faults
		if err := json.Unmarshal(text, &back); err != nil || back != f {
			t.Fatalf("%s: %v\n%s", text, err, cmp.Diff(f, back))
		}
	})
}

func TestFaultsAsJSON(t *testing.T) {
	text, err := json.Marshal(Faults{HTTP429: Rejection{Share: 5}, ChunkTokens: 4, RoleEarly: true})
	if err != nil || string(text) != `{"chunk_tokens":"4","http_429":"5%","role_early":true}` {
		t.Errorf("%s, %v", text, err)
	}
	for _, c := range []struct{ text, want string }{
		{`{}`, "none"},
		{`{"chunk_tokens":4}`, "chunk_tokens=4"},
		{`{"crlf":false,"comments":true}`, "comments"},
		{`{"http_429":"5%:2s"}`, "http_429=5%:2s"},
		{`[]`, "! faults are a JSON object"},
		{`{"crlf":"yes"}`, "! takes no value"},
		{`{"http_429":null}`, "! has the form"},
		{`{"http_429":"5% crlf"}`, "! has the form"},
		{`{"":true}`, "! there is no fault"},
		{`{"crlf comments":true}`, "! there is no fault"},
	} {
		var f Faults
		err := json.Unmarshal([]byte(c.text), &f)
		if says, fails := strings.CutPrefix(c.want, "! "); fails {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", c.text, err, says)
			}
			continue
		}
		if err != nil || f.String() != c.want {
			t.Errorf("%s: %s, %v", c.text, f, err)
		}
	}
}

func FuzzParseFaults(f *testing.F) {
	for _, info := range FaultList() {
		f.Add(info.Example)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseFaults([]string{text})
		if err != nil {
			if got != (Faults{}) || err.Error() == "" || strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("%+v, %q", got, err)
			}
			return
		}
		again, err := ParseFaults([]string{got.String()})
		if err != nil || again != got {
			t.Errorf("%q became %q: %v", text, got, err)
		}
	})
}
