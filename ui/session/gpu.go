// This file says what can be read of the accelerators from here, and why not where it can't.

package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// Survey is what the gpu command is asked for.
type Survey struct {
	Names   []string // as gpu.ParseSpec takes them; none: auto
	Options gpu.Options
	Look    func(ctx context.Context, names []string, options gpu.Options) gpu.Survey // opens, reads and closes them
	JSON    bool
	Watch   bool // again and again, until interrupted
}

// GPU prints what can be read. Nothing to be read is no error, unless it was named.
func GPU(ctx context.Context, s Survey, std Streams) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	for {
		survey := s.Look(ctx, s.Names, s.Options)
		if ctx.Err() != nil {
			return nil
		}
		if err := printSurvey(std.Out, survey, s.JSON); err != nil {
			return err
		}
		if !s.Watch {
			return nothingNamed(s.Names, survey)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(s.Options.Every):
		}
	}
}

// nothingNamed is a failure where sources were named and none of them gives a device.
func nothingNamed(names []string, survey gpu.Survey) error {
	named := slices.ContainsFunc(names, func(name string) bool { return name != string(gpu.KindAuto) && name != string(gpu.KindNone) })
	if named && len(survey.Reading.Devices) == 0 {
		return &failure{StatusEndpoint, nil}
	}
	return nil
}

func printSurvey(out io.Writer, survey gpu.Survey, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(survey)
	}
	var b strings.Builder
	for _, t := range survey.Tried {
		state := "yes"
		if !t.OK {
			state = "no: " + t.Reason
		}
		fmt.Fprintf(&b, "%-8s %s\n", t.Spec, state)
	}
	if len(survey.Reading.Devices) == 0 {
		fmt.Fprintln(&b, "no GPU can be read from here")
	}
	if err := survey.Reading.Partial; err != nil {
		fmt.Fprintln(&b, err)
	}
	for i := range survey.Reading.Devices {
		describe(&b, &survey.Reading.Devices[i])
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// describe prints a device, a line per metric.
func describe(b *strings.Builder, d *gpu.Device) {
	fmt.Fprintf(b, "\nGPU %d  %s  %s\n", d.Index, d.Name, d.UUID)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	line := func(name string, v optional.Value, unit string) {
		if v.OK() {
			fmt.Fprintf(t, "  %s\t%s %s\n", name, strings.TrimSuffix(fmt.Sprintf("%.1f", v.V), ".0"), unit)
			return
		}
		fmt.Fprintf(t, "  %s\t%s\n", name, v.Why())
	}
	line("memory used", d.MemUsedMiB, "MiB")
	line("memory total", d.MemTotalMiB, "MiB")
	line("memory reserved", d.MemReservedMiB, "MiB")
	line("GPU-util (any kernel ran)", d.UtilPercent, "%")
	line("memory activity (any access)", d.MemCopyUtil, "%")
	line("SM active", d.SMActive, "%")
	line("SM occupancy", d.SMOccupancy, "%")
	line("tensor active", d.TensorActive, "%")
	line("DRAM active", d.DRAMActive, "%")
	line("power", d.PowerW, "W")
	line("power limit", d.PowerLimitW, "W")
	line("energy, counter", d.EnergyJ, "J")
	line("temperature", d.TempC, "°C")
	line("SM clock", d.SMClockMHz, "MHz")
	line("SM clock, most", d.SMClockMaxMHz, "MHz")
	line("memory clock", d.MemClockMHz, "MHz")
	line("PCIe out", d.PCIeTXMiBs, "MiB/s")
	line("PCIe in", d.PCIeRXMiBs, "MiB/s")
	line("NVLink out", d.NVLinkTXMiBs, "MiB/s")
	line("NVLink in", d.NVLinkRXMiBs, "MiB/s")
	line("last XID error", d.XID, "")
	_ = t.Flush() // into memory
	if reasons := d.ClockReasons.String(); reasons != "" {
		fmt.Fprintf(b, "  clocks are held by: %s\n", reasons)
	}
	if d.Note != "" {
		fmt.Fprintf(b, "  note: %s\n", d.Note)
	}
}
