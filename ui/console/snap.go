// This file keeps the screen as a picture, beside the console.

package console

import (
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"tokdyno/ui/cell"
	"tokdyno/ui/page"
	"tokdyno/ui/picture"
	"tokdyno/ui/report/form"
	"tokdyno/ui/theme"
)

// pictures are the forms in which a screen can be kept.
func pictures() form.Table[picture.Picture] {
	return form.NewTable("picture", []form.Form[picture.Picture]{
		{Name: "svg", Ending: ".svg", Says: "a drawing with text, for a page or a document", Write: picture.WriteSVG},
		{Name: "png", Ending: ".png", Says: "an image, for a chat", Write: picture.WritePNG},
		{Name: "txt", Ending: ".txt", Says: "the text alone", Write: picture.WriteText},
	})
}

// snapNow keeps the screen in the working folder.
func (m *model) snapNow() tea.Cmd {
	cmd, err := m.snap("tokdyno-" + m.run.now().Format(fileTime) + ".svg")
	if err != nil {
		m.run.say(theme.Bad, "%s", cell.OneLine(err))
	}
	return cmd
}

// snapCommand keeps the screen in a file.
func snapCommand() command {
	return command{
		name: "snap", takes: "screen.svg", says: "keep the screen as a picture, in the form that the file's name ends in: " + pictures().Endings(),
		do: func(m *model, rest string) (tea.Cmd, error) { return m.snap(rest) },
	}
}

// snap writes the screen into a file, as it is without the command line. The error says that the name tells no form.
func (m *model) snap(file string) (tea.Cmd, error) {
	f, err := pictures().ForFile(file)
	if err != nil {
		return nil, err
	}
	m.prompt.hide(m)
	shot := m.picture()
	return page.Later(func() page.Done {
		instead := ""
		if _, err := os.Lstat(file); err == nil {
			instead = ", in place of the file that was there"
		}
		err := f.Save(file, shot)
		return func() {
			if err != nil {
				m.run.say(theme.Bad, "the picture can't be written: %s", cell.OneLine(err))
				return
			}
			m.run.say(theme.Good, "picture written: %s%s", file, instead)
		}
	}), nil
}

// picture is the screen in all colours of its theme, however few the terminal has.
func (m *model) picture() *picture.Picture {
	terminals, full := m.th, m.th.On(termenv.TrueColor)
	m.th = &full
	defer func() { m.th = terminals }()
	return picture.New(m.screen().frame(), m.w, m.h)
}
