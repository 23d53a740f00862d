// This file is the presets and the library that holds them.

package presets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/textfile"
	"tokdyno/presets/lines"
)

//go:embed *.yaml
var builtIn embed.FS

// Demo is the use case of the demo.
const Demo = "demo"

// Preset is a use case.
type Preset struct {
	Name   string // its file's, without .yaml
	Path   string // of the user's own; "" where it is built in
	Title  string // a few words
	For    string // for whom it is, in one line
	Source string // where its numbers come from, in one line; "" where it does not say

	library  *Library // by whose settings it was read; nil: the zero Preset's
	settings assignments
	text     []byte
}

// Library is the library that the preset comes from; nil for the zero Preset.
func (p *Preset) Library() *Library { return p.library }

// Text is the preset's file, to be copied.
func (p *Preset) Text() string { return string(p.text) }

// Knobs returns the knobs as the preset sets them. What it does not say is at its default, or as the configuration has it
// ([Library.Configure]), whatever was set before. The
// error is one sentence: files that the preset names are opened here, once for all presets and settings of a Library.
func (p *Preset) Knobs() (snapshot.Knobs, error) {
	k, err := p.defaults()
	if err == nil {
		k, err = p.settings.onto(k)
	}
	if err != nil {
		return k, err
	}
	if err := k.Validate(); err != nil {
		return k, fmt.Errorf("preset %s: %w", p.Name, err)
	}
	return k, nil
}

// onto returns knobs as they are set, in the order of the table.
func (as assignments) onto(k snapshot.Knobs) (snapshot.Knobs, error) {
	for _, a := range slices.SortedFunc(slices.Values(as), func(a, b assignment) int { return a.nth - b.nth }) {
		next, err := a.setting.Set(k, a.value)
		if err != nil {
			return k, a.at.Fault("%s: %w", a.setting.Name, err)
		}
		k = next
	}
	return k, nil
}

// Lines are the preset's settings, a line each, as its file has them.
func (p *Preset) Lines() []string {
	var lines []string
	for _, a := range p.settings {
		lines = append(lines, a.setting.Name+": "+a.value)
	}
	return lines
}

// Folder is where a user's own presets stand. It need not exist.
func Folder() string { return filepath.Join(xdg.ConfigHome, "tokdyno", "presets") }

// Library is the presets that can be had by name. It keeps the data sets and traces that its presets and settings name
// open, so that the same file is the same value in all of them. It may be used from any goroutine.
type Library struct {
	presets []Preset
	broken  []brokenFile
	files   files
	config  configuration
}

// brokenFile is a file that is no preset.
type brokenFile struct {
	name string // of the preset that it should be; "": of none in particular
	err  error  // one sentence
}

// Open reads the built-in presets, and those of a folder, which override them by name or add to them. One that can't be
// understood overrides too: whoever wrote it does not mean the one built in. A folder that does not exist holds none.
func Open(folder string) (*Library, error) {
	l := new(Library)
	if err := l.read(builtIn, ".", ""); err != nil {
		return nil, err
	}
	if err := errors.Join(l.Broken()...); err != nil {
		return nil, err
	}
	err := l.read(os.DirFS(folder), ".", folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.broken = append(l.broken, brokenFile{err: fmt.Errorf("the presets in %s can't be read: %w", folder, err)})
	}
	slices.SortFunc(l.presets, func(a, b Preset) int { return strings.Compare(a.Name, b.Name) })
	return l, nil
}

// Settings returns the table of settings, which share the files that they open with the library's presets.
func (l *Library) Settings() Table { return settings(&l.files) }

// Nothing is a preset without a name that sets nothing.
func (l *Library) Nothing() Preset { return Preset{library: l} }

// read adds the presets of a folder; under is its path, "" for those built in.
func (l *Library) read(files fs.FS, dir, under string) error {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return err
	}
	table := l.Settings()
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".yaml")
		if !ok || entry.IsDir() {
			continue
		}
		path, called := "", entry.Name()
		if under != "" {
			path = filepath.Join(under, entry.Name())
			called = path
		}
		text, err := textfile.ReadIn(files, entry.Name(), maxFile)
		if err != nil {
			l.shadow(name, fmt.Errorf("%s can't be read: %w", called, err))
			continue
		}
		p, err := parse(called, text, table)
		if err != nil {
			l.shadow(name, err)
			continue
		}
		p.Name, p.Path, p.library = name, path, l
		l.add(p)
	}
	return nil
}

// add adds a preset, in the place of one of the same name.
func (l *Library) add(p Preset) {
	for i := range l.presets {
		if l.presets[i].Name == p.Name {
			l.presets[i] = p
			return
		}
	}
	l.presets = append(l.presets, p)
}

// shadow takes a preset away for a file of its name that is none.
func (l *Library) shadow(name string, err error) {
	l.broken = append(l.broken, brokenFile{name, err})
	l.presets = slices.DeleteFunc(l.presets, func(p Preset) bool { return p.Name == name })
}

// Presets returns all of them, by name.
func (l *Library) Presets() []Preset { return l.presets }

// Broken are the files of the user's own that are no presets, one sentence each.
func (l *Library) Broken() []error {
	var errs []error
	for _, b := range l.broken {
		errs = append(errs, b.err)
	}
	return errs
}

// Lookup returns the preset of a name, or of a file: what has a folder or .yaml in it is one. The error is a sentence.
func (l *Library) Lookup(name string) (Preset, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".yaml") {
		return l.readFile(name)
	}
	var names []string
	for _, p := range l.presets {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	for _, b := range l.broken {
		if b.name == name && name != "" {
			return Preset{}, b.err
		}
	}
	return Preset{}, fmt.Errorf("there is no preset %q%s", name,
		lines.Meant(name, names, `"tokdyno presets" lists those there are`))
}

func (l *Library) readFile(path string) (Preset, error) {
	text, err := textfile.Read(path, maxFile)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return Preset{}, fmt.Errorf("the preset file %s can't be read: %w", path, err)
	}
	p, err := parse(path, text, l.Settings())
	p.library, p.Name, p.Path = l, strings.TrimSuffix(filepath.Base(path), ".yaml"), path
	return p, err
}

// maxFile is as large as a preset may be: a thousand times what one needs.
const maxFile = 1 << 20
