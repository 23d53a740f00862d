// This file is the settings of how long an autopilot measures a level: flags, and words behind its command.

package presets

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/stage"
	"tokdyno/engine/units"
)

// EffortSetting is one setting of how long a level is measured.
type EffortSetting struct {
	Name  string // of its flag, and before the = in a command
	Says  string // what it is, the word for the value in backquotes
	set   func(e *stage.Effort, text string) error
	print func(e stage.Effort) string
}

// EffortSettings are all of them.
func EffortSettings() []EffortSetting {
	return []EffortSetting{
		{
			"samples", "`requests` to measure at each level, at least; as many as a verdict needs, if that is more",
			func(e *stage.Effort, text string) (err error) {
				e.Requests, err = units.ParseCount(text, "requests", "request")
				if err != nil || e.Requests < 1 {
					err = fmt.Errorf("%q is not a number of requests above zero; write it like 30", text)
				}
				return err
			},
			func(e stage.Effort) string { return units.Count(e.Requests) },
		},
		timeOf("steady", "`time` to measure each level, at least", "30s", func(e *stage.Effort) *time.Duration { return &e.Steady }),
		timeOf("longest", "`time` after which a level is left with fewer requests; a search gives the levels that decide three times as much",
			"2m", func(e *stage.Effort) *time.Duration { return &e.Longest }),
	}
}

func timeOf(name, says, example string, of func(*stage.Effort) *time.Duration) EffortSetting {
	return EffortSetting{
		name, says,
		func(e *stage.Effort, text string) error {
			d, err := units.ParseTime(text, example)
			if err == nil && d <= 0 {
				err = fmt.Errorf("%q is not a time above zero; write it like %s", text, example)
			}
			*of(e) = d
			return err
		},
		func(e stage.Effort) string { return units.Time(*of(&e)) },
	}
}

// Set returns the effort with what a text says. The error is a sentence, and the effort is then as it was.
func (s *EffortSetting) Set(e stage.Effort, text string) (stage.Effort, error) {
	next := e
	if err := s.set(&next, text); err != nil {
		return e, err
	}
	return next, nil
}

// Print writes its value as Set takes it.
func (s *EffortSetting) Print(e stage.Effort) string { return s.print(e) }

// ParseEffort takes the words of a text that are settings of an effort, such as samples=30, and returns them and the rest of
// it. The error is a sentence.
func ParseEffort(text string) (e stage.Effort, rest string, err error) {
	all := EffortSettings()
	var words []string
	for word := range strings.FieldsSeq(text) {
		name, value, isSetting := strings.Cut(word, "=")
		if !isSetting {
			words = append(words, word)
			continue
		}
		at := slices.IndexFunc(all, func(s EffortSetting) bool { return strings.EqualFold(s.Name, name) })
		if at < 0 {
			return stage.Effort{}, "", fmt.Errorf("there is no %s to be set; there are samples=30, steady=5s and longest=1m", name)
		}
		if e, err = all[at].Set(e, value); err != nil {
			return stage.Effort{}, "", fmt.Errorf("%s: %w", all[at].Name, err)
		}
	}
	return e, strings.Join(words, " "), nil
}
