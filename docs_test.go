package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the documentation for users: the README, and the pages of docs/ but for those on the code.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/recipes/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d pages, %v", pattern, len(names), err)
		}
		for _, name := range names {
			if name != filepath.Join("docs", "architecture.md") {
				found = append(found, name)
			}
		}
	}
	return found
}

func TestTheREADMEIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 200 {
		t.Errorf("the README has %d lines; what is for those who know tokdyno already goes into docs/", n)
	}
}

// TestLinksLeadSomewhere follows the links between pages, and those to headings of a page.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]*)\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	linked := make(map[string]bool)
	for _, name := range append(pages(t), filepath.Join("docs", "architecture.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			linked[target] = true
			there, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			found := anchor == ""
			for _, h := range heading.FindAllStringSubmatch(string(there), -1) {
				found = found || anchorOf(h[1]) == anchor
			}
			if !found {
				t.Errorf("%s: %s has no heading #%s", name, target, anchor)
			}
		}
	}
	for _, name := range pages(t)[1:] {
		if !linked[name] {
			t.Errorf("no page has a link to %s", name)
		}
	}
}

// anchorOf is what a heading is called in a link, as GitHub makes it.
func anchorOf(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}
