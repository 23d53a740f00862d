// What HTTP/1.1 puts around an answer's body: chunks, a length, or nothing but the connection's end.

package wire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
)

// errFraming says that what came is not what HTTP/1.1 has there.
var errFraming = errors.New("the chunked encoding of the answer is broken")

const (
	maxSizeLine = 4 << 10  // bytes of a chunk's size with its extensions, as in net/http
	maxExcess   = 16 << 10 // bytes of such lines beyond what their chunks excuse, as there, and of a trailer
)

// framing follows an answer's bytes, in whatever pieces they come. It is as strict with chunks as net/http: where two readers
// disagree on an answer's end, one of them takes its rest for the next answer.
type framing struct {
	part   framingPart
	left   uint64 // bytes of the chunk, or of the body, that are to come
	line   []byte // what has come of the present line
	excess int64  // see maxExcess
}

// framingPart is what comes next.
type framingPart int

const (
	chunkSize framingPart = iota // a line
	chunkBytes
	chunkEnd // an empty line
	trailer  // lines, the last of them empty
	rest     // all that comes is of the body
	bodyBytes
	over
)

// framingOf is how an answer's body is framed.
func framingOf(resp *http.Response) framing {
	switch {
	case len(resp.TransferEncoding) > 0:
		return framing{part: chunkSize}
	case resp.Body == http.NoBody, resp.ContentLength == 0:
		return framing{part: over}
	case resp.ContentLength > 0:
		return framing{part: bodyBytes, left: uint64(resp.ContentLength)}
	}
	return framing{part: rest}
}

// eof is what the connection's end means.
func (f *framing) eof() error {
	if f.part == rest {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// strip moves the body's bytes among those of p to its beginning, and returns how many they are, and how many of p were taken:
// not all of them if the body has ended.
func (f *framing) strip(p []byte) (n, taken int, err error) {
	for taken < len(p) && f.part != over && err == nil {
		switch f.part {
		case chunkBytes, bodyBytes:
			some := int(min(f.left, uint64(len(p)-taken)))
			n += copy(p[n:], p[taken:taken+some])
			taken += some
			if f.left -= uint64(some); f.left == 0 {
				f.part++ // to chunkEnd, or over
			}
		case rest:
			return len(p), len(p), nil
		default:
			some, _, whole := bytes.Cut(p[taken:], []byte{'\n'})
			taken += len(some)
			if f.line = append(f.line, some...); whole {
				taken++
				err = f.took(f.line)
				f.line = f.line[:0]
			} else if len(f.line) > maxExcess {
				err = errFraming
			}
		}
	}
	return n, taken, err
}

// took takes a line that is whole but for its "\n".
func (f *framing) took(line []byte) error {
	text, proper := bytes.CutSuffix(line, []byte{'\r'})
	switch {
	case !proper, bytes.IndexByte(text, '\r') >= 0:
		return errFraming
	case f.part == chunkEnd && len(text) > 0:
		return errFraming
	case f.part == chunkEnd:
		f.part = chunkSize
		return nil
	case f.part == trailer:
		if f.excess += int64(len(text)); f.excess > maxExcess {
			return errFraming
		}
		if len(text) == 0 {
			f.part = over
		}
		return nil
	}
	digits, _, _ := bytes.Cut(bytes.TrimRight(text, " \t"), []byte{';'})
	var err error
	f.left, err = strconv.ParseUint(string(digits), 16, 64)
	f.excess = max(f.excess+int64(len(text))+2-16-2*int64(min(f.left, maxExcess)), 0)
	if err != nil || len(digits) > 16 || len(text) >= maxSizeLine || f.excess > maxExcess {
		return errFraming
	}
	f.part = chunkBytes
	if f.left == 0 {
		f.part, f.excess = trailer, 0
	}
	return nil
}
