// This file is what may stand in the file, and what may not.

package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tokdyno/presets"
	"tokdyno/ui/flags"
	"tokdyno/ui/session"
)

// The keys that are no flags.
const (
	keyURL    = "url"
	keyThemes = "themes"
)

// Flags are those of every command that the file speaks of.
type Flags struct {
	run       flags.Run
	autopilot flags.Autopilot
	output    session.Output
	look      flags.Look
	worker    flags.Worker
	set       *pflag.FlagSet
	names     []string // of those that the file may have, in their order
}

// Bind adds them to a command that shows what they come to. Those that the file may not have are hidden.
func (e *Flags) Bind(set *pflag.FlagSet, library *presets.Library) error {
	e.set = set
	err := e.run.Bind(set, library.Nothing())
	e.autopilot.Bind(set)
	e.output.Bind(set)
	e.look.Bind(set)
	e.worker.Bind(set)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden = refused(keyOf(f.Name)) != ""; !f.Hidden {
			e.names = append(e.names, f.Name)
		}
	})
	return err
}

// newFlags returns them as they are where nothing is given.
func newFlags(library *presets.Library) (*Flags, error) {
	e := new(Flags)
	set := pflag.NewFlagSet("config", pflag.ContinueOnError)
	set.SortFlags = false
	return e, e.Bind(set, library)
}

// flagOf is the flag of a key; keyOf is the key of one.
func flagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }
func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// flag is the flag of a key; nil where there is none, or where it is none of the file's.
func (e *Flags) flag(key string) *pflag.Flag {
	if key != keyOf(key) || !slices.Contains(e.names, flagOf(key)) {
		return nil
	}
	return e.set.Lookup(flagOf(key))
}

// keys are all that the file may have, in the order of the flags.
func (e *Flags) keys() []string {
	keys := []string{keyURL}
	for _, name := range e.names {
		keys = append(keys, keyOf(name))
	}
	return append(keys, keyThemes)
}

// refused says in a sentence why a key does not belong into the file; "" where it may.
func refused(key string) string {
	const secret = "a key is never kept in this file, which is read, shown and shared: set OPENAI_API_KEY, or name a file by api_key_file"
	switch key {
	case "api_key", "apikey", "openai_api_key", "token", "password", "authorization":
		return secret
	case "json", "report", "records":
		return "it names where one run's result goes; give it as a flag"
	case "duel", "turn", "spread":
		return "it is about the endpoints of one command line; give it as a flag"
	case "name":
		return "it names one worker; give it as a flag"
	case "levels", "search":
		return "it is what one sweep is to do; give it as a flag"
	}
	return ""
}

// Texts that give a secret away: those that providers make keys of, what stands behind Authorization, and a password in a URL.
var (
	secretText   = regexp.MustCompile(`(?i)^(sk-|hf_|nvapi-|gsk_|xai-|AIza|bearer\s|basic\s)|://[^/@]*:[^/@]*@`)
	secretHeader = regexp.MustCompile(`(?i)^\s*[\w-]*(authorization|api-?key|token|secret|cookie)[\w-]*\s*:`)
)

// secret reports whether a value looks as if it were one.
func secret(key, value string) bool {
	return secretText.MatchString(strings.TrimSpace(value)) || key == "header" && secretHeader.MatchString(value)
}
