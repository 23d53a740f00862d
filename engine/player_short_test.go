package engine

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/runfile"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
)

// shortRunTakes is for how long shortRun has a load.
const shortRunTakes = 2200 * time.Millisecond

// shortRun is a small closed loop that was run to its end, once for all tests, and a copy of its file.
func shortRun(t *testing.T) (end *snapshot.Snapshot, path string) {
	t.Helper()
	run := ranShort()
	if run.err != nil {
		t.Fatal(run.err)
	}
	path = filepath.Join(t.TempDir(), "run.tdr")
	if err := os.WriteFile(path, run.file, 0o600); err != nil {
		t.Fatal(err)
	}
	return run.end, path
}

// shortRunKept is what there is of a run, to be looked at only.
type shortRunKept struct {
	end  *snapshot.Snapshot
	file []byte
	err  error
}

var ranShort = sync.OnceValue(func() (run shortRunKept) {
	run.end, run.file, run.err = recordShort()
	return run
})

// recordShort runs a small closed loop to its end and keeps it.
func recordShort() (end *snapshot.Snapshot, file []byte, err error) {
	server, err := sim.Start(sim.Config{TimeScale: 10})
	if err != nil {
		return nil, nil, err
	}
	defer server.Close()
	folder, err := os.MkdirTemp("", "tokdyno")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "run.tdr")
	cfg := closedLoop(server.URL(), 4)
	cfg.Budget.Duration = shortRunTakes
	cfg.Keep = &Keep{Version: "test", Open: func(h runfile.Header) (*runfile.Recorder, error) {
		return runfile.Create(path, h, runfile.Options{})
	}}
	eng, err := New(cfg)
	if err != nil {
		return nil, nil, err
	}
	if err = eng.Run(context.Background()); err != nil {
		return nil, nil, err
	}
	file, err = os.ReadFile(path)
	return eng.Snapshot(), file, err
}

// Finish goes to the end.
func (p *Player) Finish() error { return p.Seek(1<<63 - 1) }
