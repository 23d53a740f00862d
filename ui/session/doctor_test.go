package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/gpu"
	"tokdyno/ui/doctor"
)

// doctored is what doctor prints.
func doctored(t *testing.T, s Survey, std Streams) string {
	t.Helper()
	s.Look = func(context.Context, []string, gpu.Options) gpu.Survey {
		return gpu.Survey{Tried: []gpu.Tried{{Spec: "nvml", Reason: "no driver"}}}
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	std.In, std.Out, std.Version = out, out, "1.2.3"
	if err := Doctor(t.Context(), s, Look{}, std); err != nil {
		t.Error(err)
	}
	return content(t, out.Name())
}

func TestDoctorAsksThisMachine(t *testing.T) {
	text := doctored(t, Survey{}, Streams{Runs: filepath.Join(t.TempDir(), "runs")})
	for _, want := range []string{"! terminal", "no driver", "✓ kept runs", "arrival stamps"} {
		if !strings.Contains(strings.ReplaceAll(text, "+ ", "✓ "), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	text = doctored(t, Survey{JSON: true}, Streams{Runs: filepath.Join(t.TempDir(), "runs")})
	var got struct{ Checks []doctor.Finding }
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Checks) == 0 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAFolderThatIsAFileCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "runs")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writable(file); err == nil {
		t.Error("a file was taken for a folder")
	}
	if err := writable(""); err == nil {
		t.Error("no folder was taken for one")
	}
	folder := filepath.Join(t.TempDir(), "a", "runs")
	if err := writable(folder); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestTheClockIsLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got := tick(time.Now); got != 0 {
			t.Errorf("a clock that stands still steps by %s", got)
		}
		late := func(d time.Duration) { time.Sleep(d + 2*time.Millisecond) }
		if got := slept(time.Now, late); got != 3*time.Millisecond {
			t.Errorf("slept %s", got)
		}
	})
	at := time.Now()
	steps := func() time.Time { at = at.Add(7); return at }
	if got := tick(steps); got != 7 {
		t.Errorf("steps of %d ns, want 7", got)
	}
}
