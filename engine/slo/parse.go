// This file reads objectives as a person types them.

package slo

import (
	"fmt"
	"strings"
	"unicode"

	"tokdyno/engine/units"
)

// metricNames are the metrics that an objective may limit, as errors list them.
const metricNames = "ttft, ttfa, tpot, itl, e2el and errors"

// ParseObjectives reads objectives separated by ";" or line ends:
//
//	ttft p99 <= 500ms over 5m for 99.9%
//	errors <= 1% over 1m
//
// A metric (ttft, ttfa, tpot, itl, e2el, errors), a percentile unless the metric is errors, "<=", and a limit; then, if they
// differ from DefaultWindow and DefaultTarget, "over" a window and "for" a share of the verdicts. Case does not matter.
// Empty lines are passed over, and the empty text gives no objectives, as "off" does. An error is a sentence that quotes the word that
// is wrong, says where it stands, and what may stand there.
func ParseObjectives(text string) (Objectives, error) {
	var all Objectives
	if units.Off(text) {
		return all, nil
	}
	for _, words := range clauses(text) {
		p := parser{text: text, words: joined(words)}
		o, err := p.objective()
		if err != nil {
			return Objectives{}, err
		}
		if err := all.add(o); err != nil {
			return Objectives{}, fmt.Errorf("%s%w", place(text, words[0].at), err)
		}
	}
	return all, nil
}

// word is a piece of the text that is read as a whole.
type word struct {
	text string // in lower case
	at   int    // its offset in bytes
	kind kind   // other or comparison
}

// clauses divides the text into the words of each objective. "<", "=" and "≤" make words of their own, wherever they stand,
// and "%" belongs to the number before it, whatever space lies between.
func clauses(text string) [][]word {
	var all [][]word
	var words []word
	current, start := space, 0
	end := func(at int) {
		if current != space {
			words = append(words, word{strings.ToLower(text[start:at]), start, current})
		}
		current = space
	}
	for i, r := range text {
		k := kindOf(r)
		if k == percentSign {
			end(i)
			if k = other; len(words) > 0 {
				words[len(words)-1].text += "%"
				continue
			}
		}
		if k != current {
			end(i)
			current, start = k, i
		}
		if k == separator {
			if current = space; len(words) > 0 {
				all, words = append(all, words), nil
			}
		}
	}
	end(len(text))
	if len(words) > 0 {
		all = append(all, words)
	}
	return all
}

// joined puts the unit of a time to the number before it, and the parts of a time to each other: "1 m 30 s" is one word.
func joined(words []word) []word {
	var all []word
	for _, w := range words {
		if n := len(all); n > 0 && w.kind == other && partOfTime(all[n-1].text, w.text) {
			all[n-1].text += " " + w.text
			continue
		}
		all = append(all, w)
	}
	return all
}

// partOfTime reports whether a word goes on with the time that another began.
func partOfTime(begun, word string) bool {
	if units.IsTimeUnit(word) {
		return begun != "" && unicode.IsDigit(rune(begun[len(begun)-1]))
	}
	return unicode.IsDigit(rune(begun[0])) && unicode.IsLetter(rune(begun[len(begun)-1])) && unicode.IsDigit(rune(word[0]))
}

// kind is a kind of characters.
type kind int

const (
	space kind = iota
	other
	comparison
	percentSign
	separator
)

func kindOf(r rune) kind {
	switch {
	case r == ';' || r == '\n' || r == '\r':
		return separator
	case r == '<' || r == '=' || r == '≤':
		return comparison
	case r == '%':
		return percentSign
	case unicode.IsSpace(r):
		return space
	}
	return other
}

// parser reads the words of one objective.
type parser struct {
	text  string
	words []word
	next  int
}

func (p *parser) objective() (Objective, error) {
	o := Objective{Window: DefaultWindow, Target: DefaultTarget}
	name, _ := p.take()
	metric, ok := metricCalled(name.text)
	if !ok {
		return o, p.wrong(name, "there is no such metric; there are %s", metricNames)
	}
	o.Metric = metric
	for _, step := range []func(*Objective) error{p.percentile, p.comparison, p.limit, p.options} {
		if err := step(&o); err != nil {
			return o, err
		}
	}
	if err := o.Validate(); err != nil {
		return o, fmt.Errorf("%s%w", place(p.text, name.at), err)
	}
	return o, nil
}

func metricCalled(name string) (Metric, bool) {
	switch name {
	case "e2e":
		return E2EL, true
	case "error", "error-rate":
		return ErrorRate, true
	}
	for m := TTFT; m <= ErrorRate; m++ {
		if name == m.String() {
			return m, true
		}
	}
	return 0, false
}

