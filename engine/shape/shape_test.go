// This file tests the shape: its limits, its sentences, its hash.

package shape

import (
	"math"
	"testing"
)

func TestShapeValidate(t *testing.T) {
	good := Shape{Prompt: Fixed(512), Output: Uniform(1, 64), PrefixOverlap: 1}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	const shares = " is out of range: it is a share from 0 to 1"
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Shape{Output: Fixed(1)}, "prompt length: 0 tokens is out of range: a length goes from 1 to 1000000"},
		{Shape{Prompt: Fixed(1)}, "output length: 0 tokens is out of range: a length goes from 1 to 1000000"},
		{Shape{Fixed(1), Fixed(1), -0.1}, "prefix overlap -0.1" + shares},
		{Shape{Fixed(1), Fixed(1), 1.1}, "prefix overlap 1.1" + shares},
		{Shape{Fixed(1), Fixed(1), math.NaN()}, "prefix overlap NaN" + shares},
	} {
		if err := c.shape.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %s", c.shape, err, c.want)
		}
	}
}

// Run files hold these hashes: this test fails when they would no longer compare.
func TestShapeHashIsStable(t *testing.T) {
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Shape{Prompt: Fixed(512), Output: Fixed(128)}, "d9056eeb02c2"},
		{Shape{Prompt: Normal(512, 128), Output: Uniform(16, 256), PrefixOverlap: 0.25}, "72db76b56fca"},
	} {
		if got := c.shape.Hash(); got != c.want {
			t.Errorf("%v: %s, want %s", c.shape, got, c.want)
		}
	}
}

func TestShapeHashTellsShapesApartButNotSpellings(t *testing.T) {
	parse := func(text string) Length {
		l, err := ParseLength(text)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	base := Shape{Prompt: parse("512±128"), Output: parse("64")}
	same := Shape{Prompt: parse("Normal 512 / 128"), Output: parse("64-64"), PrefixOverlap: math.Copysign(0, -1)}
	if base.Hash() != same.Hash() {
		t.Errorf("%v and %v have different hashes", base, same)
	}
	seen := map[string]Shape{}
	for _, s := range []Shape{
		base,
		{Prompt: base.Output, Output: base.Prompt},
		{Prompt: base.Prompt, Output: Fixed(65)},
		{Prompt: Uniform(128, 512), Output: base.Output},
		{Prompt: base.Prompt, Output: base.Output, PrefixOverlap: 0.5},
		{Prompt: base.Prompt, Output: base.Output, PrefixOverlap: 0.5000001},
	} {
		if other, taken := seen[s.Hash()]; taken {
			t.Errorf("%v and %v have the same hash", s, other)
		}
		seen[s.Hash()] = s
	}
}
