package machine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/device"
	"tokdyno/ui/internal/pagetest"
	"tokdyno/ui/internal/scene"
	"tokdyno/ui/page"
)

// screenOf is what the page shows of a snapshot after some keys.
func screenOf(t testing.TB, s *snapshot.Snapshot, w, h int, keys ...string) string {
	t.Helper()
	m := pagetest.Open(t, New(), s, w, h)
	m.Press(keys...)
	return m.View()
}

func TestEveryDeviceCanBeReached(t *testing.T) {
	for _, n := range []int{1, 2, 8, 16} {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}} {
			t.Run(fmt.Sprintf("%d at %v", n, size), func(t *testing.T) {
				m := pagetest.Open(t, New(), scene.Machine(n)(), size[0], size[1])
				for i := range n {
					if pagetest.LineWith(m.View(), fmt.Sprintf("▸%d H200", i)) == "" {
						t.Fatalf("device %d is not in sight:\n%s", i, m.View())
					}
					if n > 1 && pagetest.LineWith(m.View(), fmt.Sprintf("all %d ", n)) == "" {
						t.Fatalf("the row of all devices is not in sight:\n%s", m.View())
					}
					m.Press("down")
				}
				m.Press("down", "down")
				if pagetest.LineWith(m.View(), fmt.Sprintf("▸%d H200", n-1)) == "" {
					t.Error("the cursor leaves the last device")
				}
				m.Press("k")
				if n > 1 && pagetest.LineWith(m.View(), fmt.Sprintf("▸%d H200", n-2)) == "" {
					t.Error("one step back does not go to the one before")
				}
			})
		}
	}
}

func TestDevicesThatDoNotFitAreCounted(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Machine(16)(), 80, 24), "+12 more")
	pagetest.Shows(t, screenOf(t, scene.Machine(16)(), 120, 36), "more")
}

func TestTheCursorSurvivesDevicesThatGo(t *testing.T) {
	m := pagetest.Open(t, New(), scene.Machine(8)(), 80, 24)
	m.Press("j", "j", "j", "j", "j", "j", "j")
	m.Engine.Change(func(s *snapshot.Snapshot) { s.GPU = scene.Machine(2)().GPU })
	m.Look()
	pagetest.Shows(t, m.View(), "▸1 H200")
	m.Engine.Change(func(s *snapshot.Snapshot) { s.GPU = nil })
	m.Look()
	m.Press("j", "k", "v")
	pagetest.Fits(t, m.View(), 80, 24-3)
}

func TestUnknownFiguresSayWhy(t *testing.T) {
	screen := screenOf(t, scene.Troubled(), 120, 36)
	pagetest.Shows(t, pagetest.LineWith(screen, "▸0 H200"), "n/a…")
	pagetest.Shows(t, screen, "SM active n/a (permission)", "occupancy n/a (permission)")
	if strings.Contains(pagetest.LineWith(screen, "0 H200"), " 0 %") {
		t.Error("what is unknown is shown as 0")
	}
}

func TestALostDeviceKeepsItsLastValuesAndTheOthersGoOn(t *testing.T) {
	screen := screenOf(t, scene.Troubled(), 120, 36, "j", "j", "j", "j", "j")
	pagetest.Shows(t, pagetest.LineWith(screen, "▸5 H200"), "LOST", "97.9/140 GiB", "688 W")
	pagetest.Shows(t, screen, "it fell off the bus", "all, 1 lost", "stale 4 s", "GPU-util")
	pagetest.Shows(t, screenOf(t, scene.Troubled(), 120, 36, "j", "j", "j", "j", "j", "j"), "30 s old: set DCGM_EXPORTER_INTERVAL=1000")
	pagetest.Shows(t, screenOf(t, scene.Troubled(), 120, 36, "j", "j", "j", "j", "j", "j", "j"), "restarted")
}

