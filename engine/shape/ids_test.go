// This file tests the prompts of token ids.

package shape

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// ids returns n different ids.
func ids(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = 1000 + 3*i
	}
	return all
}

// shared returns how many ids a and b have in common at their front.
func shared(a, b []int) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func TestIDsAreExactlyAsManyOfTheVocabulary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		i, tokens := rapid.Uint64().Draw(t, "i"), rapid.IntRange(1, 2000).Draw(t, "tokens")
		overlap, prefixes := rapid.Float64Range(0, 1).Draw(t, "overlap"), rapid.IntRange(0, 9).Draw(t, "prefixes")
		vocabulary := ids(rapid.IntRange(1, 500).Draw(t, "vocabulary"))
		got := g.IDs(i, tokens, overlap, prefixes, vocabulary)
		if len(got) != tokens || !slices.Equal(got, g.IDs(i, tokens, overlap, prefixes, vocabulary)) {
			t.Fatalf("%d ids for %d tokens, or others the second time", len(got), tokens)
		}
		for _, id := range got {
			if !slices.Contains(vocabulary, id) {
				t.Fatalf("%d is not in the vocabulary", id)
			}
		}
	})
	if got := NewGenerator(1).IDs(1, 5, 0, 0, nil); got != nil {
		t.Errorf("of no vocabulary: %v", got)
	}
	if got := NewGenerator(1).IDs(1, -5, math.NaN(), -1, ids(3)); len(got) != 1 {
		t.Errorf("of -5 tokens: %v", got)
	}
}

func TestIDsBeginUnlikeAnyOther(t *testing.T) {
	for base, digits := range map[uint64]int{1: 64, 2: 64, 255: 9, 256: 8, 257: 8, 65536: 4} {
		if got := saltDigits(base); got != digits {
			t.Errorf("a vocabulary of %d needs %d ids of salt, got %d", base, digits, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		i, j := rapid.Uint64().Draw(t, "i"), rapid.Uint64().Draw(t, "j")
		if i == j {
			t.Skip()
		}
		vocabulary := ids(rapid.IntRange(2, 500).Draw(t, "vocabulary"))
		salt := saltDigits(uint64(len(vocabulary)))
		if n := shared(g.IDs(i, 100, 0, 0, vocabulary), g.IDs(j, 100, 0, 0, vocabulary)); n >= salt {
			t.Fatalf("prompts %d and %d have %d ids in common", i, j, n)
		}
	})
}

func TestIDsShareTheirPrefix(t *testing.T) {
	g, vocabulary := NewGenerator(1), ids(256)
	least, groups := 1000, map[int]int{}
	for i := range uint64(300) {
		prompt := g.IDs(i, 100, 0.5, 3, vocabulary)
		groups[prompt[0]]++
		for j := range i {
			if other := g.IDs(j, 100, 0.5, 3, vocabulary); other[0] == prompt[0] {
				least = min(least, shared(prompt, other))
			}
		}
	}
	if least != 50 || len(groups) != 3 {
		t.Errorf("%d prefixes, of %d ids", len(groups), least)
	}
	if a, b := g.IDs(1, 100, 1, 1, vocabulary), g.IDs(2, 100, 1, 1, vocabulary); !slices.Equal(a, b) {
		t.Error("with an overlap of 1 prompts differ")
	}
}

func BenchmarkIDs(b *testing.B) {
	b.ReportAllocs()
	g, vocabulary, i := NewGenerator(1), ids(256), uint64(0)
	for b.Loop() {
		i++
		g.IDs(i, 1000, 0, 0, vocabulary)
	}
}
