package theme_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"tokdyno/ui/theme"
)

func lookup(t testing.TB, name theme.Name) theme.Theme {
	t.Helper()
	th, err := theme.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func TestLookupNamesTheThemesThereAre(t *testing.T) {
	for _, name := range theme.Names() {
		if got := lookup(t, name).Name; got != name {
			t.Errorf("Lookup(%q) is called %q", name, got)
		}
	}
	_, err := theme.Lookup("solarized")
	if err == nil || err.Error() != `unknown theme "solarized"; the themes are dark, light, mono, high-contrast, high-contrast-light` {
		t.Errorf("error = %v", err)
	}
}

func TestPaintIsOneRun(t *testing.T) {
	tests := []struct {
		name    theme.Name
		profile termenv.Profile
		role    theme.Role
		want    string
	}{
		{theme.Dark, termenv.TrueColor, theme.Series1, "\x1b[38;2;86;179;233mp50 ms\x1b[0m"},
		{theme.Dark, termenv.ANSI256, theme.Series1, "\x1b[38;5;74mp50 ms\x1b[0m"},
		{theme.Dark, termenv.ANSI, theme.Series1, "\x1b[96mp50 ms\x1b[0m"},
		{theme.Dark, termenv.TrueColor, theme.Text, "p50 ms"},
		{theme.Light, termenv.TrueColor, theme.Series2, "\x1b[38;2;143;95;0mp50 ms\x1b[0m"},
		{theme.Mono, termenv.ANSI, theme.Title, "\x1b[1mp50 ms\x1b[0m"},
		{theme.Mono, termenv.ANSI, theme.Simulated, "\x1b[7mp50 ms\x1b[0m"},
		{theme.Mono, termenv.Ascii, theme.Simulated, "p50 ms"},
		{theme.Dark, termenv.TrueColor, theme.Role(200), "p50 ms"},
	}
	for _, tt := range tests {
		th := lookup(t, tt.name).On(tt.profile)
		if got := th.Paint(tt.role, "p50 ms"); got != tt.want {
			t.Errorf("%s at %s, role %d: %q, want %q", tt.name, tt.profile.Name(), tt.role, got, tt.want)
		}
		if got := string(th.Append(nil, tt.role, "p50 ms")); got != tt.want {
			t.Errorf("Append differs from Paint: %q, want %q", got, tt.want)
		}
		if got := th.Open(tt.role) + "p50 ms" + th.Close(tt.role); got != tt.want {
			t.Errorf("Open and Close differ from Paint: %q, want %q", got, tt.want)
		}
		if got := th.Paint(tt.role, ""); got != "" {
			t.Errorf("nothing painted is %q", got)
		}
	}
}

// The roles that stand side by side in one page stay apart on every terminal that has colours.
func TestRolesStayApartWithFewColours(t *testing.T) {
	apart := []theme.Role{theme.Text, theme.Muted, theme.Series1, theme.Series2, theme.Good, theme.Bad, theme.Warn, theme.Accent}
	for _, name := range []theme.Name{theme.Dark, theme.Light, theme.HighContrast, theme.HighContrastLight} {
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
			th := lookup(t, name).On(profile)
			seen := make(map[string]theme.Role)
			for _, role := range apart {
				open := th.Open(role)
				if other, ok := seen[open]; ok {
					t.Errorf("%s at %s: roles %d and %d look the same, %q", name, profile.Name(), other, role, open)
				}
				seen[open] = role
			}
		}
	}
}

func TestNoBackgroundColours(t *testing.T) {
	for _, name := range theme.Names() {
		th := lookup(t, name)
		for role := theme.Text; role <= theme.Key; role++ {
			if open := th.Open(role); strings.Contains(open, "48;") {
				t.Errorf("%s: role %d sets a background: %q", name, role, open)
			}
		}
	}
}

// Contrast is that of WCAG 2.1: 4.5:1 is its level AA for text, 7:1 its level AAA. On a terminal of 16 colours it is the
// terminal's affair.
func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		name       theme.Name
		background string
		least      float64
	}{
		{theme.Dark, "#000000", 5.5},
		{theme.Light, "#FFFFFF", 5.5},
		{theme.HighContrast, "#000000", 7},
		{theme.HighContrastLight, "#FFFFFF", 7},
	} {
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			th, judged := lookup(t, tt.name).On(profile), 0
			for _, role := range theme.Roles() {
				colour, ok := foreground(t, th.Open(role.Role))
				if !ok {
					continue
				}
				judged++
				if profile == termenv.ANSI256 && tt.least < 7 {
					continue // chosen for the hue
				}
				if ratio := contrast(luminance(colour), luminance(termenv.RGBColor(tt.background))); ratio < tt.least {
					t.Errorf("%s at %s: %s has contrast %.1f:1", tt.name, profile.Name(), role.Name, ratio)
				}
			}
			if judged < 10 {
				t.Errorf("%s at %s: only %d roles have a colour", tt.name, profile.Name(), judged)
			}
		}
	}
}