func TestMIGInstancesStandBeneathTheirGPU(t *testing.T) {
	s := scene.Divided()
	screen := screenOf(t, s, 120, 36)
	var order []string
	for _, line := range strings.Split(screen, "\n") {
		for _, name := range []string{"0 H200 ", "1/0", "2/0", "1 H200 "} {
			if strings.Contains(line, name) && strings.Contains(line, "GiB") && len(order) < 4 {
				order = append(order, name)
			}
		}
	}
	if got := strings.Join(order, "|"); got != "0 H200 |1/0|2/0|1 H200 " {
		t.Errorf("the rows are %s:\n%s", got, screen)
	}
	whole := device.Together(s.GPU.Devices)
	if used := s.GPU.Devices[0].MemUsedMiB.V + s.GPU.Devices[1].MemUsedMiB.V; whole.MemUsedMiB.V != used {
		t.Errorf("memory in use is %g MiB, want that of the two GPUs, %g", whole.MemUsedMiB.V, used)
	}
	if whole.PowerW.V != 2*688 || whole.Name != "all 2" {
		t.Errorf("%s draw %g W, want all 2, with 1376", whole.Name, whole.PowerW.V)
	}
}

func TestWhatTheServerSays(t *testing.T) {
	screen := screenOf(t, scene.Observed(), 120, 36)
	pagetest.Shows(t, screen, "vLLM", "1.2 % (asked 0 %)", "preemptions   0")
	pagetest.Shows(t, pagetest.LineWith(screen, "output  "), "4,091 tok/s", "measured 4,132")
	pagetest.Shows(t, pagetest.LineWith(screen, "network and proxy"), "~14.0") // the client's mean TTFT is 14 ms above the server's
	pagetest.Shows(t, pagetest.LineWith(screen, "KV cache"), "61 %", "max 63 %")
}

func TestNetworkTimeIsNotMadeOfNoise(t *testing.T) {
	at := func(n, mean float64) server.Latency {
		return server.Latency{N: n, Mean: optional.Of(mean), P50: optional.Of(0.9 * mean), P95: optional.Of(1.9 * mean)}
	}
	for _, tt := range []struct {
		name           string
		client, server server.Latency
		inFlight       int
		want           time.Duration
		atMost         bool
	}{
		{"many samples, a long way", at(1000, 0.2), at(990, 0.15), 10, scene.MS(50), false},
		{"many samples, next door", at(1000, 0.2), at(1000, 0.1995), 10, scene.MS(2), true},
		{"few samples", at(20, 0.2), at(18, 0.15), 9, scene.MS(100), true},
		{"the server's mean is above the client's", at(1000, 0.2), at(1000, 0.25), 10, scene.MS(2), true},
		{"nothing in flight", at(100, 0.2), at(100, 0.1), 0, scene.MS(100), false},
		{"more in flight than counted", at(5, 0.2), at(5, 0.1), 500, scene.MS(200), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, atMost := networkTime(tt.client, tt.server, tt.inFlight)
			if got.Round(time.Microsecond) != tt.want || atMost != tt.atMost {
				t.Errorf("got %v, at most: %v; want %v, %v", got, atMost, tt.want, tt.atMost)
			}
		})
	}
}

func TestAServerThatOthersUseTooIsNotComparedWith(t *testing.T) {
	s := scene.Observed()
	s.Stages[2].Telemetry.Server.Window.TTFT.N = 5000
	pagetest.Shows(t, pagetest.LineWith(screenOf(t, s, 120, 36), "network and proxy"), "n/a (others use it too)")
}

func TestAServerThatTellsNothingSaysWhatToDo(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Elsewhere(), 200, 50), "llama.cpp gives no metrics: start llama-server with --metrics")
	pagetest.Shows(t, screenOf(t, scene.Unseen(), 200, 50), "llama3.1:8b", "VRAM 6.0 GiB", "context 8,192", "n/a (Ollama does not tell)")
	s := scene.Observed()
	s.Server = nil
	pagetest.Shows(t, screenOf(t, s, 120, 36), "no metrics of the server read")
}

