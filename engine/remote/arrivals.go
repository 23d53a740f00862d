// This file is the arrival process that workers share.

package remote

import (
	"math"
	"slices"
	"time"

	"tokdyno/engine/load"
	"tokdyno/engine/record"
)

// openLoad is the arrival process that workers share.
type openLoad struct {
	process  load.Process
	setting  load.Setting
	arrivals *load.Arrivals // nil: there is none
	among    []*member      // whose parts they are
	weights  []capacity
	parts    []*load.Process
	before   int // arrivals of the processes before
	first    uint64
}

// end ends the process, if there is one. alone is for how long a worker goes on that does not hear of it.
func (o *openLoad) end(now record.Instant, alone time.Duration) {
	if o.arrivals == nil {
		return
	}
	next := o.arrivals.Until(now.Add(lead))
	o.before += int(next - o.process.First)
	// Numbers go on where no worker can be that has not heard of the end: one that hears nothing for so long has stopped.
	o.first = o.arrivals.Until(now.Add(lead + alone))
	o.arrivals = nil
}

// deal begins an arrival process whose arrivals are dealt out. The lock is held.
func (f *Fleet) deal(list []*member, among []capacity) {
	o, now := &f.open, f.making.Clock()
	if !f.begun || f.paused {
		return
	}
	if o.arrivals != nil && o.setting == f.setting && slices.Equal(o.among, list) && slices.Equal(o.weights, among) {
		for i, m := range list { // nothing that matters to it has changed
			m.process = o.parts[i]
		}
		return
	}
	level := math.Min(1, f.setting.Level())
	setting := f.setting
	if o.arrivals != nil {
		level = o.arrivals.Level(now.Add(lead))
		o.end(now, f.cfg.Times.Alone)
	} else if o.setting.Arrives() {
		level = o.setting.Level()
	}
	o.setting = f.setting
	o.process = load.Process{
		Number: o.process.Number + 1, Begin: now.Add(lead), Level: level, First: max(o.first, f.numbers.first()),
	}
	if n := f.making.Budget.Requests; n > 0 {
		o.process.Last = o.process.First + uint64(max(n-o.before, 0)) - 1
	}
	o.arrivals = load.NewArrivals(f.making.Seed, setting, &o.process)
	owners := deal(among)
	o.among, o.weights, o.parts = list, among, nil
	for i, m := range list {
		p := o.process
		p.Mine = make([]bool, len(owners))
		for k, owner := range owners {
			p.Mine[k] = owner == i
		}
		m.process = &p
		o.parts = append(o.parts, &p)
	}
}
