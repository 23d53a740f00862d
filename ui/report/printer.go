// This file lays text out within a width: sentences and facts that wrap at blanks, and tables that drop columns.

package report

import (
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"tokdyno/ui/cell"
)

// What a report is made for, whatever is said of the terminal: below the one, tables don't fit, and sentences longer than
// the other are hard to read.
const (
	Narrowest = 80
	widest    = 120
)

// labelWidth is the width of the first column.
const labelWidth = 12

// gap stands between facts, and between the columns of a table.
const gap = 2

type printer struct {
	b     *strings.Builder
	width int
}

// print writes what was gathered as text. It has no control characters, and no line is wider than width cells; see Narrowest.
func (p sheet) print(w io.Writer, width int) error {
	var b strings.Builder
	to := printer{&b, min(max(width, Narrowest), widest)}
	for i := range p {
		to.item(&p[i])
	}
	_, err := io.WriteString(w, Plain(b.String()))
	return err
}

// item writes one piece of a report.
func (p printer) item(i *Item) {
	switch {
	case i.Table != nil:
		p.table(i.Table)
	case i.Facts != nil:
		p.flow(i.Label, i.Facts, gap)
	case i.Text != "", i.Label != "":
		p.flow(i.Label, words(i.Text), 1)
	default:
		p.b.WriteByte('\n')
	}
}

// words splits a sentence at its blanks, but for those between a number and its unit.
func words(sentence string) []string {
	var list []string
	for _, w := range strings.Fields(Plain(sentence)) {
		switch strings.TrimRight(w, ".,;:)") {
		case "%", "ms", "s", "min", "tok/s", "req/s":
			if n := len(list); n > 0 && strings.IndexFunc(list[n-1], unicode.IsDigit) >= 0 {
				list[n-1] += " " + w
				continue
			}
		}
		list = append(list, w)
	}
	return list
}

// flow writes items one after the other, as many in a line as fit. One that is longer than a line is broken, at a blank where
// it has one.
func (p printer) flow(label string, items []string, gap int) {
	if cell.Width(label) >= labelWidth {
		p.b.WriteString(label + "\n")
		label = ""
	}
	room := p.width - labelWidth
	line, at := label, 0
	for i := 0; i < len(items); i++ {
		item := items[i]
		n := cell.Width(item)
		if n > room {
			first := ansi.Truncate(item, room, "")
			rest := item[len(first):]
			if blank := strings.LastIndexByte(first, ' '); blank > 0 {
				first, rest = item[:blank], item[blank+1:]
			}
			items = slices.Concat(items[:i], []string{first, rest}, items[i+1:])
			item, n = first, cell.Width(first)
		}
		if at > 0 && at+gap+n > room {
			p.b.WriteString(line + "\n")
			line, at = "", 0
		}
		if at == 0 {
			line += strings.Repeat(" ", labelWidth-cell.Width(line)) + item
			at = n
			continue
		}
		line += strings.Repeat(" ", gap) + item
		at += gap + n
	}
	p.b.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (c *Column) width() int {
	n := cell.Width(c.Head)
	for _, s := range c.Cells {
		n = max(n, cell.Width(s))
	}
	return n
}

// table writes columns beside each other, as many as fit. The first is as wide as labels are, at least.
func (p printer) table(columns []Column) {
	widths := func(columns []Column) (all []int, total int) {
		for i := range columns {
			n := columns[i].width()
			if i == 0 {
				n = max(n, labelWidth-gap)
			} else {
				total += gap
			}
			all, total = append(all, n), total+n
		}
		return all, total
	}
	columns = cell.Drop(columns, func(c *Column) int { return c.Rank }, func(left []Column) bool {
		_, total := widths(left)
		return total <= p.width
	})
	all, _ := widths(columns)
	row := func(text func(*Column) string) {
		var line strings.Builder
		for i := range columns {
			s := text(&columns[i])
			pad := strings.Repeat(" ", max(all[i]-cell.Width(s), 0))
			if i > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			if columns[i].Left {
				line.WriteString(s + pad)
			} else {
				line.WriteString(pad + s)
			}
		}
		p.b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	row(func(c *Column) string { return c.Head })
	for j := range columns[0].Cells {
		row(func(c *Column) string { return c.Cells[j] })
	}
}

// Plain drops what a server may have slipped in that would mean something to a terminal, or take no room on it.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, s)
}
