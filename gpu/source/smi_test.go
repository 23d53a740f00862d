package source

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

const smiRowText = "0, GPU-10000000-0000-0000-0000-000000000000, 72000, 81559, 600, 97, 41, 612.35, 700.00, 64, 1755, 1980, 2619, 0x0000000000000024, Disabled, NVIDIA H100 80GB HBM3"

func TestParseSMI(t *testing.T) {
	cells := strings.Split(smiRowText, ", ")
	with := func(changes map[int]string) string {
		row := slices.Clone(cells)
		for i, text := range changes {
			row[i] = text
		}
		return strings.Join(row, ", ")
	}
	for name, c := range map[string]struct {
		line  string
		check func(gpu.Device) bool
	}{
		"everything": {smiRowText, func(d gpu.Device) bool {
			return d.Index == 0 && d.UUID == firstSMI && d.Name == "NVIDIA H100 80GB HBM3" && d.MemUsedMiB == optional.Of(72000) && d.MemTotalMiB == optional.Of(81559) &&
				d.MemReservedMiB == optional.Of(600) && d.UtilPercent == optional.Of(97) && d.MemCopyUtil == optional.Of(41) && d.PowerW == optional.Of(612.35) && d.PowerLimitW == optional.Of(700) &&
				d.TempC == optional.Of(64) && d.SMClockMHz == optional.Of(1755) && d.SMClockMaxMHz == optional.Of(1980) && d.MemClockMHz == optional.Of(2619) &&
				d.ClockReasons.String() == "power cap, SW thermal" && d.SMActive == optional.NA(gpu.ReasonNotInSMI) && d.EnergyJ == optional.NA(gpu.ReasonNotInSMI)
		}},
		"words for nothing": {with(map[int]string{2: "[N/A]", 5: "[Not Supported]", 7: "N/A", 13: "[N/A]"}), func(d gpu.Device) bool {
			return d.MemUsedMiB == optional.NA(gpu.ReasonNotSupported) && d.UtilPercent == optional.NA(gpu.ReasonNotSupported) && d.PowerW == optional.NA(gpu.ReasonNotSupported) && !d.ClockReasons.Known()
		}},
		"errors": {with(map[int]string{5: "[Unknown Error]", 6: "[Insufficient Permissions]", 7: "[GPU requires reset]", 9: "?"}), func(d gpu.Device) bool {
			return d.UtilPercent == optional.NA(gpu.ReasonDriverError) && d.MemCopyUtil == optional.NA(gpu.ReasonPermission) && d.PowerW == optional.NA(gpu.ReasonReset) && d.TempC == optional.NA(gpu.ReasonUnreadable) && !d.Lost
		}},
		"lost": {with(map[int]string{2: "[GPU is lost]", 15: "[GPU is lost]"}), func(d gpu.Device) bool {
			return d.Lost && d.MemUsedMiB == optional.NA(optional.ReasonLost) && d.Name == "GPU 0"
		}},
		"divided": {with(map[int]string{5: "[N/A]", 6: "[N/A]", 14: "Enabled"}), func(d gpu.Device) bool {
			return d.UtilPercent == optional.NA(gpu.ReasonMIG) && d.MemCopyUtil == optional.NA(gpu.ReasonMIG) && d.MemUsedMiB.OK()
		}},
		"a name with commas": {with(map[int]string{15: "NVIDIA A, B, C"}), func(d gpu.Device) bool { return d.Name == "NVIDIA A, B, C" }},
		"units all the same": {with(map[int]string{2: "72000 MiB", 7: "612.35 W"}), func(d gpu.Device) bool { return d.MemUsedMiB == optional.Of(72000) && d.PowerW == optional.Of(612.35) }},
	} {
		if d, ok := parseSMI(c.line, smiFields()); !ok || !c.check(d) {
			t.Errorf("%s: %+v, %v", name, d, ok)
		}
	}
	for _, line := range []string{"", "No devices were found", with(map[int]string{0: "x"}), "0, GPU-1"} {
		if d, ok := parseSMI(line, smiFields()); ok {
			t.Errorf("%q is a row: %+v", line, d)
		}
	}
}

