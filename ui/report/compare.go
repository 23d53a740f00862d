// This file prints a comparison of runs as text and as Markdown.

package report

import (
	"fmt"
	"io"
	"math"
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
		p.line(c.Letter, "%s", runsLine([]compare.Run{c.Run}))
		for _, warning := range c.Warnings {
			p.line("warning", "%s", warning)
		}
		for j := range c.Levels {
			p.blank()
			p.comparedLevel(&c.Levels[j], c.Letter)
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
	return strings.Join(append(Says(c), Counts(c, compare.Same, compare.Unknown)...), "; ")
}

// Says is what differs at each level, or that nothing is known to.
func Says(c *compare.Comparison) []string {
	var parts []string
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
				parts = append(parts, fmt.Sprintf("%s is %s at %s: %s", c.Letter, word, l.Name, strings.Join(names, ", ")))
			}
		}
	}
	of(compare.Worse, "worse")
	of(compare.Better, "better")
	switch n := answers(c); {
	case len(parts) > 0:
	case n[compare.Same] == 0 && n[compare.Unknown] == 0:
		parts = append(parts, "nothing was measured on both sides")
	default:
		parts = append(parts, "no figure is known to differ")
	}
	return parts
}

// Counts says how many figures have each of some answers: "same: 3". Those that none has are left out.
func Counts(c *compare.Comparison, of ...compare.Answer) []string {
	var list []string
	n := answers(c)
	for _, answer := range of {
		word := string(answer)
		if answer == compare.Unknown {
			word = "can't tell"
		}
		if n[answer] > 0 {
			list = append(list, fmt.Sprintf("%s: %d", word, n[answer]))
		}
	}
	return list
}

// answers counts them.
func answers(c *compare.Comparison) map[compare.Answer]int {
	n := make(map[compare.Answer]int)
	for i := range c.Levels {
		for j := range c.Levels[i].Differences {
			n[c.Levels[i].Differences[j].Answer]++
		}
	}
	return n
}

// Standing is the answer in a few words, and as one: worse as soon as one figure is, the same only where all are.
func Standing(c *compare.Comparison) (answer compare.Answer, words string) {
	n := answers(c)
	answer, words = compare.Unknown, "can't tell"
	switch {
	case n[compare.Worse] > 0 && n[compare.Better] > 0:
		answer, words = compare.Worse, "worse, and better"
	case n[compare.Worse] > 0:
		answer, words = compare.Worse, "worse"
	case n[compare.Better] > 0:
		answer, words = compare.Better, "better"
	case n[compare.Same] > 0 && n[compare.Unknown] == 0:
		answer, words = compare.Same, "the same"
	}
	return answer, Sign(answer) + " " + words
}

// Sign is an answer in a character.
func Sign(a compare.Answer) string {
	switch a {
	case compare.Better:
		return "✓"
	case compare.Worse:
		return "✗"
	case compare.Same:
		return "="
	}
	return "?"
}

func runsLine(runs []compare.Run) string {
	var names []string
	for i := range runs {
		names = append(names, RunName(&runs[i]))
	}
	r := &runs[len(runs)-1]
	return fmt.Sprintf("%s: %s at %s, %s", strings.Join(names, ", "), r.Model, r.URL, r.Load)
}

// RunName is what a run is called, when it began, and whether it was a simulated server's.
func RunName(r *compare.Run) string {
	name := r.Name
	if r.Started != nil {
		name += " of " + r.Started.Local().Format(time.DateTime)
	}
	if r.Simulated {
		name += " (SIMULATED)"
	}
	return OneLine(name)
}

// RunFacts is a run of a comparison, in facts.
func RunFacts(label string, r *compare.Run) Item {
	var s sheet
	server := ""
	if r.Server != nil {
		server = *r.Server
	}
	s.facts(label, append([]string{RunName(r), r.Model, server, r.URL}, strings.Split(r.Load, "  ")...)...)
	return s[0]
}

func (p *sheet) comparedLevel(l *compare.Level, letter string) {
	columns := []Column{
		{Head: l.Name, Left: true}, {Head: "A"}, {Head: letter}, {Head: "change"}, {Head: Interval(l)}, {Left: true},
	}
	for _, row := range ComparedRows(l) {
		for i, text := range row.cells() {
			columns[i].Cells = append(columns[i].Cells, text)
		}
	}
	p.table(columns)
	p.line("", "measured %s", MeasuredFor(l))
}

// Interval is what a level's intervals are called: "95 % interval".
func Interval(l *compare.Level) string {
	return strconv.FormatFloat(100*l.Confidence, 'f', -1, 64) + " % interval"
}

// MeasuredFor is for how long both sides of a level were measured: "1m and 2m".
func MeasuredFor(l *compare.Level) string {
	long := func(seconds float64) string { return units.Time(time.Duration(math.Round(seconds)) * time.Second) }
	return fmt.Sprintf("%s and %s", long(l.SecondsA), long(l.SecondsB))
}

// ComparedRow is a figure of both sides in words.
type ComparedRow struct {
	Title, A, B, Change, Interval, Answer string

	Difference *compare.Difference
}

func (r *ComparedRow) cells() []string {
	return []string{r.Title, r.A, r.B, r.Change, r.Interval, r.Answer}
}

// ComparedRows are a level's figures. Those that neither side has are left out.
func ComparedRows(l *compare.Level) []ComparedRow {
	var rows []ComparedRow
	for i := range l.Differences {
		d := &l.Differences[i]
		if d.A == nil && d.B == nil {
			continue
		}
		interval := cell.Unknown
		if d.Low != nil || d.High != nil {
			interval = changedBetween(d)
		}
		rows = append(rows, ComparedRow{d.Title, compared(d, d.A), compared(d, d.B), changed(d, d.Change), interval, d.String(), d})
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
		fmt.Fprintf(&b, "- A: %s\n- %s: %s\n", escaped(runsLine(d.Baseline)), c.Letter, escaped(runsLine([]compare.Run{c.Run})))
		for _, warning := range c.Warnings {
			fmt.Fprintf(&b, "- **warning**: %s\n", escaped(warning))
		}
		for j := range c.Levels {
			l := &c.Levels[j]
			fmt.Fprintf(&b, "\n| %s | A | %s | change | %s | |\n|---|--:|--:|--:|--:|---|\n", escaped(l.Name), c.Letter, Interval(l))
			for _, row := range ComparedRows(l) {
				cells := row.cells()
				for k := range cells {
					cells[k] = escaped(cells[k])
				}
				if answer := row.Difference.Answer; answer == compare.Better || answer == compare.Worse {
					cells[5] = "**" + cells[5] + "**"
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
			fmt.Fprintf(&b, "\nMeasured %s.\n", MeasuredFor(l))
		}
		if len(c.Unpaired) > 0 {
			fmt.Fprintf(&b, "\nLeft out, for only one of the two has it: %s.\n", escaped(strings.Join(c.Unpaired, ", ")))
		}
		b.WriteByte('\n')
	}
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "> %s\n", escaped(note))
	}
	_, err := io.WriteString(w, Plain(b.String()))
	return err
}
