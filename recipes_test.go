package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"

	"tokdyno/ui/session"
)

// commandLine is a command of tokdyno's in the documentation.
type commandLine struct {
	where  string
	args   []string
	output bool // what it prints stands below it
}

// TestEveryCommandInTheDocumentationIsOne parses the command lines of docs/ and of the README by the commands that there are.
func TestEveryCommandInTheDocumentationIsOne(t *testing.T) {
	lines := documented(t)
	recipes := 0
	for _, l := range lines {
		if err := parse(t, l.args); err != nil {
			t.Errorf("%s: tokdyno %s: %v", l.where, strings.Join(l.args, " "), err)
		}
		if strings.HasPrefix(l.where, filepath.Join("docs", "recipes")) && slices.Contains(l.args, "check") {
			recipes++
		}
	}
	if recipes != 5 || len(lines) < 20 {
		t.Errorf("%d command lines found, %d of them checks in recipes", len(lines), recipes)
	}
}

// documented are the command lines of docs/ and of the README, in their order.
func documented(t *testing.T) (lines []commandLine) {
	t.Helper()
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(path) == "keys.md" {
			return err
		}
		switch filepath.Ext(path) {
		case ".yml", ".yaml", ".service", ".md":
			lines = append(lines, commandLines(t, path)...)
		}
		return nil
	}
	if err := filepath.WalkDir("docs", walk); err != nil {
		t.Fatal(err)
	}
	return append(lines, commandLines(t, "README.md")...)
}

// parse reads a command line as the program would.
func parse(t *testing.T, args []string) error {
	t.Helper()
	root, err := newRoot(session.Streams{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// commandLines are those of a file: of a unit what it starts, of YAML the scripts and the containers, of Markdown what stands in
// blocks of code for a shell.
func commandLines(t *testing.T, path string) (list []commandLine) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	take := func(script string) {
		for _, line := range strings.Split(strings.ReplaceAll(script, "\\\n", " "), "\n") {
			line, output := strings.CutPrefix(strings.TrimSpace(line), "$ ")
			words := shellWords(line)
			if len(words) > 0 && filepath.Base(words[0]) == "tokdyno" && (len(words) > 1 || filepath.Ext(path) == ".md") {
				list = append(list, commandLine{path, words[1:], output})
			}
		}
	}
	switch filepath.Ext(path) {
	case ".service":
		for _, m := range regexp.MustCompile(`(?m)^Exec\w+=(.*)$`).FindAllStringSubmatch(string(text), -1) {
			take(strings.ReplaceAll(m[1], "%%", "%"))
		}
	case ".md":
		for _, m := range regexp.MustCompile("(?s)```(sh|console|)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			take(m[2])
		}
	default:
		for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var document any
			if err := documents.Decode(&document); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			walkYAML(document, take, func(args []string) { list = append(list, commandLine{path, args, false}) })
		}
	}
	return list
}

// walkYAML hands out every text, and the arguments of every container whose command is tokdyno.
func walkYAML(v any, script func(string), container func(args []string)) {
	switch v := v.(type) {
	case string:
		script(v)
	case []any:
		for _, e := range v {
			walkYAML(e, script, container)
		}
	case map[string]any:
		if command, ok := v["command"].([]any); ok && len(command) == 1 && command[0] == "tokdyno" {
			var args []string
			given, _ := v["args"].([]any)
			for _, a := range given {
				text, _ := a.(string)
				args = append(args, text)
			}
			container(args)
		}
		for _, e := range v {
			walkYAML(e, script, container)
		}
	}
}

// shellWords are the words of a simple command, up to a comment, a redirection or another command.
func shellWords(line string) (words []string) {
	word, open, quote := "", false, rune(0)
	end := func() {
		if open {
			words = append(words, word)
		}
		word, open = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			end()
		case strings.ContainsRune("|;&<>", r), r == '#' && !open:
			end()
			return words
		default:
			word, open = word+string(r), true
		}
	}
	end()
	return words
}

// TestSystemdTakesTheUnit has systemd look at the unit, where it is at hand.
func TestSystemdTakesTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze")
	}
	text, err := os.ReadFile(filepath.Join("docs", "recipes", "tokdyno-check.service"))
	if err != nil {
		t.Fatal(err)
	}
	// It looks for what is started, and for the units that are named.
	dir := t.TempDir()
	unit := filepath.Join(dir, "tokdyno-check.service")
	for path, text := range map[string]string{
		unit:                               strings.Replace(string(text), "/usr/local/bin/tokdyno", "/bin/true", 1),
		filepath.Join(dir, "vllm.service"): "[Service]\nExecStart=/bin/true\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput()
	if strings.Contains(string(out), "Failed to initialize manager") {
		t.Skipf("systemd-analyze can't run here: %s", out)
	}
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
