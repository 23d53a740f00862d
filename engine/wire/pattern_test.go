// Chunks decoded as repetitions of the one before, against encoding/json; and what decoding costs.

package wire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tokdyno/engine/jsonscan"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// compareAfter decodes one text after another, which may serve as its pattern, and both twice.
func compareAfter(t interface{ Errorf(string, ...any) }, first, text []byte) {
	var c chunk
	for i, one := range [][]byte{first, text, text, first} {
		valid := c.decode(bytes.Clone(one))
		want, wantValid := reference(one)
		if valid != wantValid {
			t.Errorf("%q, then %q: decode %d is %v, encoding/json says %v", first, text, i, valid, wantValid)
			return
		}
		if !valid {
			continue
		}
		if diff := cmp.Diff(want, viewOf(&c)); diff != "" {
			t.Errorf("%q, then %q: decode %d (-encoding/json):\n%s", first, text, i, diff)
		}
	}
}

// splice replaces a part of a text; any numbers will do.
func splice(text []byte, at, cut int, piece string) []byte {
	at %= len(text) + 1
	cut %= len(text) - at + 1
	return append(append(bytes.Clone(text[:at]), piece...), text[at+cut:]...)
}

func TestRepeatedChunksAreDecodedAsIfTheyWereNot(t *testing.T) {
	const (
		content = `{"id":"x","choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}],"usage":{"prompt_tokens":%s,"completion_tokens":%s,"total_tokens":%s}}`
		twice   = `{"choices":[{"delta":{"content":"a","content":"%s"}}],"usage":{"completion_tokens":%s},"usage":{"prompt_tokens":%s,"x":%s}}`
		inner   = `{"choices":[{"text":"%s","usage":{"prompt_tokens":%s}},{"usage":{"completion_tokens":%s,"total_tokens":%s}}]}`
		same    = `{"choices":[{"text":"%s"}],"usage":{"prompt_tokens":%s,"completion_tokens":%s,"completion_tokens":%s}}`
		mixed   = `{"usage":{"completion_tokens":%[2]s},"choices":[{"text":"%[1]s","usage":{"completion_tokens":%[3]s,"prompt_tokens":%[4]s}}]}`
	)
	texts := []string{"a", "b c", "", `\n`, `\"`, `\u00e9`, "é", "\t", `\x`, `"`, `","role":"x`, "0123456789", `a"},"index":"`}
	counts := []string{"0", "1", "17", "007", "-1", "1.0", "1e2", "12.5", `"3"`, "null", "123456789012345", "1234567890123456", "99999999999999999999", "", "3 ", "{}"}
	for _, form := range []string{content, twice, inner, same, mixed} {
		first := fmt.Appendf(nil, form, "first", "5", "5", "5")
		for _, text := range texts {
			compareAfter(t, first, fmt.Appendf(nil, form, text, "5", "5", "5"))
		}
		for _, n := range counts {
			compareAfter(t, first, fmt.Appendf(nil, form, "a", n, "5", "5"))
			compareAfter(t, first, fmt.Appendf(nil, form, "a", "5", n, "5"))
			compareAfter(t, first, fmt.Appendf(nil, form, "a", "5", "5", n))
		}
	}
}

func TestLongChunksAreNoPatterns(t *testing.T) {
	long := strings.Repeat("x", maxPattern)
	compareAfter(t, []byte(`{"choices":[{"text":"a"}]}`), []byte(`{"choices":[{"text":"`+long+`"}]}`))
	compareAfter(t, []byte(`{"choices":[{"text":"`+long+`"}]}`), []byte(`{"choices":[{"text":"`+long+`y"}]}`))
}

func TestAnyChunkAfterASimilarOne(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"", "0", "7", "12", "a", "\\n", "\\", `"`, " ", ",", "null", `"":`, "}", "{", `{"content":"x"}`, ".5", "e1", "-", "\x01", "é"})
	rapid.Check(t, func(t *rapid.T) {
		first := []byte(documents().Draw(t, "document"))
		second := first
		for range rapid.IntRange(1, 2).Draw(t, "changes") {
			second = splice(second, rapid.IntRange(0, 1<<16).Draw(t, "at"), rapid.IntRange(0, 3).Draw(t, "cut"), pieces.Draw(t, "piece"))
		}
		compareAfter(t, first, second)
	})
}

func FuzzRepeatedChunk(f *testing.F) {
	for i, text := range samples(f) {
		f.Add(text, uint16(7*i), uint16(i%4), "x")
	}
	f.Add([]byte(`{"choices":[{"text":"a"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`), uint16(55), uint16(1), "22")
	f.Fuzz(func(t *testing.T, text []byte, at, cut uint16, piece string) {
		second := splice(text, int(at), int(cut), piece)
		for _, one := range [][]byte{text, second} {
			if bytes.Count(one, []byte("["))+bytes.Count(one, []byte("{")) > jsonscan.MaxDepth {
				return // deeper than decode goes, though encoding/json may
			}
		}
		compareAfter(t, text, second)
	})
}

func TestDecodingDoesNotAllocate(t *testing.T) {
	var c chunk
	for _, text := range captured(t) {
		if n := testing.AllocsPerRun(10, func() { c.decode(text) }); n != 0 {
			t.Errorf("%v allocations for %s", n, text)
		}
		if n := testing.AllocsPerRun(10, func() { c.walk(text) }); n != 0 {
			t.Errorf("%v allocations walking %s", n, text)
		}
	}
}

// flow is some chunks of one answer, each with another text and other counts.
func flow(form string) [][]byte {
	var all [][]byte
	for i, word := range []string{"The ", "lighthouse", " keeper", " had", " a", " grey", " cat", ",\\n", " Möwe", " and", " then", " the", " sea", ".", " \\u00e9t\\u00e9", "s"} {
		all = append(all, []byte(strings.NewReplacer("WORD", word, "COUNT", fmt.Sprint(i+2), "TOTAL", fmt.Sprint(i+12)).Replace(form)))
	}
	return all
}

const (
	contentForm    = `{"id":"chatcmpl-a6eb2870-4608-5c7b-9488-8c767d5c0bcd","model":"sim-8b","object":"chat.completion.chunk","created":1795952976,"usage":null,"choices":[{"index":0,"finish_reason":null,"delta":{"content":"WORD"}}]}`
	continuousForm = `{"id":"chatcmpl-a6eb2870-4608-5c7b-9488-8c767d5c0bcd","model":"sim-8b","object":"chat.completion.chunk","created":1795952976,"choices":[{"index":0,"finish_reason":null,"delta":{"content":"WORD"}}],"usage":{"prompt_tokens":10,"completion_tokens":COUNT,"total_tokens":TOTAL}}`
)

// BenchmarkDecode decodes chunks of one answer in turn: as they come, and as if none were like the one before.
func BenchmarkDecode(b *testing.B) {
	for _, bench := range []struct {
		name, form string
		walk       bool
	}{
		{"content", contentForm, false},
		{"continuous", continuousForm, false},
		{"content-walked", contentForm, true},
		{"continuous-walked", continuousForm, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			chunks := flow(bench.form)
			var c chunk
			b.SetBytes(int64(len(chunks[0])))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.pattern.ready = c.pattern.ready && !bench.walk
				if !c.decode(chunks[i%len(chunks)]) || !c.choices[0].spoke() {
					b.Fatal("not decoded")
				}
			}
		})
	}
}
