// This file keeps the data sets and traces that were opened, so that one file is one value however often it is picked.

package presets

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/shape/trace"
)

// files are those that settings have opened. Shapes and loads compare by them: a file that is opened again would make
// another shape, and with it another stage and another curve. The zero files have none. They may be used from any
// goroutine.
type files struct {
	sets   opened[*dataset.Set]
	traces opened[*trace.Trace]
}

// opened are files of one kind, one for each path and each way to read it. One that has changed since is opened again; the old one stays
// open, for a run may still use it.
type opened[T any] struct {
	mu   sync.Mutex // held while a file is read, so that two who ask for it at once get the same
	list map[fileKey]openedFile[T]
}

type fileKey struct{ path, as string }

type openedFile[T any] struct {
	size    int64
	changed time.Time
	value   T
}

// get returns the file at a path, which open opens unless that was done before. Its errors are those of open.
func (o *opened[T]) get(path, as string, open func() (T, error)) (T, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return open()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	info, err := os.Stat(absolute) // before it is read: what changes meanwhile is noticed the next time
	if err != nil {
		return open()
	}
	key := fileKey{absolute, as}
	if known, ok := o.list[key]; ok && known.size == info.Size() && known.changed.Equal(info.ModTime()) {
		return known.value, nil
	}
	value, err := open()
	if err != nil {
		return value, err
	}
	if o.list == nil {
		o.list = make(map[fileKey]openedFile[T])
	}
	o.list[key] = openedFile[T]{info.Size(), info.ModTime(), value}
	return value, nil
}

func (f *files) set(path string, format dataset.Format) (*dataset.Set, error) {
	return f.sets.get(path, string(format), func() (*dataset.Set, error) { return dataset.Open(path, format) })
}

func (f *files) trace(path string, format trace.Format, reading trace.Reading) (*trace.Trace, error) {
	as := fmt.Sprint(format, reading)
	return f.traces.get(path, as, func() (*trace.Trace, error) { return trace.Open(path, format, reading) })
}
