package console

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Rooms know only those that stand below them, so that a page can't reach into another page, nor anything into the console.
func TestRoomsKnowOnlyWhatIsBelowThem(t *testing.T) {
	floor := map[string]int{
		"theme": 0, "chart": 1, "cell": 2, "page": 3, "figure": 4, "device": 5, "knob": 5, "report": 5,
		"live": 6, "curve": 6, "machine": 6, "requests": 6, "stages": 6, "journal": 6, "connect": 6, "doctor": 6, "picture": 6,
		"console": 7, "share": 8, "session": 9, "flags": 10, "config": 11,
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue // a test may look at several rooms, such as at all doors of a setting
		}
		room := filepath.Base(filepath.Dir(file))
		at, known := floor[room]
		if !known {
			at = floor["live"] // another page
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			other, ours := strings.CutPrefix(path, "tokdyno/ui/")
			if !ours || strings.HasPrefix(other, "internal/") {
				continue
			}
			other, _, _ = strings.Cut(other, "/") // what lies in a room is of its floor
			if below, ok := floor[other]; !ok && room != "console" || ok && below >= at && other != room {
				t.Errorf("%s imports %s, which is not below it", file, path)
			}
		}
	}
}
