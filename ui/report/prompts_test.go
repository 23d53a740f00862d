package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
)

func TestTheReportSaysHowLongAnswersWere(t *testing.T) {
	asked, achieved, early := 128.0, 12.04, 1.0
	for want, a := range map[string]run.AnswerLengths{
		"answers     asked for 128.0 tokens, got 12.0 on average, of 60 requests; 100 % stopped early\n": {N: 60, Asked: &asked, Achieved: &achieved, Early: &early},
		"": {},
	} {
		if got := printed(t, &run.Report{Answers: a}, 120); !strings.Contains(got, want) || want == "" && strings.Contains(got, "answers") {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

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
