// This file tests what is said of lines that are no JSON objects.

package lines

import "testing"

func TestCheckLineSaysWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                           "",
		` {"a":[1,{"b":"\u00e9\\"}]} `: "",
		`[1]`:                          "not a JSON object",
		`hello`:                        "not a JSON object",
		``:                             "not a JSON object",
		`{"a":1`:                       "the JSON ends too early; a whole object has to stand on one line",
		`{"a":"b`:                      "the JSON ends too early; a whole object has to stand on one line",
		`{"a":"\u00`:                   "the JSON ends too early; a whole object has to stand on one line",
		`{"a":nil}`:                    "not valid JSON at byte 7",
		`{"a":01}`:                     "not valid JSON at byte 7",
		`{a:1}`:                        "not valid JSON at byte 2",
		`{"a":1,}`:                     "not valid JSON at byte 8",
		`{"a" 1}`:                      "not valid JSON at byte 6",
		"{\"a\":\"\t\"}":               "not valid JSON at byte 7",
		`{"a":"\x"}`:                   "not valid JSON at byte 8",
		`{"a":1} {}`:                   "something follows its JSON at byte 9",
	} {
		err := CheckLine([]byte(in))
		if got := message(err); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
