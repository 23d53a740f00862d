// This file tests the scripts that a data set gives.

package shape

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/chat"
	"tokdyno/engine/shape/dataset"
)

// items is a data set in memory; what is broken can't be read.
type items struct {
	name, hash string
	list       []dataset.Item
	broken     map[int]bool
}

func (d *items) Name() string {
	if d.name == "" {
		return "lines.jsonl"
	}
	return d.name
}
func (d *items) Hash() string { return d.hash }
func (d *items) Len() int     { return len(d.list) }
func (d *items) Item(i int) (dataset.Item, error) {
	if d.broken[i] {
		return dataset.Item{}, fmt.Errorf("line %d is cut off", i+1)
	}
	return d.list[i], nil
}

// The data sets of files are sources.
var _ Source = (*dataset.Set)(nil)

// prompts returns a data set of n prompts, each of which says its number.
func prompts(n int) *items {
	d := &items{broken: map[int]bool{}}
	for i := range n {
		d.list = append(d.list, dataset.Item{Line: i + 1, Turns: []dataset.Turn{{Prompt: fmt.Sprint(i)}}})
	}
	return d
}

func TestItemsComeAllBeforeAnyComesAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "items")
		s := Shape{Output: Fixed(5), Data: prompts(n)}
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		var orders [2]string
		for round := range orders {
			seen := map[string]bool{}
			for i := range n {
				text := made(g, uint64(round*n+i), s).Turns[0].Text
				orders[round] += " " + text
				seen[text] = true
			}
			if len(seen) != n {
				t.Fatalf("round %d gave %d of %d items", round, len(seen), n)
			}
		}
		if n > 20 && orders[0] == orders[1] {
			t.Fatalf("both rounds had the order%s", orders[0])
		}
	})
}

func TestItemIsAskedAsItIs(t *testing.T) {
	history := []chat.Message{{Role: "user", Content: "Hello"}, {Role: "assistant", Content: "Hello."}}
	d := &items{list: []dataset.Item{{Line: 1, System: "Be brief.", Turns: []dataset.Turn{
		{Messages: history, Prompt: "And now?", OutputTokens: 77},
		{Prompt: "Why?"},
		{Prompt: "No.", OutputTokens: 2 * MaxTokens},
	}}}}
	s := Shape{
		Prompt: Fixed(50), Output: Uniform(10, 20), Data: d, Think: time.Second, PrefixOverlap: 1, Text: Code, Turns: Fixed(9),
	}
	got := made(NewGenerator(1), 12, s)
	second, third := &got.Turns[1], &got.Turns[2]
	if second.OutputTokens < 10 || second.OutputTokens > 20 {
		t.Errorf("a turn without an answer's length asks for %d tokens", second.OutputTokens)
	}
	if second.Think <= 0 || third.Think <= 0 || second.Think == third.Think {
		t.Errorf("%+v", got.Turns)
	}
	second.OutputTokens, second.Think, third.Think = 0, 0, 0
	want := Script{System: "Be brief.", Turns: []Turn{
		{Messages: history, Text: "And now?", OutputTokens: 77}, {Text: "Why?"}, {Text: "No.", OutputTokens: MaxTokens},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestItemThatCannotBeReadGivesPlace(t *testing.T) {
	d := prompts(50)
	g, s := NewGenerator(1), Shape{Output: Fixed(5), Data: d}
	d.list[20].Turns = nil
	d.broken[21], d.broken[22], d.broken[49] = true, true, true
	for i := range uint64(50) {
		if text := made(g, i, s).Turns[0].Text; text == "20" || text == "21" || text == "22" || text == "49" {
			t.Errorf("script %d is item %s", i, text)
		}
	}
	for i := range 50 {
		d.broken[i] = true
	}
	script, err := g.Script(0, s)
	if err == nil || script.Turns != nil {
		t.Fatalf("%v, %v", script, err)
	}
	var line int
	if _, scan := fmt.Sscanf(err.Error(), "the data set lines.jsonl can't be read: line %d is cut off", &line); scan != nil {
		t.Error(err)
	}
	_, err = g.Script(0, Shape{Output: Fixed(5), Data: &items{}})
	if err == nil || err.Error() != "the data set lines.jsonl holds no prompt" {
		t.Error(err)
	}
}

// unreadable is a data set whose errors have a kind.
type unreadable struct{ *items }

var errKind = errors.New("the file is gone")

func (unreadable) Item(int) (dataset.Item, error) { return dataset.Item{}, errKind }

func TestItemErrorKeepsItsKind(t *testing.T) {
	if _, err := NewGenerator(1).Script(0, Shape{Output: Fixed(5), Data: unreadable{prompts(1)}}); !errors.Is(err, errKind) {
		t.Error(err)
	}
}
