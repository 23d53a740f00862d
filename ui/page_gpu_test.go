package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"tokdyno/engine"
	"tokdyno/engine/server"
	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/internal/golden"
	"tokdyno/ui/theme"
)

// screenOf is what a console of w by h cells shows of a snapshot after some keys.
func screenOf(t testing.TB, s *engine.Snapshot, w, h int, keys ...string) string {
	t.Helper()
	m, _ := opened(t, s, w, h, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, keys...)
	return m.View()
}

// lineWith is the first line that has all of the words.
func lineWith(screen string, words ...string) string {
next:
	for _, line := range strings.Split(screen, "\n") {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		return line
	}
	return ""
}

func shows(t *testing.T, screen string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(screen, w) {
			t.Errorf("it does not say %q:\n%s", w, screen)
		}
	}
}

func TestEveryDeviceCanBeReached(t *testing.T) {
	for _, n := range []int{1, 2, 8, 16} {
		for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 36}, {200, 50}} {
			t.Run(fmt.Sprintf("%d at %v", n, size), func(t *testing.T) {
				m, _ := opened(t, machine(n)(), size[0], size[1], mustTheme(t, theme.Dark, termenv.Ascii, false))
				press(m, "4")
				for i := range n {
					if lineWith(m.View(), fmt.Sprintf("▸%d H200", i)) == "" {
						t.Fatalf("device %d is not in sight:\n%s", i, m.View())
					}
					if n > 1 && lineWith(m.View(), fmt.Sprintf("all %d ", n)) == "" {
						t.Fatalf("the row of all devices is not in sight:\n%s", m.View())
					}
					press(m, "down")
				}
				press(m, "down", "down")
				if lineWith(m.View(), fmt.Sprintf("▸%d H200", n-1)) == "" {
					t.Error("the cursor leaves the last device")
				}
				press(m, "k")
				if n > 1 && lineWith(m.View(), fmt.Sprintf("▸%d H200", n-2)) == "" {
					t.Error("one step back does not go to the one before")
				}
			})
		}
	}
}

func TestDevicesThatDoNotFitAreCounted(t *testing.T) {
	shows(t, screenOf(t, machine(16)(), 80, 24, "4"), "+12 more")
	shows(t, screenOf(t, machine(16)(), 120, 36), "more")
}

func TestTheCursorSurvivesDevicesThatGo(t *testing.T) {
	m, fake := opened(t, machine(8)(), 80, 24, mustTheme(t, theme.Dark, termenv.Ascii, false))
	press(m, "4", "j", "j", "j", "j", "j", "j", "j")
	fake.change(func(s *engine.Snapshot) { s.GPU = machine(2)().GPU })
	m.Update(frameMsg{})
	shows(t, m.View(), "▸1 H200")
	fake.change(func(s *engine.Snapshot) { s.GPU = nil })
	m.Update(frameMsg{})
	press(m, "j", "k", "v")
	fits(t, m.View(), 80, 24)
}

func TestUnknownFiguresSayWhy(t *testing.T) {
	screen := screenOf(t, troubled(), 120, 36, "4")
	shows(t, lineWith(screen, "▸0 H200"), "n/a…")
	shows(t, screen, "SM active n/a (permission)", "occupancy n/a (permission)")
	if strings.Contains(lineWith(screen, "0 H200"), " 0 %") {
		t.Error("what is unknown is shown as 0")
	}
}

func TestALostDeviceKeepsItsLastValuesAndTheOthersGoOn(t *testing.T) {
	screen := screenOf(t, troubled(), 120, 36, "4", "j", "j", "j", "j", "j")
	shows(t, lineWith(screen, "▸5 H200"), "LOST", "97.9/140 GiB", "688 W")
	shows(t, screen, "it fell off the bus", "all, 1 lost", "stale 4 s", "GPU-util")
	shows(t, screenOf(t, troubled(), 120, 36, "4", "j", "j", "j", "j", "j", "j"), "30 s old: set DCGM_EXPORTER_INTERVAL=1000")
	shows(t, screenOf(t, troubled(), 120, 36, "4", "j", "j", "j", "j", "j", "j", "j"), "restarted")
}

