package source

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/gpu/promtext"
)

// read parses a page of testdata as of now.
func read(t *testing.T, name string) ([]gpu.Device, string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return newExporterTable().devices(promtext.Parse(page), time.Unix(1700000000, 0))
}

func TestPages(t *testing.T) {
	for _, c := range []struct {
		file, exporter string
		devices        int
		first          gpu.Device // what is compared: identity
		values         map[string]optional.Value
		reasons        string
	}{
		{
			"dcgm.prom", "dcgm-exporter", 2,
			gpu.Device{UUID: "GPU-aaaa", Name: "NVIDIA H100 80GB HBM3", Host: "gpu-7"},
			map[string]optional.Value{
				"mem_used": optional.Of(72000), "mem_reserved": optional.Of(600), "mem_total": optional.Of(81559), "util": optional.Of(97), "mem_copy": optional.Of(41), "clock": optional.Of(1755),
				"temp": optional.Of(64), "power": optional.Of(612.345), "energy": optional.Of(5000000.5), "xid": optional.Of(0), "tensor": optional.Of(37.5), "dram": optional.Of(63),
				"sm": optional.NA(gpu.ReasonOffByDefault), "occupancy": optional.NA(gpu.ReasonOffByDefault), "mem_clock": optional.NA(gpu.ReasonBlank), "limit": optional.NA(gpu.ReasonNotExported),
				"pcie_tx": optional.Of(100),
			},
			"power cap",
		},
		{
			"dcgm49.prom", "dcgm-exporter", 1,
			gpu.Device{UUID: "GPU-aaaa", Name: "NVIDIA H100 80GB HBM3", Host: "gpu-7"},
			map[string]optional.Value{
				"mem_used": optional.Of(72000), "mem_total": optional.Of(81559), "util": optional.Of(97), "temp": optional.Of(64), "power": optional.Of(612.5), "sm": optional.Of(91.5), "occupancy": optional.Of(44.25),
				"tensor": optional.Of(37.5), "dram": optional.Of(63), "mem_copy": optional.NA(gpu.ReasonNotExported), "energy": optional.NA(gpu.ReasonNotExported),
			},
			"n/a",
		},
		{
			"nvidia_gpu_exporter.prom", "nvidia_gpu_exporter", 1,
			gpu.Device{Index: 3, UUID: "GPU-12345678-1234-1234-1234-123456789abc", Name: "GPU 3"},
			map[string]optional.Value{"util": optional.Of(97), "mem_used": optional.Of(72000), "mem_total": optional.Of(81559), "power": optional.Of(612.35), "clock": optional.Of(1755), "sm": optional.NA(gpu.ReasonNotExported)},
			"n/a",
		},
		{
			"amd.prom", "AMD device-metrics-exporter", 1,
			gpu.Device{Index: 1, UUID: "692316000123", Name: "MI300X", Host: "amd-1"},
			map[string]optional.Value{"util": optional.Of(88), "mem_copy": optional.Of(30), "mem_used": optional.Of(150000), "mem_total": optional.Of(196592), "power": optional.Of(600)},
			"n/a",
		},
		{
			"all-smi.prom", "all-smi", 1,
			gpu.Device{Index: 0, UUID: "GPU-bbbb", Name: "NVIDIA H200", Host: "node-1"},
			map[string]optional.Value{"util": optional.Of(90), "mem_used": optional.Of(72000), "power": optional.Of(500), "occupancy": optional.NA(gpu.ReasonOutOfRange)},
			"n/a",
		},
		{
			"xpum.prom", "Intel XPUM", 1,
			gpu.Device{UUID: "GPU-01000000-0000-0000-0000-0000004d0000", Name: "Intel Max 1550", Host: "intel-1"},
			map[string]optional.Value{"power": optional.Of(450), "temp": optional.Of(55), "mem_used": optional.Of(65536), "clock": optional.Of(1600)},
			"n/a",
		},
		{
			"triton.prom", "Triton", 2,
			gpu.Device{UUID: "GPU-cccc", Name: "GPU 0"},
			map[string]optional.Value{"util": optional.Of(97), "mem_used": optional.Of(72000), "mem_total": optional.Of(81559), "power": optional.Of(612), "limit": optional.Of(700), "energy": optional.Of(1234.5)},
			"n/a",
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			devices, exporter := read(t, c.file)
			if exporter != c.exporter || len(devices) != c.devices {
				t.Fatalf("%d devices of %q: %+v", len(devices), exporter, devices)
			}
			d := devices[0]
			identity := gpu.Device{Index: d.Index, UUID: d.UUID, Name: d.Name, Host: d.Host}
			if identity != c.first {
				t.Errorf("identity %+v, want %+v", identity, c.first)
			}
			expect(t, d, c.values)
			if d.ClockReasons.String() != c.reasons {
				t.Errorf("clock reasons %v, want %s", d.ClockReasons, c.reasons)
			}
		})
	}
}

