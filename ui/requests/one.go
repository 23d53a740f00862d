// This file shows one request: its instants, its counts, the gaps between its chunks, and what was said.

package requests

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine/query"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// opened is the request that is shown alone.
type opened struct {
	row   query.Row
	whole *stats.Opened // nil: it is being asked for, or not kept
	asked bool          // the run has answered
}

// Zoomed reports whether one is.
func (p *Page) Zoomed() bool { return p.one != nil }

// Unzoom shows all of them again.
func (p *Page) Unzoom() { p.one = nil }

// noChoice says why none can be opened; "" where one can.
func (p *Page) noChoice(h page.Host) string {
	if p.lanes {
		return p.noLanes(h)
	}
	return p.noRow(h)
}

// open shows the chosen request alone; where none is, it chooses the last that ended.
func (p *Page) open(h page.Host) {
	if p.lanes {
		p.moveLane(h.Frame(), 0)
		if row, _ := p.atSpot(); row != nil {
			p.one = &opened{row: *row}
		}
		return
	}
	if !p.chosen.still() {
		p.move(h, 0)
		p.chosen.at = max(p.view.Matched, 1)
		if p.topDown() {
			p.chosen.at = 1
		}
	}
	if row := p.row(p.chosen.at - 1); row != nil {
		p.one = &opened{row: *row}
	}
}

func (p *Page) close(page.Host) { p.one = nil }

// copyCurl puts the command that repeats the request into the clipboard.
func (p *Page) copyCurl(h page.Host) {
	said := stats.Said{}
	if p.one.whole != nil {
		said = p.one.whole.Said
	}
	s := h.Frame().Shown
	url := s.Endpoint.URL
	if n := p.one.row.Endpoint; n > 0 && n <= len(s.Endpoints) {
		url = s.Endpoints[n-1].Profile.URL
	}
	command, err := query.Curl(url, &said)
	if err != nil {
		h.Say(theme.Warn, "%s", err)
		return
	}
	h.Copy(command)
	h.Say(theme.Good, "a curl command that repeats #%d was copied, %s bytes; the key is $OPENAI_API_KEY", p.one.row.ID,
		cell.Grouped(int64(len(command))))
}

// seeOne asks for all that is known of the request that is shown alone.
func (p *Page) seeOne(h page.Host) page.Work {
	one := p.one
	if one.asked || one.row.Running {
		return nil
	}
	one.asked = true
	source := h.Requests()
	return func() page.Done {
		whole, ok := source.OpenRequest(one.row.ID)
		return func() {
			if ok {
				one.whole = &whole
			}
		}
	}
}

// onePanel shows the request alone.
func (p *Page) onePanel(v *page.Frame) cell.Panel {
	one := p.one
	t := cell.Titled("Request " + strconv.FormatUint(one.row.ID, 10))
	t.Focused = true
	t.Title = append(t.Title, cell.Muted("  "))
	t.Title = append(t.Title, loadCell(v, &one.row)...)
	t.Title = append(t.Title, cell.Muted("  "))
	t.Title = append(t.Title, resultCell(v, &one.row)...)
	t.Aside = []cell.Piece{cell.Key("c"), cell.Muted(" curl  "), cell.Key("esc"), cell.Muted(" back")}
	t.Foot = legend(v.Theme)
	t.Body = func(w, h int) []string {
		left := one.stampLines(v, w)
		facts := cell.Flowed(v.Theme, one.facts(), w, 4)
		lines := slices.Concat(left, []string{cell.Blank(w)}, facts)
		lines = append(lines, one.toldLines(v, w)...)
		if sentence := one.failure(); sentence != "" {
			lines = append(lines, cell.Sentences(v.Theme, w, theme.Bad, cell.Sanitise(sentence, &v.Theme.Glyphs))...)
		}
		lines = append(lines, cell.Blank(w))
		return append(lines, one.below(v, w, h-len(lines))...)
	}
	return t
}

// failure is why it failed.
func (o *opened) failure() string {
	if o.whole == nil {
		return ""
	}
	return o.whole.Record.Error
}

