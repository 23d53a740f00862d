// This file reads one preset file, strictly: what it does not know, it refuses, and says where.

package presets

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"tokdyno/engine/units"
)

// assignment is one line of a preset file.
type assignment struct {
	setting *Setting
	nth     int // of the table
	value   string
	at      string // file:line:column of the value
}

// file is a preset file being read.
type file struct {
	name     string // as errors call it
	settings Table
	p        Preset
	seen     map[string]bool
	from     string // the setting whose file requests are from; "": none
}

// parse reads a preset file, by a table of settings. Its errors say in which line and column what is wrong, and what is allowed.
func parse(name string, text []byte, settings Table) (Preset, error) {
	f := &file{name: name, settings: settings, p: Preset{text: text}, seen: make(map[string]bool)}
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) {
			return Preset{}, f.fault(syntax.GetToken(), "%s", syntax.GetMessage())
		}
		return Preset{}, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case len(tree.Docs) > 1:
		return Preset{}, fmt.Errorf("%s: a preset file is one list of lines such as \"concurrency: 8\"; this one is %d, with \"---\" between them", name, len(tree.Docs))
	case len(tree.Docs) == 0 || tree.Docs[0].Body == nil:
		return Preset{}, fmt.Errorf("%s: a preset file is a list of lines such as \"concurrency: 8\"; there is none in this one", name)
	}
	if err := f.mapping(tree.Docs[0].Body); err != nil {
		return Preset{}, err
	}
	if f.p.Title == "" || f.p.For == "" {
		return Preset{}, fmt.Errorf("%s: it needs a line \"title:\" and a line \"for:\" that says for whom it is", name)
	}
	return f.p, nil
}

// mapping reads the lines of a file.
func (f *file) mapping(body ast.Node) error {
	lines, ok := body.(*ast.MappingNode)
	if !ok {
		return f.fault(body.GetToken(), "a preset file is lines such as \"concurrency: 8\"")
	}
	for _, line := range lines.Values {
		if err := f.line(line); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) line(line *ast.MappingValueNode) error {
	key := line.Key.GetToken()
	name := key.Value
	if f.seen[name] {
		return f.fault(key, "%s is there twice", name)
	}
	f.seen[name] = true
	value, err := f.value(name, line.Value)
	if err != nil {
		return err
	}
	switch name {
	case "title":
		f.p.Title = value
		return nil
	case "for":
		f.p.For = value
		return nil
	case "source":
		f.p.Source = value
		return nil
	}
	setting := f.find(name)
	if setting == nil {
		return f.fault(key, "%q is not known here; there are %s", name, strings.Join(f.keys(), ", "))
	}
	at := line.Value.GetToken()
	if setting.Reads(value) {
		value = rebase(filepath.Dir(f.name), value)
	}
	if !setting.File { // a large file is opened when it is used
		if _, err := setting.Set(Plain(), value); err != nil {
			return f.fault(at, "%s: %w", name, err)
		}
	}
	if setting.File && !units.Off(value) {
		if f.from != "" {
			return f.fault(key, "a replay makes prompts as long as those that were recorded, and takes none from a data set; "+
				"leave out data or trace")
		}
		f.from = name
	}
	f.p.settings = append(f.p.settings, assignment{setting, slices.Index(f.settings, setting), value, f.place(at)})
	return nil
}

// rebase makes a file's path, with what may stand before it and a colon, relative to the preset rather than to where
// tokdyno was started.
func rebase(dir, value string) string {
	name, path, ok := strings.Cut(value, ":")
	if !ok || len(name) < 2 || strings.ContainsAny(name, `./\`) {
		name, path = "", value
	} else {
		name += ":"
	}
	if path == "" || filepath.IsAbs(path) {
		return value
	}
	return name + filepath.Join(dir, path)
}

// value reads what stands behind a key: one value, or several, which are joined by "; ".
func (f *file) value(name string, node ast.Node) (string, error) {
	switch node := node.(type) {
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return "", f.fault(node.GetToken(), "%s is to be written out, without anchors or tags", name)
	case *ast.NullNode:
		return "", f.fault(node.GetToken(), "%s has no value", name)
	case ast.ScalarNode:
		if literal, ok := node.(*ast.LiteralNode); ok {
			return strings.TrimSpace(literal.Value.Value), nil
		}
		return node.GetToken().Value, nil
	case *ast.SequenceNode:
		var values []string
		for _, item := range node.Values {
			value, err := f.value(name, item)
			if err != nil {
				return "", err
			}
			values = append(values, value)
		}
		return strings.Join(values, "; "), nil
	}
	return "", f.fault(node.GetToken(), "%s takes one value; put it into quotes if it holds a colon", name)
}

// fault is an error at a place in the file.
func (f *file) fault(at *token.Token, format string, args ...any) error {
	return fmt.Errorf("%s: %w", f.place(at), fmt.Errorf(format, args...))
}

func (f *file) place(at *token.Token) string {
	if at == nil || at.Position == nil {
		return f.name
	}
	return fmt.Sprintf("%s:%d:%d", f.name, at.Position.Line, at.Position.Column)
}

// find returns the setting of a name; nil if there is none.
func (f *file) find(name string) *Setting {
	if s := f.settings.Find(name); s != nil && s.Name == name { // what is short for one is for people at a keyboard
		return s
	}
	return nil
}

// keys are all keys that a preset file may have.
func (f *file) keys() []string {
	names := []string{"title", "for", "source"}
	for _, s := range f.settings {
		names = append(names, s.Name)
	}
	return slices.Compact(names)
}