// Occupancy is shown, never coloured: in every state of a device it has the look of the figures beside it.
func TestOccupancyIsNeverColoured(t *testing.T) {
	for _, occupancy := range []float64{0, 3, 50, 100} {
		v := &Frame{th: new(theme.Theme), shown: observed()}
		d := h200(0)
		d.SMOccupancy = optional.Of(occupancy)
		row := deviceRow{Device: &d, role: theme.Text}
		for _, c := range deviceColumns() {
			if c.name == "occup" && c.cell(v, &row, 6)[0].role != theme.Text {
				t.Errorf("an occupancy of %g has a colour", occupancy)
			}
		}
	}
}

func TestMIGInstancesStandBeneathTheirGPU(t *testing.T) {
	s := divided()
	screen := screenOf(t, s, 120, 36, "4")
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
	whole := together(s.GPU.Devices)
	if used := s.GPU.Devices[0].MemUsedMiB.V + s.GPU.Devices[1].MemUsedMiB.V; whole.MemUsedMiB.V != used {
		t.Errorf("memory in use is %g MiB, want that of the two GPUs, %g", whole.MemUsedMiB.V, used)
	}
	if whole.PowerW.V != 2*688 || whole.Name != "all 2" {
		t.Errorf("%s draw %g W, want all 2, with 1376", whole.Name, whole.PowerW.V)
	}
}

func TestTogetherOfNothingKnownIsUnknown(t *testing.T) {
	for _, devices := range [][]gpu.Device{nil, {{}}, {{}, {MemUsedMiB: optional.NA(gpu.ReasonPermission)}}} {
		all := together(devices)
		for name, value := range map[string]optional.Value{"SM": all.SMActive, "memory": all.MemUsedMiB, "power": all.PowerW, "°": all.TempC} {
			if value.OK() {
				t.Errorf("%s of %d devices that tell nothing is %g", name, len(devices), value.V)
			}
		}
	}
}

func TestDeviceOrderIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		uuid := rapid.SampledFrom([]string{"", "a", "b", "c", "d"})
		devices := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) gpu.Device {
			return gpu.Device{UUID: uuid.Draw(t, "uuid"), Parent: uuid.Draw(t, "parent")}
		}), 0, 12).Draw(t, "devices")
		seen := make([]bool, len(devices))
		parent := ""
		for _, i := range deviceOrder(devices) {
			if seen[i] {
				t.Fatalf("device %d is there twice", i)
			}
			seen[i] = true
			if !devices[i].Part() {
				parent = devices[i].UUID
				continue
			}
			for j := range devices {
				if !devices[j].Part() && devices[j].UUID == devices[i].Parent && parent != devices[i].Parent {
					t.Fatalf("instance %d of %s stands beneath %s", i, devices[i].Parent, parent)
				}
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Fatalf("device %d is not there", i)
			}
		}
	})
}

func TestMemoryPeakIsThatOfTheRun(t *testing.T) {
	s := machine(2)()
	s.Stages[0].Telemetry.GPUs = []gpu.Total{{UUID: s.GPU.Devices[1].UUID, MemPeakMiB: optional.Of(140_000)}}
	peaks := memoryPeaks(s, s.GPU.Devices)
	if peaks[1].V != 140_000 {
		t.Errorf("the peak is %g, want that of the first stage, 140000", peaks[1].V)
	}
	if want := s.Stages[2].Telemetry.GPUs[0].MemPeakMiB.V; peaks[0].V != max(want, s.GPU.Devices[0].MemUsedMiB.V) {
		t.Errorf("the other's is %g", peaks[0].V)
	}
	nameless := []gpu.Device{{Name: "x", MemUsedMiB: optional.Of(1)}, {Name: "x", MemUsedMiB: optional.Of(2)}}
	s.Stages[0].Telemetry.GPUs = []gpu.Total{{Name: "x", MemPeakMiB: optional.Of(5)}, {Name: "x", MemPeakMiB: optional.Of(7)}}
	if peaks := memoryPeaks(s, nameless); peaks[0].V != 5 || peaks[1].V != 7 {
		t.Errorf("without UUIDs the peaks are %v, want 5 and 7", peaks)
	}
}

