// This file is records of requests, by column.

package runfile

import (
	"time"

	"tokdyno/engine/record"
)

// Begun is a request that was taken up.
type Begun struct {
	ID         uint64
	Stage      int
	Slot       int // as in record.Record, like Endpoint; 0 in files that have neither
	Endpoint   int
	Scheduled  record.Instant // 0: it was not
	Started    record.Instant
	Residual   bool
	InputGuess int // prompt tokens asked for; 0: not known
	Late       int // as Doing.Late
}

// Ended is a request that ended, complete.
type Ended struct {
	Record *record.Record
	Late   int // as Doing.Late
}

func writeBegun(p *payload, list []Begun) {
	p.uint(uint64(len(list)))
	column(p, list, func(b *Begun) int64 { return int64(b.ID) }, true)
	column(p, list, func(b *Begun) int64 { return int64(b.Started) }, true)
	column(p, list, func(b *Begun) int64 { return int64(b.Stage) }, true)
	column(p, list, func(b *Begun) int64 { return either(b.Scheduled == 0, 0, int64(b.Started-b.Scheduled)+1) }, false)
	column(p, list, func(b *Begun) int64 { return int64(b.InputGuess) }, true)
	column(p, list, func(b *Begun) int64 { return int64(b.Late+1)<<1 | either(b.Residual, 1, 0) }, false)
	column(p, list, func(b *Begun) int64 { return int64(b.Slot) }, true)
	column(p, list, func(b *Begun) int64 { return int64(b.Endpoint) }, true)
}

// readBegun reads into the memory of a list that is no longer needed.
func readBegun(data []byte, list []Begun) ([]Begun, error) {
	s := source{rest: data}
	list = append(list[:0], make([]Begun, s.count(6))...)
	uncolumn(&s, list, true, func(b *Begun, v int64) { b.ID = uint64(v) })
	uncolumn(&s, list, true, func(b *Begun, v int64) { b.Started = record.Instant(v) })
	uncolumn(&s, list, true, func(b *Begun, v int64) { b.Stage = int(v) })
	uncolumn(&s, list, false, func(b *Begun, v int64) {
		if v != 0 {
			b.Scheduled = b.Started - record.Instant(v-1)
		}
	})
	uncolumn(&s, list, true, func(b *Begun, v int64) { b.InputGuess = int(v) })
	uncolumn(&s, list, false, func(b *Begun, v int64) { b.Residual, b.Late = v&1 != 0, lateness(v>>1-1) })
	if len(s.rest) > 0 { // files of before have no places
		uncolumn(&s, list, true, func(b *Begun, v int64) { b.Slot = int(v) })
		uncolumn(&s, list, true, func(b *Begun, v int64) { b.Endpoint = int(v) })
	}
	return list, s.done()
}

func either(first bool, a, b int64) int64 {
	if first {
		return a
	}
	return b
}

func lateness(v int64) int { return int(min(max(v, -1), MostLate)) }

func duration(v int64) time.Duration { return time.Duration(v) }

// column writes one figure of every element: itself, or its difference to the one before.
func column[T any](p *payload, list []T, of func(*T) int64, differences bool) {
	before := int64(0)
	for i := range list {
		v := of(&list[i])
		p.int(v - before)
		if differences {
			before = v
		}
	}
}

func uncolumn[T any](s *source, list []T, differences bool, set func(*T, int64)) {
	before := int64(0)
	for i := range list {
		v := s.int() + before
		if differences {
			before = v
		}
		set(&list[i], v)
	}
}

// What a record's flags say, in the order in which flags has them.
const (
	isRetried = 1 << iota
	isStreamed
	hasInput
	hasOutput
	hasReasoning
	hasCached
	isDoubted
)

func flags(r *record.Record) (f int64) {
	for i, set := range []bool{
		r.Retried, r.Streamed, known(r.InputTokens), known(r.OutputTokens), known(r.ReasoningTokens), known(r.CachedTokens),
		r.Doubted,
	} {
		f |= either(set, 1<<i, 0)
	}
	return f
}

func known(c record.Count) bool {
	_, ok := c.Get()
	return ok
}

// ending is a record, and what is known of its request before it ended.
type ending struct {
	Ended
	from  *course
	flags int64
}

// figure is a column of records. What can be foretold from the request's course, or from columns before it, is written as
// the difference, which is 0 as a rule.
type figure struct {
	value    func(*record.Record) int64
	foretold func(*ending) int64 // nil: 0
	set      func(*record.Record, int64)
}

