package duel

import (
	"context"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tokdyno/engine"
	"tokdyno/engine/kept"
	"tokdyno/engine/load"
	"tokdyno/engine/record"
	"tokdyno/engine/runfile"
	"tokdyno/engine/shape"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/stage"
	"tokdyno/engine/stats"
	"tokdyno/engine/wire"
)

// TestMain runs more tests at a time than there may be cores: those that are parallel wait more than they compute.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// startSim starts a simulated server that is ten times as fast as real time.
func startSim(t *testing.T, cfg sim.Config) *sim.Server {
	t.Helper()
	cfg.TimeScale = 10
	s, err := sim.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// records are those of one side, as they ended.
type records struct {
	mu  sync.Mutex
	all []*record.Record
}

func (r *records) take(ended []*record.Record, _ record.Instant) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, ended...)
}

// byNumber are those records, by the number of the request.
func (r *records) byNumber() map[uint64]*record.Record {
	all := make(map[uint64]*record.Record)
	for _, rec := range r.all {
		all[rec.ID] = rec
	}
	return all
}

func config(s *sim.Server, with load.Setting) engine.Config {
	return engine.Config{
		Endpoint: wire.Endpoint{URL: s.URL(), NoProxy: true},
		Knobs: snapshot.Knobs{
			Load: with, Shape: shape.Shape{Prompt: shape.Uniform(64, 256), Output: shape.Uniform(8, 24)},
			Target: snapshot.DefaultTarget, Window: stats.Last30s,
		},
		Seed: 7,
	}
}

// keepRecords has a duel of two servers keep what each side's requests were.
func keepRecords(cfg *Config) *[2]records {
	got := new([2]records)
	for i := range cfg.Sides {
		cfg.Sides[i].Records = got[i].take
	}
	return got
}

// run runs a duel of two servers to its end, and returns what each side's requests were.
func run(t *testing.T, cfg Config) (*Duel, *[2]records) {
	t.Helper()
	got := keepRecords(&cfg)
	d, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d, got
}

// TestTheSameRequestsGoToEachSide has two servers that count words differently, and so would be sent other prompts if each
// were asked alone.
func TestTheSameRequestsGoToEachSide(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{WordsPerToken: 1}), startSim(t, sim.Config{WordsPerToken: 2, NoTokenize: true})
	closed := load.Setting{Mode: load.Closed, Concurrency: 4}
	cfg := Config{Sides: []engine.Config{config(a, closed), config(b, closed)}}
	const n = 40
	cfg.Sides[0].Budget = load.Budget{Requests: n}
	for i := range cfg.Sides {
		cfg.Sides[i].KeepText = n
	}
	d, _ := run(t, cfg)
	for id := range uint64(n) {
		one, ok := d.sides[0].OpenRequest(id + 1)
		other, too := d.sides[1].OpenRequest(id + 1)
		if !ok || !too || len(one.Said.Body) == 0 || string(one.Said.Body) != string(other.Said.Body) {
			t.Fatalf("request %d (%v, %v):\n%s\n%s", id+1, ok, too, one.Said.Body, other.Said.Body)
		}
	}
	if counts := d.Snapshot().Duel.Sides[1].Counts; counts.OK != n {
		t.Errorf("B, which has no budget of its own, completed %d", counts.OK)
	}
}

// TestArrivalsComeAtTheSameTime has arrivals of an open loop lie equally far apart on both sides.
func TestArrivalsComeAtTheSameTime(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	open := load.Setting{Mode: load.Open, Rate: 40, Arrival: load.Poisson}
	cfg := Config{Sides: []engine.Config{config(a, open), config(b, open)}}
	cfg.Sides[0].Budget = load.Budget{Requests: 30}
	_, got := run(t, cfg)
	one, other := got[0].byNumber(), got[1].byNumber()
	apart := one[1].Scheduled - other[1].Scheduled
	for id := range uint64(30) {
		const rounding = 2 // nanoseconds
		if d := one[id+1].Scheduled - other[id+1].Scheduled - apart; d < -rounding || d > rounding {
			t.Errorf("request %d arrives %v apart, the first %v", id+1, time.Duration(d+apart), time.Duration(apart))
		}
	}
}

func TestAnEndpointThatDiesDoesNotStopTheOther(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	cfg := Config{Sides: []engine.Config{config(a, closed), config(b, closed)}}
	d, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- d.Run(t.Context()) }()
	until(t, d, func(s *snapshot.Duel) bool { return s.Sides[1].Counts.OK > 2 })
	_ = b.Close()
	until(t, d, func(s *snapshot.Duel) bool { return s.Sides[1].Counts.Failed > 2 })
	before := d.Snapshot().Duel.Sides[0].Counts
	until(t, d, func(s *snapshot.Duel) bool { return s.Sides[0].Counts.OK > before.OK+5 })
	if n := d.Snapshot().Duel.Sides[0].Counts.Failed; n != 0 {
		t.Errorf("%d of A's failed", n)
	}
	d.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// until waits until the sides are so.
func until(t *testing.T, d *Duel, so func(*snapshot.Duel) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !so(d.Snapshot().Duel) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatal("it never came to be so")
		}
	}
}

