package sim

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWordsPerTokenInEveryScript(t *testing.T) {
	english := strings.TrimSpace(strings.Repeat("internationalization is a word ", 25)) // 100 words
	chinese := strings.Repeat("灯塔看海", 25)                                               // 100 characters
	code := strings.TrimSpace(strings.Repeat("x = f(y);\n", 10))                        // 7 words and signs a line, and 9 ends of lines
	for _, c := range []struct {
		name, text    string
		wordsPerToken float64
		want          int
	}{
		{"English, a word a token", english, 1, 100},
		{"English, cut in two", english, 0.5, 200},
		{"English, as in current models", english, 0.75, 134},
		{"English, phrases", english, 2.5, 40},
		{"Chinese, by characters", chinese, 1, 100},
		{"Chinese, by pairs", chinese, 2, 50},
		{"Chinese, two tokens a character", chinese, 0.5, 200},
		{"code", code, 1, 79},
		{"code, by pairs", code, 2, 40},
		{"nothing", "", 0.7, 0},
		{"one word", "a", 2.5, 1},
	} {
		if got := len(tokenizer{wordsPerToken: c.wordsPerToken}.append(nil, c.text)); got != c.want {
			t.Errorf("%s: %d tokens, want %d", c.name, got, c.want)
		}
	}
}

// anyWordsPerToken draws a tokenizer that counts words.
func anyWordsPerToken(t *rapid.T) tokenizer {
	return tokenizer{wordsPerToken: rapid.Float64Range(minWordsPerToken, maxWordsPerToken).Draw(t, "words a token")}
}

func TestTokensStayWhenTextIsAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := anyWordsPerToken(t)
		words := rapid.SliceOfN(rapid.StringMatching(` ([a-z]{1,12}|[0-9]{3}|[京海灯,.])`), 0, 40).Draw(t, "words")
		all := tokens.append(nil, strings.Join(words, ""))
		if want := int(math.Ceil(float64(len(words))/tokens.wordsPerToken - 1e-9)); len(all) != want {
			t.Fatalf("%d words are %d tokens, want %d", len(words), len(all), want)
		}
		n := rapid.IntRange(0, len(words)).Draw(t, "cut")
		front := tokens.append(nil, strings.Join(words[:n], ""))
		if len(front) > 1 {
			if diff := cmp.Diff(all[:len(front)-1], front[:len(front)-1]); diff != "" {
				t.Fatalf("the first %d words have other tokens alone: %s", n, diff)
			}
		}
		for _, id := range all {
			if id >= vocabulary {
				t.Fatalf("id %d", id)
			}
		}
	})
}

func TestPartsOfAWordAreTheWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word, n := rapid.String().Draw(t, "word"), rapid.IntRange(1, 4).Draw(t, "parts")
		var joined strings.Builder
		for i := range n {
			p := part(word, i, n)
			if p == "" && utf8.RuneCountInString(word) >= n {
				t.Fatalf("part %d of %d of %q is empty", i, n, word)
			}
			joined.WriteString(p)
		}
		if joined.String() != word {
			t.Fatalf("%q became %q", word, joined.String())
		}
	})
}

func TestAnswerHasTheTokensThatItsTextHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := anyWordsPerToken(t)
		a := newAnswer(rapid.Uint64().Draw(t, "seed"), 1, tokens)
		n := rapid.IntRange(1, 200).Draw(t, "tokens")
		var text []byte
		for i := range n {
			before := len(text)
			if text = a.appendToken(text, i); len(text) == before {
				t.Fatalf("token %d of %q says nothing", i, text)
			}
		}
		got := len(tokens.append(nil, string(text)))
		if tokens.splits() && got > n { // the last word was cut, and is one by itself
			got = n
		}
		if got != n {
			t.Fatalf("%d tokens of answer are %d tokens of prompt: %q", n, got, text)
		}
		if strings.ContainsAny(string(text), "\"\\<>&") || !utf8.Valid(text) {
			t.Fatalf("the answer needs escaping: %s", text)
		}
	})
}

func TestServerCountsInWordsAndAddsItsTemplate(t *testing.T) {
	s := serve(t, Config{WordsPerToken: 0.75, TemplateTokens: 40})
	type count struct{ Count int }
	for body, want := range map[string]int{
		`{"prompt":"one two three"}`:                                                     4,
		`{"messages":[{"role":"user","content":"one two three"}]}`:                       4 + 5 + 3 + 40,
		`{"messages":[{"role":"user","content":"a b c"}],"add_generation_prompt":false}`: 4 + 5 + 40,
		`{"prompt":"one two three","add_special_tokens":false}`:                          4,
	} {
		if _, text := ask(t, s, "POST", "/tokenize", body); decode[count](t, text).Count != want {
			t.Errorf("%s: %s, want %d", body, text, want)
		}
	}
	frames := readStream(t, s, "/v1/chat/completions",
		`{"messages":[{"role":"user","content":"one two three"}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":31,"ignore_eos":true}`)
	usage := frames[len(frames)-1].Usage
	if usage.PromptTokens != 52 || usage.CompletionTokens != 31 || len(frames) != 1+31+1 {
		t.Errorf("%d frames, %+v", len(frames), usage)
	}
}

func TestNoTokenize(t *testing.T) {
	s := serve(t, Config{NoTokenize: true})
	if resp, text := ask(t, s, "POST", "/tokenize", `{"prompt":"x"}`); resp.StatusCode != 404 || text != `{"detail":"Not Found"}` {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
}

func TestStartSaysWhatNoTokenizerCanDo(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{WordsPerToken: 3}, "0.5 to 2.5"},
		{Config{WordsPerToken: -1}, "0.5 to 2.5"},
		{Config{WordsPerToken: math.NaN()}, "0.5 to 2.5"},
		{Config{TemplateTokens: -1}, "0 to 8191"},
		{Config{TemplateTokens: 8192}, "0 to 8191"},
	} {
		s, err := Start(c.cfg)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.cfg, err)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add("Hello there, world! 12345  東京\n\n x", 0.75)
	f.Add("\xff\xfe a", 2.5)
	f.Fuzz(func(t *testing.T, text string, wordsPerToken float64) {
		if !(wordsPerToken >= minWordsPerToken && wordsPerToken <= maxWordsPerToken) {
			wordsPerToken = 0
		}
		ids := tokenizer{wordsPerToken: wordsPerToken}.append(nil, text)
		if (len(ids) == 0) != (text == "") || len(ids) > 2*len(text) {
			t.Errorf("%d bytes are %d tokens", len(text), len(ids))
		}
	})
}