// stampLines are its instants, to the microsecond, each with where it comes from, and its bar.
func (o *opened) stampLines(v *page.Frame, w int) []string {
	const roomy = 100 // cells in which each also stands by the one before
	arrival := "the read returned"
	if v.Shown.Client.Stamps == "kernel" {
		arrival = "arrival, by the kernel"
	}
	from := "taken up by the client"
	if o.whole != nil && o.whole.Record.Scheduled != 0 {
		from = "scheduled by the arrivals"
	}
	r := &o.row
	connected := record.Instant(0)
	if r.Connect > 0 && r.Sent != 0 {
		connected = r.Sent.Add(-r.Connect)
	}
	var lines []string
	before := r.Began
	line := func(name string, at record.Instant, source string) {
		if at == 0 {
			return
		}
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, name)
		l.Flush(34, theme.Text, micro(time.Duration(at-1), 's'))
		l.Flush(49, theme.Title, "+"+micro(time.Duration(at-r.Began), 'm'))
		if w >= roomy {
			l.Flush(64, theme.Muted, "+"+micro(time.Duration(at-before), 'm'))
		}
		lines = append(lines, l.Skip(2).Put(theme.Muted, source).String())
		before = at
	}
	line("began", r.Began, from)
	line("connecting", connected, "sent less what connecting took")
	line("sent", r.Sent, "first byte to the kernel")
	line("first token", r.First, arrival)
	if r.Answer != r.First {
		line("first answer token", r.Answer, arrival)
	}
	line("last token", r.Last, arrival)
	if !r.Running {
		line("end", r.End, "read to its end")
	}
	head := cell.NewLine(v.Theme, w).Flush(34, theme.Muted, "run's clock").Flush(49, theme.Muted, "from its start")
	if w >= roomy {
		head.Flush(64, theme.Muted, "from the last")
	}
	head.Skip(2).Put(theme.Muted, "what it is")
	a := axis{cells: w - 2*cell.Inset, begins: true, span: max(time.Duration(r.End-r.Began), time.Millisecond)}
	s := make(stripe, max(a.cells, 0))
	s.put(r, &a)
	bar := cell.NewLine(v.Theme, w).Skip(cell.Inset)
	s.paint(bar, v.Theme)
	return append(append([]string{head.String()}, lines...), cell.Blank(w), bar.String())
}

// micro writes a time to the microsecond, in seconds or milliseconds.
func micro(d time.Duration, unit byte) string {
	µs := int64(d.Round(time.Microsecond) / time.Microsecond)
	per, digits, name := int64(1_000_000), 6, " s"
	if unit == 'm' {
		per, digits, name = 1_000, 3, " ms"
	}
	part := strconv.FormatInt(µs%per, 10)
	return cell.Grouped(µs/per) + "." + strings.Repeat("0", digits-len(part)) + part + name
}

// facts are its counts, and what the server said of itself.
func (o *opened) facts() []cell.Fact {
	r := &o.row
	tokens := func(n int64) []cell.Piece { return orUnknown(n, n >= 0) }
	facts := []cell.Fact{
		{Name: "prompt", Value: tokens(r.Input)},
		{Name: "output", Value: outputCell(nil, r)},
		{Name: "chunks", Value: tokens(int64(r.Chunks))},
	}
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, cell.Fact{Name: name, Value: cell.Plain(value)})
		}
	}
	if r.Reasoning > 0 {
		facts = append(facts, cell.Fact{Name: "reasoning", Value: tokens(r.Reasoning)})
	}
	if r.Chunks > 0 && r.Output > 0 {
		add("tokens per chunk", cell.Digits(float64(r.Output)/float64(r.Chunks)))
	}
	for _, m := range slo.Metrics() {
		if d := latencyOf(r, m); d != slo.Undefined {
			add(strings.ToUpper(m.String()), cell.Latency(d).String())
		}
	}
	if r.Slot > 0 {
		add("slot", strconv.Itoa(r.Slot))
	}
	if r.Endpoint > 0 {
		add("endpoint", strconv.Itoa(r.Endpoint))
	}
	if o.whole == nil {
		return facts
	}
	rec := o.whole.Record
	if cached, ok := rec.CachedTokens.Get(); ok {
		add("cached", cell.Grouped(cached))
	}
	add("counted by", string(rec.TokenSource))
	if rec.Status > 0 {
		add("status", strconv.Itoa(rec.Status))
	}
	add("finish", rec.FinishReason)
	add("attempts", strconv.Itoa(max(rec.Attempts, 1)))
	if rec.Waited > 0 {
		add("waited between them", cell.Latency(rec.Waited).String())
	}
	if rec.Retried {
		add("connection", "a stale one was replaced")
	}
	if rec.Conversation > 0 {
		add("conversation", strconv.Itoa(rec.Conversation)+", turn "+strconv.Itoa(rec.Turn))
	}
	if rec.Malformed > 0 {
		add("not understood", strconv.Itoa(rec.Malformed)+" payloads")
	}
	if rec.Residual {
		add("residual", "the first of its slot, in no figure")
	}
	add("model", rec.Model)
	add("request id", rec.RequestID)
	return facts
}

