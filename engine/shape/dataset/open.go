// This file goes through a file once, to learn where its items are.

package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tokdyno/engine/shape/lines"
)

// Open opens a data set. With the format "", the content decides: the first item that is good in its own format settles
// it for the file, and what does not begin like JSON is text.
//
// The file is read once from end to end, in memory for one item and 16 bytes for each. A line that cannot be used (not
// valid JSON or UTF-8, nothing to send in it, longer than 16 MiB) is skipped and counted; see Skipped. A file without
// any good item is an error that names the first bad line and what is wrong with it; so is one that cannot be read.
func Open(path string, format Format) (*Set, error) {
	file, _, err := lines.Open("data set", path)
	if err != nil {
		return nil, err
	}
	set, err := read(file, path, format)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	return set, nil
}

// content is an open file.
type content interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// read makes a set of a file, which belongs to it from then on.
func read(file content, path string, format Format) (*Set, error) {
	hash := sha256.New()
	p := pass{reader: lines.NewReader(io.TeeReader(file, hash)), format: format}
	err := p.run()
	table := tableError{}
	switch {
	case errors.As(err, &table):
		return nil, fmt.Errorf("data set %s %w", path, table)
	case errors.Is(err, errEndless):
		return nil, fmt.Errorf("data set %s cannot be read: %w", path, err)
	case err != nil:
		return nil, lines.CannotRead("data set", path, err)
	case len(p.index) > 0:
		return &Set{
			file:    file,
			path:    path,
			name:    filepath.Base(path),
			hash:    hex.EncodeToString(hash.Sum(nil)[:6]),
			format:  p.format,
			table:   p.table,
			bytes:   p.size,
			index:   slices.Clone(p.index), // which grew in steps
			skipped: p.skipped,
		}, nil
	case p.skipped.Count > 0:
		return nil, fmt.Errorf("data set %s has no item that can be used: %v", path, p.skipped.First[0])
	default:
		return nil, fmt.Errorf("data set %s has nothing in it", path)
	}
}

// pass goes through a file.
type pass struct {
	reader  *lines.Reader
	format  Format // "" until the content has told
	array   bool
	table   *table // nil: it is none
	size    int64  // of the file, once it was read
	index   []entry
	skipped Skipped
	lost    bool // since a fault in an array nothing good was found
}

// tableError says that a file is a table without prompts, or none where it should be one.
type tableError struct{ columns []string }

func (e tableError) Error() string {
	if e.columns == nil {
		return "is no table: its first line has to name the columns, and one of them " + strings.Join(promptColumns()[:4], " or ")
	}
	return fmt.Sprintf(`is a table with the columns %s, none of which is called prompt: name the one that holds prompts so, `+
		"or name the file as text:FILE to send each line as it stands", strings.Join(e.columns, ", "))
}

// run reads the file to its end. The error is that of reading; all else is skipped.
func (p *pass) run() error {
	head := p.reader.Head()
	json, array := layout(head)
	next := p.reader.Line
	switch {
	case p.format == CSV:
		if p.table = tableOf(head, true); p.table == nil {
			return tableError{}
		}
	case p.format == "" && !json:
		p.table, p.format = tableOf(head, false), Text
	case p.format != Text && array:
		p.array = true
		next = p.reader.Element
	}
	if p.table != nil {
		if p.format = CSV; !p.table.asks() {
			return tableError{p.table.columns}
		}
		return p.runTable()
	}
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			p.size = p.reader.Offset()
			return nil
		}
		if err != nil {
			return err
		}
		p.entry(e)
	}
}

// entry puts one line or element into the index, or among the skipped.
func (p *pass) entry(e lines.Entry) {
	if !p.array && e.Fault == nil && len(bytes.TrimSpace(e.Bytes)) == 0 {
		return // a blank line
	}
	if err := p.check(e); err != nil {
		if !p.lost {
			p.skipped.Add(e.Line, err)
		}
		p.lost = p.lost || e.Lost
		return
	}
	p.lost = false
	p.index = append(p.index, entry{
		span: uint64(e.Offset)<<spanBits | uint64(len(e.Bytes)-1),
		line: uint32(min(int64(e.Line), math.MaxUint32)),
		sum:  checksum(e.Bytes),
	})
}

// check returns why an entry is not a good item, and settles the format by the first that is.
func (p *pass) check(e lines.Entry) error {
	switch {
	case e.Fault != nil:
		return e.Fault
	case e.Offset > maxOffset:
		return errors.New("it lies beyond the first TiB of the file")
	case p.format == Text:
		return nil
	case !p.array:
		if err := lines.CheckLine(e.Bytes); err != nil {
			return err
		}
	case e.Bytes[0] == '[' && (p.format == "" || p.format == ShareGPT):
	case e.Bytes[0] == '[':
		return fmt.Errorf("%s is an array, not an object", e.Where())
	case e.Bytes[0] != '{':
		return fmt.Errorf("%s is not an object", e.Where())
	}
	d := decoder{format: p.format, survey: true}
	switch {
	case d.format != "":
	case e.Bytes[0] == '[':
		d.format = ShareGPT
	default:
		d.format = recognise(membersOf(e.Bytes))
	}
	_, err := d.item(e.Bytes)
	switch {
	case err == nil:
		p.format = d.format
	case p.array:
		err = fmt.Errorf("%s: %w", e.Where(), err)
	}
	return err
}
