// This file chooses sources.

package gpu

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Options are how sources are opened. The zero Options are fine.
type Options struct {
	NVMLLib string        // the path of NVML's library; "" : where drivers put it
	Every   time.Duration // between two readings; 0: DefaultInterval
	HTTP    *http.Client  // for exporters; nil: one of their own
}

// Tried is one attempt at a source.
type Tried struct {
	Spec   string `json:"spec"` // as in ParseSpec
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"` // why it cannot be used, in a sentence
}

// Open opens the sources that are named as in ParseSpec; no name is "auto". Several become one, in which the devices bear
// the names of their hosts. tried lists every attempt in order; the source is nil if none is left.
//
// What is on another machine is opened without waiting for it: if it cannot be reached, its readings say why. Of "auto" the
// first that answers is taken.
func Open(ctx context.Context, names []string, options Options) (Source, []Tried) {
	if len(names) == 0 {
		names = []string{string(KindAuto)}
	}
	var tried []Tried
	var opened []*member
	for _, name := range names {
		spec, err := ParseSpec(name)
		if err != nil {
			tried = append(tried, Tried{Spec: name, Reason: err.Error()})
			continue
		}
		for _, s := range spec.candidates() {
			src, err := s.open(ctx, options)
			if err == nil && spec.Kind == KindAuto {
				err = answers(ctx, src)
			}
			if errors.Is(err, errNoSource) {
				continue
			}
			if err != nil {
				tried = append(tried, Tried{Spec: s.String(), Reason: err.Error()})
				continue
			}
			tried = append(tried, Tried{Spec: s.String(), OK: true})
			opened = append(opened, &member{spec: s.String(), host: s.host(), src: src})
			break
		}
	}
	switch len(opened) {
	case 0:
		return nil, tried
	case 1:
		return opened[0].src, tried
	default:
		return newSeveral(opened), tried
	}
}

// candidates are the sources that a spec stands for, the best first.
func (s Spec) candidates() []Spec {
	if s.Kind == KindAuto {
		return []Spec{{Kind: KindNVML}, {Kind: KindSMI}}
	}
	return []Spec{s}
}

var errNoSource = errors.New("no source is wanted")

func (s Spec) open(ctx context.Context, options Options) (Source, error) {
	switch s.Kind {
	case KindNVML:
		return NVML(ctx, options.NVMLLib)
	case KindSMI:
		return SMI(options.Every)
	case KindSSH:
		return SSH(s.Arg, options.Every)
	case KindExporter:
		return Exporter(s.Arg, options.HTTP)
	default:
		return nil, errNoSource
	}
}

// answerPatience is how long a source may take for a first answer: nvidia-smi waits for GPUs to wake up, ssh for a connection.
const answerPatience = 15 * time.Second

// answers reads a source once, and closes it if it has nothing to say.
func answers(ctx context.Context, src Source) error {
	if r := readOnce(ctx, src, 1); r.Err != nil {
		src.Close()
		return r.Err
	}
	return nil
}

// readOnce reads a source rounds times, and returns the last reading.
func readOnce(ctx context.Context, src Source, rounds int) Reading {
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	var last Reading
	Poll(ctx, src, 2*ShortestInterval, func(r Reading) {
		if r.At.IsZero() || r.Stale > 0 {
			return
		}
		if last = r; errors.Is(r.Partial, errNoAnswer) || errors.Is(r.Err, errNoAnswer) {
			return // of several sources, not all have answered
		}
		if rounds--; rounds == 0 || r.Err != nil {
			cancel()
		}
	})
	if last.At.IsZero() {
		return Reading{Source: src.Name(), Simulated: src.Simulated(), Err: errors.New("no answer within " + answerPatience.String())}
	}
	return last
}

// Survey is what can be read from here, and why not where it can't.
type Survey struct {
	Reading Reading
	Tried   []Tried // every attempt, in order
}

// Look opens the sources that are named as in Open, reads them twice, so that rates are known, and closes them. A source
// that was opened but does not answer counts as tried in vain.
func Look(ctx context.Context, names []string, options Options) Survey {
	src, tried := Open(ctx, names, options)
	s := Survey{Tried: tried}
	if src == nil {
		return s
	}
	defer src.Close()
	s.Reading = readOnce(ctx, src, 2)
	problem := func(string) error { return s.Reading.Err }
	if all, ok := src.(*several); ok {
		problems := all.problems()
		problem = func(spec string) error { return problems[spec] }
	}
	for i := range tried {
		if err := problem(tried[i].Spec); err != nil && tried[i].OK {
			tried[i].OK, tried[i].Reason = false, err.Error()
		}
	}
	return s
}
