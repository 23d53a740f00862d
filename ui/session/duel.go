// This file runs a duel, with or without a terminal.

package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"tokdyno/engine"
	"tokdyno/engine/compare"
	"tokdyno/engine/duel"
	"tokdyno/engine/expose"
	"tokdyno/engine/run"
	"tokdyno/engine/sim"
	"tokdyno/engine/snapshot"
	"tokdyno/engine/units"
	"tokdyno/engine/wire"
	"tokdyno/ui/console"
	"tokdyno/ui/report/form"
)

// Duel says how endpoints are held side by side.
type Duel struct {
	Mode   snapshot.DuelMode // "": they are not
	Turn   time.Duration     // alternate: for how long each is measured in its turn
	Winner string            // the letter of the side that is to be better, or equal within the margin; "": none is
	Margin string            // a share, or such shares by metric

	unjudged bool // the verdict is for nobody: the servers are simulated, or a person left while it ran
	side     int  // that is to win; -1: none
	margin   []compare.Allowance
}

// DefaultMargin is the margin where nobody chose another.
const DefaultMargin = "5%"

// prepare reads what is asked of a duel of so many sides. Its errors are of usage.
func (d *Duel) prepare(sides int, first *snapshot.Knobs) (err error) {
	d.side = -1
	if d.Winner == "" {
		return nil
	}
	side, ok := snapshot.SideOf(d.Winner, sides)
	if !ok {
		return fmt.Errorf("--winner %s is no side; they are A to %s, in the order of the URLs", d.Winner, snapshot.Letter(sides-1))
	}
	d.side = side
	if d.margin, err = parseMargin(d.Margin, first); err != nil {
		return fmt.Errorf("--margin: %w", err)
	}
	return nil
}

// parseMargin reads by how much which figures of the winner may be worse. A share alone is that of goodput or, without an SLO,
// of what stands for it.
func parseMargin(text string, k *snapshot.Knobs) ([]compare.Allowance, error) {
	share, err := units.ParseShare(text)
	if err != nil {
		return compare.ParseAllowances(text)
	}
	names := "ttft_p95, tpot_p95, output_tok_s"
	if k.SLO.Active() {
		names = "goodput_s"
	}
	metrics, err := compare.Parse(names)
	if err != nil {
		return nil, err
	}
	if share <= 0 || share >= 1 {
		return nil, fmt.Errorf("%s is no margin; it lies between 0 and 100%%", text)
	}
	var list []compare.Allowance
	for _, m := range metrics {
		list = append(list, compare.Allowance{Metric: m, Allowed: share})
	}
	return list, nil
}

// sides are the configurations of the sides, in the order of the endpoints.
func (d *Duel) sides(cfg engine.Config) (list []engine.Config) {
	endpoints := append([]engine.Config{cfg}, make([]engine.Config, len(cfg.Others))...)
	for i := range cfg.Others {
		endpoints[i+1] = cfg
		endpoints[i+1].Endpoint = cfg.Others[i]
	}
	for i := range endpoints {
		endpoints[i].Others, endpoints[i].Enough = nil, 0 // all end at the same time, whatever is known of any
	}
	return endpoints
}

// CheckDuel runs a duel to its end and prints what its sides differ by, and each one's report. The error carries the exit
// status: that of the winner's comparison where one was named, else that of the sides' own verdicts.
func CheckDuel(ctx context.Context, cfg engine.Config, sources Sources, output Output, of Duel, std Streams) error {
	return of.run(ctx, cfg, sources, output, nil, std)
}

// ConsoleDuel runs the console on a duel until the person leaves it; see Console.
func ConsoleDuel(ctx context.Context, cfg engine.Config, sources Sources, output Output, of Duel, look Look, std Streams) error {
	return of.run(ctx, cfg, sources, output, &look, std)
}

// DemoDuel opens the console on simulated servers side by side; see Demo.
func DemoDuel(ctx context.Context, cfg engine.Config, simulators []sim.Config, output Output, of Duel, look Look, std Streams) error {
	if err := output.inDuel(&look, std); err != nil {
		return err
	}
	cfg.Others = make([]wire.Endpoint, len(simulators)-1)
	configs := of.sides(cfg)
	for i := range configs {
		done, err := simulate(&configs[i], simulators[i])
		if err != nil {
			return err
		}
		defer done()
	}
	of.unjudged = true
	return of.load(ctx, configs, output, &look, std)
}

// run runs a duel; look is nil where it is a check.
func (d *Duel) run(ctx context.Context, cfg engine.Config, sources Sources, output Output, look *Look, std Streams) error {
	if err := output.inDuel(look, std); err != nil {
		return err
	}
	configs := d.sides(cfg)
	for i := range configs {
		done, err := sources.of(i).open(ctx, &configs[i])
		if err != nil {
			return fmt.Errorf("%s: %w", snapshot.Letter(i), err)
		}
		defer done()
	}
	return d.load(ctx, configs, output, look, std)
}

// load puts load on the sides.
func (d *Duel) load(ctx context.Context, configs []engine.Config, output Output, look *Look, std Streams) error {
	if look != nil {
		for i := range configs {
			configs[i].KeepText = look.KeepText
		}
	}
	with := &accompaniment[run.DuelDocument]{Output: output, std: std, forms: form.Duels()}
	var all []*engine.Config
	for i := range configs {
		all = append(all, &configs[i])
	}
	with.take(all...)
	watched := look != nil && std.Interactive()
	held, err := duel.New(duel.Config{Sides: configs, Mode: d.Mode, Turn: d.Turn, Watched: watched})
	if err != nil {
		return err
	}
	if err := d.prepare(len(configs), &configs[0].Knobs); err != nil {
		return err
	}
	var runs []expose.Run
	for _, eng := range held.Engines() {
		runs = append(runs, eng)
	}
	if err := with.open(runs...); err != nil {
		return err
	}
	defer with.close()
	if !watched {
		interrupted, err := watch(ctx, held, with.text(std))
		return d.conclude(held, with, interrupted, err)
	}
	th, err := look.choose()
	if err != nil {
		return err
	}
	runErr, ended, drawErr := draw(ctx, held, console.Options{
		Theme: th, In: std.In, Out: std.Out, Mouse: look.Mouse.on(os.Getenv), Version: std.Version, Presets: choices(look.Presets),
	}, look.Share)
	if err := errors.Join(drawErr, endpointError(runErr)); err != nil && held.Snapshot().Counts.Started == 0 || drawErr != nil {
		with.files.discard()
		return err
	}
	d.unjudged = d.unjudged || !ended
	return d.conclude(held, with, false, runErr)
}

// inDuel refuses what can't be the result of a duel.
func (o Output) inDuel(look *Look, std Streams) error {
	if look != nil {
		if err := o.besideScreen(std); err != nil {
			return err
		}
	}
	return validate(o, form.Duels())
}
