package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tokdyno/ui/session"
)

// TestPackagesHaveAPageForEveryCommand makes the manual and the completions as a release does.
func TestPackagesHaveAPageForEveryCommand(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000") // in 2023
	folder := t.TempDir()
	root, err := newRoot(session.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	root.SetArgs([]string{"man", folder})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	read := func(parts ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{folder}, parts...)...))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for commands := []*cobra.Command{root}; len(commands) > 0; commands = commands[1:] {
		c := commands[0]
		commands = append(commands, c.Commands()...)
		if c.Hidden || c.Name() == "help" {
			continue
		}
		page := read("man1", strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		if !strings.Contains(page, c.Short) || !strings.Contains(page, `"Nov 2023"`) || strings.Contains(page, "```") {
			t.Errorf("the page of %s:\n%.300s", c.CommandPath(), page)
		}
	}
	if page := read("man1", "tokdyno-check.1"); !strings.Contains(page, "\n.EX\n  0  every SLO held") {
		t.Errorf("the statuses are no list:\n%.2000s", page)
	}
	for _, name := range []string{"tokdyno.bash", "_tokdyno", "tokdyno.fish", "tokdyno.ps1"} {
		if !strings.Contains(read("completions", name), "__complete") {
			t.Errorf("%s asks nothing of tokdyno", name)
		}
	}
}

// TestReleasesTakeFilesThatAreMade looks at the names of pages and completions in the configuration of releases.
func TestReleasesTakeFilesThatAreMade(t *testing.T) {
	folder := t.TempDir()
	root, err := newRoot(session.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	root.SetArgs([]string{"man", folder})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?:release/|[:-] )((?:man1|completions)/_?tokdyno[\w.-]*)`).FindAllStringSubmatch(string(text), -1)
	if len(names) < 10 {
		t.Errorf("only %q found", names)
	}
	for _, found := range names {
		name := strings.TrimSuffix(found[1], ".gz") // done by the release
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf(".goreleaser.yaml has %s: %v", name, err)
		}
	}
}
