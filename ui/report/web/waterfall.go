// This file draws single requests: the slowest and those that failed last, each a row with a bar of its phases.

package web

import (
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

// mostShown is how many requests of a kind are shown.
const mostShown = 20

// The picture of a request.
const (
	barWidth  = 460.0
	barHeight = 18.0
	barReach  = 446.0 // of the axis; a failure's sign stands behind it
)

// waterfall is some requests under each other, on one axis from the beginning of each.
type waterfall struct {
	Title string
	Heads []string
	Axis  template.HTML
	Rows  []waterfallRow
}

// waterfallRow is a request.
type waterfallRow struct {
	Cells         []tableCell
	Bar           template.HTML
	Why           string // it failed
	Asked, Answer string // where they are recorded
}

// waterfalls are the slowest of those that completed, and the last that failed; none where single requests are not at hand.
func waterfalls(d *run.Document) []waterfall {
	if d.Source == nil {
		return nil
	}
	reasoned := d.Report.Reasoned > 0
	some := func(filter string, q query.Query) *query.View {
		q.Filter, _ = query.Parse(filter)
		q.Count = mostShown
		return d.Source.Requests(q)
	}
	slow := some("ok", query.Query{Sort: query.E2EL, Descending: true})
	failed := some("failed", query.Query{Descending: true})
	var all []waterfall
	if len(slow.Rows) > 0 {
		all = append(all, newWaterfall(d, slow, reasoned, titled(slow, "slowest", "completed")))
	}
	if len(failed.Rows) > 0 {
		all = append(all, newWaterfall(d, failed, reasoned, titled(failed, "last", "failed")))
	}
	return all
}

// titled says which requests are shown of how many.
func titled(v *query.View, which, did string) string {
	if len(v.Rows) == v.Matched {
		return fmt.Sprintf("All %d that %s, the %s first", v.Matched, did, which)
	}
	return fmt.Sprintf("The %d %s of %s that %s", len(v.Rows), which, cell.Grouped(int64(v.Matched)), did)
}

func newWaterfall(d *run.Document, v *query.View, reasoned bool, title string) waterfall {
	w := waterfall{Title: title}
	longest := time.Millisecond
	for i := range v.Rows {
		longest = max(longest, lasted(&v.Rows[i]))
	}
	top := cell.Milliseconds(longest)
	step, _ := ruler(top)
	w.Axis = barAxis(step, top)
	columns := waterfallColumns(d.Last.Begun, reasoned, len(d.Last.Stages) > 1)
	for _, c := range columns {
		w.Heads = append(w.Heads, c.head)
	}
	for i := range v.Rows {
		w.Rows = append(w.Rows, newWaterfallRow(d, &v.Rows[i], columns, step, top))
	}
	return w
}

func newWaterfallRow(d *run.Document, r *query.Row, columns []waterfallColumn, step, top float64) waterfallRow {
	row := waterfallRow{Bar: drawBar(r, step, top)}
	for _, c := range columns {
		row.Cells = append(row.Cells, c.cell(r))
	}
	whole, ok := d.Source.OpenRequest(r.ID)
	if !ok {
		return row
	}
	known := func(p run.Problem) bool { return p.Example == whole.Record.Error } // it stands in the table of failures
	if !slices.ContainsFunc(d.Report.Errors, known) {
		row.Why = report.OneLine(whole.Record.Error)
	}
	if d.Texts {
		row.Asked, row.Answer = report.Plain(query.Asked(&whole.Said)), report.Plain(whole.Said.Answer)
	}
	return row
}

// lasted is how long the bar of a request is.
func lasted(r *query.Row) time.Duration { return time.Duration(r.End - r.Began) }

// waterfallColumn is a figure of each.
type waterfallColumn struct {
	head string
	cell func(*query.Row) tableCell
}

func waterfallColumns(start record.Instant, reasoned, stages bool) []waterfallColumn {
	latency := func(head string, of func(*query.Row) time.Duration) waterfallColumn {
		return waterfallColumn{head, func(r *query.Row) tableCell {
			if d := of(r); d != slo.Undefined {
				return tableCell{Text: unbroken(cell.Latency(d).String())}
			}
			return tableCell{Text: cell.Unknown}
		}}
	}
	number := func(head, mark string, of func(*query.Row) int64) waterfallColumn {
		return waterfallColumn{head, func(r *query.Row) tableCell {
			n := of(r)
			if n < 0 {
				return tableCell{Text: cell.Unknown}
			}
			text := cell.Grouped(n)
			if mark != "" && r.Estimated && n > 0 {
				text = mark + text
			}
			return tableCell{Text: text}
		}}
	}
	columns := []waterfallColumn{
		{"began", func(r *query.Row) tableCell { return tableCell{Text: cell.Clock(time.Duration(r.Began - start))} }},
		number("prompt", "", func(r *query.Row) int64 { return r.Input }),
		number("tokens", "~", func(r *query.Row) int64 { return r.Output }),
		latency("TTFT", func(r *query.Row) time.Duration { return r.TTFT }),
	}
	if stages {
		columns = append([]waterfallColumn{{"stage", func(r *query.Row) tableCell {
			if r.Stage <= 0 {
				return tableCell{Text: cell.Unknown}
			}
			return tableCell{Text: strconv.Itoa(r.Stage)}
		}}}, columns...)
	}
	if reasoned {
		columns = append(columns, latency("TTFA", func(r *query.Row) time.Duration { return r.TTFA }))
	}
	columns = append(columns,
		latency("TPOT", func(r *query.Row) time.Duration { return r.TPOT }),
		latency("E2EL", func(r *query.Row) time.Duration { return r.E2EL }),
		waterfallColumn{"result", verdictCell},
	)
	return append([]waterfallColumn{{"request", func(r *query.Row) tableCell {
		return tableCell{Text: "#" + strconv.FormatUint(r.ID, 10)}
	}}}, columns...)
}

// verdictCell says what a request missed, or why it failed.
func verdictCell(r *query.Row) tableCell {
	switch {
	case r.Ending == slo.Failed:
		return tableCell{"✗ " + report.OneLine(string(r.Kind)), "text missed"}
	case len(r.Missed) > 0:
		words := "✗"
		for _, m := range r.Missed {
			words += " " + m.String()
		}
		return tableCell{words, "text missed"}
	}
	return tableCell{"ok", "text"}
}

// barAxis is the labels above the bars.
func barAxis(step, top float64) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f 16" aria-hidden="true">`, barWidth)
	for v := 0.0; v <= top*1.0001; v += step {
		class, at := "x", barReach*v/top
		switch {
		case v == 0:
			class = "from"
		case v > top*0.99:
			class, at = "y", barWidth
		}
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="12">%s</text>`, class, at, cell.AxisTime(v))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // numbers and units only
}

// drawBar is the phases of a request, each of a shape of its own: dispatch is a thin line, connecting a broken one, waiting a
// hollow bar, reasoning a low one and decoding a full one. Stalls are crossed out, and a failure ends with a cross.
func drawBar(r *query.Row, step, top float64) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" aria-hidden="true"><title>%s</title>`, barWidth, barHeight, template.HTMLEscapeString(inWords(r)))
	for v := 0.0; v <= top*1.0001; v += step {
		fmt.Fprintf(&b, `<path class="grid" d="M%.1f 0V%.0f"/>`, barReach*v/top, barHeight)
	}
	place := func(at record.Instant) float64 {
		return barReach * min(max(cell.Milliseconds(time.Duration(at-r.Began))/top, 0), 1)
	}
	from, ends := r.Bar()
	for phase := range query.Phases {
		if to := ends[phase]; to > from {
			b.WriteString(phaseShape(phase, place(from), place(to)))
			from = to
		}
	}
	for _, s := range r.Stalls {
		x, w := place(s.From), max(place(s.To())-place(s.From), 2)
		fmt.Fprintf(&b, `<rect class="stall" x="%.1f" y="2" width="%.1f" height="14"/><path class="stall" d="M%.1f 2l%.1f 14m0 -14l-%.1f 14"/>`, x, w, x, w, w)
	}
	if r.Ending == slo.Failed {
		fmt.Fprintf(&b, `<path class="fail" d="M%.1f 4l10 10m0 -10l-10 10"/>`, place(max(ends[query.Decode], r.End))+2)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()) // numbers, and a text that is escaped above
}

