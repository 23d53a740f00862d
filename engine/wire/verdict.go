// How a request ended, judged by what its answer was.

package wire

import (
	"errors"
	"fmt"
	"io"

	"tokdyno/engine/record"
	"tokdyno/engine/wire/poll"
)

// verdict is the end of a request.
type verdict struct {
	outcome  record.Outcome
	kind     record.Kind
	sentence string
	final    bool // it stands though its context has ended since
}

func ok() verdict { return verdict{outcome: record.OK} }

func failed(kind record.Kind, sentence string) verdict {
	return verdict{outcome: record.Failed, kind: kind, sentence: sentence}
}

// read takes the lines of an event stream until the answer is complete or failed (nil), or the stream ends (io.EOF or
// what broke it), or has no more for now (poll.ErrWait), after which it is called again. ending hears when the answer seems to be over, and when it is not after all.
func (a *answer) read(lines *lineReader, ending func(bool)) error {
	for !a.settled() {
		line, s, err := lines.next()
		if err == poll.ErrWait {
			return err
		}
		if err != nil {
			a.endEvent() // an event that was never finished still counts
			return err
		}
		before := a.ending
		if err := a.line(line, s); err != nil {
			return err
		}
		if a.ending != before {
			ending(a.ending)
		}
	}
	return nil
}

// verdict judges an event stream that ended with err: nil or io.EOF for a proper end.
func (a *answer) verdict(err error) verdict {
	r := a.rec
	broken := err != nil && !errors.Is(err, io.EOF)
	switch {
	case a.failed:
		return a.streamError()
	case errors.Is(err, ErrLineTooLong):
		return failed(record.KindMalformed, err.Error())
	case a.done || r.FinishReason != "":
		return a.complete()
	case errors.Is(err, errFirstByte):
		return failed(record.KindTimeoutFirstByte, err.Error())
	case errors.Is(err, errIdle):
		return failed(record.KindTimeoutIdle, err.Error())
	case a.frames == 0 && r.Malformed > 0:
		return a.complete()
	case a.frames == 0 && !broken && a.foreign:
		return a.withSaid(failed(record.KindNoTokens, "the server's answer has no event in it: no line of it begins with data:"))
	case a.frames == 0 && !broken:
		return failed(record.KindNoTokens, "the server's answer is empty")
	case broken:
		return failed(record.KindTruncated, fmt.Sprintf("the connection broke after %d chunks", r.Chunks))
	}
	return a.withSaid(failed(record.KindTruncated,
		fmt.Sprintf("the answer ended after %d chunks without finish_reason and without [DONE]", r.Chunks)))
}

// streamError is the verdict on an answer with an error in it.
func (a *answer) streamError() verdict {
	if a.gaveUp {
		return failed(record.KindStreamError, a.failText)
	}
	return failed(record.KindStreamError, "the server reported an error inside its answer: "+a.failText)
}

// complete judges an answer that came to its end.
func (a *answer) complete() verdict {
	switch {
	case a.rec.Chunks > 0 || a.usage.completion > 0:
		return ok()
	case a.rec.Malformed > 0:
		return a.withSaid(failed(record.KindMalformed, "nothing in the server's answer could be decoded"))
	}
	return a.withSaid(failed(record.KindNoTokens, "the answer is complete but has no token in it"))
}

// documentVerdict judges an answer that was not streamed.
func (a *answer) documentVerdict() verdict {
	switch {
	case a.failed:
		return a.streamError()
	case a.rec.LastToken != 0 || a.usage.completion > 0:
		return ok()
	}
	return a.withSaid(failed(record.KindNoTokens, "the answer is complete but has no token in it"))
}
