// This file is the version: a release's, or what the Go toolchain knows of the source.

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"tokdyno/ui/session"
)

// These are set when a release is built: -ldflags "-X main.version=1.2.3 -X main.commit=… -X main.date=…".
var version, commit, date = "", "", ""

// build is which build of tokdyno this is. What is not known is "".
type build struct {
	version, commit, date string // the date is of the commit
	changed               bool   // files differed from the commit
}

// buildOf completes what a release was told with what the toolchain wrote down; info may be nil.
func buildOf(told build, info *debug.BuildInfo) build {
	b := told
	if info != nil {
		if b.version == "" && info.Main.Version != "(devel)" {
			b.version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && b.commit == "":
				b.commit = s.Value
			case s.Key == "vcs.time" && b.date == "":
				b.date = s.Value
			case s.Key == "vcs.modified" && told.commit == "":
				b.changed = s.Value == "true"
			}
		}
	}
	if b.version == "" {
		b.version = "dev"
	}
	return b
}

// this is the build that runs.
func this() build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(build{version: version, commit: commit, date: date}, info)
}

// String is a line: "tokdyno 1.2.3, commit 0123456789ab of 2026-11-30T18:00:00Z, go1.26.0 linux/amd64".
func (b build) String() string {
	parts := []string{"tokdyno " + b.version}
	if b.commit != "" {
		source := "commit " + b.commit[:min(12, len(b.commit))]
		if b.date != "" {
			source += " of " + b.date
		}
		if b.changed {
			source += ", changed"
		}
		parts = append(parts, source)
	}
	return strings.Join(append(parts, fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)), ", ")
}

func newVersion(std session.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, its commit and date",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { fmt.Fprintln(std.Out, this()) },
	}
}
