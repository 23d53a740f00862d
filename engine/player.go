// This file plays a recorded run: what it says goes where a run's own events go, at the instants that it says.

package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Player plays a recorded run. Its methods may be called from anywhere.
type Player struct {
	open     func() (io.ReadCloser, error)
	outline  *runfile.Outline
	settings keptRun
	stops    []record.Instant // where stages begin and marks are
	snapshot atomic.Pointer[snapshot.Snapshot]

	mu sync.Mutex // of what follows
	ledger
	file    io.ReadCloser
	reader  *runfile.Reader
	todo    []step // of the batch that is being played
	folds   []record.Instant
	running map[uint64]*stats.Running
	shown   shownPieces
	now     record.Instant
	damage  error // why the recording ends before the run did
	atEnd   bool
	viewer  *viewer // nil: everything is as it was
	speed   float64
	playing bool
	quit    chan struct{}
	stopped sync.Once
}

// step is one thing that is to be done again.
type step struct {
	at record.Instant
	do func() error
}

// viewer is what whoever looks at a recording has turned. It goes before what was turned in the run itself.
type viewer struct {
	slo        slo.Criteria
	target     float64
	objectives slo.Objectives
	window     stats.Window
}

// NewPlayer opens a recording, at its beginning and not playing. open opens the file, again and again as one goes back in
// it. The error says in a sentence why it can't be played.
func NewPlayer(open func() (io.ReadCloser, error)) (*Player, error) {
	p := &Player{open: open, speed: 1, quit: make(chan struct{})}
	file, err := open()
	if err != nil {
		return nil, err
	}
	p.outline, err = runfile.ReadOutline(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(p.outline.Header.Run, &p.settings); err != nil {
		return nil, fmt.Errorf("its settings can't be read: %w", err)
	}
	for _, e := range p.outline.Events {
		if n := len(p.stops); (e.Do == didOpenStage || e.Do == didMark) && (n == 0 || p.stops[n-1] < e.At) {
			p.stops = append(p.stops, e.At)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.rewind(); err != nil {
		return nil, err
	}
	return p, p.to(p.settings.Start)
}

// rewind goes back to the beginning.
func (p *Player) rewind() error {
	p.close()
	file, err := p.open()
	if err != nil {
		return err
	}
	reader, err := runfile.NewReader(file)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	h, set := &p.outline.Header, &p.settings
	p.file, p.reader = file, reader
	p.ledger = ledger{
		budget: set.Budget, seed: h.Seed, state: snapshot.Running, always: true,
		collector: stats.NewCollector(set.Created, set.Method, set.SLO),
		points:    points{target: set.Target},
		telemetry: telemetry{elsewhere: set.GPUElsewhere, note: set.GPUNote, prices: set.Prices, wall: p.wall},
	}
	p.collector.AtOnce()
	p.start, p.startWall = set.Start, h.Started
	p.todo, p.folds, p.running, p.shown = nil, nil, make(map[uint64]*stats.Running), shownPieces{}
	p.shown.endpoint.Profile.URL, p.shown.endpoint.Profile.Model, p.shown.endpoint.Profile.Server = h.URL, h.Model, h.Server
	p.now, p.damage, p.atEnd = set.Start, nil, false
	return nil
}

// wall is what the wall clock showed at the instant that is shown.
func (p *Player) wall() time.Time {
	since, _ := p.now.Since(p.settings.Start)
	return p.outline.Header.Started.Add(since)
}

func (p *Player) close() {
	if p.reader != nil {
		p.reader.Close()
		_ = p.file.Close() // it was only read
		p.reader, p.file = nil, nil
	}
}

// to plays up to an instant, and publishes what then shows.
func (p *Player) to(at record.Instant) error {
	if err := p.play(at); err != nil {
		return err
	}
	p.publish()
	return nil
}

// play does again what was done up to an instant, that included. A recording that no tokdyno has written may ask for what
// can't be, so a panic is an error here.
func (p *Player) play(at record.Instant) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.atEnd, err = true, fmt.Errorf("the recording can't be played: %v", r)
		}
	}()
	for !p.atEnd {
		if len(p.todo) == 0 {
			if err := p.fetch(); err != nil {
				return err
			}
			continue
		}
		next := &p.todo[0]
		if next.at > at {
			break
		}
		p.now = max(p.now, next.at)
		if err := next.do(); err != nil {
			return err
		}
		p.todo = p.todo[1:]
	}
	p.now = min(max(p.now, at), max(p.outline.Last, p.now))
	return nil
}

// fetch reads the next batch.
func (p *Player) fetch() error {
	batch, err := p.reader.Next()
	if errors.Is(err, io.EOF) {
		p.atEnd, p.damage = true, p.reader.Damage()
		return nil
	}
	if err != nil {
		return err
	}
	return p.plan(batch)
}