func TestAnEndpointThatCantBeUsedIsNoSide(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	cfg := Config{Sides: []engine.Config{config(a, closed), config(b, closed)}}
	_ = b.Close()
	d, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "B: ") {
		t.Errorf("got %v", err)
	}
	if s := d.Snapshot(); s.Counts.Started != 0 {
		t.Errorf("A was sent %d requests", s.Counts.Started)
	}
	if _, err := New(Config{Sides: cfg.Sides[:1]}); err == nil {
		t.Error("there is a duel of one")
	}
}

func TestKnobsMoveAllSidesOrOne(t *testing.T) {
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	d, err := New(Config{Sides: []engine.Config{config(a, closed), config(b, closed)}, Watched: true})
	if err != nil {
		t.Fatal(err)
	}
	at := func(side int) snapshot.Knobs { return d.Snapshot().Duel.Sides[side].Knobs }
	k := at(1)
	k.Load.Concurrency = 5
	if err := d.ApplyTo(1, k); err != nil || at(0).Load.Concurrency != 2 || at(1).Load.Concurrency != 5 {
		t.Fatalf("%v: A has %s, B has %s", err, at(0).Load, at(1).Load)
	}
	if err := d.ApplyTo(2, k); err == nil {
		t.Error("there is a side C")
	}
	if d.look(); !strings.Contains(d.Snapshot().Duel.Unlike, "c=5") {
		t.Errorf("the loads differ, and it is said %q", d.Snapshot().Duel.Unlike)
	}
	k = d.Snapshot().Knobs
	k.Shape.Output = shape.Fixed(3)
	if err := d.Apply(k); err != nil {
		t.Fatal(err)
	}
	for side, c := range []int{2, 5} {
		if k := at(side); k.Load.Concurrency != c || k.Shape.Output != shape.Fixed(3) {
			t.Errorf("side %d has %s", side, k.LoadString())
		}
	}
	d.Show(1)
	if s := d.Snapshot(); s.Letter() != "B" || s.Knobs.Load.Concurrency != 5 {
		t.Errorf("%s shows, with %s", s.Letter(), s.Knobs.Load)
	}
}

// TestSidesThatTakeTurnsAreNeverUnderLoadTogether gives two servers short turns.
func TestSidesThatTakeTurnsAreNeverUnderLoadTogether(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	cfg := Config{
		Sides: []engine.Config{config(a, closed), config(b, closed)}, Mode: snapshot.Alternate, Turn: 200 * time.Millisecond,
	}
	cfg.Sides[0].Knobs.Shape.Output = shape.Fixed(150) // which takes longer than anybody looks away
	got := keepRecords(&cfg)
	d, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- d.Run(t.Context()) }()
	until(t, d, func(now *snapshot.Duel) bool { // each was measured for a turn and a half, so in two
		return !slices.ContainsFunc(now.Sides, func(s *snapshot.Snapshot) bool {
			stages, seconds, _ := settled(s)
			return len(stages) < 2 || seconds < 1.5*cfg.Turn.Seconds()
		})
	})
	d.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if turns := len(stretches(t, got)); turns < 3 { // ABBA, or BAAB
		t.Errorf("there were %d turns", turns)
	}
}

// stretch is a time in which one side alone had requests.
type stretch struct {
	from, to record.Instant
	side     int
}

// stretches are those of a duel by turns, whose sides must not have requests at the same time.
func stretches(t *testing.T, got *[2]records) (turns []stretch) {
	t.Helper()
	var all []stretch
	for side := range got {
		for _, r := range got[side].all {
			all = append(all, stretch{r.Started, r.End, side})
		}
	}
	slices.SortFunc(all, func(x, y stretch) int { return int(x.from - y.from) })
	last := stretch{side: -1}
	for _, s := range all {
		if s.side != last.side {
			if s.from < last.to {
				t.Errorf("a request of %s began %v before the last of the other had ended", snapshot.Letter(s.side), time.Duration(last.to-s.from))
			}
			turns, last = append(turns, s), s
		}
		last.to = max(last.to, s.to)
		turns[len(turns)-1].to = last.to
	}
	return turns
}

