package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"

	"tokdyno/ui/session"
)

func TestABuildSaysItsCommitAndDate(t *testing.T) {
	info := func(version string, settings ...string) *debug.BuildInfo {
		b := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return b
	}
	const hash, day = "0123456789abcdef", "2026-11-30T18:00:00Z"
	release := build{version: "1.2.3", commit: hash, date: day}
	for name, c := range map[string]struct {
		told build
		info *debug.BuildInfo
		want string
	}{
		"a release":          {release, info("v9", "vcs.revision", "f", "vcs.time", "x", "vcs.modified", "true"), "tokdyno 1.2.3, commit 0123456789ab of 2026-11-30T18:00:00Z, go"},
		"from a checkout":    {build{}, info("v1.2.4-0.2026", "vcs.revision", hash, "vcs.time", day, "vcs.modified", "true"), "tokdyno v1.2.4-0.2026, commit 0123456789ab of 2026-11-30T18:00:00Z, changed, go"},
		"without a checkout": {build{}, info("(devel)"), "tokdyno dev, go"},
		"nothing known":      {build{}, nil, "tokdyno dev, go"},
		"a short hash":       {build{commit: "abc"}, nil, "tokdyno dev, commit abc, go"},
	} {
		if got := buildOf(c.told, c.info).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q…", name, got, c.want)
		}
	}
}

func TestTheVersionIsAFlagToo(t *testing.T) {
	root, err := newRoot(session.Streams{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"--version"})
	if err := root.Execute(); err != nil || out.String() != this().String()+"\n" {
		t.Errorf("%v: %q", err, &out)
	}
}