func TestWhatTheServerSays(t *testing.T) {
	screen := screenOf(t, observed(), 120, 36, "4")
	shows(t, screen, "vLLM", "1.2 % (asked 0 %)", "preemptions   0")
	shows(t, lineWith(screen, "output  "), "4,091 tok/s", "ours 4,132")
	shows(t, lineWith(screen, "network and proxy"), "~14.0") // the client's mean TTFT is 14 ms above the server's
	shows(t, lineWith(screen, "KV cache"), "61 %", "max 63 %")
	shows(t, screenOf(t, observed(), 200, 50), "server  running 32  waiting 3  KV 61 %  prefix hit 1.2 % (asked 0 %)")
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
		{"many samples, a long way", at(1000, 0.2), at(990, 0.15), 10, ms(50), false},
		{"many samples, next door", at(1000, 0.2), at(1000, 0.1995), 10, ms(2), true},
		{"few samples", at(20, 0.2), at(18, 0.15), 9, ms(100), true},
		{"the server's mean is above ours", at(1000, 0.2), at(1000, 0.25), 10, ms(2), true},
		{"nothing in flight", at(100, 0.2), at(100, 0.1), 0, ms(100), false},
		{"more in flight than counted", at(5, 0.2), at(5, 0.1), 500, ms(200), true},
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
	s := observed()
	s.Stages[2].Telemetry.Server.Window.TTFT.N = 5000
	shows(t, lineWith(screenOf(t, s, 120, 36, "4"), "network and proxy"), "n/a (others use it too)")
}

func TestAServerThatTellsNothingSaysWhatToDo(t *testing.T) {
	shows(t, screenOf(t, elsewhere(), 200, 50, "4"), "llama.cpp gives no metrics: start llama-server with --metrics")
	shows(t, screenOf(t, elsewhere(), 120, 36), "server  llama.cpp gives no metrics")
	shows(t, screenOf(t, unseen(), 200, 50, "4"), "llama3.1:8b", "VRAM 6.0 GiB", "context 8,192", "n/a (Ollama does not tell)")
	s := observed()
	s.Server = nil
	shows(t, screenOf(t, s, 120, 36, "4"), "no metrics of the server read")
	if line := lineWith(screenOf(t, s, 120, 36), "server  "); line != "" {
		t.Errorf("a server that nobody reads has a line: %s", line)
	}
}

func TestAServerThatFellSilentIsMarked(t *testing.T) {
	shows(t, screenOf(t, troubled(), 120, 36, "4"), "stale 7 s", "the server's metrics page does not answer")
	shows(t, screenOf(t, troubled(), 120, 36), "server  ! stale 7 s")
}

func TestWhereTheAcceleratorsAre(t *testing.T) {
	shows(t, screenOf(t, elsewhere(), 120, 36, "4"), gpu.TextElsewhere, "no GPU is read behind the endpoint", "n/a (no price is given)")
	shows(t, screenOf(t, elsewhere(), 80, 24), "local GPU")
	for _, keys := range [][]string{{"4"}, nil} {
		shows(t, screenOf(t, unseen(), 120, 36, keys...), "no NVIDIA driver here")
	}
	s := busy()
	shows(t, screenOf(t, s, 120, 36, "4"), "SIMULATED", "n/a")
}