// TestAutopilotsTakeTurns walks levels on two servers by turns, each of which is a level.
func TestAutopilotsTakeTurns(t *testing.T) {
	t.Parallel()
	const steady = 100 * time.Millisecond
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	cfg := Config{
		Sides: []engine.Config{config(a, load.Setting{Mode: load.Closed, Concurrency: 1}), config(b, load.Setting{Mode: load.Closed, Concurrency: 1})},
		Mode:  snapshot.Alternate, Turn: time.Second,
	}
	pilot := snapshot.AutopilotRun{Kind: snapshot.Ladder, Levels: load.Levels{Values: []float64{1, 2, 4}}, Effort: stage.Effort{Requests: 10, Steady: steady}}
	for i := range cfg.Sides {
		cfg.Sides[i].Autopilot = &pilot
	}
	d, got := run(t, cfg)
	var order string
	for _, s := range stretches(t, got) {
		order += snapshot.Letter(s.side)
	}
	if order != "ABABA" && order != "BABAB" && order != "ABAB" && order != "BABA" { // ABBAAB, or ABBABA
		t.Errorf("turns %s", order)
	}
	for i, s := range d.Snapshot().Duel.Sides {
		var at []float64
		for _, r := range s.Pilot.Progress.Rungs {
			at = append(at, r.Level)
		}
		stages, _, _ := settled(s)
		if !s.Pilot.Finished || !slices.Equal(at, []float64{1, 2, 4}) || len(stages) != 1 || s.State != snapshot.Ended {
			t.Errorf("%s has walked %v, and settled in %d stages: %s", snapshot.Letter(i), at, len(stages), s.Pilot.Why)
		}
		for _, row := range s.Stages {
			if row.Summary.Settling || row.Summary.Spans < steady {
				t.Errorf("%s: stage %d at %s has not been measured", snapshot.Letter(i), row.Number, row.Knobs.Load)
			}
		}
	}
}

// TestADuelIsPlayedInStep keeps a duel and plays the recordings of its sides.
func TestADuelIsPlayedInStep(t *testing.T) {
	t.Parallel()
	a, b := startSim(t, sim.Config{}), startSim(t, sim.Config{})
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	cfg := Config{Sides: []engine.Config{config(a, closed), config(b, closed)}}
	cfg.Sides[0].Budget = load.Budget{Duration: 1200 * time.Millisecond}
	runs := kept.Runs{Folder: t.TempDir()}
	for i := range cfg.Sides {
		cfg.Sides[i].Keep = &engine.Keep{Open: func(h runfile.Header) (*runfile.Recorder, error) {
			return runs.Create(h, runfile.Options{})
		}}
	}
	ended := make(chan struct{})
	cfg.Sides[1].Records = func([]*record.Record, record.Instant) {
		select {
		case <-ended:
		default:
			close(ended)
		}
	}
	cfg.Watched = true
	live, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	asking.Go(func() {
		<-ended
		live.Spend()
		live.Spend()
	})
	if err := live.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	asking.Wait()
	for i, side := range live.Over(stats.WholeRun).Duel.Sides {
		if before := live.Snapshot().Duel.Sides[i].Knobs.Window; side.Knobs.Window != stats.WholeRun || before == stats.WholeRun {
			t.Errorf("side %d is over %v for who looks besides, and over %v for the owner", i, side.Knobs.Window, before)
		}
	}
	list, err := runs.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%d are kept, %v", len(list), err)
	}
	var players []*engine.Player
	for i := range slices.Backward(list) { // the newest first, and of one instant B before A
		p, err := engine.NewPlayer(func() (io.ReadCloser, error) { return os.Open(list[i].Path) })
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.Looks() != 2 {
			t.Errorf("%d looks are kept", p.Looks())
		}
		players = append(players, p)
	}
	r := NewReplay(players)
	if err := r.Seek(600 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	r.Show(1)
	s := r.Snapshot()
	one, other := s.Duel.Sides[0], s.Duel.Sides[1]
	if apart := one.Replay.At - other.Replay.At; s.Letter() != "B" || apart.Abs() > 200*time.Millisecond || one.Counts.OK == 0 {
		t.Errorf("A is at %v, B at %v", one.Replay.At, other.Replay.At)
	}
	if err := r.Seek(time.Hour); err != nil {
		t.Fatal(err)
	}
	for i, side := range r.Snapshot().Duel.Sides {
		if want := live.Snapshot().Duel.Sides[i].Counts; side.Counts != want {
			t.Errorf("%s: played %+v, was %+v", snapshot.Letter(i), side.Counts, want)
		}
	}
	k := s.Knobs
	k.Target = 0.5
	if err := r.Apply(k); err != nil || r.Snapshot().Duel.Sides[0].Knobs.Target != 0.5 {
		t.Errorf("an SLO can't be turned of a recording: %v", err)
	}
	if k.Load.Concurrency++; r.Apply(k) == nil {
		t.Error("the load of a recording was turned")
	}
}

// TestTurnsGoThereAndBack looks at the order of many turns of three sides.
func TestTurnsGoThereAndBack(t *testing.T) {
	closed := load.Setting{Mode: load.Closed, Concurrency: 2}
	side := config(startSim(t, sim.Config{}), closed)
	d, err := New(Config{Sides: []engine.Config{side, side, side}, Mode: snapshot.Alternate})
	if err != nil {
		t.Fatal(err)
	}
	orders := make(map[int]bool)
	for range 50 {
		o := d.nextOrder()
		d.order = nil
		if len(o) != 6 || o[0] != o[5] || o[1] != o[4] || o[2] != o[3] || o[0]+o[1]+o[2] != 3 {
			t.Fatalf("order %v", o)
		}
		orders[o[0]*10+o[1]] = true
	}
	if len(orders) != 6 {
		t.Errorf("%d orders of 6 came up in 50", len(orders))
	}
	if held := d.held; !slices.Contains(held, false) || !slices.Contains(held, true) {
		t.Errorf("at first, %v are held", held)
	}
}