func (p *parser) percentile(o *Objective) error {
	w, ok := p.peek()
	if !ok || w.kind == comparison {
		if o.Metric == ErrorRate {
			return nil
		}
		return p.missing("a percentile belongs after %s, e.g. %s p99 <= 500ms", o.Metric, o.Metric)
	}
	if o.Metric == ErrorRate {
		return p.wrong(w, "errors has no percentile; \"<=\" comes next, e.g. errors <= 1%%")
	}
	p.next++
	digits, marked := strings.CutPrefix(w.text, "p")
	share, err := units.ParseShare(digits + "%")
	if !marked || err != nil || share <= 0 {
		return p.wrong(w, "a percentile is p and a number above 0 and up to 100, e.g. p95 or p99.9")
	}
	o.Percentile = share
	return nil
}

func (p *parser) comparison(o *Objective) error {
	w, ok := p.take()
	if !ok {
		return p.missing("\"<=\" and a limit are missing, e.g. %s", example(o.Metric))
	}
	if w.text != "<=" && w.text != "≤" && w.text != "=" && w.text != "<" {
		return p.wrong(w, "\"<=\" comes here, e.g. %s", example(o.Metric))
	}
	return nil
}

func (p *parser) limit(o *Objective) error {
	w, ok := p.take()
	if !ok {
		return p.missing("a limit is missing after \"<=\", e.g. %s", example(o.Metric))
	}
	if o.Metric == ErrorRate {
		limit, err := units.ParseShare(w.text)
		if err != nil {
			return p.at(w, err)
		}
		if limit >= 1 {
			return p.wrong(w, "the limit of errors is a share from 0%% to below 100%%, e.g. 1%%")
		}
		o.MaxErrors = limit
		return nil
	}
	limit, err := units.ParseTime(w.text, "500ms")
	if err != nil {
		return p.at(w, err)
	}
	if limit <= 0 {
		return p.wrong(w, "the limit of %s is a time above zero, e.g. 500ms or 1.5s", o.Metric)
	}
	o.Limit = limit
	return nil
}

// options reads "over" a window and "for" a target, in either order.
func (p *parser) options(o *Objective) error {
	var over, target bool
	for {
		w, ok := p.take()
		if !ok {
			return nil
		}
		var err error
		switch {
		case w.text == "over" && !over:
			over = true
			err = p.window(o)
		case w.text == "for" && !target:
			target = true
			err = p.target(o)
		case w.text == "over" || w.text == "for":
			err = p.wrong(w, "it is there twice; give it once")
		default:
			err = p.wrong(w, "after the limit come \"over\" a window and \"for\" a share, e.g. over 5m for 99.9%%; \";\" begins the next objective")
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) window(o *Objective) error {
	w, ok := p.take()
	if !ok {
		return p.missing("a window is missing after \"over\", e.g. over 5m")
	}
	window, err := units.ParseTime(w.text, "5m")
	if err != nil {
		return p.at(w, err)
	}
	if window < ShortestWindow || window > LongestWindow {
		return p.wrong(w, "a window is a time from 1s to 1h, e.g. 30s or 5m")
	}
	o.Window = window
	return nil
}

func (p *parser) target(o *Objective) error {
	w, ok := p.take()
	if !ok {
		return p.missing("a share is missing after \"for\", e.g. for 99.9%%")
	}
	target, err := units.ParseShare(w.text)
	if err != nil {
		return p.at(w, err)
	}
	if target <= 0 {
		return p.wrong(w, "a share of the verdicts is above 0%%, e.g. 99.9%%")
	}
	o.Target = target
	return nil
}

func example(m Metric) string {
	if m == ErrorRate {
		return "errors <= 1%"
	}
	return m.String() + " p99 <= 500ms"
}

func (p *parser) peek() (word, bool) {
	if p.next >= len(p.words) {
		return word{}, false
	}
	return p.words[p.next], true
}

func (p *parser) take() (word, bool) {
	w, ok := p.peek()
	if ok {
		p.next++
	}
	return w, ok
}

// at is an error that says itself what is wrong with a word.
func (p *parser) at(w word, err error) error { return fmt.Errorf("%s%w", place(p.text, w.at), err) }

// wrong is the error about a word.
func (p *parser) wrong(w word, format string, args ...any) error {
	return fmt.Errorf("%s%q: %s", place(p.text, w.at), w.text, fmt.Sprintf(format, args...))
}

// missing is the error about a word that should follow the last one read.
func (p *parser) missing(format string, args ...any) error {
	last := p.words[max(p.next, 1)-1]
	return fmt.Errorf("%safter %q: %s", place(p.text, last.at), last.text, fmt.Sprintf(format, args...))
}

// place names a position of the text: "column 6, ", with the line before it where there is more than one.
func place(text string, at int) string {
	before := text[:at]
	line := 1 + strings.Count(before, "\n")
	column := 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	if strings.Contains(strings.TrimSpace(text), "\n") {
		return fmt.Sprintf("line %d, column %d, ", line, column)
	}
	return fmt.Sprintf("column %d, ", column)
}
