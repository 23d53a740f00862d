// This file asks this machine what tokdyno needs to know of it, for doctor.

package session

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/term"

	"tokdyno/engine/record"
	"tokdyno/engine/sim"
	"tokdyno/engine/wire"
	"tokdyno/ui/doctor"
)

// Doctor says what of this machine and this terminal hinders a measurement, and what to do about it. The error is
// doctor.ErrBlocked where tokdyno does not work here.
func Doctor(ctx context.Context, s Survey, look Look, std Streams) error {
	f, err := facts(ctx, s, look, std)
	if err != nil {
		return err
	}
	found := doctor.Examine(f)
	if s.JSON {
		err = doctor.JSON(std.Out, std.Version, found)
	} else {
		err = doctor.Print(std.Out, found, width(std.Out), &f.Theme.Glyphs)
	}
	return cmp.Or(err, doctor.Err(found))
}

// facts asks the terminal, the system, the accelerators, and a server of its own over loopback.
func facts(ctx context.Context, s Survey, look Look, std Streams) (f doctor.Facts, err error) {
	f = doctor.Facts{
		Env: os.Getenv, Terminal: std.Interactive(), Folder: std.Runs, FolderErr: writable(std.Runs),
		Cores: runtime.NumCPU(), Procs: runtime.GOMAXPROCS(0), Tick: tick(time.Now), Sleep: slept(time.Now, time.Sleep),
	}
	if f.Theme, err = look.choose(); err != nil {
		return f, err
	}
	if w, h, err := term.GetSize(int(std.Out.Fd())); err == nil {
		f.Columns, f.Rows = w, h
	}
	f.Files, _ = wire.RaiseFileLimit() // as a run does; that it stayed as it was is in the figures
	f.Streams, f.Bound = wire.StreamsThatFit()
	f.Stamps, f.Loopback = loopback(ctx)
	f.GPU = s.Look(ctx, s.Names, s.Options)
	return f, ctx.Err()
}

// stampPatience is for how long answers may come without the kernel's stamps: Linux begins to stamp a while after the first
// connection has asked for it, where none did before.
const stampPatience = time.Second

// loopback sends requests to a server of its own, and returns whose arrival stamps the answers had.
func loopback(ctx context.Context) (stamps string, err error) {
	server, err := sim.Start(sim.Config{TimeScale: 100})
	if err != nil {
		return "", err
	}
	client, err := wire.New(wire.Endpoint{URL: server.URL(), NoProxy: true}, record.NewClock())
	if err != nil {
		return "", errors.Join(err, server.Close())
	}
	for begin := time.Now(); err == nil && ctx.Err() == nil; {
		_, err = client.Probe(ctx)
		stamps = client.Stamps()
		if stamps == "kernel" || time.Since(begin) > stampPatience {
			break
		}
	}
	client.Close()
	return stamps, errors.Join(err, server.Close())
}

// writable says why no file can be made in a folder of runs. The folder is made, as a run would make it.
func writable(folder string) error {
	if folder == "" {
		return errors.New("there is no folder")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// tick is the smallest step of a clock in a thousand looks at it; 0: it did not move.
func tick(now func() time.Time) (least time.Duration) {
	before := now()
	for range 1000 {
		at := now()
		if d := at.Sub(before); d > 0 && (least == 0 || d < least) {
			least = d
		}
		before = at
	}
	return least
}

// slept is how long a sleep of doctor.NominalSleep takes, the median of several.
func slept(now func() time.Time, sleep func(time.Duration)) time.Duration {
	took := make([]time.Duration, 21)
	for i := range took {
		begin := now()
		sleep(doctor.NominalSleep)
		took[i] = now().Sub(begin)
	}
	slices.Sort(took)
	return took[len(took)/2]
}
