// This file shows a recorded run: what it says goes where a run's own events go, at the instants that it says.

package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
)

// Player plays a recorded run. Its methods may be called from anywhere. While Run runs, none of those that turn something waits
// for anything that is played: what they ask for Run does, and the snapshot says how far it is.
type Player struct {
	recording
	stops  []time.Duration // where stages begin and marks are
	wishes wishes
	quit   chan struct{}
	once   sync.Once // for quit

	mu sync.Mutex // of what follows; held for a step of playing at most
	*playback
	pass    *pass          // plays all of it beside, so that one can seek; nil: that was done, or is not wanted
	towards *seek          // what is on its way
	begun   record.Instant // where that began
	reached record.Instant // how far that is
	problem error          // why what was sought can't be shown; nil: it can
	besides besides
}

// recording is what of a recorded run does not change.
type recording struct {
	open     func() (io.ReadCloser, error)
	outline  *runfile.Outline
	settings keptRun
	requests int  // that ended; 0: not known
	endOnly  bool // nothing is kept for who goes back, and few requests whole, so that it comes sooner
}

// viewer is what whoever looks at a recording has turned. It goes before what was turned in the run itself.
type viewer struct {
	slo        slo.Criteria
	target     float64
	objectives slo.Objectives
	judges     bool // by objectives of its own, so that it has to be judged anew
	window     stats.Window
}

// NewPlayer opens a recording, at its beginning and not playing. open opens the file, again and again as one goes back in
// it. The error says in a sentence why it can't be played.
func NewPlayer(open func() (io.ReadCloser, error)) (*Player, error) {
	return newPlayer(recording{open: open})
}

// PlayToEnd opens a recording at its end, for who looks at nothing but that: to go back from there takes all that playing takes.
// See NewPlayer.
func PlayToEnd(open func() (io.ReadCloser, error)) (*Player, error) {
	p, err := newPlayer(recording{open: open, endOnly: true})
	if err != nil {
		return nil, err
	}
	if err := p.to(1<<63 - 1); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func newPlayer(r recording) (_ *Player, err error) {
	p := &Player{recording: r, quit: make(chan struct{})}
	p.wishes.speed, p.wishes.wake = 1, make(chan struct{}, 1)
	file, err := p.open()
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
		at, _ := e.At.Since(p.settings.Start)
		if n := len(p.stops); (e.Do == didOpenStage || e.Do == didMark) && (n == 0 || p.stops[n-1] < at) {
			p.stops = append(p.stops, at)
		}
	}
	p.requests = requestsOf(p.outline.End)
	if p.playback, err = newPlayback(&p.recording, nil); err != nil {
		return nil, err
	}
	return p, p.to(p.settings.Start)
}

// requestsOf is how many requests ended, by the report at a recording's end.
func requestsOf(end *runfile.End) int {
	var report struct {
		Requests struct{ OK, Failed, Cancelled int }
	}
	if end == nil || json.Unmarshal(end.Report, &report) != nil {
		return 0
	}
	return report.Requests.OK + report.Requests.Failed + report.Requests.Cancelled
}

// to plays up to an instant, and publishes what then shows.
func (p *Player) to(at record.Instant) error {
	if err := p.play(at); err != nil {
		return err
	}
	p.publish(nil)
	return nil
}

// publish makes the moment that was come to the latest snapshot. came is what was sought and comes with it; nil: nothing.
func (p *Player) publish(came *seek) {
	s := p.moment(p.now)
	p.shown.show(s)
	s.Simulated = p.outline.Header.Simulated
	s.Insecure = p.settings.Insecure
	s.Host = snapshot.Host(p.outline.Header.Host)
	p.telemetry.show(s)
	last, _ := p.outline.Last.Since(p.settings.Start)
	at, _ := p.now.Since(p.settings.Start)
	s.Replay = &snapshot.Replay{At: at, Length: last}
	if p.damage != nil {
		s.Replay.Note = p.damage.Error()
	}
	if p.problem != nil {
		s.Replay.Note = p.problem.Error()
	}
	if p.atEnd {
		s.State = snapshot.Ended
	}
	p.wishes.show(s, p.atEnd, came)
}
