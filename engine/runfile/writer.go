// This file writes a file, beside the run.

package runfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

const (
	// queued is how many batches wait for the disk at most, before they grow.
	queued = 8
	// syncEvery is how often the system is asked to put on the disk what it holds.
	syncEvery = 5 * time.Second
)

// File is where a run is written.
type File interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// Create makes a file, which must not be there yet, and begins to keep a run in it. Its error is a sentence.
func Create(path string, h Header, opt Options) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	r, err := Record(f, h, opt)
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	r.path = path
	return r, nil
}

// Record begins to keep a run in an empty file, which Close closes.
func Record(f File, h Header, opt Options) (*Recorder, error) {
	if opt.ChunksUpTo == 0 {
		opt.ChunksUpTo = ChunksUpTo
	}
	if opt.Every == 0 {
		opt.Every = handOver
	}
	blocks, err := newBlockWriter()
	if err != nil {
		return nil, err
	}
	h.Schema = Schema
	header, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	w := &writer{file: f, blocks: blocks, queue: make(chan *pending, queued), done: make(chan struct{}), synced: time.Now()}
	if err := w.append(blocks.add([]byte(Magic), blockHeader, header)); err != nil {
		return nil, err
	}
	go w.run()
	return &Recorder{writer: w, opt: opt, batch: newPending(), counting: opt.NoGaps}, nil
}

// writer owns a file. Its goroutine, run, ends with close.
type writer struct {
	queue   chan *pending
	done    chan struct{} // closed when run has ended
	problem atomic.Pointer[string]
	size    atomic.Int64 // of whole blocks

	// Of the goroutine; after it, of close.
	file   File
	blocks *blockWriter
	words  words
	last   map[string][]byte // what was said of each piece
	synced time.Time
	tens   []int64
	ticks  int
	buffer []byte
}

// slow reports whether the disk takes less than comes.
func (w *writer) slow() bool { return len(w.queue) > queued/2 }

// full reports whether there is no room for another batch.
func (w *writer) full() bool { return len(w.queue) == cap(w.queue) }

// fail ends the writing, for a reason that a person can do something about.
func (w *writer) fail(err error) {
	sentence := fmt.Sprintf("the run is no longer kept: %v; what was written so far stays", err)
	w.problem.CompareAndSwap(nil, &sentence)
}

func (w *writer) failed() bool { return w.problem.Load() != nil }

func (w *writer) run() {
	defer close(w.done)
	for batch := range w.queue {
		w.write(batch)
	}
}

// append writes whole blocks. If that does not succeed, what was begun is taken away again.
func (w *writer) append(blocks []byte) error {
	if _, err := w.file.Write(blocks); err != nil {
		return errors.Join(err, w.file.Truncate(w.size.Load()))
	}
	w.size.Add(int64(len(blocks)))
	return nil
}

// write writes a batch.
func (w *writer) write(p *pending) {
	if w.failed() {
		return
	}
	if w.ticks%10 == 0 {
		w.tens = append(w.tens, w.size.Load())
	}
	w.ticks++
	var err error
	if w.buffer, err = w.encode(w.buffer[:0], p); err == nil {
		err = w.append(w.buffer)
	}
	if err == nil && time.Since(w.synced) >= syncEvery {
		w.synced = time.Now()
		err = w.file.Sync()
	}
	if err != nil {
		w.fail(err)
	}
}

// encode appends a batch's blocks.
func (w *writer) encode(to []byte, p *pending) ([]byte, error) {
	var out payload
	block := func(kind blockType, write func(*payload)) {
		out = out[:0]
		write(&out)
		to = w.blocks.add(to, kind, out)
	}
	if len(p.begun) > 0 {
		block(blockBegun, func(out *payload) { writeBegun(out, p.begun) })
	}
	if p.requests > 0 {
		to = w.blocks.add(to, blockFine, p.fine)
		block(blockChunks, func(out *payload) {
			out.uint(uint64(p.requests))
			*out = append(append(append(*out, p.ids...), p.counts...), p.streams...)
		})
	}
	if len(p.ended) > 0 {
		block(blockEnded, func(out *payload) { writeEnded(out, p.ended, &w.words) })
	}
	if len(p.gaps) > 0 {
		block(blockGaps, func(out *payload) { writeGaps(out, p.counted()) })
	}
	for _, e := range p.events {
		with, err := json.Marshal(e.with)
		if err != nil {
			return to, err
		}
		if e.with == nil {
			with = nil
		}
		event, err := json.Marshal(Event{At: e.at, Do: e.do, With: with, After: &e.after})
		if err != nil {
			return to, err
		}
		to = w.blocks.add(to, blockEvent, event)
	}
	to, err := w.addTexts(to, p.texts)
	if err != nil {
		return to, err
	}
	if err := w.changed(p); err != nil {
		return to, err
	}
	tick, err := json.Marshal(p.tick)
	return w.blocks.add(to, blockTick, tick), err
}

// changed puts into a tick those pieces that are not as they were.
func (w *writer) changed(p *pending) error {
	for _, piece := range p.pieces {
		text, err := json.Marshal(piece.Value)
		if err != nil {
			return fmt.Errorf("%s can't be written: %w", piece.Name, err)
		}
		if bytes.Equal(w.last[piece.Name], text) {
			continue
		}
		if w.last == nil {
			w.last = make(map[string][]byte)
		}
		if p.tick.Changed == nil {
			p.tick.Changed = make(map[string]json.RawMessage)
		}
		w.last[piece.Name], p.tick.Changed[piece.Name] = text, text
	}
	return nil
}

// close writes the last batch and the end, where nothing has failed, and closes the file.
func (w *writer) close(last *pending, end End) error {
	close(w.queue)
	<-w.done
	w.write(last)
	if !w.failed() {
		if err := w.end(end); err != nil {
			w.fail(err)
		}
	}
	closing := w.file.Close()
	if p := w.problem.Load(); p != nil {
		return errors.New(*p)
	}
	return closing
}

func (w *writer) end(end End) error {
	end.Tens = w.tens
	text, err := json.Marshal(end)
	if err != nil {
		return err
	}
	at := binary.LittleEndian.AppendUint64(nil, uint64(w.size.Load()))
	blocks := w.blocks.add(nil, blockEnd, text)
	if err := w.append(w.blocks.add(blocks, blockTail, at)); err != nil {
		return err
	}
	return w.file.Sync()
}
