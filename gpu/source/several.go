// This file makes one source of several.

package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tokdyno/gpu"
)

// several asks all its sources at once. One that takes long does not hold up the others.
type several struct {
	mu      sync.Mutex // held during a Read, which never hangs
	members []*member
	closed  bool
}

// member is one of several sources, and what it said last.
type member struct {
	spec    string // as in ParseSpec
	host    string // what its devices are called by, unless it says so itself
	src     gpu.Source
	reader  *gpu.Reader
	heard   bool
	devices []gpu.Device
	at      time.Time
	err     error
}

// memberPatience is how long all are waited for: they are asked at the same moment, and what one says should be as old as
// what the next does.
const memberPatience = 300 * time.Millisecond

func newSeveral(members []*member) *several {
	for _, m := range members {
		m.reader = gpu.NewReader(m.src)
	}
	return &several{members: members}
}

// Name implements Source: the sources' names, each once.
func (s *several) Name() string {
	var names []string
	for _, m := range s.members {
		if name := m.src.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// Simulated implements Source: whether any of them is.
func (s *several) Simulated() bool {
	return slices.ContainsFunc(s.members, func(m *member) bool { return m.src.Simulated() })
}

// Close implements Source.
func (s *several) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, m := range s.members {
		errs = append(errs, m.src.Close())
	}
	for _, m := range s.members {
		m.reader.End()
	}
	return errors.Join(errs...)
}

// Read implements Source: the devices of all; one that two sources know is one device, with what either knows. The error
// says what is missing.
func (s *several) Read(ctx context.Context) ([]gpu.Device, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	s.ask(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	now := time.Now()
	var devices []gpu.Device
	var missing []error
	known := make(map[gpu.Key]int)
	uuids := make(map[string]bool)
	for _, m := range s.members {
		theirs, err := m.latest(now)
		if err != nil {
			missing = append(missing, fmt.Errorf("%s: %w", m.host, err))
		}
		for _, d := range theirs {
			at, again := known[d.Key()]
			if again {
				devices[at] = completed(devices[at], d)
				continue
			}
			known[d.Key()] = len(devices)
			if d.UUID != "" && uuids[d.UUID] { // a serial number that two hosts have
				d.UUID += "/" + d.Host
			}
			uuids[d.UUID] = true
			devices = append(devices, d)
		}
	}
	if len(missing) == 0 {
		return devices, nil
	}
	return devices, absent(missing)
}

// absent are the errors of several members, in one line.
type absent []error

// Error implements error.
func (a absent) Error() string {
	texts := make([]string, len(a))
	for i, err := range a {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors.
func (a absent) Unwrap() []error { return a }

// problems are why members have nothing to show, by spec.
func (s *several) problems() map[string]error {
	s.mu.Lock()
	defer s.mu.Unlock()
	problems := make(map[string]error)
	for _, m := range s.members {
		if devices, err := m.latest(time.Now()); err != nil && len(devices) == 0 {
			problems[m.spec] = err
		}
	}
	return problems
}

// ask asks every member that has no question open, and takes in what they answer in time.
func (s *several) ask(ctx context.Context) {
	for _, m := range s.members {
		m.reader.Ask(ctx)
	}
	patience, cancel := context.WithTimeout(ctx, memberPatience)
	defer cancel()
	for _, m := range s.members {
		select {
		case a := <-m.reader.Answers():
			m.take(a)
			continue
		case <-patience.Done():
		}
		select { // of two channels that are ready, the other may have been chosen
		case a := <-m.reader.Answers():
			m.take(a)
		default:
		}
	}
}

func (m *member) take(a gpu.Answer) {
	m.reader.Take()
	m.heard, m.devices, m.at, m.err = true, slices.Clone(a.Devices), a.At, a.Err
	for i := range m.devices {
		d := &m.devices[i]
		if d.Host == "" {
			d.Host = m.host
		}
		d.Name = d.Host + " " + strings.TrimPrefix(d.Name, "NVIDIA ")
	}
}

// latest returns what the member said last. If that is long ago, its devices are silent.
func (m *member) latest(now time.Time) ([]gpu.Device, error) {
	if !m.heard {
		return nil, gpu.ErrNoAnswer
	}
	age := now.Sub(m.at)
	if m.reader.Open() == 0 || age <= oldAfter {
		return m.devices, m.err
	}
	quiet := make([]gpu.Device, len(m.devices))
	for i, d := range m.devices {
		quiet[i] = silent(d, age)
	}
	return quiet, m.err
}