// toldLines are what the server said of it in words of its own; none where it said nothing, or that was not kept.
func (o *opened) toldLines(v *page.Frame, w int) []string {
	if o.whole == nil || len(o.whole.Said.Told) == 0 {
		return nil
	}
	var facts []cell.Fact
	for _, told := range o.whole.Said.Told {
		name, value := cell.Sanitise(told.Name, &v.Theme.Glyphs), cell.Sanitise(told.Value, &v.Theme.Glyphs)
		facts = append(facts, cell.Fact{Name: name, Value: cell.Plain(value)})
	}
	head := cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Title, "In the server's own words")
	return append([]string{cell.Blank(w), head.String()}, cell.Flowed(v.Theme, facts, w, 4)...)
}

// latencyOf is one of its latencies.
func latencyOf(r *query.Row, m slo.Metric) time.Duration {
	switch m {
	case slo.TPOT:
		return r.TPOT
	case slo.E2EL:
		return r.E2EL
	case slo.TTFA:
		if r.TTFA == r.TTFT {
			return slo.Undefined // it says nothing more
		}
		return r.TTFA
	}
	return r.TTFT
}

// below is what stands under the facts, in h lines: the gaps, and what was said.
func (o *opened) below(v *page.Frame, w, h int) []string {
	const least, most = 4, 9
	if o.whole == nil {
		sentence := "chunks and texts are kept of the latest, the slowest and the failed requests only"
		switch {
		case o.row.Running:
			sentence = "it runs: its chunks can be looked at when it has ended"
		case !o.asked:
			sentence = "looking" + v.Theme.Glyphs.Ellipsis
		}
		return cell.Sentences(v.Theme, w, theme.Muted, sentence)
	}
	lines := gapLines(v, o.whole, w, min(max(h/2, least), most))
	said := &o.whole.Said
	room := h - len(lines) - 1
	switch {
	case room < 2:
	case len(said.Body) == 0 && v.Shown.Replay != nil:
		const sentence = "its prompt and its answer are not in the recording; --record-text keeps those of the slowest, the last and the failed"
		lines = append(append(lines, cell.Blank(w)), cell.Sentences(v.Theme, w, theme.Muted, sentence)...)
	case len(said.Body) > 0:
		answer := textLines(v, "answer", said.Answer, w, max(room/2, 2))
		asked := textLines(v, "asked", query.Asked(said), w, max(room-len(answer), 1))
		lines = slices.Concat(lines, []string{cell.Blank(w)}, asked, answer)
	}
	return lines
}

// textLines are the beginning of a text, behind its name, in at most so many lines.
func textLines(v *page.Frame, name, text string, w, most int) []string {
	const enough = 16 << 10 // no screen holds more
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	parts := cell.Wrapped(cell.Sanitise(text, &v.Theme.Glyphs), w-2*cell.Inset-8)
	if text == "" {
		parts = []string{"none was kept, or it had no text"}
	}
	var lines []string
	for i, part := range parts {
		l := cell.NewLine(v.Theme, w).Skip(cell.Inset)
		if i == 0 {
			l.Put(theme.Muted, name)
		}
		if i == most-1 && len(parts) > most {
			part += v.Theme.Glyphs.Ellipsis
		}
		if i < most {
			lines = append(lines, l.To(cell.Inset+8).Put(theme.Text, part).String())
		}
	}
	return lines
}
