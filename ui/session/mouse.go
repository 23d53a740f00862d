// This file is whether the mouse does something.

package session

import "fmt"

// Mouse is when the mouse clicks and points in the console. While it does, the terminal selects text only with shift.
type Mouse string

// When it does.
const (
	MouseAuto Mouse = "auto" // but not over ssh, where each movement crosses the network
	MouseOn   Mouse = "on"
	MouseOff  Mouse = "off"
)

// ParseMouse reads it. The error is a sentence.
func ParseMouse(text string) (Mouse, error) {
	switch m := Mouse(text); m {
	case MouseAuto, MouseOn, MouseOff:
		return m, nil
	}
	return "", fmt.Errorf("%q is none of auto, on and off", text)
}

// on reports whether it does in an environment. The zero Mouse is MouseAuto.
func (m Mouse) on(getenv func(string) string) bool {
	if m == MouseOn || m == MouseOff {
		return m == MouseOn
	}
	return getenv("SSH_CONNECTION") == "" && getenv("SSH_TTY") == ""
}
