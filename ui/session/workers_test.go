package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tokdyno/engine/remote"
	"tokdyno/engine/run"
)

func TestWorkersWhoseNATSIsNotThere(t *testing.T) {
	cfg, _ := config(t)
	of := noSources
	of.Workers = Workers{Joined: true, Link: remote.Link{URL: "nats://127.0.0.1:1"}}
	err := Check(t.Context(), cfg, of, Output{}, streams(t))
	if ExitStatus(err) != StatusEndpoint || !strings.Contains(err.Error(), "NATS at nats://127.0.0.1:1 can't be used") {
		t.Errorf("status %d, %v", ExitStatus(err), err)
	}
	if _, err := of.Workers.Find(t.Context()); ExitStatus(err) != StatusEndpoint {
		t.Errorf("a run to take over: status %d, %v", ExitStatus(err), err)
	}
}

func TestWorkersThatDoNotCome(t *testing.T) {
	link, stop, err := remote.Embed()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	cfg, _ := config(t)
	of := noSources
	of.Workers = Workers{Joined: true, Link: link, Least: 2, Wait: 50 * time.Millisecond}
	err = Check(t.Context(), cfg, of, Output{}, streams(t))
	if ExitStatus(err) != StatusEndpoint || !strings.Contains(err.Error(), "0 of 2 workers can begin after 50ms") {
		t.Errorf("status %d, %v", ExitStatus(err), err)
	}
}

// TestACheckByAWorker has a worker that has joined a NATS make the load of a check.
func TestACheckByAWorker(t *testing.T) {
	t.Parallel()
	link, stop, err := remote.Embed()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	conn, err := link.Connect("worker", false)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, leave := context.WithCancel(t.Context())
	var working sync.WaitGroup
	defer working.Wait()
	defer leave()
	working.Go(func() {
		if err := remote.NewWorker(conn, remote.WorkerConfig{Name: "one"}).Run(ctx); err != nil {
			t.Error(err)
		}
	})
	cfg, _ := config(t)
	of := noSources
	of.Workers = Workers{Joined: true, Link: link}
	file := filepath.Join(t.TempDir(), "result.json")
	if err := Check(t.Context(), cfg, of, Output{JSON: file}, streams(t)); ExitStatus(err) != StatusOK && ExitStatus(err) != StatusUntrusted {
		t.Errorf("status %d, %v", ExitStatus(err), err)
	}
	var r run.Report
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || r.Requests.OK != 100 || len(r.Workers) != 1 || r.Workers[0].Name != "one" {
		t.Errorf("%v: %s", err, text)
	}
}
