package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/engine/wholefile"
)

func TestEveryFormIsFoundByItsNameAndItsEnding(t *testing.T) {
	found(t, Reports())
	found(t, Comparisons())
}

func found[D any](t *testing.T, forms Table[D]) {
	t.Helper()
	for _, f := range forms.All() {
		if f.Says == "" || f.Write == nil {
			t.Errorf("%s: says %q", f.Name, f.Says)
		}
		if got, err := forms.Named(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("%s is %q, %v", f.Name, got.Name, err)
		}
		if got, err := forms.ForFile("x" + strings.ToUpper(f.Ending)); f.Ending != "" && (err != nil || got.Name != f.Name) {
			t.Errorf("%s is %q, %v", f.Ending, got.Name, err)
		}
	}
}

func TestAnUnknownFormIsAnsweredWithThoseThereAre(t *testing.T) {
	_, byName := Reports().Named("pdf")
	_, byFile := Reports().ForFile("x.pdf")
	_, without := Reports().ForFile("x")
	for _, err := range []error{byName, byFile, without} {
		if err == nil || !strings.Contains(err.Error(), "json") || !strings.Contains(err.Error(), " or ") {
			t.Errorf("%v", err)
		}
	}
}

func TestAFolderThatIsNotThereIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "missing", "x.txt")
	for _, err := range []error{wholefile.Writable(file), wholefile.Write(file, nil)} {
		if want := "there is no folder " + filepath.Dir(file); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAFileIsReplacedInOnePieceOrStays(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "x.txt"), filepath.Join(dir, "link.txt")
	if err := os.WriteFile(file, []byte("before"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	writes := func(err error) Form[run.Document] {
		return Form[run.Document]{Write: func(w io.Writer, _ *run.Document) error {
			if now, _ := os.ReadFile(file); string(now) != "before" {
				t.Errorf("while it is written, the file holds %q", now)
			}
			_, _ = io.WriteString(w, "after")
			return err
		}}
	}
	if err := writes(errors.New("no more")).Save(link, nil); err == nil {
		t.Error("no error")
	}
	if got, _ := os.ReadFile(file); string(got) != "before" {
		t.Errorf("after an error it holds %q", got)
	}
	if err := writes(nil).Save(link, nil); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	if info, err := os.Stat(file); string(got) != "after" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("it holds %q, %v, %v", got, info, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestLookingWhetherAFileCanBeWrittenLeavesEverythingAsItIs(t *testing.T) {
	dir := t.TempDir()
	if err := wholefile.Writable(filepath.Join(dir, "x.txt")); err != nil {
		t.Error(err)
	}
	for _, file := range []string{dir, filepath.Join(dir, "missing", "x.txt")} {
		if err := wholefile.Writable(file); err == nil {
			t.Errorf("%s: no error", file)
		}
	}
	if err := wholefile.Writable(os.DevNull); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestAFileInAFolderThatTakesNoOtherIsWrittenInPlace is for a file that is mounted alone.
func TestAFileInAFolderThatTakesNoOtherIsWrittenInPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.txt")
	if err := os.WriteFile(file, []byte("longer than what comes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if _, err := os.Create(filepath.Join(dir, "other")); err == nil {
		t.Skip("whoever runs this may write anywhere")
	}
	if err := wholefile.Writable(file); err != nil {
		t.Error(err)
	}
	f := Form[run.Document]{Write: func(w io.Writer, _ *run.Document) error {
		_, err := io.WriteString(w, "after")
		return err
	}}
	if err := f.Save(file, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "after" {
		t.Errorf("%q, %v", got, err)
	}
}

// oneRow is a source of one request.
type oneRow query.Row

func (r oneRow) EachRequest(_ query.Query, tell func(*query.Row) error) error {
	row := query.Row(r)
	return tell(&row)
}

func (oneRow) Requests(query.Query) *query.View { return new(query.View) }

func (oneRow) OpenRequest(uint64) (stats.Opened, bool) { return stats.Opened{}, false }

// TestATraceHasRequestsAndWhatMachinesDid reads a trace as a viewer does.
func TestATraceHasRequestsAndWhatMachinesDid(t *testing.T) {
	const second = record.Instant(time.Second)
	d := &run.Document{
		Last: &snapshot.Snapshot{
			GPUHistory:    []snapshot.GPUPoint{{At: second, SMActivePercent: 90, UtilPercent: math.NaN(), MemUsedFraction: 0.5, PowerW: math.NaN()}},
			ServerHistory: []snapshot.ServerPoint{{At: second, Running: 3, Waiting: 0, KVUsage: math.NaN()}},
		},
		Source: oneRow{ID: 7, Slot: 2, Began: second, Sent: second, First: 2 * second, Last: 3 * second, End: 3 * second},
	}
	f, err := Reports().Named("trace")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Name, Ph string
			TS, Dur  float64
			TID      int
			Args     map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for _, e := range file.TraceEvents {
		found[e.Name] = true
		switch e.Name {
		case "#7":
			if e.Ph != "X" || e.TID != 2 || math.Abs(e.TS-1e6) > 1 || math.Abs(e.Dur-2e6) > 1 {
				t.Errorf("the request is %+v", e)
			}
		case "GPU %":
			if e.Ph != "C" || len(e.Args) != 2 || e.Args["SM active"] != 90.0 || e.Args["memory"] != 50.0 {
				t.Errorf("the GPU is %+v", e)
			}
		}
	}
	for _, name := range []string{"#7", "wait", "GPU %", "server requests"} {
		if !found[name] {
			t.Errorf("there is no %q", name)
		}
	}
	for _, name := range []string{"GPU power W", "server KV cache %"} {
		if found[name] {
			t.Errorf("%q is not known", name)
		}
	}
	if err := f.Write(io.Discard, &run.Document{Last: d.Last}); err == nil {
		t.Error("a trace was written of no requests")
	}
}
