package flags

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
)

func TestWhatADuelIs(t *testing.T) {
	for line, want := range map[string]struct {
		mode snapshot.DuelMode
		urls int
		err  string
	}{
		"a b":                       {"", 2, ""},
		"a b --spread":              {"", 2, ""},
		"a b --duel":                {snapshot.Together, 2, ""},
		"a b c --duel=alternate":    {snapshot.Alternate, 3, ""},
		"a b --duel alternate":      {snapshot.Alternate, 2, ""},
		"--duel together a b":       {snapshot.Together, 2, ""},
		"a --duel":                  {"", 0, "--duel needs two to 4 endpoints; got 1"},
		"a b c d e --duel":          {"", 0, "got 5"},
		"a b --duel=quick":          {"", 0, "--duel quick: a duel is together or alternate"},
		"a b --duel --spread":       {"", 0, "don't go together"},
		"a b --winner B":            {"", 0, "--winner needs --duel"},
		"a b --duel --turn 0s":      {"", 0, "--turn"},
		"a b --duel --winner B":     {snapshot.Together, 2, ""},
		"together b --duel b":       {snapshot.Together, 2, ""},
		"alternate b":               {"", 2, ""},
		"a b --duel --turn 1m30s":   {snapshot.Together, 2, ""},
		"a b --margin 3% --duel":    {snapshot.Together, 2, ""},
		"a b --duel --margin=3%":    {snapshot.Together, 2, ""},
		"a b --duel=together":       {snapshot.Together, 2, ""},
		"a b c d --duel --turn 10s": {snapshot.Together, 4, ""},
	} {
		t.Run(line, func(t *testing.T) {
			var d Duel
			f := pflag.NewFlagSet("", pflag.ContinueOnError)
			d.Bind(f)
			d.BindWinner(f)
			err := f.Parse(strings.Fields(line))
			var urls []string
			var of struct{ Mode snapshot.DuelMode }
			if err == nil {
				rest, duel, problem := d.Config(f.Args())
				urls, of.Mode, err = rest, duel.Mode, problem
			}
			if want.err != "" {
				if err == nil || !strings.Contains(err.Error(), want.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || of.Mode != want.mode || len(urls) != want.urls {
				t.Errorf("%v: %q of %v", err, of.Mode, urls)
			}
			if hint := d.Hint(urls); (hint != "") != (want.mode == "" && !strings.Contains(line, "--spread")) {
				t.Errorf("the hint is %q", hint)
			}
		})
	}
}

func TestTheSecondServerOfADemo(t *testing.T) {
	first, err := sim.LookupProfile("small-gpu")
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct {
		batch int
		name  string
		err   string
	}{
		"--duel":                   {8, "small-gpu", ""},
		"--duel --against h100-8b": {256, "h100-8b", ""},
		"--duel --against x":       {0, "", "no simulator profile"},
		"--against h100-8b":        {0, "", "--against needs --duel"},
		"--duel somewhere":         {0, "", "demo takes no endpoint"},
	} {
		t.Run(line, func(t *testing.T) {
			var d Demo
			f := pflag.NewFlagSet("", pflag.ContinueOnError)
			d.Bind(f)
			err := f.Parse(strings.Fields(line))
			var servers []sim.Config
			if err == nil {
				servers, _, err = d.Config(sim.Config{Profile: first}, f.Args())
			}
			if want.err != "" {
				if err == nil || !strings.Contains(err.Error(), want.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || len(servers) != 2 || servers[1].Profile.MaxNumSeqs != want.batch || servers[1].Profile.Name != want.name ||
				servers[0].Profile != first {
				t.Errorf("%v: %+v", err, servers)
			}
		})
	}
}

func TestModelsAreEachSidesOwn(t *testing.T) {
	for text, want := range map[string][2]string{
		"A=llama,B=qwen/qwen3": {"llama", "qwen/qwen3"}, "B=qwen": {"", "qwen"}, "llama": {"llama", "llama"}, "": {"", ""},
		"one,two": {"one,two", "one,two"},
	} {
		if a, b := modelOf(text, 0), modelOf(text, 1); a != want[0] || b != want[1] {
			t.Errorf("%q: A has %q, B has %q", text, a, b)
		}
	}
}

func TestSourcesNameASide(t *testing.T) {
	for text, want := range map[string]struct {
		side int
		rest string
	}{
		"A=nvml": {0, "nvml"}, "D=http://x/metrics?a=b": {3, "http://x/metrics?a=b"}, "nvml": {-1, "nvml"}, "E=x": {-1, "E=x"}, "A": {-1, "A"},
	} {
		if side, rest := sideOf(text); side != want.side || rest != want.rest {
			t.Errorf("%s: %d %q", text, side, rest)
		}
	}
}
