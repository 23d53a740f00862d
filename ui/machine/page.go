// This file is the GPU & server page: every accelerator, what the server says of itself, and what both mean.

package machine

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/snapshot"
	"tokdyno/ui/cell"
	"tokdyno/ui/device"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// The parts of the GPU & server page.
const (
	partDevices page.Part = iota
	partActivity
	partQueue
	partServer
	partCost
	partMeaning
)

// Page holds what was chosen.
type Page struct {
	cursor  int // of the devices in the order in which they show
	held    cell.Held
	meaning bool // where there is room for one of the two only: what it means, not the chart
}

// New returns the page in its first state.
func New() *Page { return &Page{} }

// Keys are the page's own.
func (p *Page) Keys() []page.Key {
	return []page.Key{
		{
			Binding: page.Bind("↑↓", "device", "down", "j"), Footer: 3, Repeats: true, Do: p.down,
			Says: "the next device, with all that is known of it",
		},
		{
			Binding: page.Bind("↑", "device before", "up", "k"), Repeats: true, Do: p.up,
			Says: "the device before",
		},
		{
			Binding: page.Bind("v", "chart/advice", "v"), Footer: 4, Do: p.turnOver, Why: roomForBoth,
			Says: "on a small screen: the chart and efficiency, or what the figures mean",
		},
	}
}

// hit chooses a device, and leaves the table where it is: its first row in sight is given.
func (p *Page) hit(row, first int) {
	p.cursor = row
	p.held.Keep(first)
}

func (p *Page) down(h page.Host) { p.move(h, +1) }
func (p *Page) up(h page.Host)   { p.move(h, -1) }

func (p *Page) move(h page.Host, by int) {
	p.held.Let()
	p.cursor = min(max(p.chosen(h.Frame().Shown)+by, 0), max(device.Count(h.Frame().Shown)-1, 0))
}

// roomForBoth says why there is nothing to turn over; "" where there is.
func roomForBoth(h page.Host) string {
	if v := h.Frame(); page.ClassOf(v.W, v.H) > page.Compact {
		return "the chart and the advice both show on a screen of this size"
	}
	return ""
}

func (p *Page) turnOver(page.Host) {
	p.meaning = !p.meaning
}

// chosen is the row under the cursor: the last where devices have gone.
func (p *Page) chosen(s *snapshot.Snapshot) int { return min(p.cursor, max(device.Count(s)-1, 0)) }

// See has nothing to remember.
func (p *Page) See(page.Host) tea.Cmd { return nil }

// The heights of panels with their frames, and of the lines on the chosen device.
const (
	frameRows   = 2
	detailRows  = 3
	detailGap   = 1
	costHeight  = costRows + frameRows
	serverLeast = 10
)

// tableHeight is what the panel of devices asks for.
func tableHeight(s *snapshot.Snapshot) int {
	n := device.Count(s)
	rows := max(n, 1) + 1
	if n > 1 {
		rows++ // all of them together
	}
	return rows + detailGap + detailRows + frameRows
}

// Arrange gives the devices what they ask for, as far as that leaves the server enough; the rest is split between numbers
// on the right, and charts and advice on the left.
func (p *Page) Arrange(a *page.Arranger, body page.Rect) {
	if a.Class == page.Compact {
		p.small(a, body)
		return
	}
	a.Add(partDevices, body.Top(min(tableHeight(a.Shown), body.H*3/5)))
	side := body.Right(min(max(body.W*2/5, 48), 64))
	if side.H >= serverLeast+costHeight {
		a.Add(partCost, side.Bottom(costHeight))
	}
	a.Add(partServer, side)
	a.Add(partMeaning, body.Bottom(min(max(body.H/3, 6), 12)))
	if a.Class == page.Wide && body.H >= 16 {
		a.Add(partActivity, body.Top(body.H/2))
		a.Add(partQueue, body)
		return
	}
	a.Add(partActivity, body)
}

// small is a screen without room for everything: chart and advice share a place.
func (p *Page) small(a *page.Arranger, body page.Rect) {
	const leastLower = 6
	lower := min(serverLeast, max(body.H/2, leastLower))
	a.Add(partDevices, body.Top(min(tableHeight(a.Shown), body.H-lower)))
	a.Add(partServer, body.Left(body.W*29/50))
	if p.meaning {
		a.Add(partMeaning, body)
		return
	}
	if body.H >= costHeight+5 {
		a.Add(partCost, body.Bottom(costHeight))
	}
	a.Add(partActivity, body)
}

// Draw draws a panel.
func (p *Page) Draw(v *page.Frame, at page.Place) []string {
	var drawn cell.Panel
	switch at.Part {
	case partDevices:
		drawn = p.devicesPanel(v)
	case partActivity:
		drawn = activityPanel(v)
	case partQueue:
		drawn = queuePanel(v)
	case partServer:
		drawn = serverPanel(v)
	case partCost:
		drawn = costPanel(v)
	default:
		drawn = meaningPanel(v)
	}
	return drawn.Render(at.W, at.H, v.Theme)
}

// devicesPanel is the table, and beneath it what there is to know of the chosen device.
func (p *Page) devicesPanel(v *page.Frame) cell.Panel {
	t := cell.Titled("GPU")
	t.Focused = true
	t.Aside = device.Source(v)
	if why := device.Elsewhere(v); why != "" {
		t.Body = func(w, h int) []string { return cell.Centred(v.Theme, w, h, why) }
		return t
	}
	r := v.Shown.GPU
	t.Body = func(w, h int) []string {
		const leastTable = 4 // a heading, all of them together, one, and how many more
		chosen := p.chosen(v.Shown)
		table := tableHeight(v.Shown) - detailGap - detailRows - frameRows
		details := min(detailRows, max(h-min(table, leastTable), 0))
		if table > h-details {
			details = min(details, detailRows-1) // rows are scarcer than words
		}
		lines := device.Lines(v, r, device.Choice{Row: chosen, Held: p.held, Hit: p.hit}, w, h-details)
		if h-len(lines) > details {
			lines = cell.Fitted(lines, w, h-details)
		}
		rows := device.Rows(v, r)
		facts := append(partialFact(v, r), deviceFacts(v, &rows[chosen])...)
		return append(lines, cell.Flowed(v.Theme, facts, w, h-len(lines))...)
	}
	return t
}

// meaningPanel is all advice with the figures that it follows from.
func meaningPanel(v *page.Frame) cell.Panel {
	p := cell.Titled("What it means")
	p.Body = func(w, h int) []string {
		if len(v.Shown.Advice) == 0 {
			return cell.Centred(v.Theme, w, h, "nothing stands out")
		}
		const indent = 3
		var lines []string
		for _, a := range v.Shown.Advice {
			lines = append(lines, cell.NoteLines(v.Theme, cell.Note{Role: theme.Accent, Text: a.Sentence}, w)...)
			for _, part := range cell.Wrapped(cell.FitGlyphs(a.Evidence, &v.Theme.Glyphs), w-indent-1) {
				lines = append(lines, cell.NewLine(v.Theme, w).Skip(indent).Put(theme.Muted, part).String())
			}
		}
		if len(lines) > h && h > 0 {
			lines[h-1] = cell.NewLine(v.Theme, w).Skip(indent).Put(theme.Muted, v.Theme.Glyphs.Ellipsis).String()
		}
		return lines
	}
	return p
}