// figures are the columns, in the order in which they are written.
func figures() []figure {
	type rec = *record.Record
	instant := func(of func(rec) *record.Instant, foretold func(*ending) int64) figure {
		return figure{
			value: func(r rec) int64 { return int64(*of(r)) }, foretold: foretold,
			set: func(r rec, v int64) { *of(r) = record.Instant(v) },
		}
	}
	number := func(of func(rec) *int, foretold func(*ending) int64) figure {
		return figure{
			value: func(r rec) int64 { return int64(*of(r)) }, foretold: foretold,
			set: func(r rec, v int64) { *of(r) = int(v) },
		}
	}
	span := func(of func(rec) *time.Duration, foretold func(*ending) int64) figure {
		return figure{
			value: func(r rec) int64 { return int64(*of(r)) }, foretold: foretold,
			set: func(r rec, v int64) { *of(r) = duration(v) },
		}
	}
	tokens := func(of func(rec) *record.Count, foretold func(*ending) int64) figure {
		return figure{
			value: func(r rec) int64 { return of(r).Or(0) }, foretold: foretold,
			set: func(r rec, v int64) { *of(r) = record.Known(v) },
		}
	}
	return []figure{
		number(func(r rec) *int { return &r.Stage }, func(e *ending) int64 { return int64(e.from.begun.Stage) }),
		number(func(r rec) *int { return &r.Conversation }, nil),
		number(func(r rec) *int { return &r.Turn }, nil),
		number(func(r rec) *int { return &r.Attempts }, nil),
		instant(func(r rec) *record.Instant { return &r.Sent }, func(e *ending) int64 { return int64(e.from.sent) }),
		span(func(r rec) *time.Duration { return &r.Connect }, nil),
		instant(func(r rec) *record.Instant { return &r.FirstToken }, func(e *ending) int64 { return int64(e.from.first) }),
		instant(func(r rec) *record.Instant { return &r.FirstAnswer }, func(e *ending) int64 { return int64(e.Record.FirstToken) }),
		instant(func(r rec) *record.Instant { return &r.LastToken }, func(e *ending) int64 {
			return either(e.from.chunks > 0, int64(e.from.at), 0)
		}),
		instant(func(r rec) *record.Instant { return &r.End }, func(e *ending) int64 {
			return int64(max(e.Record.LastToken, e.Record.Started))
		}),
		number(func(r rec) *int { return &r.Chunks }, func(e *ending) int64 { return int64(e.from.chunks) }),
		number(func(r rec) *int { return &r.ReasoningChunks }, nil),
		number(func(r rec) *int { return &r.Gaps }, func(e *ending) int64 { return max(int64(e.Record.Chunks)-1, 0) }),
		span(func(r rec) *time.Duration { return &r.GapSum }, func(e *ending) int64 {
			return int64(e.Record.LastToken - e.Record.FirstToken)
		}),
		span(func(r rec) *time.Duration { return &r.GapMax }, func(e *ending) int64 { return int64(e.from.gapMax) }),
		number(func(r rec) *int { return &r.Malformed }, nil),
		tokens(func(r rec) *record.Count { return &r.InputTokens }, func(e *ending) int64 {
			return either(e.flags&hasInput != 0, int64(e.from.begun.InputGuess), 0)
		}),
		tokens(func(r rec) *record.Count { return &r.OutputTokens }, func(e *ending) int64 {
			return either(e.flags&hasOutput != 0, int64(e.Record.Chunks), 0)
		}),
		tokens(func(r rec) *record.Count { return &r.ReasoningTokens }, nil),
		tokens(func(r rec) *record.Count { return &r.CachedTokens }, nil),
		number(func(r rec) *int { return &r.Status }, nil),
		span(func(r rec) *time.Duration { return &r.Waited }, nil),
		number(func(r rec) *int { return &r.Arrivals.Events }, func(e *ending) int64 { return int64(e.Record.Chunks) }),
		number(func(r rec) *int { return &r.Arrivals.Times }, func(e *ending) int64 { return int64(e.Record.Arrivals.Events) }),
		number(func(r rec) *int { return &r.Arrivals.Opening }, func(e *ending) int64 { return int64(min(e.Record.Arrivals.Events, 1)) }),
		number(func(r rec) *int { return &r.Arrivals.Segments }, nil),
	}
}

