// This file tests conversations, common prefixes and the kinds of text in them.

package shape

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/shape/trace"
)

// made returns a script without a data set.
func made(g *Generator, i uint64, s Shape) Script {
	script, err := g.Script(i, s)
	if err != nil {
		panic(err) // there is none without a data set
	}
	return script
}

func TestPromptIsTheFirstTurn(t *testing.T) {
	g := NewGenerator(1)
	s := Shape{Prompt: Normal(100, 30), Output: Uniform(1, 50), PrefixOverlap: 0.2, Turns: Fixed(4)}
	for i := range uint64(50) {
		p := g.Prompt(i, s)
		same := Turn{Text: p.Text, Words: p.Words, Tokens: p.Tokens, OutputTokens: p.OutputTokens}
		if diff := cmp.Diff(made(g, i, s).Turns[0], same); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestEveryTextHasItsUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(allTexts).Draw(t, "text")
		s := Shape{
			Prompt: Uniform(1, 800), Output: Fixed(1), Text: kind, Turns: Uniform(1, 4),
			PrefixOverlap: rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "overlap"), Prefixes: 3,
		}
		g := NewGenerator(rapid.Uint64().Draw(t, "seed"))
		rate, overhead := rapid.Float64Range(0.3, 3).Draw(t, "rate"), rapid.Float64Range(0, 60).Draw(t, "overhead")
		g.Calibration().learned(kind, rate, overhead)
		known := map[string]bool{}
		for _, unit := range append(vocabulary(kind), unitsIn(lexiconOf(kind).instruction, kind)...) {
			known[unit] = true
		}
		for turn, asked := range made(g, rapid.Uint64().Draw(t, "i"), s).Turns {
			added := 0.0
			if turn == 0 {
				added = overhead
			}
			want := max(1, int(math.Round((float64(asked.Tokens)-added)*rate)))
			units := unitsIn(asked.Text, kind)
			if len(units) != want || asked.Words != want || strings.TrimSpace(asked.Text) != asked.Text {
				t.Fatalf("turn %d, %d tokens: %d units, said %d, want %d: %q",
					turn, asked.Tokens, len(units), asked.Words, want, asked.Text)
			}
			for _, unit := range units {
				if !known[unit] {
					t.Fatalf("%q is no unit", unit)
				}
			}
		}
	})
}

func TestCalibrationCutsTextsButDoesNotChangeThem(t *testing.T) {
	for _, kind := range allTexts {
		s := Shape{Prompt: Fixed(400), Output: Fixed(1), Text: kind, Turns: Fixed(2)}
		short, long := NewGenerator(1), NewGenerator(1)
		short.Calibration().learned(kind, 0.5, 0)
		long.Calibration().learned(kind, 2, 10)
		for turn, a := range made(short, 3, s).Turns {
			b := made(long, 3, s).Turns[turn]
			instruction := lexiconOf(kind).instruction
			if body := strings.TrimSuffix(a.Text, instruction); body == a.Text || !strings.HasPrefix(b.Text, body) {
				t.Errorf("%v, turn %d: %q is not continued by %q", kind, turn, a.Text, b.Text)
			}
		}
	}
}

func TestConversationDrawsEachTurnApart(t *testing.T) {
	one := Shape{Prompt: Uniform(30, 300), Output: Uniform(1, 100), PrefixOverlap: 0.1}
	s := one
	s.Turns, s.Think = Uniform(2, 6), 4*time.Second
	g := NewGenerator(1)
	const n = 3000
	var turns, later, prompt, output, think float64
	texts := map[string]bool{}
	for i := range uint64(n) {
		script := made(g, i, s)
		if got := len(script.Turns); got < 2 || got > 6 || script.System != "" || script.Turns[0].Think != 0 {
			t.Fatalf("script %d: %d turns, the first after %v", i, got, script.Turns[0].Think)
		}
		turns += float64(len(script.Turns))
		for _, turn := range script.Turns[1:] {
			later++
			prompt, output = prompt+float64(turn.Tokens), output+float64(turn.OutputTokens)
			think += turn.Think.Seconds()
			texts[turn.Text] = true
			if !strings.HasSuffix(turn.Text, " "+englishInstruction) || turn.Messages != nil {
				t.Fatalf("a turn asks %q", turn.Text)
			}
		}
	}
	off := func(sum, count, mean float64) bool { return math.Abs(sum/count/mean-1) > 0.05 }
	if off(turns, n, 4) || off(prompt, later, 165) || off(output, later, 50.5) || off(think, later, 4) {
		t.Errorf("means: %.2f turns, %.1f and %.1f tokens, %.2f s of thinking",
			turns/n, prompt/later, output/later, think/later)
	}
	if len(texts) != int(later) {
		t.Errorf("%d different texts in %v later turns", len(texts), later)
	}
	again := NewGenerator(1)
	for _, i := range []uint64{7, 3} {
		if diff := cmp.Diff(made(g, i, s), made(again, i, s)); diff != "" {
			t.Errorf("script %d made again: %s", i, diff)
		}
	}
	if made(g, 5, one).Turns[0].Text != made(g, 5, s).Turns[0].Text {
		t.Error("turning conversations on changes what is asked first")
	}
}

