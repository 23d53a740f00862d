// This file is the table of settings: what a preset file may say of a load is what the flags may say of it.

package presets

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/stats"
)

// Setting is one setting of a load. A preset file calls it by its name; a flag, by the same with dashes.
type Setting struct {
	Name string
	Says string // one line of help, the word for its value in backquotes, without its default
	File bool   // its value is the path of a file, which Set opens
	// Switch says that it takes true or false, so that its flag alone means true.
	Switch bool
	// Set puts a value into knobs. Its error is a sentence that says what may be written.
	Set func(k *engine.Knobs, value string) error
	// Get is the value as Set takes it; "" where it is off.
	Get func(k engine.Knobs) string
}

// Plain is the knobs where nothing is said: enough load to see batching, little to any server, and no SLO.
func Plain() engine.Knobs {
	return engine.Knobs{
		Load:   load.Setting{Mode: load.Closed, Concurrency: 8, Arrival: load.Poisson},
		Shape:  shape.Shape{Prompt: shape.Fixed(512), Output: shape.Fixed(128)},
		Target: engine.DefaultTarget,
		Window: stats.Last30s,
	}
}

// Settings returns the table, in the order in which help shows it. Those of one table open a file once, however often it
// is set; those of a Library share what they open.
func Settings() []Setting { return settings(new(files)) }

// settings is the table, by which files are opened.
func settings(opened *files) []Setting {
	var all []Setting
	for _, part := range [][]Setting{
		loadSettings(), replaySettings(opened), shapeSettings(), dataSettings(opened), sloSettings(),
	} {
		all = append(all, part...)
	}
	return all
}

func lengthOf(of func(*engine.Knobs) *shape.Length) func(*engine.Knobs, string) error {
	return func(k *engine.Knobs, v string) (err error) {
		*of(k), err = shape.ParseLength(v)
		return err
	}
}

func count(v string, least int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n < least {
		return 0, fmt.Errorf("%q is not a whole number from %d on", v, least)
	}
	return n, nil
}

// share reads "99%", "99.9 %" or "0.99".
func share(s string) (float64, error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		v = math.Round(v*1e7) / 1e9 // 99.9 % is 0.999, not the float beside it
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q is not a share; write it like 30%% or 0.3, at most 100%%", s)
	}
	return v, nil
}

func span(v string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(v))
	if v == "off" || v == "0" {
		return 0, nil
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a time; write it like 5s or 500ms, or off", v)
	}
	return d, nil
}

func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// yesNo reads true or false, and how people write them.
func yesNo(v string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", v)
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// formatted splits a path from a format in front of it: "mooncake:trace.jsonl". A file of that very name comes first.
func formatted[F ~string](v string, parse func(string) (F, error)) (path string, format F, err error) {
	if _, err := os.Stat(v); err == nil {
		return v, "", nil
	}
	if name, rest, ok := strings.Cut(v, ":"); ok && len(name) > 1 { // not a drive of Windows
		if format, err := parse(name); err == nil {
			return rest, format, nil
		}
	}
	return v, "", nil
}
