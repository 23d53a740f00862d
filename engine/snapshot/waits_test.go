package snapshot

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
)

func TestWaitsAreSaidInSentences(t *testing.T) {
	now := record.Instant(time.Second)
	limited := endpoint.Refusal{Kind: record.KindHTTP429, Status: 429}
	for _, tt := range []struct {
		name    string
		state   State
		budget  time.Duration
		elapsed time.Duration
		waiting []endpoint.Waiting
		want    []string
	}{
		{"none", Running, time.Minute, 0, nil, nil},
		{
			"without an end", Running, 0, 0,
			[]endpoint.Waiting{{Refusal: limited, N: 2, Asked: time.Minute, Until: now.Add(57200 * time.Millisecond)}},
			[]string{"2 wait 58 s: 429, Retry-After 60 s"},
		},
		{
			"beyond the end", Running, 6 * time.Second, 2 * time.Second,
			[]endpoint.Waiting{{Refusal: limited, N: 1, Asked: time.Minute, Until: now.Add(58 * time.Second)}},
			[]string{"1 waits 58 s: 429, Retry-After 60 s; the run ends before that, in 4 s"},
		},
		{
			"the load has not begun", Probing, 6 * time.Second, 0,
			[]endpoint.Waiting{{Refusal: limited, N: 1, Asked: time.Minute, Until: now.Add(58 * time.Second)}},
			[]string{"1 waits 58 s: 429, Retry-After 60 s"},
		},
		{
			"two reasons, one of them without a status", Running, time.Hour, 0,
			[]endpoint.Waiting{
				{Refusal: endpoint.Refusal{Kind: record.KindHTTP5xx, Status: 503}, N: 3, Until: now.Add(400 * time.Millisecond)},
				{Refusal: endpoint.Refusal{Kind: record.KindConnect}, N: 1, Until: now},
			},
			[]string{"3 wait 1 s: 503", "1 waits 0 s: connect"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &Snapshot{At: now, State: tt.state, Elapsed: tt.elapsed, Budget: load.Budget{Duration: tt.budget}}
			s.Again.Waiting = tt.waiting
			if diff := cmp.Diff(tt.want, s.Waits()); diff != "" {
				t.Errorf("(-want):\n%s", diff)
			}
		})
	}
}

func TestWhatGoesOnBeforeTheLoadIsSaid(t *testing.T) {
	starting := endpoint.Again{Waiting: []endpoint.Waiting{{Refusal: endpoint.Refusal{Starting: true}}}}
	for want, s := range map[string]Snapshot{
		"finding out what the endpoint takes":   {Workers: &Workers{Wanted: 2, Ready: 2}},
		"waiting for the server":                {Again: starting},
		"waiting for workers, 1 of 4 are ready": {Again: starting, Workers: &Workers{Wanted: 4, Ready: 1}},
	} {
		if got := s.Preparing(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
