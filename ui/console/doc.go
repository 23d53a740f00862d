// Package console is the live console: it turns an engine's knobs and draws its snapshots.
//
//   - run.go: the terminal, signals and frames; model.go: the tea.Model; control.go and pilot.go: what is done to the run
//   - pages.go: the table of pages; keys.go and keycontext.go: the table of keys; actions.go: what the console's own do
//   - screen.go: a frame; header.go, advice.go, footer.go: the lines around a page; help.go, picker.go: what covers it
//   - prompt.go: the command line; commands.go: what can be typed there
//
// A tick takes the engine's snapshot, shows it to the open page, and draws; a key goes to what lies on top, and from there
// to the engine. A new page is a package with a page.Page, and a line in pages.go.
package console
