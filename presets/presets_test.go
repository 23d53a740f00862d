package presets

import (
	"strings"
	"testing"
)

func TestEveryPresetIsSound(t *testing.T) {
	names := Names()
	if len(names) == 0 {
		t.Fatal("there are no presets")
	}
	for _, name := range names {
		p, err := Lookup(name)
		if err != nil || p.Name != name {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestErrorsSayWhatIsWrongAndWhere(t *testing.T) {
	const sound = "title: T\nfor: testers\nprompt_tokens: 512\noutput_tokens: 128\nconcurrency: 8\n"
	tests := []struct {
		name, text string
		says       []string
	}{
		{"sound", sound, nil},
		{"unknown key", sound + "concurency: 9\n", []string{"[6:1]", "concurency"}},
		{"not a number", strings.Replace(sound, "concurrency: 8", "concurrency: many", 1), []string{"[5:14]", "Concurrency"}},
		{"bad length", strings.Replace(sound, "512", "lots", 1), []string{"prompt_tokens", "lots"}},
		{"out of range", strings.Replace(sound, ": 8", ": 0", 1), []string{"concurrency 0"}},
		{"bad SLO", sound + "slo: ttft=500\n", []string{"slo", "needs a unit"}},
		{"no title", strings.Replace(sound, "title: T\n", "", 1), []string{"title"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse("test", []byte(tt.text))
			if (err == nil) != (tt.says == nil) {
				t.Fatalf("error %v", err)
			}
			for _, want := range tt.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not name %q", err, want)
				}
			}
		})
	}
	if _, err := Lookup("nosuch"); err == nil || !strings.Contains(err.Error(), Demo) {
		t.Errorf("error %v, want it to name the presets there are", err)
	}
}