// phaseShape is a phase from one place to another.
func phaseShape(p query.Phase, from, to float64) string {
	w := max(to-from, 0.8)
	switch p {
	case query.Dispatch, query.Connecting:
		return fmt.Sprintf(`<path class="%s" d="M%.1f 9h%.1f"/>`, p, from, w)
	case query.Wait:
		return fmt.Sprintf(`<rect class="%s" x="%.1f" y="5" width="%.1f" height="8"/>`, p, from, w)
	case query.ReasoningOut:
		return fmt.Sprintf(`<rect class="%s" x="%.1f" y="6" width="%.1f" height="6"/>`, p, from, w)
	}
	return fmt.Sprintf(`<rect class="%s" x="%.1f" y="2" width="%.1f" height="14"/>`, p, from, w)
}

// inWords says in words what a bar shows.
func inWords(r *query.Row) string {
	var parts []string
	from, ends := r.Bar()
	for phase := range query.Phases {
		if to := ends[phase]; to > from {
			parts = append(parts, phase.String()+" "+cell.Latency(time.Duration(to-from)).String())
			from = to
		}
	}
	if n := len(r.Stalls); n > 0 {
		parts = append(parts, strconv.Itoa(n)+" stalls")
	}
	return strings.Join(parts, ", ")
}

// phaseKeys are the shapes of the bars with their names.
func phaseKeys() template.HTML {
	var b strings.Builder
	for phase := range query.Phases {
		fmt.Fprintf(&b, `<span><svg viewBox="0 0 26 %.0f">%s</svg>%s</span>`, barHeight, phaseShape(phase, 0, 26), phase)
	}
	fmt.Fprintf(&b, `<span><svg viewBox="0 0 26 %.0f"><rect class="stall" x="6" y="2" width="14" height="14"/>`+
		`<path class="stall" d="M6 2l14 14m0 -14l-14 14"/></svg>stall</span>`, barHeight)
	return template.HTML(b.String())
}
