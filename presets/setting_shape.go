// This file is the settings of what requests ask for.

package presets

import (
	"strconv"

	"tokdyno/engine"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
)

func shapeSettings() []Setting {
	return []Setting{
		{
			Name: "prompt_tokens", Says: "`length` of the prompt: 512, 128-1024, normal 512/128, lognormal 512/256 or file:PATH",
			Set: lengthOf(func(k *engine.Knobs) *shape.Length { return &k.Shape.Prompt }),
			Get: func(k engine.Knobs) string { return k.Shape.Prompt.String() },
		},
		{
			Name: "output_tokens", Says: "`length` of the answer, likewise",
			Set: lengthOf(func(k *engine.Knobs) *shape.Length { return &k.Shape.Output }),
			Get: func(k engine.Knobs) string { return k.Shape.Output.String() },
		},
		{
			Name: "prefix_overlap", Says: "`share` of the prompt that requests have in common, 0 to 1 or 0% to 100%",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Shape.PrefixOverlap, err = share(v)
				return err
			},
			Get: func(k engine.Knobs) string {
				if k.Shape.PrefixOverlap == 0 {
					return ""
				}
				return strconv.FormatFloat(k.Shape.PrefixOverlap, 'g', -1, 64)
			},
		},
		{
			Name: "prefixes", Says: "`number` of different common prefixes, of which each request draws one",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Shape.Prefixes, err = count(v, 1)
				return err
			},
			Get: func(k engine.Knobs) string { return unlessZero(k.Shape.Prefixes) },
		},
		{
			Name: "text", Says: "`kind` of text that prompts are made of: words, chinese or code",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Shape.Text, err = shape.ParseText(v)
				return err
			},
			Get: func(k engine.Knobs) string { return k.Shape.Text.String() },
		},
		{
			Name: "turns", Says: "`number` of turns of a conversation, as a length: 5 or 2-8; 1: single requests",
			Set: lengthOf(func(k *engine.Knobs) *shape.Length { return &k.Shape.Turns }),
			Get: func(k engine.Knobs) string {
				if !k.Shape.Converses() {
					return ""
				}
				return k.Shape.Turns.String()
			},
		},
		{
			Name: "think", Says: "mean `time` between an answer and the next turn, e.g. 5s",
			Set: func(k *engine.Knobs, v string) (err error) {
				k.Shape.Think, err = span(v)
				return err
			},
			Get: func(k engine.Knobs) string {
				if k.Shape.Think == 0 {
					return ""
				}
				return k.Shape.Think.String()
			},
		},
	}
}

// dataSettings are those of a data set.
func dataSettings(opened *files) []Setting {
	return []Setting{
		{
			Name: "data", File: true,
			Says: "`file` to take prompts from: ShareGPT JSON, JSONL with prompt or messages, OpenAI batch JSONL or lines of text",
			Set: func(k *engine.Knobs, v string) error {
				path, format, err := formatted(v, dataset.ParseFormat)
				if err != nil {
					return err
				}
				set, err := opened.set(path, format)
				if err != nil {
					return err
				}
				k.Shape.Data = set
				return nil
			},
			Get: func(engine.Knobs) string { return "" }, // files are named, not shown
		},
	}
}
