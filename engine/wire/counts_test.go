package wire

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/record"
)

// spent is a usage frame.
func spent(prompt, completion string) string {
	return fmt.Sprintf(`data: {"choices":[],"usage":{"prompt_tokens":%s,"completion_tokens":%s}}`+"\n\n", prompt, completion)
}

func TestCountsThatCannotBeTrueAreEstimated(t *testing.T) {
	text := strings.Repeat("word ", 2000)
	const ourPrompt = 7 // what was asked for
	for _, test := range []struct {
		name       string
		stream     []part
		prompt     int64
		completion int64
		malformed  int
		estimated  bool
	}{
		{"plain", parts(say("a"), say("b"), stop, spent("2", "3")+done), 2, 3, 0, false},
		{"many tokens in one chunk", parts(say(text), stop, spent("2", "4000")+done), 2, 4000, 0, false},
		{
			"reasoning that nobody sees or tells of",
			[]part{{ms(60_000), say("a") + stop + spent("2", "60000") + done}},
			2, 60_000, 0, false,
		},
		{"more than any server is fast", []part{{ms(1000), say("a") + stop + spent("2", "60000") + done}}, 2, 1, 1, true},
		{"another unit", parts(say("a"), say("b"), stop, spent("2", "123456789")+done), 2, 2, 1, true},
		{"near the end of all numbers", parts(say("a"), stop, spent("2", fmt.Sprint(int64(1e15)))+done), 2, 1, 1, true},
		{"a prompt longer than any", parts(say("a"), stop, spent("1000000000000", "5")+done), ourPrompt, 5, 1, true},
		{"no prompt at all", parts(say("a"), stop, spent("0", "5")+done), ourPrompt, 5, 0, true},
		{"the prompt alone", parts(say("a"), say("b"), stop, `data: {"choices":[],"usage":{"prompt_tokens":2}}`+"\n\n"+done), 2, 2, 0, true},
		{"the completion alone", parts(say("a"), stop, `data: {"choices":[],"usage":{"completion_tokens":5}}`+"\n\n"+done), ourPrompt, 5, 0, true},
		{"before the text, and never again", parts(spent("2", "1"), say("a"), say("b"), say("c"), stop+done), 2, 3, 0, true},
		{"on the first chunk alone", parts(claim("a", "1"), say("b"), say("c"), stop+done), 9, 3, 0, true},
		{"a negative completion", parts(say("a"), stop, spent("2", "-5")+done), 2, 1, 1, true},
		{"a negative prompt", parts(say("a"), stop, spent("-7.5", "5")+done), ourPrompt, 5, 1, true},
		{"the sign of not knowing", parts(say("a"), stop, spent("-1", "5")+done), ourPrompt, 5, 0, true},
		{
			"negative on every chunk, the pattern of the one before included",
			parts(claim("a", "-2"), claim("b", "-2"), claim("c", "-2"), stop+done), 9, 3, 3, true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, size := range readSizes {
				r, _ := replay(test.stream, size, io.EOF)
				in, _ := r.InputTokens.Get()
				out, _ := r.OutputTokens.Get()
				if r.Outcome != record.OK || in != test.prompt || out != test.completion || r.Malformed != test.malformed ||
					test.estimated != (r.TokenSource == record.SourceEstimated) {
					t.Errorf("in reads of %d: %+v", size, r)
				}
				if test.estimated && r.ReasoningTokens != (record.Count{}) {
					t.Errorf("a part of an unknown number of tokens is known: %+v", r.ReasoningTokens)
				}
			}
		})
	}
}

// claim is a chunk with continuous usage.
func claim(text, completion string) string {
	return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"content":%q}}],"usage":{"prompt_tokens":9,"completion_tokens":%s}}`+"\n\n", text, completion)
}

func TestChunkDoesNotCarryMoreThanCanBe(t *testing.T) {
	_, heard := replay(parts(claim("a", "1"), claim("b", "3"), claim("c", "99999999"), claim("d", "5"), claim("e", "6"), stop+done), 0, io.EOF)
	want := []int64{1, 2, 0, 0, 1}
	if got := heard.counts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the chunks carry %v, want %v", got, want)
	}
}

func TestCredibleIsTheFormula(t *testing.T) {
	rec := record.New(1)
	rec.Sent = ms(0)
	a := answer{rec: rec, bytes: 500, latest: rec.Sent.Add(2 * time.Second)}
	const most = 500 + 2*10_000 + 1000
	for n, want := range map[int64]bool{-1: true, 0: true, most: true, most + 1: false, math.MaxInt64: false} {
		if a.credible(n) != want {
			t.Errorf("%d: %v", n, !want)
		}
	}
	a.latest = 0 // nothing came
	if !a.credible(1500) || a.credible(1501) {
		t.Error("without an answer only the slack counts")
	}
}
