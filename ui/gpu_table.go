// This file is the table of accelerators: activity, memory, power; every figure under its own name.

package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/chart"
	"tokdyno/ui/theme"
)

// deviceRow is one device as it is drawn.
type deviceRow struct {
	*gpu.Device
	peak optional.Value // memory, over the run
	role theme.Role     // of its figures: muted where they are not of the present
}

// deviceColumn is a figure of every device.
type deviceColumn struct {
	name  string
	cells int // with the gap before it
	rank  int // the highest is left out first; 0 stays
	left  bool
	bar   bool // it takes what the others leave, up to mostBar
	cell  func(v *Frame, r *deviceRow, room int) []piece
}

// The cells of a device's name and of the bar of its memory.
const (
	leastDevice = inset + 12
	mostDevice  = 28
	leastBar    = 4
	mostBar     = 34
)

// deviceColumns returns all of them. Occupancy is a figure as any other: more of it is not better.
func deviceColumns() []deviceColumn {
	share := func(name string, cells, rank int, of func(*gpu.Device) optional.Value) deviceColumn {
		return figureColumn(name, cells, rank, " %", of)
	}
	return []deviceColumn{
		share("SM act", 7, 0, func(d *gpu.Device) optional.Value { return d.SMActive }),
		share("occup", 7, 9, func(d *gpu.Device) optional.Value { return d.SMOccupancy }),
		share("tensor", 8, 6, func(d *gpu.Device) optional.Value { return d.TensorActive }),
		share("DRAM", 6, 5, func(d *gpu.Device) optional.Value { return d.DRAMActive }),
		share("util", 6, 1, func(d *gpu.Device) optional.Value { return d.UtilPercent }),
		{name: "memory", cells: leastBar + 2, rank: 4, left: true, bar: true},
		{name: "GiB", cells: 14, rank: 0, cell: func(v *Frame, r *deviceRow, room int) []piece {
			if !r.MemUsedMiB.OK() && !r.MemTotalMiB.OK() {
				return []piece{excuse(v.th, r.MemUsedMiB, room)}
			}
			return []piece{{r.role, memory(r.MemUsedMiB, r.MemTotalMiB)}}
		}},
		{name: "peak", cells: 6, rank: 7, cell: func(v *Frame, r *deviceRow, room int) []piece {
			return valued(v.th, r.peak, room, r.role, gibibytes, "")
		}},
		wattColumn("power", 2, func(d *gpu.Device) optional.Value { return d.PowerW }),
		wattColumn("limit", 8, func(d *gpu.Device) optional.Value { return d.PowerLimitW }),
		figureColumn("SM clock", 10, 10, " MHz", func(d *gpu.Device) optional.Value { return d.SMClockMHz }),
		figureColumn("temp", 5, 3, "°", func(d *gpu.Device) optional.Value { return d.TempC }),
		{name: "clocks held by", cells: 20, rank: 11, left: true, cell: func(_ *Frame, r *deviceRow, _ int) []piece {
			return []piece{heldBy(r.ClockReasons)}
		}},
	}
}

func figureColumn(name string, cells, rank int, unit string, of func(*gpu.Device) optional.Value) deviceColumn {
	return deviceColumn{name: name, cells: cells, rank: rank, cell: func(v *Frame, r *deviceRow, room int) []piece {
		return valued(v.th, of(r.Device), room, r.role, whole, unit)
	}}
}

func wattColumn(name string, rank int, of func(*gpu.Device) optional.Value) deviceColumn {
	return deviceColumn{name: name, cells: 8, rank: rank, cell: func(v *Frame, r *deviceRow, room int) []piece {
		return watts(v.th, of(r.Device), room, r.role)
	}}
}

// watts writes power, that of a machine with many GPUs in kilowatts.
func watts(th *theme.Theme, value optional.Value, room int, role theme.Role) []piece {
	const kilo = 9999.5
	if value.OK() && value.V >= kilo {
		return valued(th, optional.Of(value.V/1000), room, role, digits, " kW")
	}
	return valued(th, value, room, role, whole, " W")
}

// whole writes a number without decimals; none of those written here is ever negative.
func whole(x float64) string { return grouped(int64(max(x, 0) + 0.5)) }

// heldBy names what holds clocks back. A power cap is the card doing its work at its limit; heat and hardware are worse.
func heldBy(c gpu.ClockReasons) piece {
	const faults = gpu.ClockHWSlowdown | gpu.ClockHWThermal | gpu.ClockPowerBrake | gpu.ClockSWThermal
	switch {
	case !c.Known():
		return piece{theme.Muted, c.String()}
	case c&faults != 0:
		return piece{theme.Warn, c.String()}
	}
	return piece{theme.Text, c.String()}
}

