// This file says of the chosen accelerator what its row has no room for, and in full why a figure is unknown.

package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/theme"
)

// deviceFacts are all that is known of a device, the most telling first.
func deviceFacts(v *Frame, r *deviceRow) []fact {
	percent := func(name string, value optional.Value) fact { return stated(v.th, name, value, r.role, whole, " %") }
	facts := []fact{
		{"clocks held by", []piece{heldBy(r.ClockReasons)}},
		{"SM clock", limited(v.th, r.SMClockMHz, r.SMClockMaxMHz, r.role, "MHz")},
		{"power", limited(v.th, r.PowerW, r.PowerLimitW, r.role, "W")},
		percent("SM active", r.SMActive),
		percent("occupancy", r.SMOccupancy),
		percent("tensor", r.TensorActive),
		percent("DRAM", r.DRAMActive),
		percent("GPU-util", r.UtilPercent),
		stated(v.th, "memory peak", r.peak, r.role, gibibytes, " GiB"),
	}
	facts = append(facts, processFacts(v, r.Processes)...)
	facts = append(facts,
		percent("memory activity", r.MemCopyUtil),
		stated(v.th, "memory clock", r.MemClockMHz, r.role, whole, " MHz"),
		stated(v.th, "reserved", r.MemReservedMiB, r.role, gibibytes, " GiB"),
	)
	for _, t := range []struct {
		name string
		out  optional.Value
		in   optional.Value
	}{{"PCIe", r.PCIeTXMiBs, r.PCIeRXMiBs}, {"NVLink", r.NVLinkTXMiBs, r.NVLinkRXMiBs}} {
		if !t.out.OK() && !t.in.OK() {
			continue // few sources tell, and nothing rests on it
		}
		value := append([]piece{{theme.Muted, "out "}}, valued(v.th, t.out, farRoom, r.role, whole, "")...)
		value = append(append(value, piece{theme.Muted, " in "}), valued(v.th, t.in, farRoom, r.role, whole, " MiB/s")...)
		facts = append(facts, fact{t.name, value})
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Compare(a.silence(), b.silence()) })
	return append(deviceNotes(v, r), facts...)
}

// deviceNotes are what a person must know before reading a device's figures, and its name in full.
func deviceNotes(v *Frame, r *deviceRow) []fact {
	g := &v.th.Glyphs
	name := deviceName(v, r.Device)
	if r.Index != everyDevice && !r.Part() {
		name = strconv.Itoa(r.Index) + " " + name
	}
	if r.Host != "" {
		name += " @ " + foreign(r.Host, g)
	}
	facts := []fact{{"", []piece{{theme.Title, name}}}}
	note := func(role theme.Role, text string) {
		facts = append(facts, fact{"", []piece{{role, text}}})
	}
	if r.Lost {
		note(theme.Bad, g.Cross+" LOST: it fell off the bus; these are its last values")
	}
	if r.XID.OK() && r.XID.V != 0 {
		note(theme.Bad, fmt.Sprintf("%s XID %.0f", g.Alert, r.XID.V))
	}
	switch {
	case r.Note != "":
		note(theme.Warn, g.Alert+" "+foreign(r.Note, g))
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

// limited writes a value against the most that it may be: "612/700 W".
func limited(th *theme.Theme, value, most optional.Value, role theme.Role, unit string) []piece {
	if value.OK() && most.OK() {
		return []piece{{role, whole(value.V) + "/" + whole(most.V)}, {theme.Muted, " " + unit}}
	}
	return valued(th, value, farRoom, role, whole, " "+unit)
}

// processFacts are the processes on a device, those that hold most memory first. Which of them is the server, its name
// has to tell.
func processFacts(v *Frame, p *gpu.Processes) []fact {
	const most = 3
	switch {
	case p == nil:
		return []fact{{"processes", unknownCell()}}
	case len(p.List) == 0:
		return []fact{{"processes", []piece{{theme.Text, "none"}}}}
	}
	list := slices.Clone(p.List)
	slices.SortStableFunc(list, func(a, b gpu.Process) int { return cmp.Compare(b.MemUsedMiB.V, a.MemUsedMiB.V) })
	var facts []fact
	for i, one := range list {
		if i == most {
			facts = append(facts, fact{"", []piece{{theme.Muted, fmt.Sprintf("+%d processes", len(list)-most)}}})
			break
		}
		name := foreign(one.Name, &v.th.Glyphs)
		if name == "" {
			name = "process"
		}
		value := []piece{{theme.Text, strconv.Itoa(one.PID) + " "}}
		facts = append(facts, fact{name, append(value, valued(v.th, one.MemUsedMiB, farRoom, theme.Text, gibibytes, " GiB")...)})
	}
	return facts
}

// partialFact is what a source could not read beside the devices that it has.
func partialFact(v *Frame, r *gpu.Reading) []fact {
	if r.Partial == nil {
		return nil
	}
	g := &v.th.Glyphs
	return []fact{{"", []piece{{theme.Warn, g.Alert + " " + foreign(r.Partial.Error(), g)}}}}
}
