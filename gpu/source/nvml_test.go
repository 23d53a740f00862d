//go:build linux && (amd64 || arm64) && !nonvml

package source

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"

	"go.uber.org/goleak"
)

// fakeLibrary is a build of testdata/fake_nvml.c, and the scene that it plays.
type fakeLibrary struct{ path string }

// compiled builds the library once for each set of flags, for all tests of the process.
var compiled = struct {
	sync.Mutex
	images map[string][]byte
}{images: map[string][]byte{}}

// newFakeLibrary puts a library of its own, so that the loader takes it for another than the last, into a new directory.
func newFakeLibrary(t testing.TB, scene string, flags ...string) fakeLibrary {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("NVML IS NOT TESTED: there is no gcc here to build the stand-in for it")
	}
	dir := t.TempDir()
	f := fakeLibrary{filepath.Join(dir, "libnvidia-ml.so.1")}
	compiled.Lock()
	defer compiled.Unlock()
	key := strings.Join(flags, " ")
	if compiled.images[key] == nil {
		built := filepath.Join(dir, "built.so")
		args := append([]string{"-shared", "-fPIC", "-o", built}, flags...)
		out, err := exec.Command(gcc, append(args, "testdata/fake_nvml.c")...).CombinedOutput()
		if err != nil {
			t.Fatalf("gcc: %v\n%s", err, out)
		}
		if compiled.images[key], err = os.ReadFile(built); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(f.path, compiled.images[key], 0o600); err != nil {
		t.Fatal(err)
	}
	f.play(t, scene)
	return f
}

