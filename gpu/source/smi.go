// This file is the source that listens to nvidia-smi, on this machine or over ssh.

package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tokdyno/gpu"
)

// smiSource keeps one nvidia-smi running, which writes a row per GPU at every interval, and starts it anew when it ends.
type smiSource struct {
	name    string
	program []string // what nvidia-smi's arguments follow
	every   time.Duration
	retry   func(failures int) time.Duration

	cancel context.CancelFunc
	done   chan struct{} // closed when the child and its owner are gone

	mu      sync.Mutex
	rows    map[int]smiRow // by index
	err     error          // why the child ended last, until rows come again
	changed chan struct{}  // closed, and replaced, when rows or err change
}

type smiRow struct {
	device gpu.Device
	at     time.Time
}

// SMI starts nvidia-smi here. It writes a row per GPU every interval (DefaultInterval for 0).
func SMI(every time.Duration) (gpu.Source, error) {
	path, err := exec.LookPath("nvidia-smi")
	if err != nil {
		return nil, errors.New("no nvidia-smi here")
	}
	return startSMI("smi", []string{path}, every, backOff), nil
}

// SSH starts nvidia-smi on host, "gpu-7" or "me@gpu-7", by way of ssh. Port, key and jump host come from the user's ssh
// configuration; ssh never asks anything.
func SSH(host string, every time.Duration) (gpu.Source, error) {
	if _, err := gpu.ParseSpec("ssh:" + host); err != nil {
		return nil, err
	}
	path, err := exec.LookPath("ssh")
	if err != nil {
		return nil, errors.New("no ssh here")
	}
	program := []string{
		path, "-T",
		"-o", "BatchMode=yes", // a question would go to the console
		"-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", // a host that vanished is noticed within seconds
		host, "nvidia-smi",
	}
	return startSMI("ssh:"+host, program, every, backOff), nil
}

// backOff is how long to wait before starting the child again: 1 s after the first failure, doubling to 30 s.
func backOff(failures int) time.Duration {
	const longest = 30 * time.Second
	return min(time.Second<<min(failures-1, 5), longest)
}

func startSMI(name string, program []string, every time.Duration, retry func(int) time.Duration) *smiSource {
	every = max(cmp.Or(every, gpu.DefaultInterval), gpu.ShortestInterval)
	ctx, cancel := context.WithCancel(context.Background())
	s := &smiSource{
		name: name, program: program, every: every, retry: retry, cancel: cancel, done: make(chan struct{}),
		rows: make(map[int]smiRow), changed: make(chan struct{}),
	}
	go s.own(ctx)
	return s
}

// Name implements Source.
func (s *smiSource) Name() string { return s.name }

// Simulated implements Source: never.
func (*smiSource) Simulated() bool { return false }

// Close implements Source: the child is gone when it returns.
func (s *smiSource) Close() error {
	s.cancel()
	<-s.done
	return nil
}

// Read implements Source: the last row of every GPU. It waits for the first row.
func (s *smiSource) Read(ctx context.Context) ([]gpu.Device, error) {
	for {
		devices, changed, err := s.latest(time.Now())
		if len(devices) > 0 || err != nil {
			return devices, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.done:
			return nil, errClosed
		case <-changed:
		}
	}
}

// latest returns what is known. A GPU of which nothing has been heard for three intervals is silent; when the child is
// gone, they all are, and the error says why.
func (s *smiSource) latest(now time.Time) ([]gpu.Device, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var devices []gpu.Device
	heard := false
	for _, index := range slices.Sorted(maps.Keys(s.rows)) {
		row := s.rows[index]
		d := row.device
		if age := now.Sub(row.at); age > gpu.StaleAfter*s.every {
			d = silent(d, age)
		} else {
			heard = true
		}
		devices = append(devices, d)
	}
	if s.err != nil && !heard {
		return nil, s.changed, s.err
	}
	return devices, s.changed, nil
}