const firstSMI = "GPU-10000000-0000-0000-0000-000000000000"

func TestAnUnknownFieldGoesByItsOlderNameOrNotAtAll(t *testing.T) {
	refused, ok := smiRefused(`Field "clocks_event_reasons.active" is not a valid field to query.`)
	if !ok || refused != smiReasons {
		t.Fatalf("%q, %v", refused, ok)
	}
	fields, ok := smiWithout(smiFields(), refused)
	older := slices.IndexFunc(fields, func(f smiField) bool { return f.names[0] == "clocks_throttle_reasons.active" })
	if !ok || older < 0 {
		t.Fatal("the older name is not tried")
	}
	if d, ok := parseSMI(smiRowText, fields); !ok || d.ClockReasons.String() != "power cap, SW thermal" {
		t.Errorf("by its older name: %v, %v", d.ClockReasons, ok)
	}
	fewer, ok := smiWithout(fields, "clocks_throttle_reasons.active")
	if !ok || len(fewer) != len(fields)-1 {
		t.Error("a field that is known by no name is not left out")
	}
	for _, name := range []string{smiIndex, smiName, "nonsense"} {
		if _, ok := smiWithout(smiFields(), name); ok {
			t.Errorf("it goes on without %q", name)
		}
	}
	if _, ok := smiRefused("Permission denied"); ok {
		t.Error("every message refuses a field")
	}
}

func FuzzParseSMI(f *testing.F) {
	f.Add(smiRowText)
	f.Add("1, [GPU is lost], [N/A], [Not Supported], [Unknown Error], , NaN, 1e999, 0x, -1, 0, 0, 0, 0xffffffffffffffff, Enabled, x")
	f.Add("Unable to determine the device handle for GPU0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU")
	f.Fuzz(func(t *testing.T, line string) {
		d, ok := parseSMI(line, smiFields())
		if !ok {
			return
		}
		for name, v := range map[string]optional.Value{"util": d.UtilPercent, "memory": d.MemUsedMiB, "power": d.PowerW, "SM": d.SMActive, "XID": d.XID} {
			if !v.OK() && v.NA == "" {
				t.Errorf("%s is unknown without a reason", name)
			}
		}
		if d.Name == "" || d.Index < 0 {
			t.Errorf("%+v", d)
		}
	})
}

