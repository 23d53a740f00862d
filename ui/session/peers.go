// This file writes runs in the formats of other tools, and opens theirs.

package session

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// peerForm is the format of another tool by its name.
func peerForm(name string) (peers.Form, bool) {
	forms := peers.Forms()
	i := slices.IndexFunc(forms, func(f peers.Form) bool { return f.Name == name })
	if i < 0 {
		return peers.Form{}, false
	}
	return forms[i], true
}

func formNames() string {
	var names []string
	for _, f := range peers.Forms() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// writePeer writes a run in a format of another tool. What the recording can't tell of it is said once, on standard error.
func writePeer(std Streams, what, file string, form peers.Form) error {
	p, _, err := openRun(std, what)
	if err != nil {
		return err
	}
	defer p.Close()
	last, err := finished(p)
	if err != nil {
		return err
	}
	d := &peers.Document{
		Header: p.Header(), Snapshot: last, Report: reportOf(last, p.Header().Tokdyno), Requests: p.Requests(),
		Warn: func(sentence string) { fmt.Fprintln(std.Err, "tokdyno: "+sentence) },
	}
	to, err := openSink("-o", orStandard(file), std)
	if err != nil {
		return err
	}
	return to.complete(func() error {
		added := false
		if form.Appends {
			added, err = addable(to)
		} else {
			err = to.replace()
		}
		if err != nil {
			return err
		}
		return form.Write(to.file, d, added)
	})
}

// addable reports whether a file has rows already, and goes to its end. Of another kind, it is not added to.
func addable(to *sink) (bool, error) {
	if !to.ours {
		return false, nil
	}
	f, err := os.Open(to.name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	first, err := csv.NewReader(f).Read()
	if err == io.EOF {
		return false, nil
	}
	if err != nil || !slices.Equal(first, peers.OtavaHeader()) {
		return false, fmt.Errorf("its first line has other columns than a row of this tokdyno's; name another file")
	}
	_, err = to.file.Seek(0, io.SeekEnd)
	return true, err
}
