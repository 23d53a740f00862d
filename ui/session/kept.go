// This file keeps runs, lists those that are kept, and changes what is said of them.

package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"tokdyno/engine"
	"tokdyno/engine/kept"
	"tokdyno/engine/runfile"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
)

// Keeping says whether a run is kept, and how many are.
type Keeping struct {
	No, NoGaps bool
	Texts      bool // what requests said and were answered is kept too; see engine.Keep
	Limits     kept.Limits
}

// To is where a run goes; nil: nowhere.
func (k Keeping) To(std Streams) *engine.Keep {
	if k.No || std.Runs == "" {
		return nil
	}
	runs := kept.Runs{Folder: std.Runs}
	return &engine.Keep{Version: std.Version, Texts: k.Texts, Open: func(h runfile.Header) (*runfile.Recorder, error) {
		if err := runs.Prune(k.Limits); err != nil {
			return nil, err
		}
		return runs.Create(h, runfile.Options{NoGaps: k.NoGaps})
	}}
}

// ListRuns prints the runs that are kept, the newest first.
func ListRuns(std Streams) error {
	runs := kept.Runs{Folder: std.Runs}
	list, err := runs.List()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		_, err := fmt.Fprintf(std.Out, "no run is kept in %s so far\n", std.Runs)
		return err
	}
	t := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RUN\tWHEN\tENDPOINT\tMODEL\tLOAD\tBEST\tSLO\tREQUESTS\tSIZE\tNAME")
	for i := range list {
		fmt.Fprintln(t, strings.Join(runLine(list, i), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "\nThey are in %s. Show one with \"tokdyno runs show last\"; name one and it stays.\n", std.Runs)
	return err
}

// called is how the run so many before the newest is called.
func called(back int) string {
	if back == 0 {
		return "last"
	}
	return fmt.Sprintf("last~%d", back)
}

// besides says which side of a duel a run was, and which runs are the others'; "" where it was alone.
func besides(list []kept.Run, back int) string {
	of := list[back].Header.Duel
	if of == nil {
		return ""
	}
	text := "duel " + of.Letter()
	for i := range slices.Backward(list) {
		if d := list[i].Header.Duel; i != back && d != nil && d.ID == of.ID {
			text += fmt.Sprintf(", %s %s", d.Letter(), called(i))
		}
	}
	return text
}

func runLine(list []kept.Run, back int) []string {
	r, name := &list[back], called(back)
	said := r.Said.Name
	if r.Said.Baseline {
		said = strings.TrimSpace(said + " (baseline)")
	}
	if with := besides(list, back); with != "" {
		said = strings.TrimSpace(said + " (" + with + ")")
	}
	size := humanize.Bytes(uint64(r.Size))
	if r.Err != nil {
		return []string{name, r.Latest.Local().Format(time.DateTime), cell.OneLine(r.Err), "", "", "", "", "", size, said}
	}
	h := &r.Header
	model := h.Model
	if h.Simulated {
		model += " SIMULATED"
	}
	best, verdict, requests := cell.Unknown, cell.Unknown, "cut short"
	if r.Running(time.Now()) {
		requests = "running"
	}
	if sum, ok := r.Sum(); ok {
		best, verdict = orUnknown(sum.Best), orUnknown(strings.Replace(sum.Verdict, string(slo.Unknown), "not yet known", 1))
		requests = cell.Grouped(int64(sum.OK))
		if sum.Failed > 0 {
			requests += fmt.Sprintf(" +%s failed", cell.Grouped(int64(sum.Failed)))
		}
	}
	return []string{
		name, h.Started.Local().Format(time.DateTime), cell.Host(h.URL), model, h.Load, best, verdict, requests, size, said,
	}
}

func orUnknown(text string) string {
	if text == "" {
		return cell.Unknown
	}
	return text
}

// findOurs finds a run whose file is tokdyno's own: nothing is said of other files, and none of them is removed.
func findOurs(runs kept.Runs, what string) (string, error) {
	path, err := runs.Find(what)
	if err == nil && !strings.HasSuffix(path, kept.Suffix) {
		err = fmt.Errorf("%s is no run that tokdyno kept", path)
	}
	return path, err
}

// NameRun gives a run a name, by which it is found and for which it stays; "" takes the name away. No two runs have one
// name.
func NameRun(std Streams, what, name string) error {
	runs := kept.Runs{Folder: std.Runs}
	path, err := findOurs(runs, what)
	if err != nil {
		return err
	}
	run := kept.Look(path)
	if name != "" {
		if err := kept.CheckName(name); err != nil {
			return err
		}
		if other, err := runs.Find(name); err == nil && other != path {
			return fmt.Errorf("%q is another run's name already: %s", name, other)
		}
	}
	run.Said.Name = name
	if err := kept.Say(path, run.Said); err != nil {
		return err
	}
	if name == "" {
		_, err = fmt.Fprintf(std.Out, "%s has no name any more\n", run.File())
	} else {
		_, err = fmt.Fprintf(std.Out, "%s is %q, and stays\n", run.File(), name)
	}
	return err
}

// MarkBaseline says that later runs are held against a run, or that they are not any more.
func MarkBaseline(std Streams, what string, on bool) error {
	path, err := findOurs(kept.Runs{Folder: std.Runs}, what)
	if err != nil {
		return err
	}
	run := kept.Look(path)
	if on && run.End == nil {
		return errors.New("a run that did not come to its end is no baseline")
	}
	run.Said.Baseline = on
	if err := kept.Say(path, run.Said); err != nil {
		return err
	}
	is := "is a baseline, and stays"
	if !on {
		is = "is no baseline any more"
	}
	_, err = fmt.Fprintf(std.Out, "%s %s\n", run.File(), is)
	return err
}

// RemoveRuns takes runs away.
func RemoveRuns(std Streams, what []string) error {
	runs := kept.Runs{Folder: std.Runs}
	var paths []string
	for _, w := range what { // all are found before the first goes, or last~1 would be another one
		path, err := findOurs(runs, w)
		if err != nil {
			return err
		}
		paths = append(paths, path)
	}
	for _, path := range paths {
		run := kept.Look(path)
		if run.Running(time.Now()) {
			return fmt.Errorf("%s goes on; end it first", run.File())
		}
		if err := kept.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if _, err := io.WriteString(std.Out, "removed "+run.File()+"\n"); err != nil {
			return err
		}
	}
	return nil
}
