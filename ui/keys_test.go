package ui

import (
	"strings"
	"testing"
)

func TestNoKeyMeansTwoThings(t *testing.T) {
	table := commands(allPages())
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
	for _, c := range commands(allPages()) {
		if len(c.keys.Keys()) == 0 || c.says == "" || c.do == nil || c.in == 0 || c.keys.Help().Key == "" || c.keys.Help().Desc == "" {
			t.Errorf("command %q is incomplete", c.says)
		}
	}
}

func TestKeysMarkdownHasEveryCommand(t *testing.T) {
	doc := KeysMarkdown()
	for _, c := range commands(allPages()) {
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
	for _, in := range []keyContext{onZoom, onHelp, onTyping, onPrompt, onPicker} {
		if _, ok := lookup(commands(allPages()), in, "esc"); !ok {
			t.Errorf("esc does nothing in %s", in)
		}
	}
	for _, in := range []keyContext{onLive, onCurve, onGPU, onStages, onZoom, onHelp, onTyping, onPrompt, onPicker} {
		if _, ok := lookup(commands(allPages()), in, "ctrl+c"); !ok {
			t.Errorf("ctrl+c does nothing in %s", in)
		}
	}
}

// A page's own keys mean something on that page, and every page is one of those that the common keys work on.
func TestPagesKeepToThemselves(t *testing.T) {
	numbers, contexts := map[int]bool{}, keyContext(0)
	for _, p := range allPages() {
		if p.number < 1 || p.number > 9 || numbers[p.number] || p.in&contexts != 0 || p.in&onPages != p.in || p.name == "" || p.says == "" {
			t.Errorf("page %d (%s) is incomplete, or there twice", p.number, p.name)
		}
		numbers[p.number], contexts = true, contexts|p.in
		for _, c := range p.commands() {
			if c.in&onPages&^p.in != 0 || c.in&^(onPages|onZoom) != 0 {
				t.Errorf("%q of the %s page means something %s", c.says, p.name, c.in)
			}
		}
	}
	if contexts != onPages {
		t.Error("onPages is not the contexts of all pages")
	}
}