func TestAMIGInstanceOfDCGMIsPartOfItsGPU(t *testing.T) {
	devices, _ := read(t, "dcgm.prom")
	if d := devices[1]; d.Parent != "GPU-bbbb" || d.Instance != "2" || d.UUID != "GPU-bbbb/2" || d.Name != "NVIDIA H100 80GB HBM3 MIG 3g.40gb" || d.DRAMActive != optional.Of(12) {
		t.Errorf("%+v", d)
	}
}

func TestASamplesOwnTimeTellsItsAge(t *testing.T) {
	page := promtext.Parse([]byte("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"u\"} 5 1699999970000\n"))
	devices, name := newExporterTable().devices(page, time.Unix(1700000000, 0))
	if len(devices) != 1 || devices[0].Age != 30*time.Second {
		t.Fatalf("%+v", devices)
	}
	s := &exporterSource{meters: map[gpu.Key]exporterMeter{}}
	s.remember(&devices[0], name, time.Unix(1700000000, 0))
	if got := devices[0].Note; got != "30 s old: set DCGM_EXPORTER_INTERVAL=1000" {
		t.Errorf("%q", got)
	}
}

func TestAnEnergyCounterTellsOldPagesAndRestarts(t *testing.T) {
	s := &exporterSource{meters: map[gpu.Key]exporterMeter{}}
	for i, c := range []struct {
		at     int64
		joules float64
		age    time.Duration
		note   string
	}{
		{0, 100, 0, ""},
		{2, 100, 0, ""},
		{4, 100, 4 * time.Second, "4 s old"},
		{5, 101, 0, ""},
		{7, 3, 0, gpu.TextRestarted},
		{8, 4, 0, ""},
	} {
		d := gpu.Device{UUID: "u", EnergyJ: optional.Of(c.joules)}
		s.remember(&d, "Triton", time.Unix(c.at, 0))
		if d.Age != c.age || d.Note != c.note || d.Restarted != (c.note == gpu.TextRestarted) {
			t.Errorf("reading %d: age %v, %q, restarted %v", i, d.Age, d.Note, d.Restarted)
		}
	}
}

func TestBlanksAndNonsenseAreNoValues(t *testing.T) {
	for _, text := range []string{
		"9223372036854775794", "9.223372036854776e+18", "9223372036854775792", "140737488355328", "140737488355330", "NaN", "-nan", "nan", "+Inf",
	} {
		page := promtext.Parse([]byte(`DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="u"} ` + text))
		devices, _ := newExporterTable().devices(page, time.Now())
		if len(devices) != 1 || devices[0].PowerW.OK() {
			t.Errorf("%s: %+v", text, devices)
		}
	}
	page := promtext.Parse([]byte(`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="u"} 9700`))
	if devices, _ := newExporterTable().devices(page, time.Now()); devices[0].UtilPercent != optional.NA(gpu.ReasonOutOfRange) {
		t.Errorf("%+v", devices[0].UtilPercent)
	}
}

func TestEveryNameInTheTableIsOfOneExporter(t *testing.T) {
	owner := map[string]string{}
	for _, e := range exporters() {
		for _, m := range e.metrics {
			for _, name := range m.names {
				if owner[name] != "" {
					t.Errorf("%s is in the table twice: %s, %s", name, owner[name], e.name)
				}
				owner[name] = e.name
			}
		}
	}
}

