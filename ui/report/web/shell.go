// This file is what all pages have in common: styles, scripts, how answers and tables look.

package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"tokdyno/ui/cell"
	"tokdyno/ui/report"
)

//go:embed *.html page.css page.js uplot
var files embed.FS

// shell is what is around the parts of a page.
type shell struct {
	Heading, Version string
	Simulated        bool

	Policy              string
	ChartStyle, Style   template.CSS
	ChartScript, Script template.JS
	Data                template.JS

	axis timeAxis
}

// answer is what a page begins with.
type answer struct {
	Whose                 string // which of several it is of
	Class, Verdict, First string
	Rest                  []report.Item
}

// write fills a template with a page, of which the shell is part, and its charts.
func (s *shell) write(w io.Writer, name string, page any, charts ...[]chart) error {
	if err := s.embed(slices.Concat(charts...)); err != nil {
		return err
	}
	t, err := template.New(name).Funcs(template.FuncMap{
		"filled": filled, "rows": rowsOf, "add": func(a, b int) int { return a + b },
		"grouped": func(n int) string { return cell.Grouped(int64(n)) },
		"phases":  phaseKeys, "still": func(c chart) template.HTML { return still(&c, &s.axis) },
	}).ParseFS(files, "parts.html", name)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// embed puts in the styles, the scripts and what they draw.
func (s *shell) embed(charts []chart) error {
	read := func(name string) string {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is compiled in
		}
		return string(b)
	}
	s.ChartStyle, s.Style = template.CSS(read("uplot/uPlot.min.css")), template.CSS(read("page.css"))
	s.ChartScript, s.Script = template.JS(read("uplot/uPlot.iife.min.js")), template.JS(read("page.js"))
	data, err := json.Marshal(map[string]any{"charts": append([]chart{}, charts...), "time": s.axis})
	if err != nil {
		return err
	}
	s.Data = template.JS(data) // json.Marshal escapes what could end the element
	s.Policy = fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src %s %s", hash(s.ChartScript), hash(s.Script))
	return nil
}

// hash names a script in a Content-Security-Policy, which lets no other run: not even one that came in with a server's text.
func hash(script template.JS) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// tableCell is one of a table, with how it looks.
type tableCell struct{ Text, Class string }

// filled leaves out columns that have nothing in any row.
func filled(columns []report.Column) []report.Column {
	return slices.DeleteFunc(slices.Clone(columns), func(c report.Column) bool {
		return !slices.ContainsFunc(c.Cells, func(text string) bool { return text != "" })
	})
}

// rowsOf turns columns round.
func rowsOf(columns []report.Column) (rows [][]tableCell) {
	for j := range columns[0].Cells {
		var row []tableCell
		for i := range columns {
			c := tableCell{Text: columns[i].Cells[j]}
			switch {
			case columns[i].Left && strings.HasPrefix(c.Text, "held"):
				c.Class = "text held"
			case columns[i].Left && strings.HasPrefix(c.Text, "missed"):
				c.Class = "text missed"
			case strings.HasPrefix(c.Text, "✗"):
				c.Class = "missed"
			case strings.HasPrefix(c.Text, "✓"):
				c.Class = "held"
			case columns[i].Left:
				c.Class = "text"
			}
			row = append(row, c)
		}
		rows = append(rows, row)
	}
	return rows
}

// unbroken is a sentence in which numbers stay with their units.
func unbroken(text string) string {
	return strings.NewReplacer(" %", "\u00a0%", " pt", "\u00a0pt").Replace(report.OneLine(text))
}
