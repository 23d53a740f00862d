// This file is the GPU & server page: every accelerator, what the server says of itself, and what both mean.

package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine"
	"tokdyno/ui/theme"
)

// The parts of the GPU & server page.
const (
	partDevices part = iota
	partActivity
	partQueue
	partServer
	partCost
	partMeaning
)

// gpuPage holds what was chosen.
type gpuPage struct {
	cursor  int  // of the devices in the order in which they show
	meaning bool // where there is room for one of the two only: what it means, not the chart
}

func newMachinePage() *gpuPage { return &gpuPage{} }

func (p *gpuPage) keys() []Key {
	return []Key{
		{
			binding: bind("↑↓", "device", "down", "j"), footer: 3, repeats: true, do: p.down,
			says: "the next device, with all that is known of it",
		},
		{
			binding: bind("↑", "device before", "up", "k"), repeats: true, do: p.up,
			says: "the device before",
		},
		{
			binding: bind("v", "chart/advice", "v"), footer: 4, do: p.turnOver, why: roomForBoth,
			says: "on a small screen: the chart and efficiency, or what the figures mean",
		},
	}
}

func (p *gpuPage) down(h Host) tea.Cmd { return p.move(h, +1) }
func (p *gpuPage) up(h Host) tea.Cmd   { return p.move(h, -1) }

func (p *gpuPage) move(h Host, by int) tea.Cmd {
	p.cursor = min(max(p.chosen(h.Frame().shown)+by, 0), max(deviceCount(h.Frame().shown)-1, 0))
	return nil
}

// roomForBoth says why there is nothing to turn over; "" where there is.
func roomForBoth(h Host) string {
	if v := h.Frame(); classOf(v.w, v.h) > compact {
		return "the chart and the advice both show on a screen of this size"
	}
	return ""
}

func (p *gpuPage) turnOver(Host) tea.Cmd {
	p.meaning = !p.meaning
	return nil
}

// chosen is the row under the cursor: the last where devices have gone.
func (p *gpuPage) chosen(s *engine.Snapshot) int { return min(p.cursor, max(deviceCount(s)-1, 0)) }

func (p *gpuPage) see(Host) tea.Cmd { return nil }

// The heights of panels with their frames, and of the lines on the chosen device.
const (
	frameRows   = 2
	detailRows  = 3
	detailGap   = 1
	costHeight  = costRows + frameRows
	serverLeast = 10
)

// tableHeight is what the panel of devices asks for.
func tableHeight(s *engine.Snapshot) int {
	n := deviceCount(s)
	rows := max(n, 1) + 1
	if n > 1 {
		rows++ // all of them together
	}
	return rows + detailGap + detailRows + frameRows
}

// arrange gives the devices what they ask for, as far as that leaves the server enough; the rest is split between numbers
// on the right, and charts and advice on the left.
func (p *gpuPage) arrange(a *arranger, body rect) {
	if a.class == compact {
		p.small(a, body)
		return
	}
	a.add(partDevices, body.top(min(tableHeight(a.shown), body.h*3/5)))
	side := body.right(min(max(body.w*2/5, 48), 64))
	if side.h >= serverLeast+costHeight {
		a.add(partCost, side.bottom(costHeight))
	}
	a.add(partServer, side)
	a.add(partMeaning, body.bottom(min(max(body.h/3, 6), 12)))
	if a.class == wide && body.h >= 16 {
		a.add(partActivity, body.top(body.h/2))
		a.add(partQueue, body)
		return
	}
	a.add(partActivity, body)
}

// small is a screen without room for everything: chart and advice share a place.
func (p *gpuPage) small(a *arranger, body rect) {
	const leastLower = 6
	lower := min(serverLeast, max(body.h/2, leastLower))
	a.add(partDevices, body.top(min(tableHeight(a.shown), body.h-lower)))
	a.add(partServer, body.left(body.w*29/50))
	if p.meaning {
		a.add(partMeaning, body)
		return
	}
	if body.h >= costHeight+5 {
		a.add(partCost, body.bottom(costHeight))
	}
	a.add(partActivity, body)
}

func (p *gpuPage) draw(v *Frame, at place) []string {
	var drawn panel
	switch at.part {
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
	return drawn.render(at.w, at.h, v.th)
}

// devicesPanel is the table, and beneath it what there is to know of the chosen device.
func (p *gpuPage) devicesPanel(v *Frame) panel {
	t := titled("GPU")
	t.focused = true
	t.aside = sourcePieces(v)
	if why := noDevices(v); why != "" {
		t.body = func(w, h int) []string { return centred(v.th, w, h, why) }
		return t
	}
	r := v.shown.GPU
	t.body = func(w, h int) []string {
		const leastTable = 4 // a heading, all of them together, one, and how many more
		chosen := p.chosen(v.shown)
		table := tableHeight(v.shown) - detailGap - detailRows - frameRows
		details := min(detailRows, max(h-min(table, leastTable), 0))
		if table > h-details {
			details = min(details, detailRows-1) // rows are scarcer than words
		}
		lines := devicesLines(v, r, chosen, w, h-details)
		if h-len(lines) > details {
			lines = fitted(lines, w, h-details)
		}
		rows := deviceRows(v, r)
		facts := append(partialFact(v, r), deviceFacts(v, &rows[chosen])...)
		return append(lines, flowed(v.th, facts, w, h-len(lines))...)
	}
	return t
}

// meaningPanel is all advice with the figures that it follows from.
func meaningPanel(v *Frame) panel {
	p := titled("What it means")
	p.body = func(w, h int) []string {
		if len(v.shown.Advice) == 0 {
			return centred(v.th, w, h, "nothing stands out")
		}
		const indent = 3
		var lines []string
		for _, a := range v.shown.Advice {
			lines = append(lines, noteLines(v.th, note{theme.Accent, a.Sentence}, w)...)
			for _, part := range wrapped(own(a.Evidence, &v.th.Glyphs), w-indent-1) {
				lines = append(lines, newLine(v.th, w).skip(indent).put(theme.Muted, part).String())
			}
		}
		if len(lines) > h && h > 0 {
			lines[h-1] = newLine(v.th, w).skip(indent).put(theme.Muted, v.th.Glyphs.Ellipsis).String()
		}
		return lines
	}
	return p
}
