package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goFiles returns the Go files of the project that are not tests, by folder.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && strings.HasPrefix(d.Name(), "."), d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			dir := filepath.ToSlash(filepath.Dir(path))
			found[dir] = append(found[dir], d.Name())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("only %d folders with Go files found", len(found))
	}
	return found
}

func TestEachPackageSaysWhatItsFilesAreFor(t *testing.T) {
	for dir, files := range goFiles(t) {
		if dir == "." {
			continue
		}
		doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		if err != nil {
			t.Errorf("%s has no doc.go", dir)
			continue
		}
		for _, name := range files {
			if name != "doc.go" && !regexp.MustCompile(`(?m)^//\t`+regexp.QuoteMeta(name)+`\s`).Match(doc) {
				t.Errorf("%s/doc.go does not say what %s is for", dir, name)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^//\t(\w+\.go)\s`).FindAllSubmatch(doc, -1) {
			if !slices.Contains(files, string(m[1])) {
				t.Errorf("%s/doc.go speaks of %s, which is not there", dir, m[1])
			}
		}
	}
}

func TestFilesHaveAReadableLength(t *testing.T) {
	const most = 420
	for dir, files := range goFiles(t) {
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), "\n"); n > most {
				t.Errorf("%s/%s has %d lines; divide it by subject", dir, name, n)
			}
		}
	}
}

// TestWhatIsHeavyIsKnownToFew keeps the network and the driver's library out of what shows or sums up figures: with them,
// every program, and each package's test is one, takes twice as long to link.
func TestWhatIsHeavyIsKnownToFew(t *testing.T) {
	devices := regexp.MustCompile(`^(\.|gpu|gpu/.*)$`)
	network := regexp.MustCompile(`^(\.|docs/examples|gpu/source|engine|engine/(wire|sim|expose|nearby|duel|remote|server/scrape)|ui/(session|flags|internal/indiscreet))$`)
	heavy := map[string]*regexp.Regexp{
		"tokdyno/gpu/source": devices, "tokdyno/gpu/nvml": devices,
		"net/http": network, "tokdyno/engine": network, "tokdyno/engine/wire": network, "tokdyno/engine/sim": network,
		"tokdyno/engine/server/scrape": network, "tokdyno/engine/nearby": network,
	}
	for dir, files := range goFiles(t) {
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range file.Imports {
				path, _ := strconv.Unquote(i.Path.Value)
				if known := heavy[path]; known != nil && !known.MatchString(dir) {
					t.Errorf("%s/%s imports %s", dir, name, path)
				}
			}
		}
	}
}

// forbidden are words that a new user stumbled over, each with what to write instead.
var forbidden = []struct{ word, instead string }{
	{`\bflying\b`, "running"},
	{`\blanded\b`, "done"},
	{`\b(let|lets) go\b`, "stopped"},
	{`\bleft off\b`, "cut short"},
	{`\bpresent level\b`, "current level"},
	{`95 ?% sure`, "95 % interval"},
	{`^\s*of A\s*$`, "change"},
	{`\bis at its end\b`, "the end of its range"},
	{`\bits target\b`, "target"},
	{`\bbinds\b`, "limited by"},
	{`^\s*ours\s*$`, "measured"},
	{`\bits queue\b`, "server queue"},
	{`\bnobody knows\b`, "unknown"},
	{`\bhand on any knob\b`, "turning a knob"},
	{`\boperating point\b`, "stage"},
	{`\bin the mean\b`, "on average"},
	{`\bas each level stood\b`, "when each verdict was reached"},
	{`\bE2E\b`, "E2EL"},
}

func TestNoPrivateWordsOnTheScreen(t *testing.T) {
	patterns := make([]*regexp.Regexp, len(forbidden))
	for i, f := range forbidden {
		patterns[i] = regexp.MustCompile(f.word)
	}
	check := func(where, text string) {
		for i, p := range patterns {
			if p.MatchString(text) {
				t.Errorf("%s: %q; write %q instead of %q", where, text, forbidden[i].instead, p.FindString(text))
			}
		}
	}
	set := token.NewFileSet()
	for dir, files := range goFiles(t) {
		for _, name := range files {
			file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				check(set.Position(lit.Pos()).String(), text)
				return true
			})
		}
	}
	for _, name := range pages(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(string(text), "\n") {
			check(name+":"+strconv.Itoa(i+1), l)
		}
	}
}
