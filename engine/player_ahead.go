// This file reads a recording ahead of who plays it, so that it is decoded while it is played.

package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"tokdyno/engine/runfile"
)

const (
	readAhead = 4 // batches, of about a second each
	markEvery = 8 // batches, after each of which one can go on from there
)

// ahead is a goroutine that reads. It ends with close.
type ahead struct {
	batches chan read
	spare   chan *runfile.Batch // that are no longer needed
	quit    chan struct{}
	done    sync.WaitGroup
}

// read is a batch, or why there is none.
type read struct {
	*runfile.Batch
	readings []keptReading
	mark     *runfile.Mark // where it ends; nil: it was not looked at
	err      error         // io.EOF: it is over
	why      error         // and that because the file is damaged
}

// startAhead reads from a mark on, or from the beginning where that is nil, and makes marks if there are to be any. start is where
// it begins.
func startAhead(open func() (io.ReadCloser, error), from *runfile.Mark, marks bool) (a *ahead, start *runfile.Mark, err error) {
	file, err := open()
	if err != nil {
		return nil, nil, err
	}
	reader, err := readerAt(file, from)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	start = reader.Mark()
	a = &ahead{batches: make(chan read, readAhead), spare: make(chan *runfile.Batch, readAhead+2), quit: make(chan struct{})}
	a.done.Go(func() {
		defer file.Close() // it was only read
		defer reader.Close()
		for n := 1; ; n++ {
			next := a.next(reader)
			if next.err == nil && marks && n%markEvery == 0 {
				next.mark = reader.Mark()
			}
			select {
			case <-a.quit:
				return
			case a.batches <- next:
			}
			if next.err != nil {
				return
			}
		}
	})
	return a, start, nil
}

func readerAt(file io.ReadCloser, from *runfile.Mark) (*runfile.Reader, error) {
	if from == nil {
		return runfile.NewReader(file)
	}
	var err error
	if seeker, ok := file.(io.Seeker); ok {
		_, err = seeker.Seek(from.At(), io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, file, from.At())
	}
	if err != nil {
		return nil, err
	}
	return from.Reader(file)
}

// next reads the next batch. A recording that no tokdyno has written may ask for what can't be, so a panic is an error here.
func (a *ahead) next(reader *runfile.Reader) (next read) {
	defer func() {
		if r := recover(); r != nil {
			next = read{err: fmt.Errorf("the recording can't be read: %v", r)}
		}
	}()
	select {
	case next.Batch = <-a.spare:
	default:
		next.Batch = new(runfile.Batch)
	}
	next.err = reader.Read(next.Batch)
	next.why = reader.Damage()
	if text, ok := next.Tick.Changed[pieceReadings]; ok && next.err == nil {
		if err := json.Unmarshal(text, &next.readings); err != nil {
			next.err = fmt.Errorf("the recording's readings can't be read: %w", err)
		}
	}
	return next
}

// close ends the reading. A nil ahead reads nothing.
func (a *ahead) close() {
	if a != nil {
		close(a.quit)
		a.done.Wait()
	}
}