func (f fakeLibrary) play(t testing.TB, scene string) {
	t.Helper()
	if err := os.WriteFile(f.path+".scenario", []byte(scene), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fakeNVML is an opened source on such a library, with a clock that moves a second from one reading to the next.
type fakeNVML struct {
	*nvmlSource
	fakeLibrary
	step time.Duration
}

func newFakeNVML(t *testing.T, scene string, flags ...string) *fakeNVML {
	t.Helper()
	f := newFakeLibrary(t, scene, flags...)
	src, err := NVML(t.Context(), f.path)
	if err != nil {
		t.Fatal(err)
	}
	n := &fakeNVML{src.(*nvmlSource), f, time.Second}
	now := time.Unix(1, 0)
	n.now = func() time.Time { now = now.Add(n.step); return now.Add(-n.step) }
	t.Cleanup(func() { n.Close() })
	return n
}

func (n *fakeNVML) devices(t *testing.T, want int) []gpu.Device {
	t.Helper()
	devices, err := n.Read(t.Context())
	if err != nil || len(devices) != want {
		t.Fatalf("%d devices, %v; want %d", len(devices), err, want)
	}
	return devices
}

const (
	firstUUID  = "GPU-00000000-0000-0000-0000-000000000000"
	secondUUID = "GPU-00000000-0000-0000-0000-000000000001"
)

func TestNVMLReadsEverything(t *testing.T) {
	n := newFakeNVML(t, "normal")
	if n.Name() != "nvml" || n.Simulated() {
		t.Error("the source does not say what it is")
	}
	for _, d := range n.devices(t, 2) {
		expect(t, d, map[string]optional.Value{"sm": optional.NA(optional.ReasonFirstSample), "nvlink_rx": optional.NA(optional.ReasonFirstSample), "mem_total": optional.Of(81559)})
	}
	devices := n.devices(t, 2)
	d := devices[0]
	if d.UUID != firstUUID || d.Index != 0 || d.Name != "NVIDIA H100 80GB HBM3" || d.Lost || d.Unified || d.Part() {
		t.Errorf("identity: %+v", d)
	}
	expect(t, d, map[string]optional.Value{
		"mem_used": optional.Of(72000), "mem_total": optional.Of(81559), "mem_reserved": optional.Of(600), "util": optional.Of(97), "mem_copy": optional.Of(41), "sm": optional.Of(91.5),
		"occupancy": optional.Of(44.25), "tensor": optional.Of(37.5), "dram": optional.Of(63), "power": optional.Of(612.345), "limit": optional.Of(700), "energy": optional.Of(5000000.5),
		"temp": optional.Of(64), "clock": optional.Of(1755), "clock_max": optional.Of(1980), "mem_clock": optional.Of(2619), "pcie_tx": optional.Of(120), "pcie_rx": optional.Of(340),
		"nvlink_tx": optional.Of(16000), "nvlink_rx": optional.Of(15000), "xid": optional.NA(gpu.ReasonNotInSource),
	})
	if d.ClockReasons.String() != "power cap, SW thermal" || devices[1].ClockReasons.String() != "none" {
		t.Errorf("clock reasons %v and %v", d.ClockReasons, devices[1].ClockReasons)
	}
	if p := d.Processes; p == nil || len(p.List) != 2 || p.List[0] != (gpu.Process{PID: 4242, Name: "python3", MemUsedMiB: optional.Of(1000)}) ||
		p.List[1] != (gpu.Process{PID: 4243, MemUsedMiB: optional.NA(gpu.ReasonNotSupported)}) {
		t.Errorf("processes: %+v", d.Processes)
	}
	if p := devices[1].Processes; p == nil || len(p.List) != 70 {
		t.Errorf("many processes: %+v", p)
	}
	expect(t, devices[1], map[string]optional.Value{"sm": optional.Of(90.5), "dram": optional.NA(optional.ReasonNotANumber), "nvlink_tx": optional.NA(gpu.ReasonNotSupported)})
}

func TestSamplesTooCloseTogetherAreNotCompared(t *testing.T) {
	n := newFakeNVML(t, "normal")
	n.step = gpmSpacing
	n.devices(t, 2)
	expect(t, n.devices(t, 2)[0], map[string]optional.Value{"sm": optional.NA(optional.ReasonFirstSample)})
	expect(t, n.devices(t, 2)[0], map[string]optional.Value{"sm": optional.Of(91.5)})
	n.play(t, "nogpm")
	expect(t, n.devices(t, 2)[0], map[string]optional.Value{"sm": optional.Of(91.5)}) // too early to ask
	expect(t, n.devices(t, 2)[0], map[string]optional.Value{"sm": optional.NA(gpu.ReasonPermission)})
}

func TestProcessesAreAskedForSeldom(t *testing.T) {
	n := newFakeNVML(t, "normal")
	first := n.devices(t, 2)[0].Processes
	for range 4 {
		if n.devices(t, 2)[0].Processes != first {
			t.Fatal("asked again within five seconds")
		}
	}
	if n.devices(t, 2)[0].Processes == first {
		t.Error("not asked again after five seconds")
	}
}

func TestNVMLScenes(t *testing.T) {
	steady := map[string]optional.Value{"mem_total": optional.Of(81559), "util": optional.Of(97), "power": optional.Of(612.345)}
	for _, c := range []struct {
		scene   string
		flags   []string
		devices int
		check   func(*testing.T, []gpu.Device)
	}{
		{"eight", nil, 8, func(t *testing.T, d []gpu.Device) {
			for i := range d {
				expect(t, d[i], map[string]optional.Value{"util": optional.Of(float64(97 - i)), "sm": optional.Of(91.5 - float64(i)), "mem_used": optional.Of(72000 + 10*float64(i))})
			}
		}},
		{"ampere", nil, 2, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], steady)
			expect(t, d[0], map[string]optional.Value{"sm": optional.NA(gpu.ReasonNeedsHopper), "tensor": optional.NA(gpu.ReasonNeedsHopper), "pcie_tx": optional.NA(gpu.ReasonNeedsHopper)})
		}},
		{"nogpm", nil, 2, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], steady)
			expect(t, d[0], map[string]optional.Value{"sm": optional.NA(gpu.ReasonPermission), "dram": optional.NA(gpu.ReasonPermission)})
		}},
		{"unified", nil, 1, func(t *testing.T, d []gpu.Device) {
			if !d[0].Unified || d[0].Note != gpu.TextUnified {
				t.Errorf("not marked: %+v", d[0])
			}
			expect(t, d[0], map[string]optional.Value{
				"mem_used": optional.Of(2001), "mem_total": optional.NA(gpu.ReasonUnified), "mem_reserved": optional.NA(gpu.ReasonUnified), "util": optional.Of(97),
				"limit": optional.NA(gpu.ReasonNotSupported), "energy": optional.NA(gpu.ReasonNotSupported), "power": optional.Of(612.345), "sm": optional.NA(gpu.ReasonNeedsHopper),
			})
		}},
		{"jetson", nil, 1, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], map[string]optional.Value{"mem_total": optional.NA(gpu.ReasonUnified), "power": optional.NA(gpu.ReasonSuspect), "temp": optional.NA(gpu.ReasonSuspect), "clock": optional.Of(1755)})
		}},
		{"mig", nil, 4, func(t *testing.T, d []gpu.Device) {
			parent, one, two, whole := d[0], d[1], d[2], d[3]
			expect(t, parent, map[string]optional.Value{"util": optional.NA(gpu.ReasonMIG), "mem_copy": optional.NA(gpu.ReasonMIG), "sm": optional.NA(gpu.ReasonMIG), "mem_used": optional.Of(72000), "power": optional.Of(612.345)})
			expect(t, one, map[string]optional.Value{"util": optional.NA(gpu.ReasonMIG), "power": optional.NA(gpu.ReasonMIG), "sm": optional.Of(90.5), "mem_used": optional.Of(30001), "mem_total": optional.Of(40320)})
			expect(t, two, map[string]optional.Value{"sm": optional.Of(89.5), "mem_used": optional.Of(30002)})
			expect(t, whole, map[string]optional.Value{"util": optional.Of(96), "sm": optional.Of(90.5)})
			if one.Parent != parent.UUID || !one.Part() || parent.Part() || one.Instance != "1/0" || two.Instance != "2/0" ||
				!strings.HasPrefix(one.UUID, "MIG-") || !strings.HasSuffix(one.Name, "MIG 3g.40gb") {
				t.Errorf("instances: %+v, %+v", one, two)
			}
		}},
		{"lost", nil, 2, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], steady)
			expect(t, d[1], map[string]optional.Value{"mem_used": optional.NA(optional.ReasonLost), "sm": optional.NA(optional.ReasonLost)})
			if !d[1].Lost || d[1].Last != nil || d[1].Index != 1 {
				t.Errorf("lost from the start: %+v", d[1])
			}
		}},
		{"forbidden", nil, 2, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], steady)
			expect(t, d[1], map[string]optional.Value{"mem_used": optional.NA(gpu.ReasonPermission), "sm": optional.NA(gpu.ReasonPermission)})
			if d[1].Lost || d[1].Index != 1 || d[1].Name != "GPU 1" {
				t.Errorf("forbidden: %+v", d[1])
			}
		}},
		{"normal", []string{"-DOLD"}, 2, func(t *testing.T, d []gpu.Device) {
			expect(t, d[0], steady)
			expect(t, d[0], map[string]optional.Value{
				"mem_used": optional.Of(72600), "mem_reserved": optional.NA(gpu.ReasonOldDriver), "energy": optional.NA(gpu.ReasonOldDriver), "sm": optional.NA(gpu.ReasonOldDriver),
			})
			if d[0].Processes != nil || d[0].ClockReasons.String() != "power cap, SW thermal" {
				t.Errorf("%+v, %v", d[0].Processes, d[0].ClockReasons)
			}
		}},
	} {
		t.Run(strings.Join(append(c.flags, c.scene), " "), func(t *testing.T) {
			n := newFakeNVML(t, c.scene, c.flags...)
			n.devices(t, c.devices)
			devices := n.devices(t, c.devices)
			for _, d := range devices {
				for name, v := range named(&d) {
					if !v.OK() && v.NA == "" {
						t.Errorf("device %d: %s is unknown without a reason", d.Index, name)
					}
				}
			}
			c.check(t, devices)
		})
	}
}