// valued writes a value, or why there is none as far as that fits into the room.
func valued(th *theme.Theme, value optional.Value, room int, role theme.Role, write func(float64) string, unit string) []piece {
	if !value.OK() {
		return []piece{excuse(th, value, room)}
	}
	out := []piece{{role, write(value.V)}}
	if unit != "" {
		out = append(out, piece{theme.Muted, own(unit, &th.Glyphs)})
	}
	return out
}

// excuse is why a value is unknown, cut to the room; "n/a…" where too little of the reason would be left.
func excuse(th *theme.Theme, value optional.Value, room int) piece {
	const legible = 10
	g := &th.Glyphs
	p := piece{theme.Muted, foreign(value.Why(), g)}
	if value.NA == optional.ReasonLost {
		p.role = theme.Bad
	}
	switch {
	case cells(p.text) <= room:
	case room < legible && strings.HasPrefix(p.text, unknown):
		p.text = ansi.Truncate(unknown+g.Ellipsis, room, "")
	default:
		p.text = ansi.Truncate(p.text, room, g.Ellipsis)
	}
	return p
}

// deviceTable is which columns fit, and the cells of the name.
type deviceTable struct {
	columns []deviceColumn
	name    int
}

// deviceTableIn fits the columns into w cells. What they leave goes to the name, as far as the longest asks for it, then
// to the bar of the memory.
func deviceTableIn(w, longest int) deviceTable {
	t := deviceTable{columns: deviceColumns()}
	left := 0
	for {
		left = w - inset - leastDevice
		worst := 0
		for i, c := range t.columns {
			left -= c.cells
			if c.rank > t.columns[worst].rank {
				worst = i
			}
		}
		if left >= 0 || t.columns[worst].rank == 0 {
			break
		}
		t.columns = append(t.columns[:worst], t.columns[worst+1:]...)
	}
	left = max(left, 0)
	more := min(left, max(min(longest, mostDevice)-leastDevice, 0))
	t.name, left = leastDevice+more, left-more
	for i := range t.columns {
		if c := &t.columns[i]; c.bar {
			c.cells = min(c.cells+left, mostBar)
		}
	}
	return t
}

func (t *deviceTable) head(v *Frame, w int) string {
	l := newLine(v.th, w).skip(inset).put(theme.Muted, "GPU")
	end := t.name
	for _, c := range t.columns {
		if c.left {
			l.to(end+2).put(theme.Muted, c.name)
		} else {
			l.flush(end+c.cells, theme.Muted, c.name)
		}
		end += c.cells
	}
	return l.String()
}

func (t *deviceTable) line(v *Frame, r *deviceRow, chosen bool, w int) string {
	l := newLine(v.th, w)
	if chosen {
		l.put(theme.Accent, v.th.Glyphs.Pointer)
	}
	l.to(inset)
	within := newLine(v.th, t.name-inset)
	putDevice(v, within, r)
	l.painted(within.String(), within.width)
	end := t.name
	for i, c := range t.columns {
		switch {
		case c.bar:
			l.to(end+2).painted(memoryBar(v, r, c.cells-2), c.cells-2)
		case c.left:
			l.to(end + 2)
			held := newLine(v.th, min(c.cells-2, l.room())).pieces(c.cell(v, r, c.cells-2))
			l.painted(held.String(), held.width)
		default:
			value := c.cell(v, r, c.cells-1)
			if i == 0 && r.Lost {
				value = []piece{excuse(v.th, optional.NA(optional.ReasonLost), c.cells-1)}
			}
			l.to(end + c.cells - pieceCells(value)).pieces(value)
		}
		end += c.cells
	}
	return l.String()
}

// putDevice names a device: its index and what it is, an instance by itself beneath its GPU.
func putDevice(v *Frame, l *line, r *deviceRow) {
	switch {
	case r.Part():
		l.skip(2).put(theme.Text, deviceName(v, r.Device))
	case r.Index == everyDevice:
		l.put(theme.Title, r.Name)
	default:
		l.put(theme.Muted, strconv.Itoa(r.Index)+" ").put(theme.Title, deviceName(v, r.Device))
	}
}

// deviceName is a device's name without what goes without saying; of an instance "MIG 3g.40gb 1/0".
func deviceName(v *Frame, d *gpu.Device) string {
	name := strings.TrimPrefix(foreign(d.Name, &v.th.Glyphs), "NVIDIA ")
	if !d.Part() {
		return name
	}
	if at := strings.LastIndex(name, "MIG"); at >= 0 {
		name = name[at:]
	} else {
		name = "MIG"
	}
	if d.Instance != "" {
		name += " " + foreign(d.Instance, &v.th.Glyphs)
	}
	return name
}

