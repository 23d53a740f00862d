// This file tests the queue of arrivals that wait.

package load

import (
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
)

func TestBacklogIsAQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b backlog
		var model []record.Instant
		next := record.Instant(1)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 20).Draw(t, "n") {
					b.push(arrival{scheduled: next})
					model = append(model, next)
					next++
				}
			},
			"pop": func(t *rapid.T) {
				for range min(rapid.IntRange(1, 20).Draw(t, "n"), len(model)) {
					if got := b.pop().scheduled; got != model[0] {
						t.Fatalf("popped %d, want %d", got, model[0])
					}
					model = model[1:]
				}
			},
			"clear": func(t *rapid.T) {
				if rapid.IntRange(0, 9).Draw(t, "rarely") > 0 {
					t.Skip()
				}
				if got := b.clear(); got != len(model) {
					t.Fatalf("cleared %d, want %d", got, len(model))
				}
				model = nil
			},
			"": func(t *rapid.T) {
				if b.len() != len(model) {
					t.Fatalf("length %d, want %d", b.len(), len(model))
				}
			},
		})
	})
}

// A backlog that is pushed and popped forever must not grow.
func TestBacklogUsesItsMemoryAgain(t *testing.T) {
	var b backlog
	for i := range record.Instant(100_000) {
		b.push(arrival{scheduled: i})
		if i >= 100 {
			b.pop()
		}
	}
	if cap(b.waiting) > 512 {
		t.Errorf("a queue of 100 holds %d places", cap(b.waiting))
	}
}

// What has left the backlog may be large, and must be free to go.
func TestBacklogKeepsNoWorkThatHasLeft(t *testing.T) {
	var b backlog
	for i := range 1000 {
		b.push(arrival{work: i})
		if i >= 100 {
			b.pop()
		}
		kept := 0
		for _, a := range b.waiting[:cap(b.waiting)] {
			if a.work != nil {
				kept++
			}
		}
		if kept != b.len() {
			t.Fatalf("%d works are kept for %d arrivals", kept, b.len())
		}
	}
}