// program puts a shell script in front of everything on PATH.
func program(t *testing.T, name, script string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// soon is a back-off for tests.
func soon(int) time.Duration { return time.Millisecond }

func second(row string) string {
	return strings.ReplaceAll("1"+row[1:], "000000000000,", "000000000001,")
}

func TestSMIListensToItsChild(t *testing.T) {
	program(t, "nvidia-smi", `
case "$*" in
*clocks_event_reasons*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.'; exit 2;;
*"--format=csv,noheader,nounits -lms 1000") echo '`+second(smiRowText)+`'; echo '`+smiRowText+`'; exec sleep 60;;
esac
echo "strange arguments: $*" >&2; exit 1`)
	src, err := SMI(0)
	if err != nil {
		t.Fatal(err)
	}
	if src.Name() != "smi" || src.Simulated() {
		t.Error("the source does not say what it is")
	}
	s := src.(*smiSource)
	for { // two rows come one after the other
		devices, err := src.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(devices) == 2 {
			if devices[0].Index != 0 || devices[1].Index != 1 || devices[1].UUID != secondUUIDText || devices[0].UtilPercent != optional.Of(97) {
				t.Errorf("%+v", devices)
			}
			break
		}
	}
	devices, _, err := s.latest(time.Now().Add(4 * time.Second))
	if err != nil || len(devices) != 2 || devices[0].UtilPercent != optional.NA(gpu.ReasonSilent) || devices[0].Age < 3*time.Second || devices[0].Name == "" {
		t.Errorf("after silence: %+v, %v", devices, err)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	if _, err := (&smiSource{changed: make(chan struct{}), done: s.done}).Read(t.Context()); err == nil {
		t.Error("a closed source is waited for")
	}
}

const secondUUIDText = "GPU-10000000-0000-0000-0000-000000000001"

func TestSMIStartsItsChildAnew(t *testing.T) {
	dir := program(t, "nvidia-smi", `
here=$(dirname "$0")
if [ ! -e "$here/again" ]; then touch "$here/again"; echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."; exit 9; fi
echo '`+smiRowText+`'; exec sleep 60`)
	src := startSMI("smi", []string{filepath.Join(dir, "nvidia-smi")}, time.Second, soon)
	defer src.Close()
	sawProblem := false
	for {
		devices, err := src.Read(t.Context())
		if err != nil {
			if err.Error() != textNoDriver {
				t.Fatal(err)
			}
			sawProblem = true
			continue
		}
		if len(devices) == 1 {
			break
		}
	}
	t.Logf("the failure was seen: %v", sawProblem) // it lasts a millisecond
}

func TestALostRowKeepsItsLastValues(t *testing.T) {
	s := &smiSource{every: time.Second, rows: map[int]smiRow{}, changed: make(chan struct{})}
	well, _ := parseSMI(smiRowText, smiFields())
	s.take(well)
	lost, _ := parseSMI(strings.ReplaceAll(smiRowText, "72000", "[GPU is lost]"), smiFields())
	s.take(lost)
	s.take(lost)
	devices, _, err := s.latest(time.Now())
	if err != nil || len(devices) != 1 || !devices[0].Lost || devices[0].UtilPercent != optional.NA(optional.ReasonLost) || devices[0].Last == nil || *devices[0].Last != well {
		t.Errorf("%+v, %v", devices, err)
	}
}

func TestTheLastWordBecomesTheSentence(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"complaint":    {"echo 'Warning: Permanently added gpu-7' >&2; printf 'me@gpu-7: Permission denied (publickey).' >&2; exit 255", "me@gpu-7: Permission denied (publickey)."},
		"on stdout":    {"echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18", textMismatch},
		"no GPU":       {"echo 'No devices were found'; exit 6", textNoDevices},
		"without word": {"exit 3", "nvidia-smi gave no reason: exit status 3"},
		"success":      {"exit 0", "nvidia-smi gave no reason: it ended by itself"},
		"binary":       {"head -c 100000 /dev/zero | tr '\\0' 'x'; exit 1", strings.Repeat("x", longestLine)},
	} {
		dir := program(t, "nvidia-smi", c.script)
		src := startSMI("smi", []string{filepath.Join(dir, "nvidia-smi")}, time.Second, backOff)
		if devices, err := src.Read(t.Context()); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v; want %q", name, devices, err, c.want)
		}
		src.Close()
	}
}

func TestSSHAsksNothingAndPassesNoOptions(t *testing.T) {
	dir := program(t, "ssh", `echo "$@" > "$(dirname "$0")/arguments"; echo '`+smiRowText+`'; exec sleep 60`)
	src, err := SSH("me@gpu-7", 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if devices, err := src.Read(t.Context()); err != nil || len(devices) != 1 || src.Name() != "ssh:me@gpu-7" {
		t.Errorf("%s: %+v, %v", src.Name(), devices, err)
	}
	arguments, err := os.ReadFile(filepath.Join(dir, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(arguments)
	if !strings.Contains(text, "-o BatchMode=yes") || !strings.Contains(text, " me@gpu-7 nvidia-smi --query-gpu=index,uuid,memory.used,") ||
		!strings.HasSuffix(text, " --format=csv,noheader,nounits -lms 500\n") {
		t.Errorf("%s", text)
	}
	for _, host := range []string{"", "-oProxyCommand=x", "a b", "a;reboot", "$(x)", "a\nb", "ü"} {
		if _, err := SSH(host, 0); err == nil {
			t.Errorf("%q is a host", host)
		}
	}
}

func TestBackOffGrowsToHalfAMinute(t *testing.T) {
	var got []time.Duration
	for _, n := range []int{1, 2, 3, 5, 6, 1000} {
		got = append(got, backOff(n))
	}
	want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
