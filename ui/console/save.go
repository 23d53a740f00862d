// This file writes the report of the run into a file, beside the console.

package console

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"tokdyno/engine/run"
	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/report/form"
	"tokdyno/ui/theme"
)

// fileTime is the time in the names of files that the console makes.
const fileTime = "2006-01-02T15-04-05"

// unsaved says why there is no report yet; "" where there is.
func unsaved(m *model) string {
	if m.run.latest.Counts.Started == 0 {
		return "no request has been sent so far: there is nothing to report"
	}
	return ""
}

// saveNow writes the report as a page into the working folder.
func (m *model) saveNow() tea.Cmd {
	cmd, err := m.run.save("tokdyno-" + m.run.now().Format(fileTime) + ".html")
	if err != nil {
		m.run.say(theme.Bad, "%s", cell.OneLine(err))
	}
	return cmd
}

// saveCommand writes the report into a file.
func saveCommand() command {
	return command{
		name: "save", takes: "run.html", says: "write the report so far into a file, in the form that its name ends in: " + form.Reports().Endings(),
		do: func(m *model, rest string) (tea.Cmd, error) {
			if why := unsaved(m); why != "" {
				return nil, errors.New(why)
			}
			return m.run.save(rest)
		},
	}
}

// save writes the report of the latest moment into a file, which takes a while: of a duel, of all sides, and what they differ
// by. The error says that the name tells no form.
func (c *control) save(file string) (tea.Cmd, error) {
	if sides := c.sides(); sides != nil {
		f, err := form.Duels().ForFile(file)
		if err != nil {
			return nil, err
		}
		of := c.latest.Duel
		return c.written(file, fmt.Sprintf("report of all %d sides", len(of.Sides)), func() error {
			return f.Save(file, run.NewDuel(of, c.version, sides.StageSeriesOf, sides.Spend()))
		}), nil
	}
	f, err := form.Reports().ForFile(file)
	if err != nil {
		return nil, err
	}
	d := run.NewDocument(c.latest, c.version)
	d.Source, d.Texts = c.engine, c.latest.Replay != nil
	return c.written(file, "report", func() error { return f.Save(file, d) }), nil
}

// written writes a file beside the console, and then says what became of it.
func (c *control) written(file, what string, write func() error) tea.Cmd {
	return page.Later(func() page.Done {
		err := write()
		return func() {
			if err != nil {
				c.say(theme.Bad, "the report can't be written: %s", cell.OneLine(err))
				return
			}
			c.say(theme.Good, "%s written: %s", what, file)
		}
	})
}