// change changes what is known, and tells whoever waits.
func (s *smiSource) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// own keeps the child running until ctx ends.
func (s *smiSource) own(ctx context.Context) {
	defer close(s.done)
	fields := smiFields()
	for failures := 0; ; {
		rows, err := s.run(ctx, fields)
		if ctx.Err() != nil {
			return
		}
		if refused, ok := smiRefused(err.Error()); ok && rows == 0 {
			if fewer, ok := smiWithout(fields, refused); ok {
				fields = fewer
				continue
			}
		}
		s.change(func() { s.err = err })
		if rows > 0 {
			failures = 0
		}
		failures++
		timer := time.NewTimer(s.retry(failures))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// run runs the child once, to its end. It returns how many rows came, and why it ended.
func (s *smiSource) run(ctx context.Context, fields []smiField) (rows int, _ error) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.names[0]
	}
	args := append(slices.Clone(s.program[1:]),
		"--query-gpu="+strings.Join(names, ","),
		"--format=csv,noheader,nounits",
		"-lms", strconv.FormatInt(s.every.Milliseconds(), 10))
	child := exec.CommandContext(ctx, s.program[0], args...)
	child.WaitDelay = time.Second // for what the child left holding its output, such as a shared ssh connection
	var heard sync.Mutex          // who copies the child's output may outlive it
	var said, complained string   // the last lines that are no rows
	out := &lines{each: func(line string) {
		heard.Lock()
		defer heard.Unlock()
		d, ok := parseSMI(line, fields)
		if !ok {
			said = line
			return
		}
		rows++
		s.take(d)
	}}
	complaints := &lines{each: func(line string) {
		heard.Lock()
		defer heard.Unlock()
		complained = line
	}}
	child.Stdout, child.Stderr = out, complaints
	err := child.Run()
	if err == nil {
		err = errors.New("it ended by itself")
	}
	if !errors.Is(err, exec.ErrWaitDelay) {
		out.end()
		complaints.end()
	}
	heard.Lock()
	defer heard.Unlock()
	return rows, smiProblem(cmp.Or(complained, said), err)
}

// take takes in a row.
func (s *smiSource) take(d gpu.Device) {
	s.change(func() {
		if d.Lost {
			var last *gpu.Device
			switch before := s.rows[d.Index]; {
			case before.device.Lost:
				last = before.device.Last
			case !before.at.IsZero():
				last = &before.device
			}
			d = lost(d, last)
			if last != nil {
				d.UUID, d.Name = last.UUID, last.Name
			}
		}
		s.rows[d.Index] = smiRow{d, time.Now()}
		s.err = nil
	})
}

// smiProblem makes a sentence of what nvidia-smi or ssh said last before it ended, or of how it ended.
func smiProblem(said string, ended error) error {
	switch {
	case said == "":
		return fmt.Errorf("nvidia-smi gave no reason: %w", ended)
	case strings.Contains(said, "version mismatch"):
		return errors.New(textMismatch)
	case strings.Contains(said, "communicate with the NVIDIA driver"), strings.Contains(said, "Driver Not Loaded"):
		return errors.New(textNoDriver)
	case strings.Contains(said, "No devices were found"):
		return errors.New(textNoDevices)
	default:
		return errors.New(said)
	}
}

// lines is a writer that hands on every line that is not blank. One without an end is cut off.
type lines struct {
	each func(string)
	rest []byte
}

// longestLine is far more than nvidia-smi or ssh write into one.
const longestLine = 4096

// Write implements io.Writer; it takes everything.
func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, after, ended := bytes.Cut(p, []byte{'\n'})
		l.rest = append(l.rest, line[:min(len(line), longestLine-len(l.rest))]...)
		if !ended {
			return n, nil
		}
		l.end()
		p = after
	}
}

// end hands on what there is of a line.
func (l *lines) end() {
	if text := strings.TrimSpace(string(l.rest)); text != "" {
		l.each(text)
	}
	l.rest = l.rest[:0]
}