// text is a column of words.
type text struct {
	get func(*record.Record) string
	set func(*record.Record, string)
}

// texts are the columns of words.
func texts() []text {
	type rec = *record.Record
	return []text{
		textOf(func(r rec) *record.TokenSource { return &r.TokenSource }),
		textOf(func(r rec) *record.Outcome { return &r.Outcome }),
		textOf(func(r rec) *record.Kind { return &r.Kind }),
		textOf(func(r rec) *string { return &r.FinishReason }),
		textOf(func(r rec) *string { return &r.Model }),
		textOf(func(r rec) *string { return &r.Error }),
	}
}

func textOf[T ~string](of func(*record.Record) *T) text {
	return text{
		get: func(r *record.Record) string { return string(*of(r)) },
		set: func(r *record.Record, s string) { *of(r) = T(s) },
	}
}

func writeEnded(p *payload, list []ending, w *words) {
	p.uint(uint64(len(list)))
	column(p, list, func(e *ending) int64 { return int64(e.Record.ID) }, true)
	for i := range list {
		list[i].flags = flags(list[i].Record)
	}
	column(p, list, func(e *ending) int64 { return e.flagsAndLate() }, false)
	for _, f := range figures() {
		for i := range list {
			e, v := &list[i], f.value(list[i].Record)
			if f.foretold != nil {
				v -= f.foretold(e)
			}
			p.int(v)
		}
	}
	for _, text := range texts() {
		for i := range list {
			w.write(p, text.get(list[i].Record))
		}
	}
}

// readEnded reads records. What is known of a request otherwise is forgotten once others begin.
func (r *Reader) readEnded(data []byte, b *Batch) error {
	s := source{rest: data}
	figures, texts := figures(), texts()
	n := s.count(2 + len(figures) + len(texts))
	r.ending = append(r.ending[:0], make([]ending, n)...)
	b.records = append(b.records[:0], make([]record.Record, n)...) // in one piece, which is cheaper
	list := r.ending
	for i := range list {
		list[i].Record = &b.records[i]
	}
	uncolumn(&s, list, true, func(e *ending, v int64) {
		from, ok := r.finish(uint64(v))
		if !ok {
			s.fail()
			from = new(course)
		}
		begun := &from.begun
		e.from, e.Record.ID = from, uint64(v)
		e.Record.Scheduled, e.Record.Started, e.Record.Residual = begun.Scheduled, begun.Started, begun.Residual
		e.Record.Slot, e.Record.Endpoint = begun.Slot, begun.Endpoint
	})
	uncolumn(&s, list, false, func(e *ending, v int64) { e.setFlagsAndLate(v) })
	if s.err != nil {
		return s.err
	}
	for _, f := range figures {
		for i := range list {
			e, v := &list[i], s.int()
			if f.foretold != nil {
				v += f.foretold(e)
			}
			f.set(e.Record, v)
		}
	}
	for _, text := range texts {
		for i := range list {
			text.set(list[i].Record, r.words.read(&s))
		}
	}
	b.Ended = b.Ended[:0]
	for i := range list {
		list[i].unflag()
		b.Ended = append(b.Ended, list[i].Ended)
	}
	return s.done()
}

// flagsAndLate has the four low bits of one more than how late it is, the flags, and the other bits, which are 0 as a rule.
func (e *ending) flagsAndLate() int64 {
	late := int64(e.Late + 1)
	return late>>4<<lateAbove | e.flags<<4 | late&0xf
}

func (e *ending) setFlagsAndLate(v int64) {
	e.Late = lateness(v>>lateAbove<<4 | v&0xf - 1)
	e.flags = v >> 4 & (1<<(lateAbove-4) - 1)
}

// lateAbove is the first bit of a record's column of flags that is of how late it is again.
const lateAbove = 16

// unflag gives a record what its flags say, and takes away what they say is unknown.
func (e *ending) unflag() {
	r := e.Record
	r.Retried, r.Streamed, r.Doubted = e.flags&isRetried != 0, e.flags&isStreamed != 0, e.flags&isDoubted != 0
	for i, c := range []*record.Count{&r.InputTokens, &r.OutputTokens, &r.ReasoningTokens, &r.CachedTokens} {
		if e.flags&(hasInput<<i) == 0 {
			*c = record.Count{}
		}
	}
}
