package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"

	"github.com/google/go-cmp/cmp"
)

// nowhere are options under which this machine has no NVML.
func nowhere(t *testing.T) gpu.Options {
	return gpu.Options{NVMLLib: filepath.Join(t.TempDir(), "none.so")}
}

func TestAutoTakesNVMLThenSMI(t *testing.T) {
	options := nowhere(t)
	program(t, "nvidia-smi", "echo '"+smiRowText+"'; exec sleep 60")
	src, tried := Open(t.Context(), nil, options)
	if src == nil {
		t.Fatal(tried)
	}
	defer src.Close()
	if src.Name() != "smi" || len(tried) != 2 || tried[0].Spec != "nvml" || tried[0].OK || tried[0].Reason == "" || tried[1] != (gpu.Tried{Spec: "smi", OK: true}) {
		t.Errorf("%s: %+v", src.Name(), tried)
	}
}

func TestAutoFindsNothing(t *testing.T) {
	options := nowhere(t)
	program(t, "nvidia-smi", "echo 'No devices were found'; exit 6")
	src, tried := Open(t.Context(), []string{"auto"}, options)
	if src != nil || len(tried) != 2 || tried[1] != (gpu.Tried{Spec: "smi", Reason: textNoDevices}) {
		t.Errorf("%v, %+v", src, tried)
	}
	t.Setenv("PATH", t.TempDir())
	if src, tried := Open(t.Context(), []string{"smi", "ssh:a", "x", "none"}, options); src != nil || !cmp.Equal(tried, []gpu.Tried{
		{Spec: "smi", Reason: "no nvidia-smi here"},
		{Spec: "ssh:a", Reason: "no ssh here"},
		{Spec: "x", Reason: `"x" is no GPU source: auto, nvml, smi, ssh:HOST, an exporter's URL, or none`},
	}) {
		t.Errorf("%v, %+v", src, tried)
	}
}

func TestLookListsWhatWasTriedAndRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprintln(w, `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u",Hostname="gpu-7"} 97`)
	}))
	defer server.Close()
	s := Look(t.Context(), []string{server.URL}, gpu.Options{})
	if s.Reading.Err != nil || len(s.Reading.Devices) != 1 || s.Reading.Source != "dcgm-exporter" || !cmp.Equal(s.Tried, []gpu.Tried{{Spec: server.URL, OK: true}}) {
		t.Errorf("%+v", s)
	}
	s = Look(t.Context(), []string{server.URL + "/wrong"}, gpu.Options{})
	if s.Reading.Err == nil || len(s.Tried) != 1 || s.Tried[0].OK || !strings.Contains(s.Tried[0].Reason, "404") {
		t.Errorf("%+v", s)
	}
	if text, err := json.Marshal(s); err != nil || !strings.Contains(string(text), `"tried":[{"spec":"`) {
		t.Errorf("%s, %v", text, err)
	}
	s = Look(t.Context(), []string{server.URL + "/wrong", server.URL}, gpu.Options{})
	if len(s.Reading.Devices) != 1 || s.Reading.Partial == nil || len(s.Tried) != 2 || s.Tried[0].OK || !s.Tried[1].OK ||
		!strings.Contains(s.Tried[0].Reason, "404") || s.Reading.Devices[0].Name != "gpu-7 GPU 0" {
		t.Errorf("%+v", s)
	}
	if s := Look(t.Context(), []string{"none"}, gpu.Options{}); s.Reading.Source != "" || s.Tried != nil {
		t.Errorf("%+v", s)
	}
}

// fixed is a source that always says the same, after a while.
type fixed struct {
	name    string
	devices []gpu.Device
	err     error
	after   time.Duration
	closed  bool
}

func (f *fixed) Name() string    { return f.name }
func (f *fixed) Simulated() bool { return false }
func (f *fixed) Close() error    { f.closed = true; return nil }
func (f *fixed) Read(ctx context.Context) ([]gpu.Device, error) {
	select {
	case <-time.After(f.after):
	case <-ctx.Done():
	}
	return f.devices, f.err
}

// stuck is a source of which every Read after the first hangs until it is let go, whatever its context says.
type stuck struct {
	letGo chan struct{}
	reads int
}

func (*stuck) Name() string    { return "stuck" }
func (*stuck) Simulated() bool { return false }
func (*stuck) Close() error    { return nil }
func (s *stuck) Read(context.Context) ([]gpu.Device, error) {
	if s.reads++; s.reads > 1 {
		<-s.letGo
	}
	return []gpu.Device{{UUID: "u", UtilPercent: optional.Of(float64(s.reads))}}, nil
}

func TestSeveralSourcesAreOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		local := &fixed{name: "nvml", devices: []gpu.Device{{Index: 0, UUID: "GPU-a", Name: "NVIDIA H100", UtilPercent: optional.Of(1)}}}
		far := &fixed{name: "ssh:b", devices: []gpu.Device{{Index: 0, UUID: "b", Name: "NVIDIA H200", UtilPercent: optional.Of(2)}}, after: 200 * time.Millisecond}
		page := &fixed{name: "dcgm-exporter", devices: []gpu.Device{
			{Index: 0, UUID: "GPU-a", Name: "NVIDIA H100", UtilPercent: optional.Of(9), SMActive: optional.Of(50), Host: "c.example"},
			{Index: 1, UUID: "c", Name: "NVIDIA A10", Host: "c.example"},
			{Index: 2, UUID: "b", Name: "a serial number twice", Host: "c.example"},
		}}
		broken := &fixed{name: "ssh:d", err: errors.New("connection refused")}
		src := newSeveral([]*member{{host: "a", src: local}, {host: "b", src: far}, {host: "c", src: page}, {host: "d", src: broken}})
		devices, err := src.Read(t.Context())
		if err == nil || err.Error() != "d: connection refused" {
			t.Errorf("what is missing: %v", err)
		}
		var names []string
		for _, d := range devices {
			names = append(names, d.Name)
		}
		if diff := cmp.Diff([]string{"a H100", "b H200", "c.example A10", "c.example a serial number twice"}, names); diff != "" {
			t.Error(diff)
		}
		if d := devices[0]; d.UtilPercent != optional.Of(1) || d.SMActive != optional.Of(50) || d.Host != "a" {
			t.Errorf("a device that two sources know: %+v", d)
		}
		if n := gpu.Count(devices); n != 4 || devices[3].UUID != "b/c.example" {
			t.Errorf("%d GPUs, the last is %q", n, devices[3].UUID)
		}
		if src.Name() != "nvml+ssh:b+dcgm-exporter+ssh:d" || src.Simulated() {
			t.Error(src.Name())
		}
		if local.devices[0].Name != "NVIDIA H100" {
			t.Error("a source's own devices were changed")
		}
		if err := src.Close(); err != nil || !local.closed || !broken.closed {
			t.Errorf("closed: %v", err)
		}
		if _, err := src.Read(t.Context()); err == nil {
			t.Error("a closed source is read")
		}
	})
}

func TestASourceThatHangsDoesNotHoldUpTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick := &fixed{name: "nvml", devices: []gpu.Device{{UUID: "a", Name: "x", UtilPercent: optional.Of(1)}}}
		hangs := &stuck{letGo: make(chan struct{})} // but for its first answer
		src := newSeveral([]*member{{host: "h", src: hangs}, {host: "q", src: quick}})
		read := func() []gpu.Device {
			t.Helper()
			begun := time.Now()
			devices, err := src.Read(t.Context())
			if err != nil || len(devices) != 2 || time.Since(begun) > memberPatience {
				t.Fatalf("%+v, %v, after %v", devices, err, time.Since(begun))
			}
			return devices
		}
		if d := read(); d[0].UtilPercent != optional.Of(1) || d[1].UtilPercent != optional.Of(1) {
			t.Errorf("%+v", d)
		}
		if d := read(); d[0].UtilPercent != optional.Of(1) {
			t.Errorf("the last word is kept for a while: %+v", d[0])
		}
		time.Sleep(4 * time.Second)
		if d := read(); d[0].UtilPercent != optional.NA(gpu.ReasonSilent) || d[0].Age < 4*time.Second || d[0].Name != "h " || d[1].UtilPercent != optional.Of(1) {
			t.Errorf("%+v", d)
		}
		close(hangs.letGo)
		synctest.Wait()
		if d := read(); d[0].UtilPercent != optional.Of(2) {
			t.Errorf("it answers again: %+v", d[0])
		}
		src.Close()
	})
}

func TestANeverAnsweringMemberIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fixed{name: "ssh:b", devices: []gpu.Device{{UUID: "b"}}, after: 2 * time.Second}
		quick := &fixed{name: "nvml", devices: []gpu.Device{{UUID: "a"}}}
		src := newSeveral([]*member{{host: "b", src: slow}, {host: "a", src: quick}})
		defer src.Close()
		if devices, err := src.Read(t.Context()); len(devices) != 1 || !errors.Is(err, gpu.ErrNoAnswer) {
			t.Errorf("%+v, %v", devices, err)
		}
		if r := readOnce(t.Context(), src, 2); len(r.Devices) != 2 || r.Partial != nil || r.Err != nil {
			t.Errorf("a look waits for all: %+v", r)
		}
	})
}

func TestALookWaitsThoughNobodyHasAnsweredYet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fixed{name: "ssh:b", devices: []gpu.Device{{UUID: "b"}}, after: 2 * time.Second}
		broken := &fixed{name: "ssh:c", err: errors.New("connection refused"), after: 3 * time.Second}
		src := newSeveral([]*member{{spec: "ssh:b", host: "b", src: slow}, {spec: "ssh:c", host: "c", src: broken}})
		defer src.Close()
		if _, err := src.Read(t.Context()); err == nil || err.Error() != "b: no answer yet; c: no answer yet" {
			t.Errorf("%v", err)
		}
		if r := readOnce(t.Context(), src, 2); len(r.Devices) != 1 || r.Partial == nil || r.Partial.Error() != "c: connection refused" {
			t.Errorf("%+v", r)
		}
		if p := src.problems(); len(p) != 1 || p["ssh:c"] == nil {
			t.Errorf("%v", p)
		}
	})
}

func TestALookAtADriverThatHangsComesToAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &stuck{letGo: make(chan struct{}), reads: 1}
		begun := time.Now()
		r := readOnce(t.Context(), src, 2)
		if r.Err == nil || time.Since(begun) > answerPatience+gpu.Farewell {
			t.Errorf("%+v after %v", r, time.Since(begun))
		}
		close(src.letGo)
	})
}
