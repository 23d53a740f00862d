// This file tests that a run's file has what requests said where somebody asked for that, and only there.

package engine

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"tokdyno/engine/query"
	"tokdyno/engine/runfile"
)

func TestTextsAreRecordedWhereSomebodyAskedForThem(t *testing.T) {
	t.Parallel()
	for name, asked := range map[string]bool{"asked for": true, "not asked for": false} {
		s := startSim(t)
		cfg := closedLoop(s.URL(), 4)
		cfg.Budget.Requests = 20
		cfg.KeepText = 5
		path := keptIn(t, &cfg, runfile.Options{})
		cfg.Keep.Texts = asked
		eng, _ := runToEnd(t, cfg)
		player := playerOf(t, path)
		if err := player.Finish(); err != nil {
			t.Fatal(err)
		}
		recorded := 0
		for id := range uint64(20) {
			then, _ := eng.OpenRequest(id + 1)
			now, ok := player.OpenRequest(id + 1)
			if !ok {
				t.Fatalf("%s: #%d can't be opened", name, id+1)
			}
			if len(now.Said.Body) == 0 {
				continue
			}
			recorded++
			if !bytes.Equal(now.Said.Body, then.Said.Body) || now.Said.Answer != then.Said.Answer || now.Said.Answer == "" ||
				len(now.Said.Told) == 0 || len(now.Said.Told) != len(then.Said.Told) {
				t.Errorf("%s: #%d said %+v, and its recording %+v", name, id+1, then.Said, now.Said)
			}
			if _, err := query.Curl(s.URL(), &now.Said); err != nil || query.Asked(&now.Said) == "" {
				t.Errorf("%s: #%d can't be repeated: %v", name, id+1, err)
			}
		}
		if (recorded > 0) != asked || asked && recorded < 5 {
			t.Errorf("%s: of %d requests the file has the text", name, recorded)
		}
		o := outlineOf(t, path)
		if (o.Texts != nil) != asked || o.Damage != nil {
			t.Errorf("%s: the file has texts of %d requests, damage %v", name, len(o.Texts), o.Damage)
		}
	}
}

func outlineOf(t *testing.T, path string) *runfile.Outline {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o, err := runfile.ReadOutline(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if o.Texts == nil && strings.Contains(string(data), "messages") {
		t.Error("a request's body is in the file")
	}
	return o
}