func exporterAt(t *testing.T, handler http.HandlerFunc, path string) *exporterSource {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	src, err := Exporter(server.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src.(*exporterSource)
}

func TestExporterIsReadOverHTTP(t *testing.T) {
	const page = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"u\"} 97\n"
	var asked atomic.Value
	s := exporterAt(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			http.Redirect(w, r, "/metrics/", http.StatusTemporaryRedirect)
			return
		}
		asked.Store(r.URL.Path)
		fmt.Fprint(w, page)
	}, "")
	if s.Name() != "exporter" || s.Simulated() {
		t.Error("the source does not say what it is")
	}
	devices, err := s.Read(t.Context())
	if err != nil || len(devices) != 1 || devices[0].UtilPercent != optional.Of(97) || asked.Load() != "/metrics/" || s.Name() != "dcgm-exporter" {
		t.Errorf("%+v, %v, %v, %s", devices, err, asked.Load(), s.Name())
	}
}

func TestWhyAnExporterCannotBeRead(t *testing.T) {
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"not found":   {status(404), "give the exporter's whole address"},
		"refused":     {status(401), "put user:password@ before the host"},
		"broken":      {status(500), "answers 500 Internal Server Error"},
		"a server":    {page("vllm:num_requests_running 3\n"), "give it with --metrics"},
		"not of GPUs": {page("go_goroutines 3\nup 1\n"), "none of the 2 samples at"},
		"a web page":  {page("<html><body>hello</body></html>"), "is no metrics page"},
		"far too much": {func(w http.ResponseWriter, _ *http.Request) {
			chunk := []byte(strings.Repeat("# comment comment comment\n", 4096))
			for range 1<<20/len(chunk) + 2 {
				w.Write(chunk)
			}
		}, "larger than 16 MiB"},
	} {
		src := exporterAt(t, c.answer, "/metrics")
		if src.most != 16<<20 {
			t.Errorf("a page may have %d bytes", src.most)
		}
		src.most = 1 << 20
		_, err := src.Read(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	src, err := Exporter(strings.Replace(closed.URL, "http://", "http://me:secret@", 1) + "/metrics?token=secret")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody there: %v", err)
	}
	for _, address := range []string{"", "gpu-7:9400", "ftp://gpu-7", "http://", "http://%"} {
		if _, err := Exporter(address); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
}

func TestAnExporterThatHangsIsGivenUp(t *testing.T) {
	letGo := make(chan struct{})
	s := exporterAt(t, func(http.ResponseWriter, *http.Request) { <-letGo }, "/")
	defer close(letGo)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := s.Read(ctx); err == nil || !strings.Contains(err.Error(), "did not answer within 2s") {
		t.Errorf("%v", err)
	}
}

func FuzzExporterPage(f *testing.F) {
	pages, err := filepath.Glob("testdata/*.prom")
	if err != nil || len(pages) == 0 {
		f.Fatal("no pages", err)
	}
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		devices, exporter := newExporterTable().devices(promtext.Parse(page), time.Unix(1700000000, 0))
		if (len(devices) > 0) != (exporter != "") {
			t.Fatalf("%d devices of %q", len(devices), exporter)
		}
		seen := map[gpu.Key]bool{}
		for _, d := range devices {
			for _, v := range d.Values() {
				if !v.OK() && v.NA == "" {
					t.Fatalf("a value is unknown without a reason: %+v", d)
				}
			}
			if u := d.UtilPercent; u.OK() && (u.V < 0 || u.V > 101) {
				t.Fatalf("utilisation %v", u.V)
			}
			if seen[d.Key()] {
				t.Fatalf("two devices are taken for one: %+v", d)
			}
			seen[d.Key()] = true
		}
	})
}

func BenchmarkExporterPage(b *testing.B) {
	page, err := os.ReadFile("testdata/dcgm.prom")
	if err != nil {
		b.Fatal(err)
	}
	table := newExporterTable()
	b.ReportAllocs()
	for b.Loop() {
		table.devices(promtext.Parse(page), time.Time{})
	}
}
