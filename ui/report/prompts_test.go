package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
)

func TestTheReportSaysHowLongPromptsWere(t *testing.T) {
	asked, achieved := 512.0, 511.64
	for _, tt := range []struct {
		name    string
		prompts run.PromptLengths
		want    string
	}{
		{"counted", run.PromptLengths{Method: "/tokenize", N: 1069, Asked: &asked, Achieved: &achieved}, "prompts     /tokenize: asked for 512.0 tokens, got 511.6 on average (n=1,069)\n"},
		{"not counted", run.PromptLengths{Method: "usage"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := Write(&out, &run.Report{Prompts: tt.prompts}); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "prompts") {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}
