// This file tests the shape: its limits, its sentences, its hash.

package shape

import (
	"math"
	"testing"
	"time"

	"tokdyno/engine/shape/dataset"
)

// with returns a valid shape with a change.
func with(change func(*Shape)) Shape {
	s := Shape{Prompt: Fixed(512), Output: Fixed(64)}
	change(&s)
	return s
}

func TestShapeValidate(t *testing.T) {
	good := Shape{Prompt: Fixed(512), Output: Uniform(1, 64), PrefixOverlap: 1}
	conversations := Shape{
		Prompt: Lognormal(512, 256), Output: list("7"), PrefixOverlap: 0.5, Prefixes: MaxPrefixes, Text: Code,
		Turns: Normal(MaxTurns, 5), Think: MaxThink,
	}
	twoItems := &items{list: make([]dataset.Item, 2)}
	for _, s := range []Shape{good, conversations, {Data: twoItems, Output: Fixed(1)}} {
		if err := s.Validate(); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
	const shares = " is out of range: it is a share from 0 to 1"
	for _, c := range []struct {
		shape Shape
		want  string
	}{
		{Shape{Output: Fixed(1)}, "prompt length: 0 tokens is out of range: a length goes from 1 to 1000000"},
		{Shape{Prompt: Fixed(1)}, "output length: 0 tokens is out of range: a length goes from 1 to 1000000"},
		{Shape{Prompt: Fixed(1), Output: Fixed(1), PrefixOverlap: -0.1}, "prefix overlap -0.1" + shares},
		{Shape{Prompt: Fixed(1), Output: Fixed(1), PrefixOverlap: 1.1}, "prefix overlap 1.1" + shares},
		{Shape{Prompt: Fixed(1), Output: Fixed(1), PrefixOverlap: math.NaN()}, "prefix overlap NaN" + shares},
		{with(func(s *Shape) { s.Prefixes = -1 }), "-1 common prefixes are out of range: there may be from 1 to 1000000"},
		{with(func(s *Shape) { s.Text = 9 }), "there is no text 9; it is words, chinese or code"},
		{with(func(s *Shape) { s.Turns = Uniform(1, 1001) }), "a conversation of 1-1001 turns is out of range: it has from 1 to 1000"},
		{with(func(s *Shape) { s.Turns = Fixed(-1) }), "a conversation of -1 turns is out of range: it has from 1 to 1000"},
		{
			with(func(s *Shape) { s.Turns = list("5\n600").Scale(2) }),
			"a conversation of file:lens.txt ×2 turns is out of range: it has from 1 to 1000",
		},
		{with(func(s *Shape) { s.Think = -time.Second }), "a think time of -1s is out of range: it goes from 0 to 24h0m0s"},
		{with(func(s *Shape) { s.Think = 25 * time.Hour }), "a think time of 25h0m0s is out of range: it goes from 0 to 24h0m0s"},
		{with(func(s *Shape) { s.Data = &items{} }), "the data set lines.jsonl holds no prompt"},
		{Shape{Data: twoItems, Prompt: Fixed(-1), Output: Fixed(1)}, "prompt length: -1 tokens is out of range: a length goes from 1 to 1000000"},
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
		{Shape{Prompt: Lognormal(512, 128), Output: list("16\n256 2")}, "1de4957f25eb"},
		{Shape{
			Prompt: Fixed(512), Output: Fixed(128), PrefixOverlap: 0.5, Prefixes: 8, Text: Chinese, Turns: Uniform(2, 5), Think: 3 * time.Second,
		}, "478a28dd3aae"},
		{Shape{Output: Fixed(128), Think: time.Minute, Data: &items{hash: "0123"}}, "f733e2065230"},
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
	for name, change := range map[string]func(*Shape){
		"one prefix":                     func(s *Shape) { s.Prefixes = 1 },
		"prefixes of nothing":            func(s *Shape) { s.Prefixes = 8 },
		"one turn":                       func(s *Shape) { s.Turns = parse("1-1") },
		"time to think between no turns": func(s *Shape) { s.Think = time.Second },
		"single turns and thinking":      func(s *Shape) { s.Turns, s.Think = Fixed(1), time.Second },
	} {
		if s := with(change); s.Hash() != with(func(*Shape) {}).Hash() {
			t.Errorf("%s changes the hash", name)
		}
	}
	one, other := &items{name: "a", hash: "a"}, &items{name: "b", hash: "b"}
	renamed := Shape{
		Output: base.Output, Data: &items{name: "c", hash: "a"},
		Prompt: base.Prompt, Text: Code, Turns: Fixed(3), PrefixOverlap: 1, Prefixes: 5,
	}
	if (Shape{Output: base.Output, Data: one}).Hash() != renamed.Hash() {
		t.Error("what means nothing beside a data set changes the hash")
	}
	talks := Shape{Prompt: base.Prompt, Output: base.Output, Turns: Fixed(3)}
	seen := map[string]Shape{}
	for _, s := range []Shape{
		base,
		{Output: base.Output, Data: one},
		{Output: base.Output, Data: other},
		{Output: base.Output, Data: one, Think: time.Second},
		{Output: base.Prompt, Data: one},
		{Prompt: base.Prompt, Output: base.Output, Text: Chinese},
		{Prompt: base.Prompt, Output: base.Output, Text: Code},
		{Prompt: base.Prompt, Output: base.Output, PrefixOverlap: 0.5, Prefixes: 2},
		{Prompt: base.Prompt, Output: base.Output, PrefixOverlap: 0.5, Prefixes: 3},
		{Prompt: Lognormal(512, 128), Output: base.Output},
		talks,
		{Prompt: base.Prompt, Output: base.Output, Turns: Uniform(1, 3)},
		{Prompt: base.Prompt, Output: base.Output, Turns: Fixed(3), Think: time.Second},
		{Prompt: base.Prompt, Output: base.Output, Turns: Fixed(3), Think: time.Minute},
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
