// This file writes the report of the run into a file, beside the console.

package console

import (
	"errors"

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
	name := "tokdyno-" + m.run.now().Format(fileTime)
	if letter := m.run.latest.Letter(); letter != "" {
		name += "-" + letter
	}
	cmd, err := m.run.save(name + ".html")
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

// save writes the report of the latest moment into a file, which takes a while. The error says that the name tells no form.
func (c *control) save(file string) (tea.Cmd, error) {
	f, err := form.Reports().ForFile(file)
	if err != nil {
		return nil, err
	}
	of := ""
	if letter := c.latest.Letter(); letter != "" { // of a duel, d shows the next
		of = " of side " + letter
	}
	d := run.NewDocument(c.latest, c.version)
	d.Source, d.Texts = c.engine, c.latest.Replay != nil
	return page.Later(func() page.Done {
		err := f.Save(file, d)
		return func() {
			if err != nil {
				c.say(theme.Bad, "the report can't be written: %s", cell.OneLine(err))
				return
			}
			c.say(theme.Good, "report%s written: %s", of, file)
		}
	}), nil
}
