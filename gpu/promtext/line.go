// This file takes a sample's line apart.

package promtext

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var (
	errNoName   = errors.New("it does not begin with a metric's name")
	errNoValue  = errors.New("there is no value")
	errNoBrace  = errors.New("the labels do not end")
	errLabels   = errors.New(`the labels are not written as name="value"`)
	errTrailing = errors.New("there is more text after the value")
)

// labelSet is what stands between braces.
type labelSet struct {
	labels map[string]string
	name   string // the metric's own name, where it is quoted and stands between the braces: {"a.b",c="d"}
}

// sample reads "name{label="value"} 1.5 1700000000000 # exemplar"; all but name and value may be missing.
func (p *parser) sample(line string) (Sample, error) {
	end := nameEnd(line)
	s := Sample{Name: line[:end]}
	rest := strings.TrimLeft(line[end:], space)
	if strings.HasPrefix(rest, "{") {
		end = closingBrace(rest)
		if end < 0 {
			return s, errNoBrace
		}
		set, err := p.labels(rest[1:end])
		if err != nil {
			return s, err
		}
		s.Labels = set.labels
		if s.Name == "" {
			s.Name = set.name
		}
		rest = strings.TrimLeft(rest[end+1:], space)
	} else if len(rest) == len(line)-end && rest != "" {
		return s, errNoName // such as "<html>" or "name;1": what follows the name is no space
	}
	if s.Name == "" {
		return s, errNoName
	}

	value, rest := word(rest)
	if value == "" || value[0] == '#' {
		return s, errNoValue
	}
	var ok bool
	if s.Value, ok = number(value); !ok {
		return s, fmt.Errorf("%.40q is not a number", value)
	}
	if rest != "" && rest[0] != '#' {
		var stamp string
		stamp, rest = word(rest)
		if s.TimestampMS, ok = p.timestamp(stamp); !ok {
			return s, fmt.Errorf("%.40q is not a timestamp", stamp)
		}
	}
	if rest != "" && rest[0] != '#' { // an exemplar says nothing that is needed
		return s, errTrailing
	}
	return s, nil
}

// labels reads the text between the braces.
func (p *parser) labels(text string) (labelSet, error) {
	if set, ok := p.sets[text]; ok {
		return set, nil
	}
	var set labelSet
	for rest := strings.Trim(text, space); rest != ""; {
		var name, value string
		quoted := rest[0] == '"'
		if quoted {
			end := closingQuote(rest)
			if end < 0 {
				return set, errLabels
			}
			name, rest = unescape(rest[1:end]), rest[end+1:]
		} else {
			end := nameEnd(rest)
			name, rest = rest[:end], rest[end:]
		}
		rest = strings.TrimLeft(rest, space)
		if after, ok := strings.CutPrefix(rest, "="); ok && name != "" {
			rest = strings.TrimLeft(after, space)
			end := closingQuote(rest)
			if end < 0 {
				return set, errLabels
			}
			value, rest = unescape(rest[1:end]), strings.TrimLeft(rest[end+1:], space)
			if set.labels == nil {
				set.labels = make(map[string]string)
			}
			set.labels[name] = value
		} else if quoted && set.name == "" {
			set.name = name
		} else {
			return set, errLabels
		}
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return set, errLabels
		}
		rest = strings.TrimLeft(rest[1:], space)
	}
	p.sets[text] = set
	return set, nil
}

// timestamp reads milliseconds, or OpenMetrics' seconds.
func (p *parser) timestamp(text string) (int64, bool) {
	if !p.seconds {
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
			return ms, true
		}
	}
	seconds, ok := number(text)
	ms := math.Round(seconds * 1000)
	if !ok || !(math.Abs(ms) < math.MaxInt64) { // in this form, so that NaN fails too
		return 0, false
	}
	return int64(ms), true
}

// number reads a value, also as C libraries print what is not a number.
func number(text string) (float64, bool) {
	unsigned := strings.TrimLeft(text, "+-")
	if len(unsigned) >= 3 && strings.EqualFold(unsigned[:3], "nan") && (len(unsigned) == 3 || unsigned[3] == '(') {
		return math.NaN(), true // nan, -NaN, -nan(ind)
	}
	if strings.HasPrefix(unsigned, "1.#") && !strings.HasPrefix(unsigned, "1.#INF") {
		return math.NaN(), true // 1.#QNAN, -1.#IND
	}
	if strings.ContainsAny(text, "xXpP_") {
		return 0, false // Go's notations, which the format does not know
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// word splits off what stands before the first space.
func word(text string) (first, rest string) {
	end := strings.IndexAny(text, space)
	if end < 0 {
		return text, ""
	}
	return text[:end], strings.TrimLeft(text[end:], space)
}

// nameEnd returns where the name at the beginning of text ends; 0: there is none. Dots and dashes are taken too, since
// some exporters pass on names that are not quite Prometheus'.
func nameEnd(text string) int {
	for i := range len(text) {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':':
		case i > 0 && ('0' <= c && c <= '9' || c == '.' || c == '-'):
		default:
			return i
		}
	}
	return len(text)
}

func isSpace(c byte) bool { return strings.IndexByte(space, c) >= 0 }

// closingBrace returns where the brace that text begins with is closed, outside of quotes; -1: nowhere.
func closingBrace(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '}':
			return i
		case '"':
			end := closingQuote(text[i:])
			if end < 0 {
				return -1
			}
			i += end
		}
	}
	return -1
}

// closingQuote returns where the quote that text begins with is closed; -1: nowhere, or text begins with no quote.
func closingQuote(text string) int {
	if text == "" || text[0] != '"' {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return -1
}

// unescape resolves \\, \" and \n; a backslash before anything else stands for itself.
func unescape(text string) string {
	at := strings.IndexByte(text, '\\')
	if at < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	b.WriteString(text[:at])
	for ; at < len(text); at++ {
		c := text[at]
		if c == '\\' && at+1 < len(text) {
			switch text[at+1] {
			case 'n':
				c, at = '\n', at+1
			case '\\', '"':
				c, at = text[at+1], at+1
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}
