// This file finds stalls that befell several requests at once, and what was prefilled meanwhile.

package query

import (
	"cmp"
	"slices"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

const (
	// leastStreams is how many requests have to stand still together.
	leastStreams = 3
	// leastShare is the part of a stall, one in so many, for which that has to be so: stalls that merely follow each other overlap
	// for less.
	leastShare = 4
)

// Wave is a stretch in which several requests that were being answered got nothing.
type Wave struct {
	From, To record.Instant // from when on at least three stood, until fewer did
	Streams  int            // that stood
	Decoding int            // that were being answered then; as many as Streams: all stood
	Endpoint int            // of several, that which they went to; 0: there is only one
	// Prefilled is the request with the longest prompt of those whose first token came as it ended; 0: none did.
	Prefilled uint64
	Prompt    int64 // its tokens; negative: not known
	Others    int   // of those whose first token came then as well
}

// Length is how long they stood.
func (w *Wave) Length() time.Duration { return time.Duration(w.To - w.From) }

// stood is a request, as far as waves go.
type stood struct {
	endpoint          int
	id                uint64
	sent, first, last record.Instant
	input             int64
}

// waves finds them among the requests from index from on, and those that run.
func waves(e *stats.Ended, running []stats.Unfinished, from int) []Wave {
	var all []stood
	stalls := make(map[int][]stats.Stall) // by endpoint: one does not hold up another
	for i := from; i < len(e.At); i++ {
		sent := after(e.Began[i], e.Lag[i])
		all = append(all, stood{
			endpoint: int(e.Endpoint[i]), id: e.ID[i], sent: sent, first: after(sent, e.TTFT[i]), last: after(sent, e.E2EL[i]),
			input: int64(e.Input[i]),
		})
	}
	first := e.Dropped + int64(from)
	k, _ := slices.BinarySearchFunc(e.Stalls, first, func(s stats.Stall, p int64) int { return cmp.Compare(s.Request, p) })
	for _, s := range e.Stalls[k:] {
		if i := s.Request - e.Dropped; i < int64(len(e.At)) {
			at := int(e.Endpoint[i])
			stalls[at] = append(stalls[at], s)
		}
	}
	for i := range running {
		u := &running[i]
		input := u.Input
		if input == 0 {
			input = unknown
		}
		all = append(all, stood{endpoint: u.Endpoint, id: u.ID, sent: u.Sent, first: u.First, last: u.Last, input: input})
		stalls[u.Endpoint] = append(stalls[u.Endpoint], u.Stalls...)
	}
	var found []Wave
	for endpoint, of := range stalls {
		for _, w := range together(of) {
			w.Endpoint = endpoint
			w.explain(all)
			found = append(found, w)
		}
	}
	slices.SortFunc(found, func(a, b Wave) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Endpoint, b.Endpoint)) })
	return found
}

// together finds the stretches in which at least leastStreams stalls lasted at the same time. Stalls of one request don't
// overlap, so each is another request.
func together(stalls []stats.Stall) []Wave {
	type edge struct {
		at     record.Instant
		by     int
		length time.Duration
	}
	edges := make([]edge, 0, 2*len(stalls))
	for _, s := range stalls {
		edges = append(edges, edge{s.From, +1, s.Length}, edge{s.To(), -1, s.Length})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	var found []Wave
	var open *Wave
	var last time.Duration // of the stall with which there were enough
	standing := 0
	for _, e := range edges {
		standing += e.by
		switch {
		case open == nil && standing >= leastStreams:
			open, last = &Wave{From: e.at, Streams: standing}, e.length
		case open != nil && standing < leastStreams:
			if open.To = e.at; open.Length() >= last/leastShare {
				found = append(found, *open)
			}
			open = nil
		case open != nil && e.by > 0:
			open.Streams++
		}
	}
	return found
}

// explain says which of the requests were being answered, and which was prefilled meanwhile: that whose first token came
// while they stood, or as they went on.
func (w *Wave) explain(all []stood) {
	slack := record.Instant(w.Length() / 4)
	most := int64(-2)
	firsts := 0
	for i := range all {
		s := &all[i]
		switch {
		case s.first == 0 || s.endpoint != w.Endpoint:
		case s.first <= w.From && s.last >= w.To:
			w.Decoding++
		case s.sent <= w.To && s.first > w.From && s.first <= w.To+slack:
			firsts++
			if s.input > most {
				w.Prefilled, w.Prompt, most = s.id, s.input, s.input
			}
		}
	}
	w.Others = max(firsts-1, 0)
	w.Decoding = max(w.Decoding, w.Streams)
}
