// This file chooses sources.

package source

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"
	"time"

	"tokdyno/gpu"
)

// Open opens the sources that are named as in ParseSpec; no name is "auto". Several become one, in which the devices bear
// the names of their hosts. tried lists every attempt in order; the source is nil if none is left.
//
// What is on another machine is opened without waiting for it: if it cannot be reached, its readings say why. Of "auto" the
// first that answers is taken.
func Open(ctx context.Context, names []string, options gpu.Options) (gpu.Source, []gpu.Tried) {
	if len(names) == 0 {
		names = []string{string(gpu.KindAuto)}
	}
	var tried []gpu.Tried
	var opened []*member
	for _, name := range names {
		spec, err := gpu.ParseSpec(name)
		if err != nil {
			tried = append(tried, gpu.Tried{Spec: name, Reason: err.Error()})
			continue
		}
		for _, s := range candidates(spec) {
			src, err := openSpec(ctx, s, options)
			if err == nil && spec.Kind == gpu.KindAuto {
				err = answers(ctx, src)
			}
			if errors.Is(err, errNoSource) {
				continue
			}
			if err != nil {
				tried = append(tried, gpu.Tried{Spec: s.String(), Reason: err.Error()})
				continue
			}
			tried = append(tried, gpu.Tried{Spec: s.String(), OK: true})
			opened = append(opened, &member{spec: s.String(), host: host(s), src: src})
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

// host is the name of the machine that the source's devices are in.
func host(s gpu.Spec) string {
	switch s.Kind {
	case gpu.KindSSH:
		return s.Arg[strings.LastIndex(s.Arg, "@")+1:]
	case gpu.KindExporter:
		if u, err := url.Parse(s.Arg); err == nil {
			return u.Hostname()
		}
	}
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}

// candidates are the sources that a spec stands for, the best first.
func candidates(s gpu.Spec) []gpu.Spec {
	if s.Kind == gpu.KindAuto {
		return []gpu.Spec{{Kind: gpu.KindNVML}, {Kind: gpu.KindSMI}}
	}
	return []gpu.Spec{s}
}

var errNoSource = errors.New("no source is wanted")

func openSpec(ctx context.Context, s gpu.Spec, options gpu.Options) (gpu.Source, error) {
	switch s.Kind {
	case gpu.KindNVML:
		return NVML(ctx, options.NVMLLib)
	case gpu.KindSMI:
		return SMI(options.Every)
	case gpu.KindSSH:
		return SSH(s.Arg, options.Every)
	case gpu.KindExporter:
		return Exporter(s.Arg)
	default:
		return nil, errNoSource
	}
}

// answerPatience is how long a source may take for a first answer: nvidia-smi waits for GPUs to wake up, ssh for a connection.
const answerPatience = 15 * time.Second

// answers reads a source once, and closes it if it has nothing to say.
func answers(ctx context.Context, src gpu.Source) error {
	if r := readOnce(ctx, src, 1); r.Err != nil {
		src.Close()
		return r.Err
	}
	return nil
}

// readOnce reads a source rounds times, and returns the last reading.
func readOnce(ctx context.Context, src gpu.Source, rounds int) gpu.Reading {
	ctx, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	var last gpu.Reading
	gpu.Poll(ctx, src, 2*gpu.ShortestInterval, func(r gpu.Reading) {
		if r.At.IsZero() || r.Stale > 0 {
			return
		}
		if last = r; errors.Is(r.Partial, gpu.ErrNoAnswer) || errors.Is(r.Err, gpu.ErrNoAnswer) {
			return // of several sources, not all have answered
		}
		if rounds--; rounds == 0 || r.Err != nil {
			cancel()
		}
	})
	if last.At.IsZero() {
		return gpu.Reading{Source: src.Name(), Simulated: src.Simulated(), Err: errors.New("no answer within " + answerPatience.String())}
	}
	return last
}

// Look opens the sources that are named as in Open, reads them twice, so that rates are known, and closes them. A source
// that was opened but does not answer counts as tried in vain.
func Look(ctx context.Context, names []string, options gpu.Options) gpu.Survey {
	src, tried := Open(ctx, names, options)
	s := gpu.Survey{Tried: tried}
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
