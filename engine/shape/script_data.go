// This file makes scripts of a data set's items.

package shape

import (
	"fmt"
	"math/rand/v2"

	"tokdyno/engine/shape/dataset"
)

// itemTries is how many items are tried until one can be read.
const itemTries = 8

// item returns the script i of a data set: its items in an order drawn by the seed, all once before any comes again,
// and then in another order.
func (g *Generator) item(i uint64, s Shape) (Script, error) {
	n := s.Data.Len()
	if n < 1 {
		return Script{}, fmt.Errorf("the data set %s holds no prompt", s.Data.Name())
	}
	var source rand.PCG
	g.seek(&source, itemOrder, 0, i/uint64(n))
	at := int(permute(i%uint64(n), uint64(n), source.Uint64()))
	var first error
	for try := range min(itemTries, n) {
		item, err := readItem(s.Data, (at+try)%n)
		if err == nil {
			return g.ask(i, item, s), nil
		}
		if first == nil {
			first = err
		}
	}
	return Script{}, fmt.Errorf("the data set %s can't be read: %w", s.Data.Name(), first)
}

// readItem reads an item, and sees to it that it asks something.
func readItem(data Source, at int) (dataset.Item, error) {
	item, err := data.Item(at)
	if err == nil && len(item.Turns) == 0 {
		err = fmt.Errorf("line %d holds no prompt", item.Line)
	}
	return item, err
}

// ask makes a script of an item.
func (g *Generator) ask(i uint64, item dataset.Item, s Shape) Script {
	var source rand.PCG
	turns := make([]Turn, len(item.Turns))
	for turn, from := range item.Turns {
		t := &turns[turn]
		t.Messages, t.Text, t.OutputTokens = from.Messages, from.Prompt, min(from.OutputTokens, MaxTokens)
		if t.OutputTokens < 1 {
			t.OutputTokens = g.draw(&source, outputLengths, turn, i, s.Output)
		}
		if turn > 0 {
			t.Think = g.think(&source, turn, i, s.Think)
		}
	}
	return Script{System: item.System, Turns: turns}
}
