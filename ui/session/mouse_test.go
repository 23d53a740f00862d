package session

import "testing"

func TestTheMouseIsOffOverSSH(t *testing.T) {
	for _, variable := range []string{"", "SSH_CONNECTION", "SSH_TTY"} {
		env := func(key string) string { return map[string]string{variable: "10.0.0.1 5 10.0.0.2 22"}[key] }
		for m, want := range map[Mouse]bool{MouseAuto: variable == "", "": variable == "", MouseOn: true, MouseOff: false} {
			if got := m.on(env); got != want {
				t.Errorf("--mouse %q with %q set: %v", m, variable, got)
			}
		}
	}
}
