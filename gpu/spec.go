// This file reads how a source is named on the command line.

package gpu

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Kind is a kind of source.
type Kind string

// The kinds.
const (
	KindAuto     Kind = "auto"     // NVML, else nvidia-smi
	KindNVML     Kind = "nvml"     // the driver's library on this machine
	KindSMI      Kind = "smi"      // nvidia-smi on this machine
	KindSSH      Kind = "ssh"      // nvidia-smi on another
	KindExporter Kind = "exporter" // a metrics page
	KindNone     Kind = "none"     // no source
)

// Spec names a source.
type Spec struct {
	Kind Kind
	Arg  string // KindSSH: the host; KindExporter: the URL; else ""
}

// ParseSpec reads "auto", "nvml", "smi", "none", "ssh:HOST", "ssh:USER@HOST" or an http or https URL.
func ParseSpec(text string) (Spec, error) {
	const known = "auto, nvml, smi, ssh:HOST, an exporter's URL, or none"
	switch kind := Kind(text); kind {
	case KindAuto, KindNVML, KindSMI, KindNone:
		return Spec{Kind: kind}, nil
	case "":
		return Spec{}, fmt.Errorf("a GPU source is missing: %s", known)
	}
	if host, ok := strings.CutPrefix(text, "ssh:"); ok {
		host = strings.TrimPrefix(host, "//")
		if err := checkHost(host); err != nil {
			return Spec{}, err
		}
		return Spec{KindSSH, host}, nil
	}
	if scheme, rest, ok := strings.Cut(text, "://"); ok {
		u, err := url.Parse(text)
		switch {
		case scheme != "http" && scheme != "https":
			return Spec{}, fmt.Errorf("%q: an exporter is read over http or https", text)
		case err != nil || u.Host == "":
			return Spec{}, fmt.Errorf("%q has no host that can be read, such as in http://gpu-7:9400", "…://"+rest[strings.LastIndex(rest, "@")+1:])
		}
		return Spec{KindExporter, text}, nil
	}
	if strings.ContainsAny(text, ":/.") {
		return Spec{}, fmt.Errorf("%q: write http://%s for an exporter, or ssh:HOST for a machine with nvidia-smi", text, text)
	}
	return Spec{}, fmt.Errorf("%q is no GPU source: %s", text, known)
}

// checkHost refuses what ssh would take for an option or the remote shell for a command.
func checkHost(host string) error {
	const others = "@.-_:[]%"
	strange := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune(others, r)
	}
	switch {
	case host == "":
		return errors.New("ssh: needs a host, as in ssh:gpu-7 or ssh:me@gpu-7")
	case host[0] == '-' || strings.ContainsFunc(host, strange):
		return fmt.Errorf("%q is no host name; ports and options belong in ~/.ssh/config", host)
	}
	return nil
}

// ParseSpecs reads several; none at all are auto. "none" stands alone.
func ParseSpecs(texts []string) ([]Spec, error) {
	if len(texts) == 0 {
		return []Spec{{Kind: KindAuto}}, nil
	}
	var specs []Spec
	for _, text := range texts {
		spec, err := ParseSpec(text)
		if err != nil {
			return nil, err
		}
		if spec.Kind == KindNone && len(texts) > 1 {
			return nil, fmt.Errorf("none means no GPU source: it cannot stand beside another")
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// String returns what ParseSpec reads, without what may be secret in a URL: its password, and what follows the question mark.
func (s Spec) String() string {
	switch s.Kind {
	case KindSSH:
		return "ssh:" + s.Arg
	case KindExporter:
		u, err := url.Parse(s.Arg)
		if err != nil {
			return s.Arg
		}
		if u.RawQuery != "" {
			u.RawQuery = "…"
		}
		return u.Redacted()
	default:
		return string(s.Kind)
	}
}