func TestALostGPUKeepsItsRowAndLastValues(t *testing.T) {
	n := newFakeNVML(t, "normal")
	n.devices(t, 2)
	before := n.devices(t, 2)[1]
	n.play(t, "lost")
	for range 2 {
		d := n.devices(t, 2)
		expect(t, d[0], map[string]optional.Value{"util": optional.Of(97), "sm": optional.Of(91.5)})
		expect(t, d[1], map[string]optional.Value{"util": optional.NA(optional.ReasonLost), "mem_total": optional.NA(optional.ReasonLost), "sm": optional.NA(optional.ReasonLost)})
		if !d[1].Lost || d[1].UUID != secondUUID || d[1].Last == nil || *d[1].Last != before {
			t.Errorf("lost: %+v, last %+v", d[1], d[1].Last)
		}
	}
	n.play(t, "normal")
	expect(t, n.devices(t, 2)[1], map[string]optional.Value{"util": optional.Of(96), "sm": optional.NA(optional.ReasonFirstSample)})
}

func TestAnUnloadedDriverIsMetAgain(t *testing.T) {
	n := newFakeNVML(t, "normal")
	n.devices(t, 2)
	n.play(t, "gone")
	for range 2 {
		if d, err := n.Read(t.Context()); d != nil || err == nil || err.Error() != textNoDriver {
			t.Errorf("%v, %v", d, err)
		}
	}
	n.play(t, "normal")
	expect(t, n.devices(t, 2)[0], map[string]optional.Value{"util": optional.Of(97), "sm": optional.NA(optional.ReasonFirstSample)})
}

