// This file is the table of accelerators: activity, memory, power; every figure under its own name.

package device

import (
	"fmt"
	"strconv"
	"strings"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/chart"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// Row is one device as it is drawn.
type Row struct {
	*gpu.Device
	Peak optional.Value // memory, over the run
	Role theme.Role     // of its figures: muted where they are not of the present
}

// deviceColumn is a figure of every device.
type deviceColumn struct {
	name  string
	cells int // with the gap before it
	rank  int // the highest is left out first; 0 stays
	left  bool
	bar   bool // it takes what the others leave, up to mostBar
	cell  func(v *page.Frame, r *Row, room int) []cell.Piece
}

// The cells of a device's name and of the bar of its memory.
const (
	leastDevice = cell.Inset + 12
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
		{name: "GiB", cells: 14, rank: 0, cell: func(v *page.Frame, r *Row, room int) []cell.Piece {
			if !r.MemUsedMiB.OK() && !r.MemTotalMiB.OK() {
				return []cell.Piece{figure.Excuse(v.Theme, r.MemUsedMiB, room)}
			}
			return []cell.Piece{cell.In(r.Role, figure.Memory(r.MemUsedMiB, r.MemTotalMiB))}
		}},
		{name: "peak", cells: 6, rank: 7, cell: func(v *page.Frame, r *Row, room int) []cell.Piece {
			return figure.Valued(v.Theme, r.Peak, room, r.Role, cell.Gibibytes, "")
		}},
		wattColumn("power", 2, func(d *gpu.Device) optional.Value { return d.PowerW }),
		wattColumn("limit", 8, func(d *gpu.Device) optional.Value { return d.PowerLimitW }),
		figureColumn("SM clock", 10, 10, " MHz", func(d *gpu.Device) optional.Value { return d.SMClockMHz }),
		figureColumn("temp", 5, 3, "°", func(d *gpu.Device) optional.Value { return d.TempC }),
		{name: "clocks held by", cells: 20, rank: 11, left: true, cell: func(_ *page.Frame, r *Row, _ int) []cell.Piece {
			return []cell.Piece{HeldBy(r.ClockReasons)}
		}},
	}
}

func figureColumn(name string, cells, rank int, unit string, of func(*gpu.Device) optional.Value) deviceColumn {
	return deviceColumn{name: name, cells: cells, rank: rank, cell: func(v *page.Frame, r *Row, room int) []cell.Piece {
		return figure.Valued(v.Theme, of(r.Device), room, r.Role, cell.Whole, unit)
	}}
}

func wattColumn(name string, rank int, of func(*gpu.Device) optional.Value) deviceColumn {
	return deviceColumn{name: name, cells: 8, rank: rank, cell: func(v *page.Frame, r *Row, room int) []cell.Piece {
		return figure.Watts(v.Theme, of(r.Device), room, r.Role)
	}}
}

// HeldBy names what holds clocks back. A power cap is the card doing its work at its limit; heat and hardware are worse.
func HeldBy(c gpu.ClockReasons) cell.Piece {
	const faults = gpu.ClockHWSlowdown | gpu.ClockHWThermal | gpu.ClockPowerBrake | gpu.ClockSWThermal
	switch {
	case !c.Known():
		return cell.Muted(c.String())
	case c&faults != 0:
		return cell.Warn(c.String())
	}
	return cell.Text(c.String())
}

// deviceTable is which columns fit, and the cells of the name.
type deviceTable struct {
	columns []deviceColumn
	name    int
}

// deviceTableIn fits the columns into w cells. What they leave goes to the name, as far as the longest asks for it, then
// to the bar of the memory.
func deviceTableIn(w, longest int) deviceTable {
	var t deviceTable
	left := 0
	t.columns = cell.Drop(deviceColumns(), func(c *deviceColumn) int { return c.rank }, func(columns []deviceColumn) bool {
		left = w - cell.Inset - leastDevice
		for _, c := range columns {
			left -= c.cells
		}
		return left >= 0
	})
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

func (t *deviceTable) head(v *page.Frame, w int) string {
	l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, "GPU")
	end := t.name
	for _, c := range t.columns {
		if c.left {
			l.To(end+2).Put(theme.Muted, c.name)
		} else {
			l.Flush(end+c.cells, theme.Muted, c.name)
		}
		end += c.cells
	}
	return l.String()
}

func (t *deviceTable) line(v *page.Frame, r *Row, chosen bool, w int) string {
	l := cell.NewLine(v.Theme, w)
	if chosen {
		l.Put(theme.Accent, v.Theme.Glyphs.Pointer)
	}
	l.To(cell.Inset)
	within := cell.NewLine(v.Theme, t.name-cell.Inset)
	putDevice(v, within, r)
	l.Painted(within.String(), within.Width)
	end := t.name
	for i, c := range t.columns {
		switch {
		case c.bar:
			l.To(end+2).Painted(memoryBar(v, r, c.cells-2), c.cells-2)
		case c.left:
			l.To(end + 2)
			held := cell.NewLine(v.Theme, min(c.cells-2, l.Room())).Pieces(c.cell(v, r, c.cells-2))
			l.Painted(held.String(), held.Width)
		default:
			value := c.cell(v, r, c.cells-1)
			if i == 0 && r.Lost {
				value = []cell.Piece{figure.Excuse(v.Theme, optional.NA(optional.ReasonLost), c.cells-1)}
			}
			l.To(end + c.cells - cell.WidthOf(value)).Pieces(value)
		}
		end += c.cells
	}
	return l.String()
}

