// This file is what a snapshot shows beside the requests, as a recording keeps it.

package engine

import (
	"encoding/json"
	"errors"
	"math"

	"tokdyno/engine/advice"
	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/server"
	"tokdyno/engine/snapshot"
	"tokdyno/gpu"
	"tokdyno/gpu/promtext"
)

// The names of the pieces. A recording has them, so they stay.
const (
	pieceEndpoint  = "endpoint"
	pieceEndpoints = "endpoints"
	piecePool      = "pool"
	pieceClient    = "client"
	pieceOutage    = "outage"
	pieceLengths   = "lengths"
	piecePilot     = "autopilot"
	pieceAdvice    = "advice"
	pieceError     = "error"
	pieceReadings  = "readings" // of accelerators and the server, since the tick before
)

// pieces are what of a snapshot does not follow from its requests and from what was done to the run, and readings.
func pieces(s *snapshot.Snapshot, readings []heard) []runfile.Piece {
	list := []runfile.Piece{
		{Name: pieceEndpoint, Value: s.Endpoint},
		{Name: piecePool, Value: keptPoolOf(s)},
		{Name: pieceClient, Value: keptClientOf(s)},
		{Name: pieceOutage, Value: s.Outage},
		{Name: pieceLengths, Value: keptLengthsOf(s)},
		{Name: pieceAdvice, Value: s.Advice},
	}
	if len(s.Endpoints) > 0 {
		list = append(list, runfile.Piece{Name: pieceEndpoints, Value: s.Endpoints})
	}
	if s.Pilot != nil {
		list = append(list, runfile.Piece{Name: piecePilot, Value: s.Pilot})
	}
	if s.Err != nil {
		list = append(list, runfile.Piece{Name: pieceError, Value: s.Err.Error()})
	}
	if len(readings) > 0 {
		list = append(list, runfile.Piece{Name: pieceReadings, Value: keptReadingsOf(readings), Telemetry: true})
	}
	return list
}

type keptPool struct {
	Thinking, Backlog, Dropped, Shed, Abandoned, Retried, Unspoken int

	Again     endpoint.Again
	Malformed string
}

func keptPoolOf(s *snapshot.Snapshot) keptPool {
	return keptPool{
		Thinking: s.Thinking, Backlog: s.Backlog, Dropped: s.Dropped, Shed: s.Shed, Abandoned: s.Abandoned, Retried: s.Retried,
		Unspoken: s.Unspoken, Again: s.Again, Malformed: s.Malformed,
	}
}

// keptHealth is Health, in which what is unknown is null.
type keptHealth struct {
	snapshot.Health
	CPUCores *float64
}

type keptClient struct {
	Recent, Run keptHealth
	Stamps      string
	Reconnects  int64
	Closed      int64
}

func keptClientOf(s *snapshot.Snapshot) keptClient {
	return keptClient{keptHealthOf(s.Health), keptHealthOf(s.Client.Health), s.Client.Stamps, s.Client.Reconnects, s.Client.Closed}
}

func keptHealthOf(h snapshot.Health) keptHealth {
	k := keptHealth{h, orNull(h.CPUCores)}
	k.Health.CPUCores = 0
	return k
}

func (k keptHealth) health() snapshot.Health {
	h := k.Health
	h.CPUCores = fromNull(k.CPUCores)
	return h
}

func orNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func fromNull(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// keptLengths are those of prompts and answers: of the run's present stage, and of those that are shown.
type keptLengths struct {
	Now    keptStageLengths
	Stages map[int]keptStageLengths
}

type keptStageLengths struct {
	Prompts snapshot.PromptLengths
	Answers snapshot.AnswerLengths
}

func keptLengthsOf(s *snapshot.Snapshot) keptLengths {
	k := keptLengths{Now: keptStageLengths{s.Prompts, s.Answers}, Stages: make(map[int]keptStageLengths)}
	for i := range s.Stages {
		row := &s.Stages[i]
		k.Stages[row.Number] = keptStageLengths{row.Prompts, row.Answers}
	}
	return k
}

// keptReading is a reading of accelerators or of the server, or an answer to the canary, and when it came.
type keptReading struct {
	At     record.Instant
	GPU    *gpu.Reading `json:",omitempty"`
	Server *keptServer  `json:",omitempty"`

	Canary *canaryAnswer `json:",omitempty"`
}

func keptReadingsOf(list []heard) []keptReading {
	kept := make([]keptReading, len(list))
	for i, h := range list {
		kept[i] = keptReading{At: h.At, GPU: h.GPU, Canary: h.Canary}
		if h.Server != nil {
			s := keptServerOf(h.Server)
			kept[i].Server = &s
		}
	}
	return kept
}

// keptServer is a reading, whose error is a sentence and whose histograms have no infinite bound.
type keptServer struct {
	server.Reading
	Err             *string
	TTFT, QueueTime keptHistogram
}

type keptHistogram struct {
	Bounds, Counts []float64 // without the last bound, which is infinite; nil: not known
	Sum, Count     float64
	NA             string
}

func keptServerOf(r *server.Reading) keptServer {
	k := keptServer{Reading: *r, TTFT: keptHistogramOf(r.Metrics.TTFT), QueueTime: keptHistogramOf(r.Metrics.QueueTime)}
	k.Metrics.TTFT, k.Metrics.QueueTime = server.Histogram{}, server.Histogram{}
	k.Reading.Err = nil
	if r.Err != nil {
		sentence := r.Err.Error()
		k.Err = &sentence
	}
	return k
}

func (k *keptServer) reading() *server.Reading {
	r := k.Reading
	r.Metrics.TTFT, r.Metrics.QueueTime = k.TTFT.histogram(), k.QueueTime.histogram()
	if k.Err != nil {
		r.Err = errors.New(*k.Err)
	}
	return &r
}

func keptHistogramOf(h server.Histogram) keptHistogram {
	k := keptHistogram{Sum: h.Sum, Count: h.Count, NA: h.NA}
	for _, b := range h.Buckets {
		if !math.IsInf(b.UpperBound, 1) {
			k.Bounds = append(k.Bounds, b.UpperBound)
		}
		k.Counts = append(k.Counts, b.Count)
	}
	return k
}

func (k *keptHistogram) histogram() server.Histogram {
	h := server.Histogram{Histogram: promtext.Histogram{Sum: k.Sum, Count: k.Count}, NA: k.NA}
	for i, n := range k.Counts {
		bound := math.Inf(1)
		if i < len(k.Bounds) {
			bound = k.Bounds[i]
		}
		h.Buckets = append(h.Buckets, promtext.Bucket{UpperBound: bound, Count: n})
	}
	return h
}

// shownPieces are the latest pieces of a recording.
type shownPieces struct {
	endpoint  snapshot.EndpointLine // its profile
	endpoints []snapshot.EndpointLine
	pool      keptPool
	client    keptClient
	outage    snapshot.Outage
	lengths   keptLengths
	pilot     *snapshot.PilotView
	advice    []advice.Advice
	err       string
}

// take takes in a piece that has changed; those of a newer tokdyno are passed over.
func (p *shownPieces) take(name string, text json.RawMessage) error {
	switch name {
	case pieceEndpoint:
		p.endpoint = snapshot.EndpointLine{}
		return json.Unmarshal(text, &p.endpoint.Profile)
	case pieceEndpoints:
		p.endpoints = nil
		return json.Unmarshal(text, &p.endpoints)
	case piecePool:
		p.pool = keptPool{} // others may have its lists
		return json.Unmarshal(text, &p.pool)
	case pieceClient:
		p.client = keptClient{}
		return json.Unmarshal(text, &p.client)
	case pieceOutage:
		return json.Unmarshal(text, &p.outage)
	case pieceLengths:
		p.lengths = keptLengths{}
		return json.Unmarshal(text, &p.lengths)
	case piecePilot:
		p.pilot = nil // others may have it
		return json.Unmarshal(text, &p.pilot)
	case pieceAdvice:
		p.advice = nil
		return json.Unmarshal(text, &p.advice)
	case pieceError:
		return json.Unmarshal(text, &p.err)
	}
	return nil
}

// show puts the pieces into a snapshot.
func (p *shownPieces) show(s *snapshot.Snapshot) {
	s.Endpoint, s.Endpoints = p.endpoint.Profile, p.endpoints
	s.Thinking, s.Backlog, s.Dropped, s.Abandoned = p.pool.Thinking, p.pool.Backlog, p.pool.Dropped, p.pool.Abandoned
	s.Shed, s.Retried, s.Unspoken, s.Again, s.Malformed = p.pool.Shed, p.pool.Retried, p.pool.Unspoken, p.pool.Again, p.pool.Malformed
	s.Health = p.client.Recent.health()
	s.Client = snapshot.Client{Health: p.client.Run.health(), Stamps: p.client.Stamps, Reconnects: p.client.Reconnects, Closed: p.client.Closed}
	s.Outage, s.Pilot, s.Advice = p.outage, p.pilot, p.advice
	s.Prompts, s.Answers = p.lengths.Now.Prompts, p.lengths.Now.Answers
	for i := range s.Stages {
		of := p.lengths.Stages[s.Stages[i].Number]
		s.Stages[i].Prompts, s.Stages[i].Answers = of.Prompts, of.Answers
	}
	if p.err != "" {
		s.Err = errors.New(p.err)
	}
}
