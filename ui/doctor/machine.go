// This file is the checks of the machine: GPU, files, clock, stamps, proxy, folder, processor.

package doctor

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"tokdyno/engine/units"
	"tokdyno/ui/cell"
)

const (
	// fewStreams is how many streams are few: a search on a large server goes beyond.
	fewStreams = 1000
	// coarseTick is a step of the clock that shows in gaps between tokens, of which the shortest are a millisecond.
	coarseTick = 100 * time.Microsecond
	// lateSleep is how long a sleep of a millisecond may take: beyond, an open loop's arrivals start late enough to be seen.
	lateSleep = 3 * time.Millisecond
)

func accelerators(f Facts) Finding {
	if n := len(f.GPU.Reading.Devices); n > 0 {
		return fine(fmt.Sprintf("%s by %s", count(n, "GPU"), f.GPU.Reading.Source))
	}
	if len(f.GPU.Tried) == 0 {
		return fine("none was looked for")
	}
	why := "there is none"
	for _, t := range f.GPU.Tried {
		if !t.OK {
			why = "none can be read: " + t.Reason
			break
		}
	}
	return advice(why, "on another machine: --gpu ssh:HOST, or --gpu URL for an exporter's page; tokdyno gpu has the details")
}

func files(f Facts) Finding {
	if f.Streams == math.MaxInt {
		return fine("no limit is known")
	}
	says := fmt.Sprintf("limit %s, for up to %s requests in flight", units.Count(int(min(f.Files, math.MaxInt32))), units.Count(f.Streams))
	switch {
	case f.Streams < 1:
		return blocked(says, "raise the limit: ulimit -n 65536")
	case f.Streams < fewStreams:
		return advice(says, f.Bound)
	}
	return fine(says)
}

func clock(f Facts) Finding {
	step := "not known"
	if f.Tick > 0 {
		step = units.Count(int(f.Tick.Nanoseconds())) + " ns"
	}
	sleep := cell.Unknown
	if f.Sleep > 0 {
		sleep = cell.Latency(f.Sleep).String()
	}
	says := fmt.Sprintf("steps of %s; a sleep of %s takes %s", step, units.Time(NominalSleep), sleep)
	switch {
	case f.Tick > coarseTick:
		return advice(says, "gaps between tokens are no finer than these steps; measure from another machine for finer ones")
	case f.Sleep > lateSleep:
		return advice(says, "arrivals of an open loop start late by as much: stop what else runs here, or raise the container's CPU limit")
	}
	return fine(says)
}

func stamps(f Facts) Finding {
	switch {
	case f.Loopback != nil:
		return blocked("a request to this machine itself failed: "+f.Loopback.Error(), "allow connections to 127.0.0.1, which the demo needs as well")
	case f.Stamps == "kernel":
		return fine("by the kernel: a client that wakes up late does not count as latency")
	}
	return advice("taken when tokdyno reads: how late it wakes up is part of each latency", "keep processors free; only Linux stamps what arrives")
}

func proxy(f Facts) Finding {
	var set []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
		if v := orElse(f.Env(name), f.Env(strings.ToLower(name))); v != "" {
			set = append(set, name+" is "+proxyHost(v))
		}
	}
	if len(set) == 0 {
		return fine("none in the environment")
	}
	says := strings.Join(set, ", ")
	if except := orElse(f.Env("NO_PROXY"), f.Env("no_proxy")); except != "" {
		says += ", NO_PROXY=" + except
	}
	return advice(says, "its time is part of every latency: --no-proxy goes directly, and so do hosts in NO_PROXY; localhost always does")
}

// proxyHost is where a proxy is, without the user and the password that may be in its URL.
func proxyHost(text string) string {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "set, but not an address"
	}
	return u.Host
}

func folder(f Facts) Finding {
	if f.FolderErr != nil {
		return advice("nothing can be written in "+f.Folder+": "+f.FolderErr.Error(),
			"set XDG_STATE_HOME to a folder of yours, or do without kept runs: --no-keep")
	}
	return fine("in " + f.Folder)
}

func processor(f Facts) Finding {
	says := count(f.Cores, "core")
	switch {
	case f.Procs < f.Cores:
		return advice(fmt.Sprintf("%s, of which tokdyno uses %d", says, f.Procs),
			"GOMAXPROCS, or the CPU limit of a container, holds it back: raise it for loads of thousands of streams")
	case f.Cores < 2:
		return advice(says, "with a server on the same machine both take it from each other; measure from another one")
	}
	return fine(says)
}

// count is a number of things: "1 core", "8 cores".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return units.Count(n) + " " + what
}