func TestEfficiency(t *testing.T) {
	s := observed()
	e := &s.Stages[2].Efficiency
	e.Estimated, e.CostPerMillion = true, optional.Of(0.27)
	screen := screenOf(t, s, 120, 36, "4")
	shows(t, lineWith(screen, "per joule"), "~6.83 tok/J")
	shows(t, lineWith(screen, "output per GPU"), " 4,132 tok/s")
	shows(t, lineWith(screen, "cost per million"), "0.27")
	shows(t, screen, "~ energy from power readings")
}

func TestAllAdviceShowsWithItsEvidence(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 50}} {
		screen := screenOf(t, observed(), size[0], size[1], "4", "v")
		shows(t, screen, "the GPU is the limit", "SM 92 %, 3,914 tok/s")
	}
	shows(t, screenOf(t, observed(), 120, 36, "4"), "hit rate 1.2 %, no overlap asked")
}

// The hand sees SM activity and memory on the smallest screen too.
func TestSmallScreensHaveALineForActivityAndOneForMemory(t *testing.T) {
	screen := screenOf(t, observed(), 80, 24)
	shows(t, lineWith(screen, "SM act"), "92 %", "99 %", "688 W", "64°")
	shows(t, lineWith(screen, "GPU memory"), "71 %", "100/140 GiB")
}

func TestStagesShowTelemetryWhereThereIsRoom(t *testing.T) {
	shows(t, screenOf(t, observed(), 200, 50, "5"), "SM act", "tok/J", "KV max")
	pair := screenOf(t, observed(), 200, 50, "5", "k", "enter", "j", "enter")
	shows(t, pair, "SM active mean", "power mean", "tok/J", "tok/s per GPU", "KV cache max", "waiting max", "prefix hit rate")
	shows(t, lineWith(pair, "waiting max"), "3", "6", "+3", "+100 %")
	if blind := screenOf(t, ladder(), 200, 50, "5", "k", "enter", "k", "enter"); strings.Contains(blind, "tok/J") {
		t.Error("figures that no stage has are shown")
	}
}

func TestEveryGPUPageSizeFits(t *testing.T) {
	shots := []func() *engine.Snapshot{observed, machine(16), troubled, divided, elsewhere, unseen, starting, busy, eightGPUs}
	n := 0
	check := func(w, h int) {
		n++ // every size gets another scene
		m, _ := opened(t, shots[n%len(shots)](), w, h, mustTheme(t, theme.Dark, termenv.ANSI, n%2 == 1))
		for _, k := range []string{"4", "j", "v", "k", "f", "v", "?", "esc", "+", "1", "5"} {
			press(m, k)
			fits(t, m.View(), w, h)
		}
	}
	golden.Sizes(leastWidth, leastHeight, len(shots), 7, check)
}

func TestGPUPartsTileTheScreen(t *testing.T) {
	for _, meaning := range []bool{false, true} {
		for _, devices := range []int{0, 1, 2, 8, 40} {
			for h := leastHeight; h <= 70; h += 3 {
				for _, w := range []int{60, 80, 120, 200} {
					tiles(t, w, h, placed(w, h, withDevices(devices), &gpuPage{meaning: meaning}), fmt.Sprintf("%d devices", devices))
				}
			}
		}
	}
}

// What sources and servers call things is shown, never obeyed.
func TestForeignNamesOfTelemetryAreHarmless(t *testing.T) {
	s := observed()
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
		m, _ := opened(t, s, size[0], size[1], mustTheme(t, theme.Dark, termenv.Ascii, false))
		fits(t, m.View(), size[0], size[1])
		press(m, "4")
		fits(t, m.View(), size[0], size[1])
	}
}

func BenchmarkGPUFrame(b *testing.B) {
	m, _ := opened(b, troubled(), 200, 50, mustTheme(b, theme.Dark, termenv.TrueColor, false))
	press(m, "4")
	b.ReportAllocs()
	for b.Loop() {
		m.Update(frameMsg{})
	}
}
