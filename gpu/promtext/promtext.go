// This file reads a page: its lines, and what they are samples of.

package promtext

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Page is what was understood of a metrics page. Its strings share one copy of the page's text.
type Page struct {
	Samples      []Sample          // in the order of the page
	Types        map[string]string // by the name that the TYPE line gave; where a name has several, the first counts
	Skipped      int               // lines that could not be understood
	FirstSkipped string            // the first of them: its number and why, such as `line 7: "abc" is not a number`
}

// Sample is one line of a page.
type Sample struct {
	Name        string
	Labels      map[string]string // shared by samples with the same labels: only to be read; nil: none
	Value       float64           // as written, so NaN and infinities are possible
	TimestampMS int64             // Unix time that the exporter gave to the value, in milliseconds; 0: none
}

// Parse reads a page. A page that is one JSON string, as some gateways answer, is unwrapped first. What is not a metrics
// page at all, such as HTML, gives no samples and many skipped lines.
func Parse(page []byte) Page {
	text := strings.TrimPrefix(unwrap(page), "\ufeff")
	p := parser{
		sets: make(map[string]labelSet),
		// OpenMetrics must end like this, and gives times in seconds.
		seconds: strings.HasSuffix(strings.TrimRight(text, space), "# EOF"),
	}
	p.page.Samples = make([]Sample, 0, len(text)/typicalLine)
	for number := 1; text != ""; number++ {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if line = strings.Trim(line, space); line == "" {
			continue
		}
		if line[0] == '#' {
			p.comment(line)
			continue
		}
		sample, err := p.sample(line)
		if err != nil {
			if p.page.Skipped++; p.page.Skipped == 1 {
				p.page.FirstSkipped = fmt.Sprintf("line %d: %v", number, err)
			}
			continue
		}
		p.page.Samples = append(p.page.Samples, sample)
	}
	return p.page
}

const (
	space       = " \t\r\v\f\n"
	typicalLine = 80 // bytes; pages of vLLM and of GPU exporters have 70 to 130, comments included
)

// unwrap returns the page's text, without the JSON string around it if there is one.
func unwrap(page []byte) string {
	text := string(page)
	if trimmed := strings.Trim(text, space); strings.HasPrefix(trimmed, `"`) {
		var inner string
		if json.Unmarshal([]byte(trimmed), &inner) == nil {
			return inner
		}
	}
	return text
}

// parser reads one page.
type parser struct {
	page    Page
	sets    map[string]labelSet // by the text between the braces: most pages repeat few of them often
	seconds bool                // timestamps are seconds
}

// comment takes the type from a TYPE line; other comments say nothing.
func (p *parser) comment(line string) {
	rest := strings.TrimLeft(line[1:], space)
	rest, ok := strings.CutPrefix(rest, "TYPE")
	if !ok || rest == "" || !isSpace(rest[0]) {
		return
	}
	rest = strings.TrimLeft(rest, space)
	var name string
	if strings.HasPrefix(rest, `"`) {
		end := closingQuote(rest)
		if end < 0 {
			return
		}
		name, rest = unescape(rest[1:end]), rest[end+1:]
	} else {
		end := nameEnd(rest)
		name, rest = rest[:end], rest[end:]
	}
	kind := strings.Trim(rest, space)
	if name == "" || kind == "" {
		return
	}
	if p.page.Types == nil {
		p.page.Types = make(map[string]string)
	}
	if _, repeated := p.page.Types[name]; !repeated {
		p.page.Types[name] = kind
	}
}
