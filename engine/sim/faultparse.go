// The text and JSON forms of faults.

package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	noFaults = "none"

	maxFaultTokens = 1 << 20
	maxFaultTime   = 24 * time.Hour
)

// serverStatus is a status from 500 to 599.
type serverStatus int

// pageStatus is a status from 200 to 599.
type pageStatus int

// ParseFaults reads faults as a command line gives them. Each element is one fault or several with white space between
// them; a fault is NAME or NAME=VALUE, where VALUE has parts separated by colons:
//
//	http_429=5% stall_first=2%:3s chunk_tokens=4 refuse=stream_options,max_tokens role_early
//
// FaultList says which there are. "none", alone, and an empty list are the zero Faults. The error is one sentence that
// says what there is.
func ParseFaults(list []string) (Faults, error) {
	var f Faults
	var seen []string
	items := strings.Fields(strings.Join(list, " "))
	if len(items) == 1 && items[0] == noFaults {
		return f, nil
	}
	for _, item := range items {
		name, value, valued := strings.Cut(item, "=")
		if slices.Contains(seen, name) {
			return Faults{}, fmt.Errorf("the fault %s is given twice; give it once", name)
		}
		seen = append(seen, name)
		if err := f.set(name, value, valued); err != nil {
			return Faults{}, err
		}
	}
	if sum := f.endings(); sum > 100+1e-9 { // 33.3 % thrice and 0.1 % are not to fail for the rounding of binary numbers
		return Faults{}, fmt.Errorf("the shares of disconnect, http_429, http_5xx, error_mid and truncate_mid add up to %.6g%%; give at most 100%%", float64(sum))
	}
	return f, nil
}

// endings returns the sum of the shares that one draw decides among.
func (f *Faults) endings() Percent {
	return f.Disconnect + f.HTTP429.Share + f.HTTP5xx.Share + f.ErrorMid.Share + f.TruncateMid.Share
}

// String returns f in the form that ParseFaults reads, "none" for the zero Faults.
func (f Faults) String() string {
	items := f.items()
	if len(items) == 0 {
		return noFaults
	}
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(item.name)
		if item.value != "" {
			b.WriteByte('=')
			b.WriteString(item.value)
		}
	}
	return b.String()
}

// MarshalJSON returns an object with a member for each fault: its value as ParseFaults reads it, or true for one that has
// none.
func (f Faults) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for _, item := range f.items() {
		object[item.name] = item.value
		if item.value == "" {
			object[item.name] = true
		}
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads what MarshalJSON writes. A number is taken for its text, and false leaves a fault out.
func (f *Faults) UnmarshalJSON(data []byte) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf(`faults are a JSON object, such as {"http_429": "5%%", "role_early": true}`)
	}
	var items []string
	for name, value := range object {
		one, known := findFault(name)
		if !known {
			return noSuchFault(name)
		}
		switch v := value.(type) {
		case bool:
			if v {
				items = append(items, name)
			}
		case string:
			if strings.ContainsFunc(v, unicode.IsSpace) { // what follows it would be taken for another fault
				return one.formError()
			}
			items = append(items, name+"="+v)
		case float64:
			items = append(items, name+"="+strconv.FormatFloat(v, 'f', -1, 64))
		default:
			return one.formError()
		}
	}
	slices.Sort(items) // so that of two errors always the same one is told
	parsed, err := ParseFaults(items)
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}

// item is a fault in text.
type item struct{ name, value string }

// items returns the faults that are on.
func (f Faults) items() []item {
	var items []item
	for _, one := range faultTable() {
		fields := one.fields(&f)
		if isZero(fields[0]) {
			continue
		}
		if one.needs == 0 {
			items = append(items, item{name: one.Name})
			continue
		}
		last := one.needs
		for i := one.needs; i < len(fields); i++ {
			if !isZero(fields[i]) {
				last = i + 1
			}
		}
		var parts []string
		for _, field := range fields[:last] {
			parts = append(parts, formatValue(field))
		}
		items = append(items, item{one.Name, strings.Join(parts, ":")})
	}
	return items
}

// set takes one fault.
func (f *Faults) set(name, value string, valued bool) error {
	one, known := findFault(name)
	if !known {
		return noSuchFault(name)
	}
	fields := one.fields(f)
	if one.needs == 0 {
		if valued {
			return fmt.Errorf("the fault %s takes no value; write just %s", name, name)
		}
		*fields[0].(*bool) = true
		return nil
	}
	parts := strings.Split(value, ":")
	if !valued || len(parts) < one.needs || len(parts) > len(fields) {
		return one.formError()
	}
	for i, part := range parts {
		if what := parseValue(fields[i], part); what != "" {
			return fmt.Errorf("%w: %q is not %s", one.formError(), part, what)
		}
	}
	if isZero(fields[0]) {
		return fmt.Errorf("the fault %s=%s would do nothing; leave it out, or write such as %s", name, value, one.Example)
	}
	return nil
}