func TestAServerThatFellSilentIsMarked(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Troubled(), 120, 36), "stale 7 s", "the server's metrics page does not answer")
}

func TestWhereTheAcceleratorsAre(t *testing.T) {
	pagetest.Shows(t, screenOf(t, scene.Elsewhere(), 120, 36), gpu.TextElsewhere, "no GPU is read behind the endpoint", "n/a (no price is given)")
	pagetest.Shows(t, screenOf(t, scene.Unseen(), 120, 36), "no NVIDIA driver here")
	s := scene.Busy()
	pagetest.Shows(t, screenOf(t, s, 120, 36), "SIMULATED", "n/a")
}

func TestEfficiency(t *testing.T) {
	s := scene.Observed()
	e := &s.Stages[2].Efficiency
	e.Estimated, e.CostPerMillion = true, optional.Of(0.27)
	screen := screenOf(t, s, 120, 36)
	pagetest.Shows(t, pagetest.LineWith(screen, "per joule"), "~6.83 tok/J")
	pagetest.Shows(t, pagetest.LineWith(screen, "output per GPU"), " 4,132 tok/s")
	pagetest.Shows(t, pagetest.LineWith(screen, "cost per million"), "0.27")
	pagetest.Shows(t, screen, "~ energy from power readings")
}

func TestAllAdviceShowsWithItsEvidence(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		screen := screenOf(t, scene.Observed(), size[0], size[1], "v")
		pagetest.Shows(t, screen, "the GPU is the limit", "SM 92 %, 3,914 tok/s")
	}
	pagetest.Shows(t, screenOf(t, scene.Observed(), 120, 36), "hit rate 1.2 %, no overlap asked")
}

func TestEverySizeFits(t *testing.T) {
	scenes := []func() *snapshot.Snapshot{
		scene.Observed, scene.Machine(16), scene.Troubled, scene.Divided, scene.Elsewhere, scene.Unseen, scene.Starting, scene.Busy, scene.EightGPUs,
	}
	pagetest.EverySizeFits(t, func() page.Page { return New() }, scenes, "j", "v", "k", "v")
}

func TestPartsTileTheScreen(t *testing.T) {
	for _, meaning := range []bool{false, true} {
		for _, devices := range []int{0, 1, 2, 8, 40} {
			s := &snapshot.Snapshot{GPU: &gpu.Reading{Devices: make([]gpu.Device, devices)}}
			pagetest.TilesEverywhere(t, &Page{meaning: meaning}, s, fmt.Sprintf("%d devices", devices))
		}
	}
}

// What sources and servers call things is shown, never obeyed.
func TestForeignNamesOfTelemetryAreHarmless(t *testing.T) {
	s := scene.Observed()
	evil := "\x1b[31mred\nline\u202e"
	d := &s.GPU.Devices[0]
	d.Name, d.Host, d.Note = evil, evil, evil
	d.Processes = &gpu.Processes{List: []gpu.Process{{PID: 1, Name: evil, MemUsedMiB: optional.NA(evil)}}}
	d.SMActive = optional.NA(evil)
	s.GPU.Source = evil
	s.GPU.Partial = fmt.Errorf("%s", evil)
	s.Server.Metrics.Loaded = []server.LoadedModel{{Name: evil}}
	s.Server.Err = fmt.Errorf("%s", evil)
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		m := pagetest.Open(t, New(), s, size[0], size[1])
		pagetest.Fits(t, m.View(), size[0], size[1]-3)
		pagetest.Fits(t, m.View(), size[0], size[1]-3)
	}
}

func BenchmarkGPUFrame(b *testing.B) {
	m := pagetest.Open(b, New(), scene.Troubled(), 200, 50)
	b.ReportAllocs()
	for b.Loop() {
		m.Look()
		m.View()
	}
}