// putDevice names a device: its index and what it is, an instance by itself beneath its GPU.
func putDevice(v *page.Frame, l *cell.Line, r *Row) {
	switch {
	case r.Part():
		l.Skip(2).Put(theme.Text, Name(v, r.Device))
	case r.Index == EveryDevice:
		l.Put(theme.Title, r.Name)
	default:
		l.Put(theme.Muted, strconv.Itoa(r.Index)+" ").Put(theme.Title, Name(v, r.Device))
	}
}

// Name is a device's name without what goes without saying; of an instance "MIG 3g.40gb 1/0".
func Name(v *page.Frame, d *gpu.Device) string {
	name := strings.TrimPrefix(cell.Sanitise(d.Name, &v.Theme.Glyphs), "NVIDIA ")
	if !d.Part() {
		return name
	}
	if at := strings.LastIndex(name, "MIG"); at >= 0 {
		name = name[at:]
	} else {
		name = "MIG"
	}
	if d.Instance != "" {
		name += " " + cell.Sanitise(d.Instance, &v.Theme.Glyphs)
	}
	return name
}

// memoryBar shows what is used, and as a mark the most that was.
func memoryBar(v *page.Frame, r *Row, w int) string {
	if !r.MemUsedMiB.OK() || !r.MemTotalMiB.OK() || r.MemTotalMiB.V <= 0 || w <= 0 {
		return cell.Blank(w)
	}
	role := theme.Series1
	if r.Role == theme.Muted {
		role = theme.Muted
	}
	used := r.MemUsedMiB.V / r.MemTotalMiB.V
	if !r.Peak.OK() {
		return chart.Bar(used, w, role, *v.Theme)
	}
	at := min(int(r.Peak.V/r.MemTotalMiB.V*float64(w)), w-1)
	if used*float64(w) >= float64(at) || at < 1 { // the bar reaches the mark's cell
		return chart.Bar(used, w, role, *v.Theme)
	}
	return chart.Bar(used*float64(w)/float64(at), at, role, *v.Theme) + v.Theme.Paint(theme.Accent, v.Theme.Glyphs.Mark) +
		chart.Bar(0, w-at-1, role, *v.Theme)
}

// Rows are the devices as rows, in the order in which they show.
func Rows(v *page.Frame, r *gpu.Reading) []Row {
	peaks := v.Shown.MemoryPeaks()
	rows := make([]Row, 0, len(r.Devices))
	for _, i := range deviceOrder(r.Devices) {
		rows = append(rows, RowOf(v, r, &r.Devices[i], peaks[i]))
	}
	return rows
}

// deviceRow is one of them. A lost device shows its last values, and like a silent source's they are not of the present.
func RowOf(v *page.Frame, r *gpu.Reading, d *gpu.Device, peak optional.Value) Row {
	row := Row{Device: d, Peak: peak, Role: theme.Text}
	if r.Stale > 0 || d.Age > 0 {
		row.Role = theme.Muted
	}
	if d.Lost {
		row.Role = theme.Muted
		if d.Last != nil {
			last := *d.Last
			last.Index, last.Name, last.Lost, last.Parent, last.Instance = d.Index, d.Name, true, d.Parent, d.Instance
			row.Device = &last
		}
	}
	return row
}

func longestDevice(v *page.Frame, rows []Row) int {
	most := 0
	for i := range rows {
		most = max(most, cell.Inset+4+cell.Width(Name(v, rows[i].Device)))
	}
	return most
}

// Choice is which device is chosen, and how a click chooses another.
type Choice struct {
	Row  int // of those in the order in which they show; -1: none is
	Held cell.Held
	Hit  func(row, first int) // first is that of those in sight; nil: a click does nothing
}

// Lines draws the table into at most h lines: the heading, all devices as one where there are several, and the
// devices around the chosen one.
func Lines(v *page.Frame, r *gpu.Reading, chosen Choice, w, h int) (lines []string) {
	rows := Rows(v, r)
	t := deviceTableIn(w, longestDevice(v, rows))
	lines = append(lines, t.head(v, w))
	room := h - 1
	if len(rows) > 1 {
		all := Together(r.Devices)
		row := RowOf(v, r, &all, optional.NA(optional.ReasonNone))
		lines = append(lines, t.line(v, &row, false, w))
		room--
	}
	first, below := 0, 0
	if len(rows) > room {
		room = max(room-1, 1) // a line says how many more there are
		first = chosen.Held.First(chosen.Row, len(rows), room)
		below = len(rows) - first - room
	}
	for i := first; i < len(rows)-below; i++ {
		if chosen.Hit != nil {
			v.Rows(len(lines), 1, page.Region{Hit: func(page.Host) { chosen.Hit(i, first) }, Up: "up", Down: "down"})
		}
		lines = append(lines, t.line(v, &rows[i], i == chosen.Row, w))
	}
	if first > 0 || below > 0 {
		lines = append(lines, cell.NewLine(v.Theme, w).Skip(cell.Inset+2).Pieces(moreDevices(v, first, below)).String())
	}
	return lines
}

// moreDevices says how many there are out of sight.
func moreDevices(v *page.Frame, above, below int) []cell.Piece {
	if above == 0 {
		return []cell.Piece{cell.Muted(fmt.Sprintf("+%d more", below))}
	}
	return cell.Hidden(v.Theme, above, below)
}