// memoryBar shows what is used, and as a mark the most that was.
func memoryBar(v *Frame, r *deviceRow, w int) string {
	if !r.MemUsedMiB.OK() || !r.MemTotalMiB.OK() || r.MemTotalMiB.V <= 0 || w <= 0 {
		return blank(w)
	}
	role := theme.Series1
	if r.role == theme.Muted {
		role = theme.Muted
	}
	used := r.MemUsedMiB.V / r.MemTotalMiB.V
	if !r.peak.OK() {
		return chart.Bar(used, w, role, *v.th)
	}
	at := min(int(r.peak.V/r.MemTotalMiB.V*float64(w)), w-1)
	if used*float64(w) >= float64(at) || at < 1 { // the bar reaches the mark's cell
		return chart.Bar(used, w, role, *v.th)
	}
	return chart.Bar(used*float64(w)/float64(at), at, role, *v.th) + v.th.Paint(theme.Accent, v.th.Glyphs.Mark) +
		chart.Bar(0, w-at-1, role, *v.th)
}

// deviceRows are the devices as rows, in the order in which they show.
func deviceRows(v *Frame, r *gpu.Reading) []deviceRow {
	peaks := memoryPeaks(v.shown, r.Devices)
	rows := make([]deviceRow, 0, len(r.Devices))
	for _, i := range deviceOrder(r.Devices) {
		rows = append(rows, rowOfDevice(v, r, &r.Devices[i], peaks[i]))
	}
	return rows
}

// deviceRow is one of them. A lost device shows its last values, and like a silent source's they are not of the present.
func rowOfDevice(v *Frame, r *gpu.Reading, d *gpu.Device, peak optional.Value) deviceRow {
	row := deviceRow{Device: d, peak: peak, role: theme.Text}
	if r.Stale > 0 || d.Age > 0 {
		row.role = theme.Muted
	}
	if d.Lost {
		row.role = theme.Muted
		if d.Last != nil {
			last := *d.Last
			last.Index, last.Name, last.Lost, last.Parent, last.Instance = d.Index, d.Name, true, d.Parent, d.Instance
			row.Device = &last
		}
	}
	return row
}

func longestDevice(v *Frame, rows []deviceRow) int {
	most := 0
	for i := range rows {
		most = max(most, inset+4+cells(deviceName(v, rows[i].Device)))
	}
	return most
}

// devicesLines draws the table into at most h lines: the heading, all devices as one where there are several, and the
// devices around the chosen one (none: -1). shown tells which these are.
func devicesLines(v *Frame, r *gpu.Reading, chosen, w, h int) (lines []string) {
	rows := deviceRows(v, r)
	t := deviceTableIn(w, longestDevice(v, rows))
	lines = append(lines, t.head(v, w))
	room := h - 1
	if len(rows) > 1 {
		all := together(r.Devices)
		row := rowOfDevice(v, r, &all, optional.NA(optional.ReasonNone))
		lines = append(lines, t.line(v, &row, false, w))
		room--
	}
	first, below := 0, 0
	if len(rows) > room {
		room = max(room-1, 1) // a line says how many more there are
		first = firstShown(chosen, len(rows), room)
		below = len(rows) - first - room
	}
	for i := first; i < len(rows)-below; i++ {
		lines = append(lines, t.line(v, &rows[i], i == chosen, w))
	}
	if first > 0 || below > 0 {
		lines = append(lines, newLine(v.th, w).skip(inset+2).pieces(moreDevices(v, first, below)).String())
	}
	return lines
}

// moreDevices says how many there are out of sight.
func moreDevices(v *Frame, above, below int) []piece {
	if above == 0 {
		return []piece{{theme.Muted, fmt.Sprintf("+%d more", below)}}
	}
	return hidden(v.th, above, below)
}

// memory is "71.2/80.0 GiB".
func memory(used, total optional.Value) string {
	gib := func(v optional.Value) string {
		if !v.OK() {
			return unknown
		}
		return gibibytes(v.V)
	}
	return gib(used) + "/" + gib(total) + " GiB"
}

// gibibytes writes MiB as GiB with three digits.
func gibibytes(mib float64) string {
	decimals := 1
	if mib >= 99.95*1024 {
		decimals = 0
	}
	return strconv.FormatFloat(mib/1024, 'f', decimals, 64)
}
