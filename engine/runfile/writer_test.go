package runfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestAFullDisk says so once, keeps what was written whole, and has nobody wait.
func TestAFullDisk(t *testing.T) {
	s := newScript(seeded(11), 200)
	data := kept(t, s, Options{})
	whole, _, err := opened(t, data)
	if err != nil {
		t.Fatal(err)
	}
	d := &disk{room: len(data) / 2}
	r, err := Record(d, Header{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.play(r)
	err = r.Close(nil, End{})
	if err == nil || !strings.Contains(err.Error(), "no space left") || r.Problem() != err.Error() {
		t.Errorf("closing says %v, the recorder %q", err, r.Problem())
	}
	batches, reader, err := opened(t, d.data)
	if err != nil || len(batches) == 0 || len(batches) >= len(whole) {
		t.Fatalf("%d of %d batches, %v", len(batches), len(whole), err)
	}
	if !strings.Contains(reader.Damage().Error(), "cut short") {
		t.Errorf("what was written is not whole: %v", reader.Damage())
	}
}

// TestASlowDisk has readings be left out before anything else, and says how many. Nobody waits, and nothing but them is
// lost.
func TestASlowDisk(t *testing.T) {
	s := newScript(seeded(12), 900)
	d := &disk{}
	r, err := Record(d, Header{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.shut = make(chan struct{})
	s.play(r)
	close(d.shut)
	if err := r.Close(nil, End{}); err != nil {
		t.Fatal(err)
	}
	batches, _, err := opened(t, d.data)
	if err != nil {
		t.Fatal(err)
	}
	ended, telemetry, folds := 0, 0, 0
	for _, b := range batches {
		ended += len(b.Ended)
		folds += len(b.Tick.Folds)
		if _, ok := b.Tick.Changed["gpu"]; ok {
			telemetry++
		}
	}
	last := batches[len(batches)-1].Tick
	if ended != 900 || folds != len(s.folds) || last.Thinned == 0 || telemetry == 0 || telemetry >= len(batches)-1 {
		t.Errorf("%d requests, %d folds, readings in %d of %d batches, %d said to be left out",
			ended, folds, telemetry, len(batches), last.Thinned)
	}
}

// TestADiskThatHangs ends the file, and frees what waited for it.
func TestADiskThatHangs(t *testing.T) {
	d := &disk{}
	r, err := Record(d, Header{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.shut = make(chan struct{})
	for now := record.Instant(1); now < record.Instant(3*longestWait); now += record.Instant(100 * time.Millisecond) {
		r.Folding(now)
		r.Tick(now, func() []Piece { return nil })
	}
	if !strings.Contains(r.Problem(), "did not take anything") {
		t.Errorf("problem %q", r.Problem())
	}
	slot := r.Begun(stats.Begun{ID: 1, Stage: 1, Started: 1}) // nobody minds
	r.Sent(slot, 2)
	r.Token(slot, record.Token{At: 3})
	r.Ended(slot, record.New(1))
	if len(r.batch.begun) > 0 || len(r.batch.tick.Folds) > 0 {
		t.Error("it goes on gathering")
	}
	close(d.shut)
	if err := r.Close(nil, End{}); err == nil {
		t.Error("closing has nothing to say")
	}
}

// TestAnUnfinishedFileLosesASecond reads a file while it is being written, as after kill -9: what is older than a second is
// there, of requests that still run as well.
func TestAnUnfinishedFileLosesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r, err := Record(d, Header{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		const ms = record.Instant(time.Millisecond)
		slot := r.Begun(stats.Begun{ID: 1, Stage: 1, Started: 1 * ms, InputGuess: 10})
		r.Sent(slot, 2*ms)
		for now := 100 * ms; now <= 5000*ms; now += 100 * ms {
			r.Token(slot, record.Token{At: now - ms, First: now == 100*ms, Opening: now == 100*ms, Gap: time.Duration(100 * ms)})
			r.Folding(now)
			r.Tick(now, func() []Piece { return nil })
			synctest.Wait()
			batches, _, err := opened(t, d.data)
			if err != nil {
				t.Fatal(err)
			}
			last := record.Instant(0)
			for _, b := range batches {
				for _, x := range b.Doings {
					last = x.Token.At
				}
			}
			if now-last > 1000*ms {
				t.Fatalf("at %v, the last that is kept is of %v", now, last)
			}
		}
		if err := r.Close(nil, End{}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestCreateNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.tdr")
	r, err := Create(path, Header{}, Options{})
	if err != nil || r.Path() != path {
		t.Fatal(err)
	}
	if err := r.Close(nil, End{Report: json.RawMessage("null")}); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, Header{}, Options{}); !os.IsExist(err) {
		t.Errorf("a second file of that name: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v: what was asked of an endpoint is nobody else's business", info.Mode(), err)
	}
}
