package presets

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/snapshot"
)

const (
	dataText  = "Tell me about the sea.\nWhat is a queue?\n"
	traceText = `{"timestamp": 0, "input_length": 8, "output_length": 4, "hash_ids": [1]}` + "\n"
	dataYAML  = "title: T\nfor: testers\ndata: data.txt\n"
	traceYAML = "title: T\nfor: testers\ntrace: trace.jsonl\n"
)

// filesFolder holds a data set and a trace, and two presets of each.
func filesFolder(t *testing.T) (dir string, l *Library) {
	t.Helper()
	dir = folder(t, map[string]string{
		"data.txt": dataText, "data.yaml": dataYAML, "again.yaml": dataYAML + "concurrency: 8\n",
		"trace.jsonl": traceText, "trace.yaml": traceYAML, "replay.yaml": traceYAML + "concurrency: 8\n",
	})
	return dir, library(t, dir)
}

// picked returns a preset's knobs.
func picked(t *testing.T, l *Library, name string) snapshot.Knobs {
	t.Helper()
	p, err := l.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Knobs()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestPickingAPresetAgainChangesNothing(t *testing.T) {
	dir, l := filesFolder(t)
	for _, names := range [][]string{{"data", "again", filepath.Join(dir, "data.yaml")}, {"trace", "replay", filepath.Join(dir, "trace.yaml")}} {
		first := picked(t, l, names[0])
		if first.Shape.Data == nil && first.Load.Timetable == nil {
			t.Fatalf("%s opens nothing", names[0])
		}
		for _, name := range append(names, names[0]) {
			if again := picked(t, l, name); again != first {
				t.Errorf("%s: %+v, by %s: %+v", names[0], first, name, again)
			}
		}
	}
}

func TestSettingsShareWhatPresetsHaveOpened(t *testing.T) {
	dir, l := filesFolder(t)
	t.Chdir(dir)
	for name, value := range map[string]string{"data": "./data.txt", "trace": "../" + filepath.Base(dir) + "/trace.jsonl"} {
		want := picked(t, l, name)
		if got, err := l.Settings().Find(name).Set(Plain(), value); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", value, got, err, want)
		}
	}
}

func TestAFileThatHasChangedIsOpenedAgain(t *testing.T) {
	dir, l := filesFolder(t)
	for name, file := range map[string]string{"data": "data.txt", "trace": "trace.jsonl"} {
		path := filepath.Join(dir, file)
		before := picked(t, l, name)
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
		touched := picked(t, l, name)
		if touched == before {
			t.Errorf("%s: written to, and not read again", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, text...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
		if picked(t, l, name) == touched {
			t.Errorf("%s: longer, and not read again", name)
		}
		if data := before.Shape.Data; data != nil {
			if _, err := data.Item(0); err != nil {
				t.Errorf("a run may still use what was opened first: %v", err)
			}
		}
	}
}

func TestAFileThatIsGoneIsAnErrorThoughItWasOpened(t *testing.T) {
	dir, l := filesFolder(t)
	picked(t, l, "data")
	if err := os.Remove(filepath.Join(dir, "data.txt")); err != nil {
		t.Fatal(err)
	}
	p, err := l.Lookup("data")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Knobs(); err == nil {
		t.Error("it can be picked")
	}
}

func TestManyMayPickAtOnce(t *testing.T) {
	_, l := filesFolder(t)
	all := make([]snapshot.Knobs, 8)
	var pickers sync.WaitGroup
	p, err := l.Lookup("data")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		pickers.Go(func() { all[i], _ = p.Knobs() })
	}
	pickers.Wait()
	for _, k := range all {
		if k != all[0] || k.Shape.Data == nil {
			t.Errorf("%+v beside %+v", k, all[0])
		}
	}
}

// Editors put marks in front of a text, and some save UTF-16; a preset and what it names are read all the same.
func TestFilesOfEveryEditorAreRead(t *testing.T) {
	folder := t.TempDir()
	const text = "title: T\nfor: t\nprompt_tokens: 'file:lengths.txt'\n"
	wide := []byte{0xff, 0xfe}
	for _, c := range []byte(text) {
		wide = append(wide, c, 0)
	}
	for name, content := range map[string][]byte{
		"plain.yaml": []byte(text), "marked.yaml": []byte("\xef\xbb\xbf" + text), "wide.yaml": wide,
		"lengths.txt": []byte("\xef\xbb\xbf512\n1024\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	library, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plain", "marked", "wide"} {
		p, err := library.Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if k, err := p.Knobs(); err != nil || k.Shape.Prompt.String() != "file:"+filepath.Join(folder, "lengths.txt") {
			t.Errorf("%s: prompts of %s, %v", name, k.Shape.Prompt, err)
		}
	}
}
