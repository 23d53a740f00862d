//go:build (linux || windows) && (amd64 || arm64) && !nonvml

// This file binds the library's functions.

package nvml

import (
	"errors"

	"github.com/ebitengine/purego"
)

// Load loads the library from path, or, if that is empty, from where drivers put it. The error is a *LoadError. A library
// is never unloaded: a call that hangs in it would return into nothing.
func Load(path string) (*Library, error) {
	candidates := searchPath()
	if path != "" {
		candidates = []string{path}
	}
	failed := &LoadError{}
	for _, candidate := range candidates {
		handle, err := open(candidate)
		if err == nil {
			l := &Library{Path: candidate}
			l.bind(handle)
			if !l.lacks(&l.init) {
				return l, nil
			}
			err = errors.New("it has no nvmlInit")
		}
		failed.Tried = append(failed.Tried, Attempt{candidate, err})
	}
	return nil, failed
}

// bind looks every function up, once.
func (l *Library) bind(handle uintptr) {
	for _, s := range l.symbols() {
		var address uintptr
		for i := 0; i < len(s.names) && address == 0; i++ {
			address = lookup(handle, s.names[i])
		}
		if address != 0 {
			purego.RegisterFunc(s.call, address)
			continue
		}
		l.lack(s.call)
	}
}
