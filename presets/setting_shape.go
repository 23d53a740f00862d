// This file is the settings of what requests ask for.

package presets

import (
	"math"

	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/presets/scale"
)

func shapeSettings() []*Setting {
	prompt := lengthSetting(Setting{
		Name: "prompt_tokens", Short: "in", Title: "prompt tokens", Example: "512±128",
		Says: "length of the prompt",
		idle: func(k snapshot.Knobs) string {
			if k.Shape.Data == nil {
				return ""
			}
			return "prompts are from " + k.Shape.Data.Name()
		},
		note: func(k snapshot.Knobs, _ *snapshot.Snapshot) string {
			return unless(k.Shape.PrefixOverlap == 0, units.RoundedDown(k.Shape.PrefixOverlap)+" common")
		},
	}, func(s *shape.Shape) *shape.Length { return &s.Prompt })
	output := lengthSetting(Setting{
		Name: "output_tokens", Short: "out", Title: "output tokens", Example: "128",
		Says: "length of the answer",
	}, func(s *shape.Shape) *shape.Length { return &s.Output })
	return []*Setting{prompt, output, overlapSetting(), prefixesSetting(), textSetting()}
}

// lengthSetting completes the setting of a length in tokens.
func lengthSetting(s Setting, of func(*shape.Shape) *shape.Length) *Setting {
	s.Unit = "tokens"
	s.Takes = "a `length` such as 512, 128-1024, 512±128 (or normal 512/128), lognormal 512/256 or file:PATH"
	s.set = func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
		*of(&k.Shape), err = shape.ParseLength(text)
		return k, err
	}
	s.print = func(k snapshot.Knobs) string { return of(&k.Shape).String() }
	counts := func(k snapshot.Knobs) bool { return s.idle == nil || s.idle(k) == "" }
	s.turn = func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
		if l := of(&k.Shape); counts(k) {
			*l = l.Adjust(direction(up))
		}
		return k
	}
	s.scale = func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
		if l := of(&k.Shape); counts(k) {
			*l = l.Scale(factor)
		}
		return k
	}
	return &s
}

// direction is one step up or down.
func direction(up bool) int {
	if up {
		return 1
	}
	return -1
}

// overlapSetting is the share of the prompt that requests have in common, turned in steps of ten percent.
func overlapSetting() *Setting {
	change := func(k snapshot.Knobs, percent float64) snapshot.Knobs {
		k.Shape.PrefixOverlap = min(max(math.Round(percent), 0), 100) / 100
		return k
	}
	return &Setting{
		Name: "prefix_overlap", Short: "overlap", Title: "common prefix", Example: "30%", Words: []string{"off"},
		Says:  "how much of the prompt, from its front, requests have in common",
		Takes: "a `share` such as 30% or 0.3, or off for nothing",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			if k.Shape.PrefixOverlap = 0; units.Off(text) {
				return k, nil
			}
			k.Shape.PrefixOverlap, err = units.ParseShare(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string {
			if k.Shape.PrefixOverlap == 0 {
				return "off"
			}
			return units.ShareApart(k.Shape.PrefixOverlap)
		},
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			const step, hair = 10, 1e-6
			tens := 100 * k.Shape.PrefixOverlap / step
			if up {
				return change(k, step*(math.Floor(tens+hair)+1))
			}
			return change(k, step*(math.Ceil(tens-hair)-1))
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, 100*k.Shape.PrefixOverlap*factor)
		},
	}
}

// prefixesSetting is how many common prefixes there are, of which each prompt has one.
func prefixesSetting() *Setting {
	count := func(k snapshot.Knobs) float64 { return float64(max(k.Shape.Prefixes, 1)) }
	set := func(k snapshot.Knobs, n int) snapshot.Knobs {
		if k.Shape.Prefixes = n; n == 1 { // as where nothing is said, so that equal shapes are equal
			k.Shape.Prefixes = 0
		}
		return k
	}
	change := func(k snapshot.Knobs, to float64) snapshot.Knobs {
		return set(k, int(min(max(to, 1), shape.MaxPrefixes)))
	}
	return &Setting{
		Name: "prefixes", Short: "prefixes", Title: "prefixes", Example: "8", Unit: "prefixes", Needs: []string{"prefix_overlap"},
		Says:  "how many common prefixes there are, of which each prompt has one",
		Takes: "a `number` from 1 to " + units.Count(shape.MaxPrefixes),
		is:    "a number of prefixes",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			n, err := units.ParseCount(text, "prefixes", "prefix")
			if err != nil || n < 1 || n > shape.MaxPrefixes {
				return k, errRefused
			}
			return set(k, n), nil
		},
		print: func(k snapshot.Knobs) string { return units.Count(int(count(k))) },
		idle:  func(k snapshot.Knobs) string { return unless(k.Shape.PrefixOverlap > 0, "counts with a common prefix") },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			return change(k, math.Floor(scale.Count(count(k), up)))
		},
		scale: func(k snapshot.Knobs, _ *snapshot.Snapshot, factor float64) snapshot.Knobs {
			return change(k, count(k)*factor)
		},
	}
}

func textSetting() *Setting {
	texts := []shape.Text{shape.Words, shape.Chinese, shape.Code}
	s := &Setting{
		Name: "text", Short: "text", Title: "text", Example: "code",
		Says: "what prompts are made of", Takes: "a `kind`, which is words, chinese or code",
		set: func(k snapshot.Knobs, text string) (_ snapshot.Knobs, err error) {
			k.Shape.Text, err = shape.ParseText(text)
			return k, err
		},
		print: func(k snapshot.Knobs) string { return k.Shape.Text.String() },
		turn: func(k snapshot.Knobs, _ *snapshot.Snapshot, up bool) snapshot.Knobs {
			at := int(k.Shape.Text) + direction(up)
			k.Shape.Text = texts[min(max(at, 0), len(texts)-1)]
			return k
		},
	}
	for _, text := range texts {
		s.Words = append(s.Words, text.String())
	}
	return s
}

// dataSettings are those of a data set.
func dataSettings(opened *files) []*Setting {
	return []*Setting{{
		Name: "data", Short: "data", Title: "data", File: true, Example: "prompts.jsonl", Words: []string{"off"},
		Says:  "prompts to send instead of made ones",
		Takes: "a `file` of ShareGPT JSON, JSONL with prompt or messages, OpenAI batch JSONL, CSV with a column prompt or lines of text, or off for none",
		set: func(k snapshot.Knobs, text string) (snapshot.Knobs, error) {
			if noFile(text) {
				k.Shape.Data = nil
				return k, nil
			}
			path, format, err := formatted(text, dataset.ParseFormat)
			if err != nil {
				return k, err
			}
			set, err := opened.set(path, format)
			if err != nil {
				return k, err
			}
			k.Shape.Data = set
			return k, nil
		},
		print: func(snapshot.Knobs) string { return "" },
	}}
}
