package flags

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"tokdyno/engine/remote"
	"tokdyno/ui/session"
)

func TestWhichWorkersMakeALoad(t *testing.T) {
	const wait = remote.DefaultWait
	joined := remote.Link{URL: "nats://bench:4222"}
	for line, want := range map[string]struct {
		workers session.Workers
		problem string
	}{
		"":                            {},
		"--workers 4":                 {workers: session.Workers{Local: 4, Wait: wait}},
		"--workers nats://bench:4222": {workers: session.Workers{Joined: true, Link: joined, Wait: wait}},
		"--workers nats://bench:4222 --workers-min 3 --workers-wait 1m": {workers: session.Workers{Joined: true, Link: joined, Least: 3, Wait: time.Minute}},
		"--workers nats://bench:4222 --attach":                          {workers: session.Workers{Joined: true, Link: joined, Wait: wait, Attach: true}},
		"--workers 0":                                                   {problem: "out of range"},
		"--workers few":                                                 {problem: "neither a number nor the address"},
		"--workers-min 3":                                               {problem: "give --workers as well"},
		"--workers 4 --workers-min 3":                                   {problem: "give --workers nats://host:4222"},
		"--workers 4 --attach":                                          {problem: "give --workers nats://host:4222"},
		"--workers nats://bench:4222 --workers-min 3 --workers-wait 0s":   {problem: "more than nothing"},
		"--workers nats://bench:4222 --workers-min -3 --workers-wait 20s": {problem: "more than nothing"},
	} {
		t.Setenv(session.EnvToken, "")
		var w Workers
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		w.Bind(set)
		if err := set.Parse(strings.Fields(line)); err != nil {
			t.Fatal(err)
		}
		got, err := w.Config()
		switch {
		case want.problem == "" && (err != nil || got != want.workers):
			t.Errorf("%s: %+v, %v", line, got, err)
		case want.problem != "" && (err == nil || !strings.Contains(err.Error(), want.problem)):
			t.Errorf("%s: %v", line, err)
		}
	}
}
