// This file is the filter, the order and the export.

package requests

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"tokdyno/engine/query"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// nextSort sorts by the next figure, the highest first; after the last, as they ended again.
func (p *Page) nextSort(page.Host) {
	all := query.Sortable()
	at := slices.Index(all, p.sort)
	if at < 0 {
		at = 0
	}
	p.sort, p.descending, p.chosen = all[(at+1)%len(all)], true, choice{}
	if p.sort == all[0] {
		p.sort, p.descending = "", false
	}
}

// reverse turns the order over.
func (p *Page) reverse(page.Host) { p.descending, p.chosen = !p.descending, choice{} }

// toggleLanes shows lanes, or the list.
func (p *Page) toggleLanes(page.Host) {
	p.lanes, p.view, p.chosen, p.spot = !p.lanes, nil, choice{}, spot{}
}

// input is a line of text that the page takes.
type input struct {
	entry page.Entry
	what  inputKind
}

// inputKind is what is being typed.
type inputKind int

const (
	nothing inputKind = iota
	aFilter
	aFile
)

func newInput() input { return input{entry: page.NewEntry()} }

func (i *input) open() bool { return i.what != nothing }

// pieces are the text that is being typed, with the place of the cursor.
func (i *input) pieces(v *page.Frame) []cell.Piece {
	before, after := i.entry.Split(&v.Theme.Glyphs)
	name := "/"
	if i.what == aFile {
		name = "write to "
	}
	return []cell.Piece{cell.Key(name), cell.Title(before), cell.Accent(v.Theme.Glyphs.AxisLine), cell.Title(after)}
}

func (p *Page) beginFilter(h page.Host) {
	p.input.what = aFilter
	p.input.entry.Begin(p.filter.String())
	h.Hush()
}

// noExport says why there is nothing to write, or nowhere.
func (p *Page) noExport(h page.Host) string {
	if why := h.ReadOnly(); why != "" {
		return why
	}
	return p.noRow(h)
}

// beginExport asks for the file, and proposes one.
func (p *Page) beginExport(h page.Host) {
	p.input.what = aFile
	p.input.entry.Begin("requests-" + h.Now().Format("150405") + ".jsonl")
	h.Say(theme.Muted, "%s", "what is shown is written to the file: .jsonl, .csv, or .json for ui.perfetto.dev")
}

// Entry is the line that takes the keys; nil: none does.
func (p *Page) Entry() *page.Entry {
	if !p.input.open() {
		return nil
	}
	return &p.input.entry
}

// Leave takes no more text.
func (p *Page) Leave(h page.Host) {
	p.input.what = nothing
	p.input.entry.End()
	h.Hush()
}

// Enter takes what was typed. What can't be read is answered with a sentence, and stays to be corrected.
func (p *Page) Enter(h page.Host) page.Work {
	typed := strings.TrimSpace(p.input.entry.Value())
	if p.input.what == aFile {
		p.Leave(h)
		if typed == "" {
			return nil
		}
		return p.export(h, typed)
	}
	f, err := query.Parse(typed)
	if err != nil {
		h.Say(theme.Bad, "%s", cell.OneLine(err))
		return nil
	}
	p.Leave(h)
	p.filter, p.chosen = f, choice{}
	return nil
}

// export writes what is shown, beside the console.
func (p *Page) export(h page.Host, name string) page.Work {
	q := query.Query{Filter: p.filter, Begun: h.Frame().Shown.Begun, Sort: p.sort, Descending: p.descending, Until: p.chosen.until}
	source := h.Requests()
	return func() page.Done {
		n, err := write(source, q, name)
		return func() {
			if err != nil {
				h.Say(theme.Bad, "not written: %s", cell.OneLine(err))
				return
			}
			h.Say(theme.Good, "%s requests written to %s", cell.Grouped(int64(n)), name)
		}
	}
}

// write writes requests to a file that is not there yet.
func write(source query.Source, q query.Query, name string) (n int, err error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return 0, fmt.Errorf("%s is there already; choose another name", name)
	}
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(file)
	rows := query.NewWriter(out, name)
	err = source.EachRequest(q, func(r *query.Row) error {
		n++
		return rows.Row(r)
	})
	return n, errors.Join(err, rows.Close(), out.Flush(), file.Close())
}

// Find shows those that a filter keeps, the highest of a figure first; see page.Finder.
func (p *Page) Find(filter string, by query.Figure) error {
	f, err := query.Parse(filter)
	if err != nil {
		return err
	}
	p.filter, p.sort, p.descending = f, by, by != ""
	p.lanes, p.chosen, p.spot, p.one, p.view, p.asking.busy = false, choice{}, spot{}, nil, nil, false
	return nil
}