func TestWhyNVMLCannotBeOpened(t *testing.T) {
	for scene, want := range map[string]string{"nodriver": textNoDriver, "mismatch": textMismatch, "nogpu": textNoDevices} {
		if _, err := NVML(t.Context(), newFakeLibrary(t, scene).path); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", scene, err, want)
		}
	}
	missing := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	if _, err := NVML(t.Context(), missing); err == nil || !strings.HasPrefix(err.Error(), "cannot load "+missing+": it is not there") {
		t.Errorf("missing: %v", err)
	}
	if err := os.WriteFile(missing, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NVML(t.Context(), missing); err == nil || strings.Contains(err.Error(), "not there") {
		t.Errorf("broken: %v", err)
	}
}

func TestADriverThatHangsHoldsNothingUp(t *testing.T) {
	f := newFakeLibrary(t, "normal")
	src, err := NVML(t.Context(), f.path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	readings := make(chan gpu.Reading, 100)
	done := make(chan struct{})
	before := goleak.IgnoreCurrent()
	go func() {
		defer close(done)
		gpu.Poll(ctx, src, gpu.ShortestInterval, func(r gpu.Reading) { readings <- r })
	}()
	if r := <-readings; r.Err != nil || len(r.Devices) != 2 || r.Stale != 0 {
		t.Fatalf("first reading %+v", r)
	}
	f.play(t, "hang")
	for r := range readings {
		if r.Stale > 0 {
			if r.Stale < gpu.StaleAfter*gpu.ShortestInterval || len(r.Devices) != 2 {
				t.Errorf("a stale reading: %+v", r)
			}
			break
		}
	}
	cancel()
	<-done
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	// Nothing can end a call that is in the driver: a real one would keep its goroutine until the process ends.
	if src.(*nvmlSource).mu.TryLock() {
		t.Error("nothing hangs: the test shows nothing")
	}
	f.play(t, "normal")
	goleak.VerifyNone(t, before)
}

func BenchmarkNVMLRead(b *testing.B) {
	src, err := NVML(b.Context(), newFakeLibrary(b, "eight").path)
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := src.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
