// This file finds a run whose console has died, for another one to take over.

package remote

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"tokdyno/engine"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/wire"
)

// Found is a run that has workers and no console.
type Found struct {
	orders  orders // the latest that any of its workers has
	lanes   uint64 // the highest
	talks   uint64
	numbers uint64
}

// Find looks for a run whose console is not heard any more; of several, that with the most workers. The error is a sentence.
func Find(ctx context.Context, conn *nats.Conn, times Times) (*Found, error) {
	times = times.orUsual()
	var mu sync.Mutex
	runs := make(map[string]map[string]*orders)
	heard := false
	sub, err := conn.Subscribe(subjectHello, func(m *nats.Msg) {
		var h hello
		if json.Unmarshal(m.Data, &h) != nil || h.Protocol != Protocol {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		heard = true
		if h.Orders == nil || h.Orders.Over || h.Unheard < times.Lost/2 {
			return
		}
		if runs[h.Run] == nil {
			runs[h.Run] = make(map[string]*orders)
		}
		runs[h.Run][h.ID] = h.Orders
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
	case <-time.After(times.listen()):
	}
	_ = sub.Unsubscribe() // nothing follows from what comes later
	mu.Lock()
	defer mu.Unlock()
	var best map[string]*orders
	for _, workers := range runs {
		if len(workers) > len(best) {
			best = workers
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(best) == 0 && heard:
		return nil, errors.New("no run there has lost its console")
	case len(best) == 0:
		return nil, errors.New("no worker has joined there")
	}
	f := new(Found)
	for _, o := range best {
		if o.Term > f.orders.Term || o.Term == f.orders.Term && o.Number >= f.orders.Number {
			f.orders = *o
		}
		f.lanes, f.numbers, f.talks = max(f.lanes, o.Lane), max(f.numbers, o.NextRequest), max(f.talks, o.NextTalk)
	}
	return f, nil
}

// URLs are the addresses of the endpoints that the run is about.
func (f *Found) URLs() (urls []string) {
	for _, t := range f.orders.Endpoints {
		urls = append(urls, t.URL)
	}
	return urls
}

// Into has a configuration be that of the run. What a console has of its own, such as the key, it keeps. The error is a sentence.
func (f *Found) Into(cfg *engine.Config) (err error) {
	if cfg.Knobs, err = f.knobs(); err != nil {
		return err
	}
	cfg.Seed, cfg.NoProbe, cfg.AnyLoad, cfg.AnyBudget = f.orders.Seed, f.orders.NoProbe, false, false
	configured := []*wire.Endpoint{&cfg.Endpoint}
	for i := range cfg.Others {
		configured = append(configured, &cfg.Others[i])
	}
	for i, to := range configured {
		*to = f.orders.Endpoints[i].endpoint(to.Key)
	}
	return nil
}

func (f *Found) knobs() (snapshot.Knobs, error) {
	return engine.UnpackKnobs(f.orders.Knobs, dataset.Open)
}

// attach has a fleet take over the run.
func (f *Fleet) attach(to *Found) {
	f.run, f.term, f.lanes = to.orders.Run, to.orders.Term+1, to.lanes
	f.numbers.next, f.talks.next = to.numbers, to.talks
	f.open.process.Number = processNumber(&to.orders)
	f.attached = true
}

func processNumber(o *orders) uint64 {
	if o.Process == nil {
		return 0
	}
	return o.Process.Number
}
