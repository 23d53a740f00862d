// This file says of the chosen accelerator what its row has no room for, and in full why a figure is unknown.

package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/device"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// deviceFacts are all that is known of a device, the most telling first.
func deviceFacts(v *page.Frame, r *device.Row) []cell.Fact {
	percent := func(name string, value optional.Value) cell.Fact {
		return figure.Stated(v.Theme, name, value, r.Role, cell.Whole, " %")
	}
	facts := []cell.Fact{
		{Name: "clocks held by", Value: []cell.Piece{device.HeldBy(r.ClockReasons)}},
		{Name: "SM clock", Value: figure.Limited(v.Theme, r.SMClockMHz, r.SMClockMaxMHz, r.Role, "MHz")},
		{Name: "power", Value: figure.Limited(v.Theme, r.PowerW, r.PowerLimitW, r.Role, "W")},
		percent("SM active", r.SMActive),
		percent("occupancy", r.SMOccupancy),
		percent("tensor", r.TensorActive),
		percent("DRAM", r.DRAMActive),
		percent("GPU-util", r.UtilPercent),
		figure.Stated(v.Theme, "memory peak", r.Peak, r.Role, cell.Gibibytes, " GiB"),
	}
	facts = append(facts, processFacts(v, r.Processes)...)
	facts = append(facts,
		percent("memory activity", r.MemCopyUtil),
		figure.Stated(v.Theme, "memory clock", r.MemClockMHz, r.Role, cell.Whole, " MHz"),
		figure.Stated(v.Theme, "reserved", r.MemReservedMiB, r.Role, cell.Gibibytes, " GiB"),
	)
	for _, t := range []struct {
		name string
		out  optional.Value
		in   optional.Value
	}{{"PCIe", r.PCIeTXMiBs, r.PCIeRXMiBs}, {"NVLink", r.NVLinkTXMiBs, r.NVLinkRXMiBs}} {
		if !t.out.OK() && !t.in.OK() {
			continue // few sources tell, and nothing rests on it
		}
		value := append([]cell.Piece{cell.Muted("out ")}, figure.Valued(v.Theme, t.out, figure.FarRoom, r.Role, cell.Whole, "")...)
		value = append(append(value, cell.Muted(" in ")), figure.Valued(v.Theme, t.in, figure.FarRoom, r.Role, cell.Whole, " MiB/s")...)
		facts = append(facts, cell.Fact{Name: t.name, Value: value})
	}
	slices.SortStableFunc(facts, func(a, b cell.Fact) int { return cmp.Compare(a.Silence(), b.Silence()) })
	return append(deviceNotes(v, r), facts...)
}

// deviceNotes are what a person must know before reading a device's figures, and its name in full.
func deviceNotes(v *page.Frame, r *device.Row) []cell.Fact {
	g := &v.Theme.Glyphs
	name := device.Name(v, r.Device)
	if r.Index != device.EveryDevice && !r.Part() {
		name = strconv.Itoa(r.Index) + " " + name
	}
	if r.Host != "" {
		name += " @ " + cell.Sanitise(r.Host, g)
	}
	facts := []cell.Fact{{Name: "", Value: []cell.Piece{cell.Title(name)}}}
	note := func(role theme.Role, text string) {
		facts = append(facts, cell.Fact{Name: "", Value: []cell.Piece{cell.In(role, text)}})
	}
	if r.Lost {
		note(theme.Bad, g.Cross+" LOST: it fell off the bus; these are its last values")
	}
	if r.XID.OK() && r.XID.V != 0 {
		note(theme.Bad, fmt.Sprintf("%s XID %.0f", g.Alert, r.XID.V))
	}
	switch {
	case r.Note != "":
		note(theme.Warn, g.Alert+" "+cell.Sanitise(r.Note, g))
	case r.Age > 0:
		note(theme.Warn, fmt.Sprintf("%s %.0f s old", g.Alert, r.Age.Seconds()))
	}
	if r.Restarted {
		note(theme.Warn, g.Alert+" "+gpu.TextRestarted)
	}
	if r.Unified {
		note(theme.Text, "memory "+gpu.TextUnified+": the host's own")
	}
	return facts
}

// processFacts are the processes on a device, those that hold most memory first. Which of them is the server, its name
// has to tell.
func processFacts(v *page.Frame, p *gpu.Processes) []cell.Fact {
	const most = 3
	switch {
	case p == nil:
		return []cell.Fact{{Name: "processes", Value: cell.NA()}}
	case len(p.List) == 0:
		return []cell.Fact{{Name: "processes", Value: []cell.Piece{cell.Text("none")}}}
	}
	list := slices.Clone(p.List)
	slices.SortStableFunc(list, func(a, b gpu.Process) int { return cmp.Compare(b.MemUsedMiB.V, a.MemUsedMiB.V) })
	var facts []cell.Fact
	for i, one := range list {
		if i == most {
			facts = append(facts, cell.Fact{Name: "", Value: []cell.Piece{cell.Muted(fmt.Sprintf("+%d processes", len(list)-most))}})
			break
		}
		name := cell.Sanitise(one.Name, &v.Theme.Glyphs)
		if name == "" {
			name = "process"
		}
		value := []cell.Piece{cell.Text(strconv.Itoa(one.PID) + " ")}
		value = append(value, figure.Valued(v.Theme, one.MemUsedMiB, figure.FarRoom, theme.Text, cell.Gibibytes, " GiB")...)
		facts = append(facts, cell.Fact{Name: name, Value: value})
	}
	return facts
}

// partialFact is what a source could not read beside the devices that it has.
func partialFact(v *page.Frame, r *gpu.Reading) []cell.Fact {
	if r.Partial == nil {
		return nil
	}
	g := &v.Theme.Glyphs
	return []cell.Fact{{Name: "", Value: []cell.Piece{cell.Warn(g.Alert + " " + cell.Sanitise(r.Partial.Error(), g))}}}
}
