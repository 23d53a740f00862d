package ui

import (
	"strings"
	"testing"
)

func TestNoKeyMeansTwoThings(t *testing.T) {
	table := commands()
	for i, c := range table {
		for _, other := range table[:i] {
			for _, k := range c.keys.Keys() {
				for _, o := range other.keys.Keys() {
					if k == o && c.in&other.in != 0 {
						t.Errorf("%q both does %q and %q", k, c.says, other.says)
					}
				}
			}
		}
	}
}

func TestEveryCommandIsExplained(t *testing.T) {
	for _, c := range commands() {
		if len(c.keys.Keys()) == 0 || c.says == "" || c.do == nil || c.in == 0 || c.keys.Help().Key == "" || c.keys.Help().Desc == "" {
			t.Errorf("command %q is incomplete", c.says)
		}
	}
}

func TestKeysMarkdownHasEveryCommand(t *testing.T) {
	doc := KeysMarkdown()
	for _, c := range commands() {
		if !strings.Contains(doc, c.says) {
			t.Errorf("%q is not in it", c.says)
		}
	}
	for i, line := range strings.Split(strings.TrimSpace(doc), "\n") {
		if strings.Count(line, "|") != 4 {
			t.Errorf("line %d is no row of three columns: %s", i+1, line)
		}
	}
}

// The escape key must lead out of every state, and ctrl+c out of the program.
func TestThereIsAlwaysAWayOut(t *testing.T) {
	for _, in := range []keyContext{onZoom, onHelp, onTyping} {
		if _, ok := lookup(commands(), in, "esc"); !ok {
			t.Errorf("esc does nothing in %s", in)
		}
	}
	for _, in := range []keyContext{onPage, onZoom, onHelp, onTyping} {
		if _, ok := lookup(commands(), in, "ctrl+c"); !ok {
			t.Errorf("ctrl+c does nothing in %s", in)
		}
	}
}
