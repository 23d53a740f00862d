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
		{"counted", run.PromptLengths{Method: "/tokenize", N: 1069, Asked: &asked, Achieved: &achieved}, "prompts     /tokenize: asked for 512.0 tokens, got 511.6 on average, of 1,069 requests, the ramp's included\n"},
		{"not counted", run.PromptLengths{Method: "usage"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := printed(t, &run.Report{Prompts: tt.prompts}, 120); !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "prompts") {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}