func TestConversationHasNoMoreThanMaxTurns(t *testing.T) {
	s := Shape{Prompt: Fixed(1), Output: Fixed(1), Turns: Fixed(MaxTokens)}
	if n := len(made(NewGenerator(1), 1, s).Turns); n != MaxTurns {
		t.Errorf("%d turns", n)
	}
}

func TestPrefixesAreDrawnFromAPool(t *testing.T) {
	const scripts, pool, words = 4000, 4, 200
	s := Shape{Prompt: Fixed(words), Output: Fixed(1), PrefixOverlap: 0.5, Prefixes: pool}
	g, count := NewGenerator(1), map[string]int{}
	for i := range uint64(scripts) {
		fields := strings.Fields(made(g, i, s).Turns[0].Text)
		count[strings.Join(fields[:words/2], " ")]++
	}
	if len(count) != pool {
		t.Fatalf("%d prefixes", len(count))
	}
	for prefix, n := range count {
		if math.Abs(float64(n)-scripts/pool) > 6*math.Sqrt(scripts/pool) {
			t.Errorf("%.30q… came %d times in %d", prefix, n, scripts)
		}
		for other := range count {
			if other != prefix && common(prefix, other) > 2 {
				t.Errorf("%.30q… and %.30q… begin the same", prefix, other)
			}
		}
	}
	one := s
	one.Prefixes = 1
	if front := made(g, 9, one).Turns[0].Text; count[strings.Join(strings.Fields(front)[:words/2], " ")] == 0 {
		t.Error("the only prefix is none of the pool")
	}
}

// As TestPromptIsStable: a change here needs a new number in Shape.Hash.
func TestScriptIsStable(t *testing.T) {
	g := NewGenerator(1)
	s := Shape{Prompt: Fixed(16), Output: Uniform(1, 99), PrefixOverlap: 0.3, Prefixes: 9, Turns: Uniform(2, 3), Think: time.Second}
	for kind, want := range map[Text][]Turn{
		Words: {
			{Text: "trail blue lake hand sound cave week guard store fish help write trust trail green gray", Words: 16, Tokens: 16, OutputTokens: 77},
			{Text: "ask cow month start rock east money sharp catch " + englishInstruction, Words: 16, Tokens: 16, OutputTokens: 94, Think: 1169180050},
			{Text: "milk idea long cloth path know rain know long " + englishInstruction, Words: 16, Tokens: 16, OutputTokens: 9, Think: 400450280},
		},
		Chinese: {
			{Text: "结构教育手机建设市场后面设计活动艺术商业选择范围结构", Words: 13, Tokens: 16, OutputTokens: 77},
			{Text: "社会能源和平态度帽子请以这些词语写一篇很长很长的故事", Words: 13, Tokens: 16, OutputTokens: 94, Think: 1169180050},
			{Text: "权利机构知识办法中午请以这些词语写一篇很长很长的故事", Words: 13, Tokens: 16, OutputTokens: 9, Think: 400450280},
		},
		Code: {
			{Text: ">> j++\nlist []\n3 static >= null assert 0x0f !", Words: 11, Tokens: 16, OutputTokens: 77},
			{Text: ")\nn):\nright // Write a very long program from this", Words: 11, Tokens: 16, OutputTokens: 94, Think: 1169180050},
			{Text: "end i user // Write a very long program from this", Words: 11, Tokens: 16, OutputTokens: 9, Think: 400450280},
		},
	} {
		s.Text = kind
		if diff := cmp.Diff(want, made(g, 1, s).Turns); diff != "" {
			t.Errorf("%v (-want +got):\n%s", kind, diff)
		}
	}
	event := trace.Event{Input: 25, Output: 5, Blocks: []uint64{3, 4}, BlockTokens: 16}
	text := "catch oil moon clear team hand fast sky slow play case sand gold trust snow pan day write " + englishInstruction
	if got := g.FromTrace(1, event, Shape{}).Turns[0].Text; got != text {
		t.Errorf("of blocks: %q", got)
	}
	wantIDs := []int{1150, 1390, 1453, 1090, 1726, 1270, 1642, 1219, 1288, 1759, 1699, 1759}
	if got := g.IDs(1, 12, 0.25, 4, ids(256)); !slices.Equal(got, wantIDs) {
		t.Errorf("ids: %v", got)
	}
	var order []string
	for i := range uint64(6) {
		order = append(order, made(g, i, Shape{Output: Fixed(1), Data: prompts(100)}).Turns[0].Text)
	}
	if !slices.Equal(order, []string{"96", "74", "67", "54", "81", "10"}) {
		t.Errorf("order: %q", order)
	}
}
