// This file opens runs: those that are kept, and the results of other tools.

package session

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"tokdyno/engine"
	"tokdyno/engine/run/peers"
	"tokdyno/engine/runfile"
)

// recording opens the file of a run: one of tokdyno's, or of another tool's, of which a recording is made. The error is a
// clause.
func recording(path, version string) (open func() (io.ReadCloser, error), err error) {
	ours := func() (io.ReadCloser, error) { return os.Open(path) }
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, len(runfile.Magic))
	n, _ := io.ReadFull(f, head) // a shorter file is none of tokdyno's either
	if text := bytes.TrimSpace(head[:n]); len(text) == 0 || text[0] != '{' {
		return ours, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	foreign, err := peers.Read(data, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(path), name))
	})
	if err != nil {
		return nil, err
	}
	return engine.Import(foreign, version)
}
