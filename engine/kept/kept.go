// This file is the folder: it makes files, lists them, takes old ones away.

package kept

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"tokdyno/engine/runfile"
)

// Folder is where this user's runs are.
func Folder() string { return filepath.Join(xdg.StateHome, "tokdyno", "runs") }

// Suffix ends the name of every run's file.
const Suffix = ".tdr"

// Limits say how much is kept of what nobody named or made a baseline. 0: no limit.
type Limits struct {
	Runs  int
	Bytes int64
}

// DefaultLimits are those where nobody chose others.
func DefaultLimits() Limits { return Limits{Runs: 100, Bytes: 2_000_000_000} }

// Runs is a folder of runs.
type Runs struct {
	Folder string
	Now    func() time.Time // nil: time.Now
}

func (r Runs) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// Run is one that is kept.
type Run struct {
	Path   string
	Header runfile.Header
	End    *runfile.End // nil: it goes on, or the process was killed
	Size   int64
	Latest time.Time // when the file was last written to
	Said   Said
	Err    error // why it can't be read; nothing but Path, Size, Latest and Said counts then
}

// File is the name of its file, without the folder and the suffix.
func (r *Run) File() string { return strings.TrimSuffix(filepath.Base(r.Path), Suffix) }

// quiet is how long a file has not been written to when its run is surely over: a recorder writes every second.
const quiet = time.Minute

// Running reports whether the run may still go on.
func (r *Run) Running(now time.Time) bool { return r.End == nil && now.Sub(r.Latest) < 5*time.Second }

// Create makes the file of a run.
func (r Runs) Create(h runfile.Header, opt runfile.Options) (*runfile.Recorder, error) {
	if err := os.MkdirAll(r.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("its folder can't be made: %w", err)
	}
	base := filepath.Join(r.Folder, fileName(h))
	for n := 1; ; n++ {
		path := base + Suffix
		if n > 1 {
			path = fmt.Sprintf("%s_%d%s", base, n, Suffix) // which sorts behind
		}
		rec, err := runfile.Create(path, h, opt)
		if errors.Is(err, fs.ErrExist) && n < 1000 { // two consoles at once
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("its file can't be made: %w", err)
		}
		return rec, nil
	}
}

// fileName is when and of what a run was: "2026-11-30T04-25-23_host_model".
func fileName(h runfile.Header) string {
	host := h.URL
	if u, err := url.Parse(h.URL); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	model := h.Model[strings.LastIndexByte(h.Model, '/')+1:]
	name := h.Started.Format("2006-01-02T15-04-05")
	for _, part := range []string{host, model} {
		if part = plain(part); part != "" {
			name += "_" + part
		}
	}
	if h.Duel != nil {
		name += "_" + h.Duel.Letter()
	}
	return name
}

// plain leaves of a name what any file system takes.
func plain(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		}
		return '-'
	}, name)
	return strings.Trim(name[:min(len(name), 60)], "-.")
}

// paths are the files of the folder, the newest first.
func (r Runs) paths() ([]string, error) {
	entries, err := os.ReadDir(r.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the folder of runs can't be read: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), Suffix) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(r.Folder, e.Name()))
		}
	}
	slices.Reverse(paths) // their names begin with the time
	return paths, nil
}

// List lists the runs, the newest first.
func (r Runs) List() ([]Run, error) {
	paths, err := r.paths()
	var list []Run
	for _, p := range paths {
		list = append(list, Look(p))
	}
	return list, err
}

// Look looks at a run's file without reading all of it.
func Look(path string) Run {
	run := Run{Path: path, Said: said(path)}
	f, err := os.Open(path)
	if err != nil {
		run.Err = err
		return run
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		run.Err = err
		return run
	}
	run.Size, run.Latest = info.Size(), info.ModTime()
	if run.Header, run.Err = runfile.ReadHeader(f); run.Err == nil {
		run.End = runfile.ReadEnd(f, run.Size)
	}
	return run
}

// Prune takes the oldest runs away until what is left is within the limits. Runs with a name, baselines, and those that go
// on are not counted and stay.
func (r Runs) Prune(limits Limits) error {
	paths, err := r.paths()
	if err != nil {
		return err
	}
	runs, bytes := 0, int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || said(path).stays() || r.now().Sub(info.ModTime()) < quiet {
			continue
		}
		runs++
		bytes += info.Size()
		if limits.Runs > 0 && runs > limits.Runs || limits.Bytes > 0 && bytes > limits.Bytes {
			err = Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Remove takes a run away, and what was said of it.
func Remove(path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("the run can't be removed: %w", err)
	}
	return forget(path)
}