// parseValue reads text into the field. It returns what it should have been, or "".
func parseValue(field any, text string) string {
	switch to := field.(type) {
	case *Percent:
		number, isPercent := strings.CutSuffix(text, "%")
		v, err := strconv.ParseFloat(number, 64)
		if !isPercent || err != nil || !(v > 0 && v <= 100) {
			return "a percentage above 0% and at most 100%"
		}
		*to = Percent(v)
	case *time.Duration:
		v, err := time.ParseDuration(text)
		if err != nil || v <= 0 || v > maxFaultTime {
			return "a duration above 0 and at most 24h"
		}
		*to = v
	case *int:
		v, err := strconv.Atoi(text)
		if err != nil || v < 0 || v > maxFaultTokens {
			return fmt.Sprintf("a number from 0 to %d", maxFaultTokens)
		}
		*to = v
	case *serverStatus:
		return parseStatus(to, text, 500)
	case *Parameters:
		*to = 0
		for name := range strings.SplitSeq(text, ",") {
			i := slices.Index(parameterNames[:], name)
			if i < 0 {
				return "a list, with commas, of " + strings.Join(parameterNames[:], ", ")
			}
			*to |= 1 << i
		}
	case *RefusalBody:
		return parseWord(to, text, RefuseOpenAI, RefuseVLLM, RefuseFastAPI)
	case *LeastWords:
		return parseWord(to, text, LeastNamed, LeastRenamed, LeastUnfinished)
	case *FinishReason:
		*to = FinishReason(text)
		if strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return "a word in small letters and _"
		}
	case *ErrorForm:
		return parseWord(to, text, ErrorCode, ErrorBaseResp)
	case *pageStatus:
		return parseStatus(to, text, 200)
	case *UsageForm:
		return parseWord(to, text, UsageInput, UsageStrings, UsageBelow, UsageUncached)
	case *ReasoningField:
		return parseWord(to, text, ReasoningContent, ReasoningPlain, ReasoningDetails, ReasoningHidden)
	}
	return ""
}

// parseStatus is parseValue for an HTTP status of at least so much.
func parseStatus[T ~int](to *T, text string, least int) string {
	v, err := strconv.Atoi(text)
	if err != nil || v < least || v > 599 {
		return fmt.Sprintf("a status from %d to 599", least)
	}
	*to = T(v)
	return ""
}

// parseWord is parseValue for one of some words.
func parseWord[T ~string](to *T, text string, known ...T) string {
	if *to = T(text); slices.Contains(known, *to) {
		return ""
	}
	all, last := "", len(known)-1
	for _, word := range known[:last] {
		all += ", " + string(word)
	}
	return all[2:] + " or " + string(known[last])
}

// formatValue is the inverse of parseValue. A zero that stands before another value is written as what it means.
func formatValue(field any) string {
	switch v := field.(type) {
	case *Percent:
		return strconv.FormatFloat(float64(*v), 'f', -1, 64) + "%"
	case *time.Duration:
		return v.String()
	case *int:
		return strconv.Itoa(*v)
	case *serverStatus:
		return strconv.Itoa(statusOr503(int(*v)))
	case *Parameters:
		return strings.Join(v.names(), ",")
	case *RefusalBody:
		return string(*v)
	case *ReasoningField:
		return string(*v)
	case *UsageForm:
		return string(*v)
	case *ErrorForm:
		return string(*v)
	case *pageStatus:
		return strconv.Itoa(int(*v))
	case *FinishReason:
		return string(*v)
	case *LeastWords:
		return string(*v)
	}
	return ""
}

// isZero reports whether the field has its zero value.
func isZero(field any) bool {
	switch v := field.(type) {
	case *bool:
		return !*v
	case *Percent:
		return *v == 0
	case *time.Duration:
		return *v == 0
	case *int:
		return *v == 0
	case *serverStatus:
		return *v == 0
	case *Parameters:
		return *v == 0
	case *RefusalBody:
		return *v == ""
	case *ReasoningField:
		return *v == ""
	case *UsageForm:
		return *v == ""
	case *ErrorForm:
		return *v == ""
	case *pageStatus:
		return *v == 0
	case *FinishReason:
		return *v == ""
	case *LeastWords:
		return *v == ""
	}
	return true
}

// findFault returns the fault called name.
func findFault(name string) (fault, bool) {
	table := faultTable()
	i := slices.IndexFunc(table, func(one fault) bool { return one.Name == name })
	if i < 0 {
		return fault{}, false
	}
	return table[i], true
}

// formError says how the fault is written.
func (f fault) formError() error {
	return fmt.Errorf("the fault %s has the form %s, such as %s", f.Name, f.Form, f.Example)
}

// noSuchFault lists the names there are.
func noSuchFault(name string) error {
	var names []string
	for _, one := range faultTable() {
		names = append(names, one.Name)
	}
	return fmt.Errorf("there is no fault %q; there are %s", name, strings.Join(names, ", "))
}