// plan makes steps of a batch, in the order in which they were done: what requests did is taken in when it was, what was done
// to the run comes after as many folds as it did, and what was shown beside came last.
func (p *Player) plan(b *runfile.Batch) error {
	var readings []keptReading
	if text, ok := b.Tick.Changed[pieceReadings]; ok {
		if err := json.Unmarshal(text, &readings); err != nil {
			return fmt.Errorf("the recording's readings can't be read: %w", err)
		}
	}
	first := len(p.folds) // of this batch
	p.folds = append(p.folds, b.Tick.Folds...)
	feed := newFeed(b, slices.Clone(p.folds))
	events, last := p.events(b, readings), p.now
	eventsAfter := func(folds int) {
		for ; len(events) > 0 && events[0].after <= folds; events = events[1:] {
			p.todo = append(p.todo, events[0].step)
			last = max(last, events[0].at)
		}
	}
	eventsAfter(0)
	for i, at := range b.Tick.Folds {
		p.todo = append(p.todo, step{at, func() error {
			p.fold(feed, first+i, at)
			return nil
		}})
		last = max(last, at)
		eventsAfter(i + 1)
	}
	p.todo = append(p.todo, step{last, func() error {
		p.tell(feed, math.MaxInt) // nothing was folded after it
		return p.show(b)
	}})
	if n := len(p.folds) - runfile.MostLate - 2; n > 0 {
		p.folds = slices.Delete(p.folds, 0, n)
	}
	return nil
}

// placed is a step that comes after so many folds of its batch.
type placed struct {
	step
	after int
}

// events are what was done to the run, and the readings that came, in order.
func (p *Player) events(b *runfile.Batch, readings []keptReading) []placed {
	var list []placed
	add := func(after *int, at record.Instant, do func() error) {
		if after == nil {
			n, _ := slices.BinarySearch(b.Tick.Folds, at+1)
			after = &n
		}
		list = append(list, placed{step{at, do}, *after})
	}
	if !p.telemetry.begun { // what was read before is of no stage
		add(new(int), p.settings.Start, func() error {
			p.telemetry.begin()
			return nil
		})
	}
	for _, e := range b.Events {
		add(e.After, e.At, func() error { return p.again(e) })
	}
	for _, r := range readings {
		add(nil, r.At, func() error {
			if r.GPU != nil {
				p.telemetry.takeDevices(*r.GPU)
			}
			if r.Server != nil {
				p.telemetry.takeServer(*r.Server.reading())
			}
			return nil
		})
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.after, b.after), cmp.Compare(a.at, b.at))
	})
	return list
}

// fold brings the statistics up to date, by what was taken in by a fold of a batch.
func (p *Player) fold(f *feed, n int, at record.Instant) {
	p.collector.Advance(at)
	p.tell(f, n)
	p.ledger.fold(at)
	p.telemetry.mu.Lock()
	p.telemetry.trend(at)
	p.telemetry.mu.Unlock()
	if p.viewer != nil && p.over == 0 && !p.knobs.Paused && (len(p.points.rows) > 1 || p.collector.Turnover().Steady) {
		p.judge(at)
	}
}

// show takes in what was shown beside the requests.
func (p *Player) show(b *runfile.Batch) error {
	for name, text := range b.Tick.Changed {
		if err := p.shown.take(name, text); err != nil {
			return fmt.Errorf("the recording's %q can't be read: %w", name, err)
		}
	}
	client := &p.shown.client
	p.collector.ClientLate(max(client.Recent.Late(), client.Run.Late()))
	return nil
}

// again does once more what was done to the run.
func (p *Player) again(e runfile.Event) (err error) {
	switch e.Do {
	case didTurn:
		var kept keptKnobs
		if err = json.Unmarshal(e.With, &kept); err != nil {
			break
		}
		var k snapshot.Knobs
		if k, err = kept.knobs(); err == nil {
			p.turnTo(p.viewer.over(k))
		}
	case didOpenStage:
		p.openStage(e.At)
	case didSettle:
		p.steady(e.At)
	case didEndMeasuring:
		p.endMeasuring(e.At)
	case didDisown:
		p.disown(e.At)
	case didStandStill:
		var gap time.Duration
		err = json.Unmarshal(e.With, &gap)
		p.standStill(e.At, gap)
	case didMark:
		var label string
		err = json.Unmarshal(e.With, &label)
		p.mark(e.At, label)
	case didJudge:
		if p.viewer == nil {
			p.judge(e.At)
		}
	case didFinish:
		p.finish(e.At)
	case didBecome:
		err = json.Unmarshal(e.With, &p.state)
	}
	if err != nil {
		return fmt.Errorf("the recording's %q can't be read: %w", e.Do, err)
	}
	return nil
}

// turnTo puts knobs into force, and scores by them what is stored.
func (p *Player) turnTo(k snapshot.Knobs) {
	p.turn(k, p.now)
	for !p.points.score(p.collector, &p.knobs) {
		continue
	}
	p.tracker.Set(k.Objectives)
}

// over are knobs of the run, with what was turned since.
func (v *viewer) over(k snapshot.Knobs) snapshot.Knobs {
	if v != nil {
		k.SLO, k.Target, k.Objectives, k.Window = v.slo, v.target, v.objectives, v.window
	}
	return k
}

// publish makes the moment that is shown the latest snapshot.
func (p *Player) publish() {
	s := p.moment(p.now)
	p.shown.show(s)
	s.Simulated = p.outline.Header.Simulated
	s.Insecure = p.settings.Insecure
	s.Host = snapshot.Host(p.outline.Header.Host)
	p.telemetry.show(s)
	last, _ := p.outline.Last.Since(p.settings.Start)
	at, _ := p.now.Since(p.settings.Start)
	s.Replay = &snapshot.Replay{At: at, Length: last, Playing: p.playing && !p.atEnd, Speed: p.speed}
	if p.damage != nil {
		s.Replay.Note = p.damage.Error()
	}
	if p.atEnd {
		s.State = snapshot.Ended
	}
	p.snapshot.Store(s)
}
