// This file is a data set once it is open.

package dataset

import (
	"fmt"
	"hash/crc32"
	"io"

	"tokdyno/engine/shape/lines"
)

// Skipped says what of a file could not be used.
type Skipped = lines.Skipped

// Set is an open data set. Its methods may be called from many goroutines at once, Close after them all.
type Set struct {
	file    content
	path    string
	name    string
	hash    string
	format  Format
	table   *table // of CSV
	bytes   int64
	index   []entry
	skipped Skipped
}

// entry is where an item stands, in 16 bytes.
type entry struct {
	span uint64 // offset << spanBits | length - 1
	line uint32
	sum  uint32 // CRC-32C of its bytes: the file may have been written to since
}

// An entry's length takes as many bits as lines.MaxBytes needs, the offset what is left: 1 TiB.
const (
	spanBits   = 24
	maxOffset  = 1<<(64-spanBits) - 1
	lengthMask = 1<<spanBits - 1
)

func (e entry) offset() int64 { return int64(e.span >> spanBits) }
func (e entry) length() int   { return int(e.span&lengthMask) + 1 }

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Name returns the file's name without its folder.
func (s *Set) Name() string { return s.name }

// Hash returns twelve hexadecimal digits of a SHA-256 over all of the file's content.
func (s *Set) Hash() string { return s.hash }

// Path is where the file is, as it was opened.
func (s *Set) Path() string { return s.path }

// Len returns the number of items, at least one.
func (s *Set) Len() int { return len(s.index) }

// Format returns the format that the file was read in, which is never "".
func (s *Set) Format() Format { return s.format }

// Bytes returns the size of the file.
func (s *Set) Bytes() int64 { return s.bytes }

// Skipped returns what could not be used. An array's damage that spreads over several elements counts once.
func (s *Set) Skipped() Skipped { return s.skipped }

// Close closes the file. Item returns errors from then on.
func (s *Set) Close() error { return s.file.Close() }

// Item reads item i, counted from 0, from the file. The error is a sentence with the file's name and the line: the file
// was changed or cut short since it was opened, cannot be read any more, or is closed.
func (s *Set) Item(i int) (Item, error) {
	if i < 0 || i >= len(s.index) {
		return Item{}, fmt.Errorf("data set %s has no item %d: there are %d", s.name, i, len(s.index))
	}
	e := s.index[i]
	b := make([]byte, e.length())
	if _, err := s.file.ReadAt(b, e.offset()); err == io.EOF {
		return Item{}, fmt.Errorf("data set %s, line %d: the file was cut short since it was opened", s.name, e.line)
	} else if err != nil {
		return Item{}, lines.CannotRead(fmt.Sprintf("line %d of data set", e.line), s.name, err)
	}
	if checksum(b) != e.sum {
		return Item{}, fmt.Errorf("data set %s, line %d: the file was changed since it was opened", s.name, e.line)
	}
	item, err := decoder{format: s.format, table: s.table}.item(b)
	if err != nil {
		return Item{}, fmt.Errorf("data set %s, line %d: %w", s.name, e.line, err)
	}
	item.Line = int(e.line)
	return item, nil
}
