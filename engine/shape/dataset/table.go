// This file reads tables: comma-, tab- or semicolon-separated values under a header that names their columns.

package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tokdyno/engine/shape/lines"
)

// table is how the records of a file are read. A record may stand on several lines, where a field in quotes does.
type table struct {
	separator rune
	columns   []string // the names in the header, as they stand there
}

// promptColumns are names under which tables hold prompts, the plainest first. "instruction" goes on with "input".
func promptColumns() []string {
	return []string{"prompt", "prompts", "question", "query", "instruction", "text", "content", "message", "input"}
}

// outputColumns are names under which they hold the lengths of answers.
func outputColumns() []string {
	return []string{"output_tokens", "max_completion_tokens", "max_tokens", "output_length", "output_len", "response_tokens"}
}

// find returns where the column stands of which one of the names is; -1 where there is none.
func (t *table) find(names ...string) int {
	for _, name := range names {
		if i := slices.IndexFunc(t.columns, func(column string) bool { return strings.EqualFold(column, name) }); i >= 0 {
			return i
		}
	}
	return -1
}

// asks reports whether the table has prompts.
func (t *table) asks() bool { return t.find("messages") >= 0 || t.find(promptColumns()...) >= 0 }

// tableOf returns the table that a file begins like; nil where it begins like none: its first line names a column that holds
// prompts, or has nothing but names and the lines below it as many fields. Of a file that is said to be a table the first line
// has to name a column that holds prompts, and may be the only one.
func tableOf(head []byte, said bool) *table {
	for _, separator := range ",\t;" {
		t := &table{separator: separator}
		records := t.reader(bytes.NewReader(head))
		header, err := records.Read()
		if err != nil || len(header) < 2 && !said {
			continue
		}
		known, plain := false, true
		for _, name := range header {
			name = strings.TrimSpace(name)
			t.columns = append(t.columns, name)
			known = known || isPromptColumn(name)
			plain = plain && name != "" && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
		}
		first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
		spaced := bytes.Contains(first, []byte(string(separator)+" ")) // as sentences are
		if said && known || !said && plain && (known || !spaced && alike(records, len(header))) {
			return t
		}
	}
	return nil
}

// isPromptColumn reports whether a column of that name holds prompts in the tables that people have.
func isPromptColumn(name string) bool {
	name = strings.ToLower(name)
	return name == "messages" || name == "conversations" || slices.Contains(promptColumns(), name)
}

// alike reports whether there are records, all of that many fields. The last, which may be cut, is left out where there are
// more.
func alike(records *csv.Reader, fields int) bool {
	var fits []bool
	for {
		record, err := records.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		fits = append(fits, err == nil && len(record) == fields)
	}
	if len(fits) > 1 {
		fits = fits[:len(fits)-1]
	}
	return len(fits) > 0 && !slices.Contains(fits, false)
}

// reader reads the records of a table, of any number of fields.
func (t *table) reader(r io.Reader) *csv.Reader {
	records := csv.NewReader(r)
	records.Comma, records.FieldsPerRecord = t.separator, -1
	return records
}

// members are what one record says of an item, as JSON would have it.
func (t *table) members(record []byte) (members, error) {
	fields, err := t.reader(bytes.NewReader(record)).Read()
	if err != nil {
		return members{}, recordFault(err)
	}
	return t.membersOf(fields)
}

func (t *table) membersOf(fields []string) (m members, err error) {
	if len(fields) != len(t.columns) {
		return m, fmt.Errorf("the record has %d fields, and the header names %d", len(fields), len(t.columns))
	}
	text := func(names ...string) []byte {
		i := t.find(names...)
		if i < 0 || strings.TrimSpace(fields[i]) == "" {
			return nil
		}
		value, _ := json.Marshal(fields[i]) // a string can always be encoded
		return value
	}
	if i := t.find("messages"); i >= 0 && strings.HasPrefix(strings.TrimSpace(fields[i]), "[") {
		if lines.CheckLine([]byte(`{"messages":`+fields[i]+"}")) != nil {
			return m, errors.New(`"messages" is not a list in JSON`)
		}
		m.dialogue = []byte(strings.TrimSpace(fields[i]))
	}
	m.system = text("system", "system_prompt")
	if m.instruction = text("instruction"); m.instruction != nil {
		m.more = text("input")
	}
	if m.prompt = text(promptColumns()[:4]...); m.prompt == nil && m.instruction == nil {
		m.prompt = text(promptColumns()...)
	}
	if m.prompt == nil && m.instruction == nil && m.dialogue == nil {
		return m, errors.New("its prompt is empty")
	}
	if i := t.find(outputColumns()...); i >= 0 {
		m.outputTokens = []byte(strings.TrimSpace(fields[i]))
		if len(m.outputTokens) == 0 {
			m.outputTokens = nil
		}
	}
	return m, nil
}

// recordFault is what is wrong with a record, as a clause.
func recordFault(err error) error {
	switch {
	case errors.Is(err, csv.ErrQuote):
		return errors.New(`a field in quotes does not end with one, or has one in it that is not doubled`)
	case errors.Is(err, csv.ErrBareQuote):
		return errors.New(`a field has a quote in it and is not in quotes`)
	}
	return err
}

// source is a table's bytes, of which those of the present record are kept. A record that does not end, for a quote is
// missing, reads no more of it than an entry may have.
type source struct {
	io.Reader
	kept []byte
	from int64 // where kept begins
}

var errEndless = fmt.Errorf("a record is longer than %d MiB; is a quote missing?", lines.MaxBytes>>20)

func (s *source) Read(p []byte) (int, error) {
	if len(s.kept) > lines.MaxBytes {
		return 0, errEndless
	}
	n, err := s.Reader.Read(p)
	s.kept = append(s.kept, p[:n]...)
	return n, err
}

// take returns the bytes up to an offset, and keeps those behind it.
func (s *source) take(to int64) []byte {
	n := int(to - s.from)
	record := slices.Clone(s.kept[:n])
	s.kept, s.from = append(s.kept[:0], s.kept[n:]...), to
	return record
}

// runTable reads a table to its end. The error is that of reading; all else is skipped.
func (p *pass) runTable() error {
	from, base := &source{Reader: p.reader.Rest()}, p.reader.Offset()
	records := p.table.reader(from)
	for n := 0; ; n++ {
		fields, err := records.Read()
		at := from.from
		raw := from.take(records.InputOffset())
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			p.size = base + records.InputOffset()
			return nil
		case errors.As(err, &wrong):
			p.skipped.Add(wrong.StartLine, recordFault(err))
			continue
		case err != nil:
			return err
		case n == 0: // the header
			continue
		}
		line, _ := records.FieldPos(0)
		if err := p.record(fields); err != nil {
			p.skipped.Add(line, err)
			continue
		}
		p.index = append(p.index, entry{
			span: uint64(base+at)<<spanBits | uint64(len(raw)-1), line: uint32(line), sum: checksum(raw),
		})
	}
}

// record returns why a record is not a good item.
func (p *pass) record(fields []string) error {
	for _, field := range fields {
		if err := lines.CheckText([]byte(field)); err != nil {
			return err
		}
	}
	m, err := p.table.membersOf(fields)
	if err == nil {
		_, err = decoder{format: CSV, survey: true}.request(m)
	}
	return err
}
