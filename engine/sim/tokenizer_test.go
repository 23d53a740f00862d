// Tests of the tokenizer and of the answers' text.

package sim

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pieces cuts a text as appendPieces does.
func pieces(text string) []string {
	var out []string
	for text != "" {
		n := tokenLength(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func TestTokenizerPieces(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"Hello there, world!", []string{"Hello", " there", ",", " world", "!"}},
		{"internationalization", []string{"interna", "tionali", "zation"}},
		{"in 2026 and 12345", []string{"in", " 202", "6", " and", " 123", "45"}},
		{"a  b", []string{"a", " ", " b"}},
		{"a\n\n  b ", []string{"a", "\n\n ", " b", " "}},
		{"x7f", []string{"x", "7", "f"}},
		{"東京 café", []string{"東", "京", " café"}},
		{"\xff\xfe", []string{"\xff", "\xfe"}},
	} {
		if diff := cmp.Diff(c.want, pieces(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
		if got := len(tokenizer{}.append(nil, c.text)); got != len(c.want) {
			t.Errorf("%q: %d tokens, want %d", c.text, got, len(c.want))
		}
	}
}

func TestTokenizerLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune(" \n\tab1.,é京")), 0, 60, -1)).Draw(t, "text")
		got := pieces(text)
		if joined := strings.Join(got, ""); joined != text {
			t.Fatalf("%q became %q", text, joined)
		}
		for _, p := range got {
			if p == "" || utf8.ValidString(text) && !utf8.ValidString(p) {
				t.Fatalf("%q has the piece %q", text, p)
			}
		}
	})
}

func TestChatTemplateCostsFiveTokensAMessageAndThreeAChat(t *testing.T) {
	chat := []chatMessage{{Role: "system", Content: "be brief"}, {Role: "user", Content: "hello"}}
	if got, want := len(tokenizer{}.chat(chat, true)), 2+5+1+5+3; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	if got, want := len(tokenizer{}.chat(chat, false)), 2+5+1+5; got != want {
		t.Errorf("%d tokens without the answer's opening, want %d", got, want)
	}
}

func TestAnswerIsOneTokenAPieceAndNeedsNoEscaping(t *testing.T) {
	a := newAnswer(1, 2, tokenizer{})
	var text []byte
	for i := range 500 {
		text = a.appendToken(text, i)
	}
	if got := len(tokenizer{}.append(nil, string(text))); got != 500 {
		t.Errorf("500 tokens of answer are %d tokens of prompt", got)
	}
	if strings.ContainsAny(string(text), "\"\\<>&") || !utf8.Valid(text) {
		t.Errorf("the answer needs escaping: %s", text)
	}
}

func TestAnswerFollowsFromSeedAndPrompt(t *testing.T) {
	text := func(a answer) (s string) {
		for i := range 20 {
			s = string(a.appendToken([]byte(s), i))
		}
		return s
	}
	one := text(newAnswer(1, 2, tokenizer{}))
	if again := text(newAnswer(1, 2, tokenizer{})); again != one {
		t.Errorf("the same seed and prompt say %q and %q", one, again)
	}
	if text(newAnswer(2, 2, tokenizer{})) == one || text(newAnswer(1, 3, tokenizer{})) == one {
		t.Error("another seed or prompt says the same")
	}
}

func TestNaturalLengthsSpread(t *testing.T) {
	below, above := 0, 0
	for i := range uint64(1000) {
		n := newAnswer(7, i, tokenizer{}).naturalLength()
		if n < answerMin || n > answerMax {
			t.Fatalf("length %d", n)
		}
		if n < answerMedian {
			below++
		} else {
			above++
		}
	}
	if below < 400 || above < 400 {
		t.Errorf("%d below the median and %d above", below, above)
	}
}
