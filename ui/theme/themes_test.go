package theme_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"tokdyno/ui/theme"
)

func parse(t *testing.T, text string) theme.Look {
	t.Helper()
	look, err := theme.ParseLook(text)
	if err != nil {
		t.Fatal(err)
	}
	return look
}

// What a built-in theme says of itself can be written into a theme of one's own, and looks the same.
func TestLooksAreReadAsTheyAreWritten(t *testing.T) {
	for _, name := range theme.Names() {
		th := lookup(t, name)
		looks := make(map[theme.Role]theme.Look)
		for _, role := range theme.Roles() {
			looks[role.Role] = parse(t, th.Look(role.Role).String())
		}
		var all theme.Themes
		if err := all.Add("copy", theme.Mono, looks); err != nil {
			t.Fatal(err)
		}
		made, err := all.Lookup("copy")
		if err != nil {
			t.Fatal(err)
		}
		for _, role := range theme.Roles() {
			if got, want := made.Open(role.Role), th.Open(role.Role); got != want {
				t.Errorf("%s: %s is %q, want %q", name, role.Name, got, want)
			}
		}
	}
}

func TestALookIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":               "no colour",
		"red":            `"red" is no colour`,
		"#12":            `"#12" is no colour`,
		"256":            `"256" is no colour`,
		"#fff #000":      "two colours",
		"plain bold":     `"plain" is no colour`,
		"#123456 shiny":  `"shiny" is no colour`,
		"rgb(1, 2, 3)":   "no colour",
		"#GGGGGG":        "no colour",
		"bold underlien": `"underlien"`,
	} {
		if _, err := theme.ParseLook(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want it to say %q", text, err, says)
		}
	}
}

func TestAThemeOfOnesOwn(t *testing.T) {
	all := new(theme.Themes)
	if err := all.Add("mine", theme.Light, map[theme.Role]theme.Look{theme.Good: parse(t, "#0F0 bold"), theme.Muted: parse(t, "plain")}); err != nil {
		t.Fatal(err)
	}
	mine, err := theme.Choose(theme.Terminal{Flag: "mine", Themes: all})
	if err != nil {
		t.Fatal(err)
	}
	mine = mine.On(termenv.TrueColor)
	if got := mine.Open(theme.Good); got != "\x1b[1;38;2;0;255;0m" {
		t.Errorf("good is %q", got)
	}
	if got, want := mine.Open(theme.Bad), lookup(t, theme.Light).Open(theme.Bad); got != want {
		t.Errorf("bad is %q, want that of light, %q", got, want)
	}
	if got := mine.Open(theme.Muted); got != "" {
		t.Errorf("muted is %q", got)
	}
	dark, err := mine.Switch(theme.Dark)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := dark.Switch("mine"); err != nil || back.Open(theme.Good) != mine.Open(theme.Good) {
		t.Errorf("there is no way back: %v", err)
	}
	if !slices.Contains(dark.Names(), "mine") || slices.Contains(theme.Names(), "mine") {
		t.Errorf("the names are %v, and of those built in %v", dark.Names(), theme.Names())
	}
}

func TestAThemeThatCannotBeAdded(t *testing.T) {
	all := new(theme.Themes)
	if err := all.Add("mine", theme.Dark, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, base, says string }{
		{"dark", "light", "already"},
		{"mine", "light", "already"},
		{"my own", "light", "no name"},
		{"Mine", "light", "no name"},
		{"", "light", "no name"},
		{"other", "neon", "the themes are dark,"},
	} {
		if err := all.Add(theme.Name(tt.name), theme.Name(tt.base), nil); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q on %q: %v; want it to say %q", tt.name, tt.base, err, tt.says)
		}
	}
}

func TestTheConfigurationIsWeakerThanNoColor(t *testing.T) {
	env := func(key string) string { return map[string]string{"NO_COLOR": "1", "TERM": "xterm"}[key] }
	if th, _ := theme.Choose(theme.Terminal{Preferred: theme.Light, Getenv: env}); th.Name != theme.Mono {
		t.Errorf("NO_COLOR gives %s", th.Name)
	}
	if th, _ := theme.Choose(theme.Terminal{Preferred: theme.Light, Flag: theme.Dark, Getenv: env}); th.Name != theme.Dark {
		t.Errorf("the flag gives %s", th.Name)
	}
	if th, _ := theme.Choose(theme.Terminal{Preferred: theme.Light}); th.Name != theme.Light {
		t.Errorf("without either, it is %s", th.Name)
	}
}
