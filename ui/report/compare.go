// This file prints a comparison of runs as text and as Markdown.

package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/compare"
	"tokdyno/engine/units"
	"tokdyno/ui/cell"
)

// WriteComparison prints a comparison for people: its answer, and each level's figures with what can be said of them.
func WriteComparison(w io.Writer, d *compare.Document, width int) error {
	var p sheet
	for i := range d.Runs {
		c := &d.Runs[i]
		if i > 0 {
			p.blank()
		}
		p.line("answer", "%s", Verdict(c))
		p.line("A", "%s", runsLine(d.Baseline))
		p.line("B", "%s", runsLine([]compare.Run{c.Run}))
		for _, warning := range c.Warnings {
			p.line("warning", "%s", warning)
		}
		for j := range c.Levels {
			p.blank()
			p.comparedLevel(&c.Levels[j])
		}
		if len(c.Unpaired) > 0 {
			p.line("left out", "%s: only one of the two has it", strings.Join(c.Unpaired, ", "))
		}
	}
	p.blank()
	for _, note := range d.Notes {
		p.line("note", "%s", note)
	}
	return p.print(w, width)
}

// mostNamed is how many figures of a level the answer names.
const mostNamed = 4

// Verdict says in a sentence what differs, first what is worse.
func Verdict(c *compare.Comparison) string {
	var parts []string
	unknown, same := 0, 0
	of := func(answer compare.Answer, word string) {
		for i := range c.Levels {
			l := &c.Levels[i]
			var names []string
			for j := range l.Differences {
				if d := &l.Differences[j]; d.Answer == answer {
					names = append(names, d.Title+" "+changed(d, d.Change))
				}
			}
			if more := len(names) - mostNamed; more > 1 {
				names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
			}
			if len(names) > 0 {
				parts = append(parts, fmt.Sprintf("B is %s at %s: %s", word, l.Name, strings.Join(names, ", ")))
			}
		}
	}
	of(compare.Worse, "worse")
	of(compare.Better, "better")
	for i := range c.Levels {
		for j := range c.Levels[i].Differences {
			switch c.Levels[i].Differences[j].Answer {
			case compare.Unknown:
				unknown++
			case compare.Same:
				same++
			}
		}
	}
	switch {
	case len(parts) > 0:
	case same == 0 && unknown == 0:
		parts = append(parts, "nothing was measured on both sides")
	default:
		parts = append(parts, "no figure is known to differ")
	}
	if same > 0 {
		parts = append(parts, fmt.Sprintf("same: %d", same))
	}
	if unknown > 0 {
		parts = append(parts, fmt.Sprintf("can't tell: %d", unknown))
	}
	return strings.Join(parts, "; ")
}

func runsLine(runs []compare.Run) string {
	var names []string
	for _, r := range runs {
		name := r.Name
		if r.Started != nil {
			name += " of " + r.Started.Local().Format(time.DateTime)
		}
		names = append(names, name)
	}
	r := &runs[len(runs)-1]
	return fmt.Sprintf("%s: %s at %s, %s", strings.Join(names, ", "), r.Model, r.URL, r.Load)
}

func (p *sheet) comparedLevel(l *compare.Level) {
	columns := []Column{{Head: l.Name, Left: true}, {Head: "A"}, {Head: "B"}, {Head: "change"}, {Head: "95 % interval"}, {Left: true}}
	for _, row := range comparedRows(l) {
		for i := range columns {
			columns[i].Cells = append(columns[i].Cells, row[i])
		}
	}
	p.table(columns)
	p.line("", "measured %s and %s", measuredFor(l.SecondsA), measuredFor(l.SecondsB))
}

func measuredFor(seconds float64) string {
	return units.Time(time.Duration(math.Round(seconds)) * time.Second)
}

// comparedRows are a level's figures in cells: name, A, B, change, interval, answer. Those that neither has are left out.
func comparedRows(l *compare.Level) [][]string {
	var rows [][]string
	for i := range l.Differences {
		d := &l.Differences[i]
		if d.A == nil && d.B == nil {
			continue
		}
		interval := cell.Unknown
		if d.Low != nil || d.High != nil {
			interval = changedBetween(d)
		}
		rows = append(rows, []string{d.Title, compared(d, d.A), compared(d, d.B), changed(d, d.Change), interval, d.String()})
	}
	return rows
}

// compared writes a figure.
func compared(d *compare.Difference, v *float64) string {
	switch {
	case v == nil:
		return cell.Unknown
	case d.Unit == "ms":
		f := cell.Latency(time.Duration(*v * float64(time.Millisecond)))
		return strings.TrimSpace(f.Number + " " + f.Unit)
	case d.Unit == "":
		return strconv.FormatFloat(100**v, 'f', 1, 64) + " %"
	}
	return cell.Rate(*v)
}

// changed writes a change.
func changed(d *compare.Difference, v *float64) string { return signed(v) + " " + changeUnit(d) }

// changedBetween writes the interval of a change.
func changedBetween(d *compare.Difference) string {
	return signed(d.Low) + " … " + signed(d.High) + " " + changeUnit(d)
}

// changeUnit is the unit of a change: points, of a share.
func changeUnit(d *compare.Difference) string {
	if d.Unit == "" {
		return "pt"
	}
	return "%"
}

// signed writes a part in percent; "?" where it may be anything.
func signed(v *float64) string {
	if v == nil {
		return "?"
	}
	switch number := strconv.FormatFloat(math.Abs(100**v), 'f', 1, 64); {
	case number == "0.0":
		return "±0"
	case *v < 0:
		return "−" + number
	default:
		return "+" + number
	}
}

// WriteComparisonMarkdown writes a comparison as Markdown, for a pull request.
func WriteComparisonMarkdown(w io.Writer, d *compare.Document) error {
	var b strings.Builder
	for i := range d.Runs {
		c := &d.Runs[i]
		fmt.Fprintf(&b, "**%s**\n\n", escaped(Verdict(c)))
		fmt.Fprintf(&b, "- A: %s\n- B: %s\n", escaped(runsLine(d.Baseline)), escaped(runsLine([]compare.Run{c.Run})))
		for _, warning := range c.Warnings {
			fmt.Fprintf(&b, "- **warning**: %s\n", escaped(warning))
		}
		for j := range c.Levels {
			l := &c.Levels[j]
			fmt.Fprintf(&b, "\n| %s | A | B | change | 95 %% interval | |\n|---|--:|--:|--:|--:|---|\n", escaped(l.Name))
			for _, row := range comparedRows(l) {
				for k := range row {
					row[k] = escaped(row[k])
				}
				if answer := &row[5]; slices.Contains([]string{string(compare.Better), string(compare.Worse)}, *answer) {
					*answer = "**" + *answer + "**"
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			}
			fmt.Fprintf(&b, "\nMeasured %s and %s.\n", measuredFor(l.SecondsA), measuredFor(l.SecondsB))
		}
		if len(c.Unpaired) > 0 {
			fmt.Fprintf(&b, "\nLeft out, for only one of the two has it: %s.\n", escaped(strings.Join(c.Unpaired, ", ")))
		}
		b.WriteByte('\n')
	}
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "> %s\n", escaped(note))
	}
	_, err := io.WriteString(w, plain(b.String()))
	return err
}
