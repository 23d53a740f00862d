// This file holds the flags of the simulated server.

package flags

import (
	"strings"

	"github.com/spf13/pflag"

	"tokdyno/engine/sim"
)

// Simulator are the flags that say what is simulated.
type Simulator struct {
	profile   string
	timeScale float64
	batch     int
	faults    []string

	draftTokens int
	acceptance  float64
}

// Bind adds the flags to a command.
func (s *Simulator) Bind(f *pflag.FlagSet) {
	f.StringVar(&s.profile, "profile", "small-gpu", "what to simulate: "+profileNames())
	numberVar(f, &s.timeScale, "time-scale", 1, "simulate this many `times` as fast as real time")
	f.IntVar(&s.draftTokens, "draft-tokens", 0, "speculative decoding: draft this `many` tokens a step")
	numberVar(f, &s.acceptance, "draft-acceptance", 70, "`percent` of drafted tokens that are accepted where those before them are, less at a higher temperature")
	countVar(f, &s.batch, "max-num-seqs", 0, "most sequences in a batch, others wait: a `number`; off: the profile's", "sequences", "sequence")
	f.StringArrayVar(&s.faults, "fault", nil, "`fault` to simulate, e.g. http_429=5%; may be repeated; list names all")
}

// Config returns what the flags describe. Its errors are sentences about the command line.
func (s *Simulator) Config() (sim.Config, error) {
	profile, err := sim.LookupProfile(s.profile)
	if err != nil {
		return sim.Config{}, err
	}
	profile.DraftTokens, profile.DraftAcceptance = s.draftTokens, s.acceptance/100
	if s.batch > 0 {
		profile.MaxNumSeqs = s.batch
	}
	faults, err := sim.ParseFaults(s.faults)
	return sim.Config{Profile: profile, TimeScale: s.timeScale, Faults: faults}, err
}

// ListsFaults reports whether the list of faults was asked for.
func (s *Simulator) ListsFaults() bool { return len(s.faults) == 1 && s.faults[0] == "list" }

func profileNames() string {
	var names []string
	for _, p := range sim.Profiles() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
