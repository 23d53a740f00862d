// This file is a record's form as a line of JSON.

package record

import (
	"encoding/json"
	"math"
	"time"
)

// line lists a record's members in their published order. Absent values are null.
type line struct {
	Side          string   `json:"side,omitempty"` // of a duel: "A"
	ID            uint64   `json:"id"`
	Stage         int      `json:"stage"`
	Conversation  *int     `json:"conversation"`
	Turn          *int     `json:"turn"`
	ScheduledS    *float64 `json:"scheduled_s"`
	SentS         *float64 `json:"sent_s"`
	ConnectMS     *float64 `json:"connect_ms"`
	Attempts      *int     `json:"attempts"`
	WaitedMS      *float64 `json:"waited_ms"` // between attempts
	TTFTMS        *float64 `json:"ttft_ms"`
	FirstAnswerMS *float64 `json:"first_answer_ms"`
	E2ELMS        *float64 `json:"e2el_ms"`
	TPOTMS        *float64 `json:"tpot_ms"`
	Chunks        int      `json:"chunks"`
	ChunkGapMaxMS *float64 `json:"chunk_gap_max_ms"`
	InputTokens   *int64   `json:"input_tokens"`
	OutputTokens  *int64   `json:"output_tokens"`
	Reasoning     *int64   `json:"reasoning_tokens"`
	CachedTokens  *int64   `json:"cached_tokens"`
	TokenSource   *string  `json:"token_source"`
	Outcome       Outcome  `json:"outcome"`
	Kind          *string  `json:"kind"`
	Status        *int     `json:"status"`
	Error         *string  `json:"error"`
	FinishReason  *string  `json:"finish_reason"`
	Malformed     int      `json:"malformed"` // payloads that could not be decoded
	Residual      bool     `json:"residual"`  // it asked for a part of its answer, as the first of its slot, and is in no summary
}

// Line returns the record as one line of JSON without its newline. Instants are seconds after start, durations
// milliseconds; what is unknown or undefined is null. In a duel, side says whose request it was; "" leaves that out.
func (r *Record) Line(start Instant, side string) ([]byte, error) {
	l := line{
		Side:          side,
		ID:            r.ID,
		Stage:         r.Stage,
		Conversation:  unlessZero(r.Conversation),
		Turn:          unlessZero(r.Turn),
		ScheduledS:    seconds(r.Scheduled, start),
		SentS:         seconds(r.Sent, start),
		TTFTMS:        milliseconds(r.TTFT()),
		FirstAnswerMS: milliseconds(r.FirstAnswerLatency()),
		E2ELMS:        milliseconds(r.E2EL()),
		TPOTMS:        milliseconds(r.TPOT()),
		ConnectMS:     milliseconds(r.Connect, r.Sent != 0),
		Attempts:      unlessZero(r.Attempts),
		WaitedMS:      milliseconds(r.Waited, r.Waited > 0),
		Chunks:        r.Chunks,
		ChunkGapMaxMS: milliseconds(r.GapMax, r.Gaps > 0),
		InputTokens:   r.InputTokens.pointer(),
		OutputTokens:  r.OutputTokens.pointer(),
		Reasoning:     r.ReasoningTokens.pointer(),
		CachedTokens:  r.CachedTokens.pointer(),
		TokenSource:   unlessZero(string(r.TokenSource)),
		Outcome:       r.Outcome,
		Kind:          unlessZero(string(r.Kind)),
		Status:        unlessZero(r.Status),
		Error:         unlessZero(r.Error),
		FinishReason:  unlessZero(r.FinishReason),
		Malformed:     r.Malformed,
		Residual:      r.Residual,
	}
	return json.Marshal(l)
}

func (c Count) pointer() *int64 {
	if !c.known {
		return nil
	}
	return &c.n
}

func unlessZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// milliseconds keeps a duration's full resolution, a nanosecond.
func milliseconds(d time.Duration, ok bool) *float64 {
	if !ok {
		return nil
	}
	v := float64(d) / 1e6
	return &v
}

// seconds is rounded to the microsecond.
func seconds(at, start Instant) *float64 {
	d, ok := at.Since(start)
	if !ok {
		return nil
	}
	v := math.Round(d.Seconds()*1e6) / 1e6
	return &v
}