func TestEveryRoleHasAName(t *testing.T) {
	seen := make(map[string]bool)
	for i, r := range theme.Roles() {
		if r.Role != theme.Role(i) || r.Name == "" || r.For == "" || seen[r.Name] {
			t.Errorf("role %d is %+v", i, r)
		}
		seen[r.Name] = true
	}
	if last := theme.Roles()[len(theme.Roles())-1]; last.Role != theme.Key {
		t.Errorf("the last one is %s", last.Name)
	}
}

func TestMonoHasNoColours(t *testing.T) {
	th := lookup(t, theme.Mono)
	for role := theme.Text; role <= theme.Key; role++ {
		if open := th.Open(role); strings.Contains(open, "3") || strings.Contains(open, "9") {
			t.Errorf("role %d sets a colour: %q", role, open)
		}
	}
}

func TestStatusIsGlyphAndWord(t *testing.T) {
	th := lookup(t, theme.Mono)
	for role, want := range map[theme.Role]string{
		theme.Good: "✓ ≤300", theme.Bad: "✗ ≤300", theme.Warn: "! ≤300", theme.Muted: "≤300",
	} {
		if got := ansi.Strip(th.Status(role, "≤300")); got != want {
			t.Errorf("status of role %d is %q, want %q", role, got, want)
		}
	}
}

func TestSwitchKeepsTheTerminal(t *testing.T) {
	th := lookup(t, theme.Dark).On(termenv.ANSI).With(theme.ASCII())
	light, err := th.Switch(theme.Light)
	if err != nil {
		t.Fatal(err)
	}
	if light.Name != theme.Light || light.Profile() != termenv.ANSI || light.Glyphs != theme.ASCII() {
		t.Errorf("switched to %q at %s, braille %v", light.Name, light.Profile().Name(), light.Glyphs.Braille)
	}
	same, err := th.Switch("neon")
	if err == nil || same != th {
		t.Errorf("an unknown name changed the theme (error %v)", err)
	}
}

func TestEveryGlyphIsOneCell(t *testing.T) {
	for name, glyphs := range map[string]theme.Glyphs{"unicode": theme.Unicode(), "ascii": theme.ASCII()} {
		each(reflect.ValueOf(glyphs), func(glyph string) {
			if ansi.StringWidth(glyph) != 1 {
				t.Errorf("%s: glyph %q is %d cells wide", name, glyph, ansi.StringWidth(glyph))
			}
			if name == "ascii" && (len(glyph) != 1 || glyph[0] < ' ' || glyph[0] > '~') {
				t.Errorf("glyph %q is not ASCII", glyph)
			}
		})
	}
}

func each(v reflect.Value, f func(string)) {
	switch v.Kind() {
	case reflect.String:
		f(v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			each(v.Field(i), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), f)
		}
	}
}

func BenchmarkPaint(b *testing.B) {
	th := lookup(b, theme.Dark)
	dst := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		dst = th.Append(dst[:0], theme.Series2, "287 ms")
	}
}

// foreground is the colour that an escape sequence sets; false where it sets none.
func foreground(t *testing.T, sgr string) (termenv.Color, bool) {
	t.Helper()
	if _, rgb, ok := strings.Cut(sgr, "38;2;"); ok {
		var r, g, b int
		if _, err := fmt.Sscanf(rgb, "%d;%d;%d", &r, &g, &b); err != nil {
			t.Fatalf("no colour in %q: %v", sgr, err)
		}
		return termenv.RGBColor(fmt.Sprintf("#%02x%02x%02x", r, g, b)), true
	}
	if _, number, ok := strings.Cut(sgr, "38;5;"); ok {
		var n int
		if _, err := fmt.Sscanf(number, "%d", &n); err != nil {
			t.Fatalf("no colour in %q: %v", sgr, err)
		}
		return termenv.ANSI256Color(n), true
	}
	return nil, false
}

func luminance(c termenv.Color) float64 {
	rgb := termenv.ConvertToRGB(c)
	return relative(rgb.R, rgb.G, rgb.B)
}

// relative is the relative luminance of WCAG 2.1.
func relative(r, g, b float64) float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast is the contrast ratio of WCAG 2.1.
func contrast(a, b float64) float64 {
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}
