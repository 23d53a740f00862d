package runfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
	"tokdyno/engine/stats"
)

// Texts come back whole, over several blocks, and those that don't fit into a file are left out.
func TestTextsComeBack(t *testing.T) {
	w := &writer{}
	var err error
	if w.blocks, err = newBlockWriter(); err != nil {
		t.Fatal(err)
	}
	list := []stats.SaidBy{{ID: 7, Said: stats.Said{
		Body: []byte(`{"messages":[{"content":"hé"}]}`), BodyCut: true, Answer: "yes", Told: []record.Told{{Name: "a", Value: "1"}},
	}}}
	for i := range 300 {
		list = append(list, stats.SaidBy{ID: uint64(100 + i), Said: stats.Said{Body: []byte("{}"), Answer: strings.Repeat("x", 1<<16)}})
	}
	data, err := w.addTexts(nil, list)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newBlockReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, blocks := make(map[uint64]stats.Said), 0
	for {
		kind, payload, err := r.next()
		if err != nil {
			break
		}
		if blocks++; kind != blockTexts || len(payload) > 2*textBlock {
			t.Fatalf("block %d has type %d and %d bytes", blocks, kind, len(payload))
		}
		if err := readTexts(payload, got); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(list[0].Said, got[7]); diff != "" {
		t.Error(diff)
	}
	if fit := mostTexts>>16 + 1; blocks < 8 || len(got) < fit-3 || len(got) > fit {
		t.Errorf("%d texts in %d blocks", len(got), blocks)
	}
}
