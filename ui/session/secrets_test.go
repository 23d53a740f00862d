package session

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/ui/internal/indiscreet"
	"tokdyno/ui/report/form"
)

// TestNoSecretIsInAnyFile checks a server that quotes what it was sent, and looks for the secrets in all that this leaves: the
// kept run, as it is and decompressed, the records, the figures that were served, each form of the report, a comparison, and
// what is printed.
func TestNoSecretIsInAnyFile(t *testing.T) {
	t.Parallel()
	cfg, _ := config(t)
	cfg.Endpoint, cfg.Budget = indiscreet.Endpoint(t), load.Budget{Requests: 16}
	std, dir := streams(t), t.TempDir()
	std.Runs = filepath.Join(dir, "runs")
	cfg.Keep = Keeping{Texts: true}.To(std)
	output := Output{JSON: filepath.Join(dir, "result"), Records: filepath.Join(dir, "records")}
	for _, f := range form.Reports().All() {
		if f.Ending != "" {
			output.Reports = append(output.Reports, filepath.Join(dir, "report"+f.Ending))
		}
	}
	said := []error{Check(t.Context(), cfg, Sources{GPU: []string{"none"}}, output, std)}
	for _, f := range form.Reports().All() {
		said = append(said, Report(std, "last", ReportForm{File: filepath.Join(dir, "kept-"+f.Name), Format: f.Name}))
	}
	for _, f := range form.Comparisons().All() {
		c := Comparing{Noise: "5%", File: filepath.Join(dir, "compared-"+f.Name), Format: f.Name}
		said = append(said, Compare(std, "last", []string{"last"}, c))
	}
	said = append(said, NameRun(std, "last", "good"), ShowRun(std, "good"), ListRuns(std))

	all := map[string][]byte{"figures that are served": served(t), "standard output": []byte(text(t, std.Out)), "standard error": []byte(text(t, std.Err))}
	for _, err := range said {
		if err != nil {
			all["an error"] = append(all["an error"], err.Error()...)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[d.Name()] = append(data, unpacked(t, data)...)
		return err
	})
	if want := 4 + 4 + len(output.Reports) + len(form.Reports().All()) + len(form.Comparisons().All()); err != nil || len(all) != want {
		t.Fatalf("%v, %d files and texts, want %d", err, len(all), want)
	}
	for name, data := range all {
		if len(data) == 0 && !strings.HasPrefix(name, "standard error") {
			t.Errorf("%s is empty", name)
		}
		if i := bytes.Index(data, []byte(indiscreet.Secret)); i >= 0 {
			t.Errorf("a secret is in %s: %.120q", name, data[max(i-60, 0):])
		}
	}
	if page := all["kept-html"]; !bytes.Contains(page, []byte("Prompt and answer")) || !bytes.Contains(page, []byte("sig=…")) {
		t.Error("what requests said is not on the page of the recording")
	}
	if bytes.Contains(all["report.html"], []byte("Prompt and answer")) {
		t.Error("what requests said is on the page of a run")
	}
	if !bytes.Contains(all["report.txt"], []byte("sig=…")) {
		t.Error("the server's error texts are not in the report")
	}
}

// served is the page of figures of another such run.
func served(t *testing.T) []byte {
	t.Helper()
	cfg, _ := config(t)
	cfg.Endpoint = indiscreet.Endpoint(t)
	with := Output{Metrics: "127.0.0.1:0"}.beside(&cfg, streams(t))
	eng, err := engine.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	with.exporters[0].Follow(eng)
	if err := eng.Run(t.Context()); err != nil {
		t.Log(err)
	}
	page := httptest.NewRecorder()
	with.exporters[0].Handler().ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return page.Body.Bytes()
}

// unpacked is what is compressed in a run's file.
func unpacked(t *testing.T, data []byte) (all []byte) {
	t.Helper()
	plain, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for i := range data { // every frame, wherever it begins
		if bytes.HasPrefix(data[i:], []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			text, _ := plain.DecodeAll(data[i:], nil) // what follows the frame is none
			all = append(all, text...)
		}
	}
	return all
}
