// This file reads a file into its lines.

package lines

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Line is a key with what stands behind it: one value, a list of values, or lines of its own.
type Line struct {
	Key     string
	KeyAt   Place
	Values  []string
	ValueAt Place
	Lines   []Line
}

// Value is all values as one text, parted by "; ".
func (l *Line) Value() string { return strings.Join(l.Values, "; ") }

// Place is where something stands.
type Place struct {
	File         string
	Line, Column int // from 1; 0: of the file as a whole
}

// String is the place as editors and compilers write it: "mine.yaml:3:8".
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Fault is an error there.
func (p Place) Fault(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p, fmt.Errorf(format, args...))
}

// Form is what a file may be.
type Form struct {
	Kind   string                // as errors call it: "a preset file"
	Nested func(key string) bool // whether a key has lines of its own, to any depth; nil: none has
}

// Read reads a file, called by a name in errors. An empty one has no lines. The error is a sentence that begins with the place.
func Read(name string, text []byte, as Form) ([]Line, error) {
	f := &file{name: name, Form: as}
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) {
			return nil, f.place(syntax.GetToken()).Fault("%s", syntax.GetMessage())
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case len(tree.Docs) > 1:
		return nil, fmt.Errorf("%s: %s is one list of lines such as \"concurrency: 8\"; this one is %d, with \"---\" between them",
			name, f.Kind, len(tree.Docs))
	case len(tree.Docs) == 0 || tree.Docs[0].Body == nil:
		return nil, nil
	}
	return f.lines(tree.Docs[0].Body, false)
}

// file is a file being read.
type file struct {
	name string
	Form
}

// lines reads the lines of a file, or those of a key.
func (f *file) lines(body ast.Node, nested bool) ([]Line, error) {
	node, ok := body.(*ast.MappingNode)
	if !ok {
		return nil, f.place(body.GetToken()).Fault("%s is lines such as \"concurrency: 8\"", f.Kind)
	}
	seen := make(map[string]bool)
	var all []Line
	for _, pair := range node.Values {
		key := pair.Key.GetToken()
		l := Line{Key: key.Value, KeyAt: f.place(key), ValueAt: f.place(pair.Value.GetToken())}
		if seen[l.Key] {
			return nil, l.KeyAt.Fault("%s is there twice", l.Key)
		}
		seen[l.Key] = true
		var err error
		if inner, is := pair.Value.(*ast.MappingNode); is && (nested || f.Nested != nil && f.Nested(l.Key)) {
			l.Lines, err = f.lines(inner, true)
		} else {
			l.Values, err = f.values(l.Key, pair.Value)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// values reads what stands behind a key that has no lines.
func (f *file) values(key string, node ast.Node) ([]string, error) {
	at := f.place(node.GetToken())
	switch node := node.(type) {
	case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
		return nil, at.Fault("%s is to be written out, without anchors or tags", key)
	case *ast.NullNode:
		return nil, at.Fault("%s has no value", key)
	case ast.ScalarNode:
		if literal, ok := node.(*ast.LiteralNode); ok {
			return []string{strings.TrimSpace(literal.Value.Value)}, nil
		}
		return []string{node.GetToken().Value}, nil
	case *ast.SequenceNode:
		var all []string
		for _, item := range node.Values {
			values, err := f.values(key, item)
			if err != nil {
				return nil, err
			}
			all = append(all, values...)
		}
		if all == nil {
			return nil, at.Fault("%s has no value", key)
		}
		return all, nil
	}
	return nil, at.Fault("%s takes one value; put it into quotes if it holds a colon", key)
}

func (f *file) place(at *token.Token) Place {
	if at == nil || at.Position == nil {
		return Place{File: f.name}
	}
	return Place{f.name, at.Position.Line, at.Position.Column}
}
