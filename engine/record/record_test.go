package record

import (
	"testing"
	"time"
)

const ms = Instant(time.Millisecond)

func TestLineIsTheWholeRecord(t *testing.T) {
	r := &Record{
		ID: 7, Stage: 2, Attempts: 2, Waited: 1500 * time.Millisecond, Scheduled: 1 * ms, Started: 2 * ms, Sent: 5 * ms,
		FirstToken: 219 * ms, FirstAnswer: 219 * ms, LastToken: 259 * ms, End: 270 * ms,
		Chunks: 3, Gaps: 2, GapSum: 40 * time.Millisecond, GapMax: 20 * time.Millisecond,
		InputTokens: Known(19), OutputTokens: Known(3), CachedTokens: Known(0), TokenSource: SourceUsage,
		Outcome: OK, Status: 200, FinishReason: "length", Streamed: true, Residual: true,
	}
	got, err := r.Line(1*ms, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":7,"stage":2,"conversation":null,"turn":null,"scheduled_s":0,"sent_s":0.004,"connect_ms":0,"attempts":2,` +
		`"waited_ms":1500,"ttft_ms":214,"first_answer_ms":214,"e2el_ms":254,"tpot_ms":20,"chunks":3,"chunk_gap_max_ms":20,` +
		`"input_tokens":19,"output_tokens":3,"reasoning_tokens":null,"cached_tokens":0,"token_source":"usage",` +
		`"outcome":"ok","kind":null,"status":200,"error":null,"finish_reason":"length","malformed":0,"residual":true}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLineOfARequestThatNeverCame(t *testing.T) {
	r := &Record{ID: 1, Stage: 1, Started: 5 * ms, End: 6 * ms, Outcome: Failed, Kind: KindConnect, Error: "connection refused"}
	got, err := r.Line(1*ms, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":1,"stage":1,"conversation":null,"turn":null,"scheduled_s":null,"sent_s":null,"connect_ms":null,"attempts":null,` +
		`"waited_ms":null,"ttft_ms":null,"first_answer_ms":null,"e2el_ms":null,"tpot_ms":null,"chunks":0,"chunk_gap_max_ms":null,` +
		`"input_tokens":null,"output_tokens":null,"reasoning_tokens":null,"cached_tokens":null,"token_source":null,` +
		`"outcome":"failed","kind":"connect","status":null,"error":"connection refused","finish_reason":null,"malformed":0,"residual":false}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTPOT(t *testing.T) {
	base := Record{Sent: 1 * ms, FirstToken: 101 * ms, LastToken: 301 * ms, OutputTokens: Known(11)}
	tests := []struct {
		name   string
		change func(*Record)
		want   time.Duration
		ok     bool
	}{
		{"plain", func(*Record) {}, 20 * time.Millisecond, true},
		{"one token", func(r *Record) { r.OutputTokens = Known(1) }, 0, false},
		{"no token", func(r *Record) { r.OutputTokens = Known(0) }, 0, false},
		{"unknown tokens", func(r *Record) { r.OutputTokens = Count{} }, 0, false},
		{"never sent still has its generation", func(r *Record) { r.Sent = 0 }, 20 * time.Millisecond, true},
		{"not streamed", func(r *Record) { r.FirstToken = 0 }, 0, false},
		{"all in one chunk", func(r *Record) { r.LastToken, r.Chunks = r.FirstToken, 1 }, 0, false},
		{"hidden reasoning lies before the first token", func(r *Record) {
			r.OutputTokens, r.ReasoningTokens = Known(111), Known(100)
		}, 20 * time.Millisecond, true},
		{"shown reasoning counts", func(r *Record) {
			r.OutputTokens, r.ReasoningTokens, r.ReasoningChunks = Known(21), Known(10), 10
		}, 10 * time.Millisecond, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base
			tt.change(&r)
			got, ok := r.TPOT()
			if got != tt.want || ok != tt.ok {
				t.Errorf("TPOT %v, %v, want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestDispatchLagBeginsAtTheSchedule(t *testing.T) {
	r := Record{Scheduled: 10 * ms, Started: 30 * ms, Sent: 31 * ms}
	if d, _ := r.DispatchLag(); d != 21*time.Millisecond {
		t.Errorf("open loop: %v, want 21ms", d)
	}
	r.Scheduled = 0
	if d, _ := r.DispatchLag(); d != time.Millisecond {
		t.Errorf("closed loop: %v, want 1ms", d)
	}
}

func TestClockNeverSaysNever(t *testing.T) {
	clock := NewClock()
	if a, b := clock(), clock(); a == 0 || b < a {
		t.Errorf("clock said %d, then %d", a, b)
	}
	if d := Instant(1).Elapsed(); d != 0 {
		t.Errorf("the epoch is %v after itself", d)
	}
}
