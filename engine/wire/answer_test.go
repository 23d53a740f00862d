// The rules of reading a stream, each with its own bytes.

package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// say is a chat chunk with some content, in an event of its own.
func say(text string) string {
	return `data: {"choices":[{"index":0,"delta":{"content":` + fmt.Sprintf("%q", text) + `}}]}` + "\n\n"
}

const (
	role     = `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n"
	stop     = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	done     = "data: [DONE]\n\n"
	usage23  = `data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":3}}` + "\n\n"
	zeroes   = `"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`
	okUsage  = "2 in, 3 out by usage"
	guessed1 = "7 in, 1 out by estimated"
	guessed2 = "7 in, 2 out by estimated"
)

func TestStreamRules(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for _, test := range []rule{
		{
			name:   "role frame, tokens, usage: example 8",
			stream: []part{{ms(5), role}, {ms(214), say("a")}, {ms(234), say("b")}, {ms(254), say("c")}, {ms(270), stop + usage23}, {ms(271), done}},
			chunks: 3, first: 214, counts: okUsage,
			more: func(t *testing.T, r record.Record, _ *ear) {
				e2el, _ := r.E2EL()
				tpot, _ := r.TPOT()
				if e2el != 254*time.Millisecond || tpot != 20*time.Millisecond || r.GapMax != 20*time.Millisecond {
					t.Errorf("E2EL %v, TPOT %v, longest gap %v", e2el, tpot, r.GapMax)
				}
			},
		},
		{
			name: "continuous usage gives tokens per chunk: example 9",
			stream: func() []part {
				var all []part
				for i := range 8 {
					all = append(all, part{ms(100 + 40*i), fmt.Sprintf(
						`data: {"choices":[{"index":0,"delta":{"content":"wxyz"}}],"usage":{"prompt_tokens":2,"completion_tokens":%d}}`+"\n\n", 4*(i+1))})
				}
				return append(all, part{ms(400), stop + done})
			}(),
			chunks: 8, first: 100, counts: "2 in, 32 out by continuous", tokens: []int64{4, 4, 4, 4, 4, 4, 4, 4},
			more: func(t *testing.T, r record.Record, _ *ear) {
				if tpot, _ := r.TPOT(); tpot.Round(10*time.Microsecond) != 9030*time.Microsecond {
					t.Errorf("TPOT %v, want 9.03 ms", tpot)
				}
			},
		},
		{
			name: "cumulative usage is not summed: example 10",
			stream: parts(
				`data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":2,"completion_tokens":1}}`+"\n\n",
				`data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":2,"completion_tokens":2}}`+"\n\n",
				`data: {"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":2,"completion_tokens":3}}`+"\n\n",
				`data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":4}}`+"\n\n",
				`data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":4}}`+"\n\n", done),
			chunks: 4, counts: "2 in, 4 out by continuous", tokens: []int64{1, 1, 1, 1},
		},
		{name: "lines end in CR LF", stream: parts(strings.ReplaceAll(say("a")+say("b"), "\n", "\r\n"), strings.ReplaceAll(stop+done, "\n", "\r\n")), chunks: 2, counts: guessed2},
		{name: "lines end in CR", stream: parts(strings.ReplaceAll(say("a")+say("b")+stop+done, "\n", "\r")), chunks: 2, counts: guessed2},
		{name: "CR and LF in two reads", stream: parts(strings.TrimSuffix(say("a"), "\n\n")+"\r", "\n\r", "\n"+say("b"), stop+done), chunks: 2, counts: guessed2, first: 10},
		{name: "U+2028 and U+0085 are text", stream: parts("data: {\"choices\":[{\"delta\":{\"content\":\"a\u2028\u2029\u0085b\"}}]}\n\n", stop+done), chunks: 1, counts: guessed1},
		{name: "no space after data:", stream: parts(strings.ReplaceAll(say("a")+stop+done, "data: ", "data:")), chunks: 1, counts: guessed1},
		{name: "several spaces after data:", stream: parts(strings.ReplaceAll(say("a")+stop+done, "data: ", "data:   \t ")), chunks: 1, counts: guessed1},
		{name: "byte order mark", stream: parts("\xef\xbb\xbf"+say("a"), stop+done), chunks: 1, counts: guessed1},
		{
			name:   "several data lines in one event join",
			stream: parts("data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}\ndata: }]}\n\n", stop+done),
			chunks: 1, counts: guessed1,
		},
		{
			name:   "a data line that stands alone, inside a joined document",
			stream: parts("data: {\"choices\":[\ndata: {\"delta\":{\"content\":\"a\"}}\ndata: ]}\n\n", stop+done),
			chunks: 1, counts: guessed1,
		},
		{
			name:   "an error glued into an unfinished event surfaces",
			stream: parts(say("a"), "data: {\"choices\":[{\"delta\":{\"con\n", "data: {\"error\":{\"message\":\"boom\"}}\n\n", done),
			chunks: 1, outcome: "failed stream_error", counts: guessed1,
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.Malformed != 1 || !strings.HasSuffix(r.Error, ": boom") {
					t.Errorf("malformed %d, error %q", r.Malformed, r.Error)
				}
			},
		},
		{
			name:   "events without blank lines between them keep their own arrivals",
			stream: parts(strings.ReplaceAll(say("a"), "\n\n", "\n"), strings.ReplaceAll(say("b"), "\n\n", "\n"), stop+done),
			chunks: 2, first: 10, counts: guessed2,
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.GapSum != 10*time.Millisecond {
					t.Errorf("gap %v, want 10 ms", r.GapSum)
				}
			},
		},
		{name: "comments are no events", stream: parts(strings.Repeat(": OPENROUTER PROCESSING\n\n", 1000), ": ping\n", say("a"), ":\n\n"+stop+done), chunks: 1, first: 30, counts: guessed1},
		{name: "id and retry fields are ignored", stream: parts("id: 1\nretry: 10\nevent: message\nnonsense\n"+say("a"), stop+done), chunks: 1, counts: guessed1},
		{name: "a data line of megabytes", stream: parts(say(long), stop+done), chunks: 1, counts: guessed1},
		{
			name:    "a rune cut in two is whole again",
			stream:  parts(say("x")[:20], "", say("x")[20:], "data: {\"error\":\"gr\xc3", "\xbc\xc3\x9fe\"}\n\n"),
			outcome: "failed stream_error", chunks: 1, counts: guessed1,
			more: func(t *testing.T, r record.Record, _ *ear) {
				if !strings.HasSuffix(r.Error, "grüße") {
					t.Errorf("error %q", r.Error)
				}
			},
		},
		{
			name:   "payload that can't be decoded is counted and the stream goes on",
			stream: parts(say("a"), "data: {\"choices\":[{]}\n\n", "data: nonsense\n\n", say("b"), stop+done), chunks: 2, counts: guessed2,
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.Malformed != 2 {
					t.Errorf("malformed %d, want 2", r.Malformed)
				}
			},
		},
		{name: "nothing can be decoded", stream: parts("data: nonsense\n\n", done), outcome: "failed malformed"},
		{name: "nothing can be decoded, nor ends", stream: parts("data: nonsense\n\n"), outcome: "failed malformed"},
		{
			name: "null, missing, empty and wrong types are no token events",
			stream: parts(
				"data: null\n\ndata: []\n\ndata: {}\n\ndata: 1\n\ndata:\n\ndata\n\n",
				"data: {\"choices\":null,\"usage\":null}\n\ndata: {\"choices\":{}}\n\ndata: {\"choices\":[null,1,\"x\",[]]}\n\n",
				"data: {\"choices\":[{\"delta\":null}]}\n\ndata: {\"choices\":[{\"delta\":[]}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":5}}]}\n\n",
				"data: {\"choices\":[{\"delta\":{\"content\":null,\"tool_calls\":null,\"refusal\":null}}],\"error\":null}\n\n",
				say("a"), stop+done),
			chunks: 1, first: 50, counts: guessed1,
		},
		{
			name: "content as an array of parts",
			stream: parts(
				`data: {"choices":[{"delta":{"content":[{"type":"text","text":"a"}]}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"content":[{"type":"text","text":""}]}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"content":[]}}]}`+"\n\n", stop+done),
			chunks: 1, counts: guessed1,
		},
		{
			name: "role-only first frames: null, empty, absent",
			stream: parts(
				`data: {"choices":[{"delta":{"role":"assistant","content":null}}]}`+"\n\n", role,
				`data: {"choices":[{"delta":{"role":"assistant"}}]}`+"\n\n", say("a"), stop+done),
			chunks: 1, first: 40, counts: guessed1,
		},
		{
			name: "reasoning, refusal and tool calls are token events",
			stream: parts(
				`data: {"choices":[{"delta":{"reasoning_content":"a"}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"reasoning":"a","content":""}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"reasoning":"a","reasoning_content":"a"}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"refusal":"a"}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}`+"\n\n",
				`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"arguments":""}}]}}]}`+"\n\n", stop+done),
			chunks: 6, counts: "7 in, 6 out by estimated",
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.ReasoningChunks != 3 || r.FirstAnswer != ms(40) {
					t.Errorf("%d reasoning chunks, first answer at %d", r.ReasoningChunks, r.FirstAnswer)
				}
			},
		},
		{
			name: "text of /v1/completions, usage in the finish frame",
			stream: parts(`data: {"choices":[{"text":" a","index":0,"finish_reason":null}]}`+"\n\n",
				`data: {"choices":[{"text":"","index":0,"finish_reason":"length"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}`+"\n\n", done),
			chunks: 1, counts: okUsage,
		},
		{
			name: "content together with finish_reason counts, and reading goes on for usage",
			stream: parts(say("a"), say("b"),
				`data: {"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}`+"\n\n", usage23, done),
			chunks: 3, counts: okUsage,
		},
		{
			name: "usage on the last content frame only is not continuous",
			stream: parts(say("a"), say("b"),
				`data: {"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}`+"\n\n", done),
			chunks: 3, counts: okUsage, tokens: []int64{0, 0, 0},
		},
		{
			name: "usage inside choices[0]",
			stream: parts(say("a"),
				`data: {"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":2,"completion_tokens":3}}]}`+"\n\n", done),
			chunks: 1, counts: okUsage,
		},
		{name: "usage after [DONE]", stream: parts(say("a"), stop, done, usage23), chunks: 1, counts: okUsage},
		{
			name: "nothing but usage is taken after [DONE]", stream: parts(say("a"), stop, done, say("b")+"data: {\"error\":\"late\"}\n\n"),
			chunks: 1, counts: guessed1,
		},
		{
			name: "all-zero usage in every frame says nothing",
			stream: parts(
				`data: {"choices":[{"text":"a"}],`+zeroes+"}\n\n", `data: {"choices":[{"text":"b"}],`+zeroes+"}\n\n",
				`data: {"choices":[{"text":"","finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":3}}`+"\n\n", done),
			chunks: 2, counts: okUsage, tokens: []int64{0, 0},
		},
		{name: "only all-zero usage", stream: parts(`data: {"choices":[{"text":"a","finish_reason":"stop"}],`+zeroes+"}\n\n", done), chunks: 1, counts: guessed1},
		{
			name: "usage details",
			stream: parts(say("a"), `data: {"usage":{"prompt_tokens":9,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":20},`+
				`"prompt_tokens_details":{"cached_tokens":4}}}`+"\n\n", stop+done),
			chunks: 1, counts: "9 in, 30 out by usage",
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.ReasoningTokens != record.Known(20) || r.CachedTokens != record.Known(4) || r.ReasoningChunks != 0 {
					t.Errorf("reasoning %v, cached %v", r.ReasoningTokens, r.CachedTokens)
				}
			},
		},
		{
			name:   "timings where there is no usage",
			stream: parts(say("a"), `data: {"choices":[{"delta":{},"finish_reason":"length"}],"timings":{"cache_n":4,"prompt_n":8,"predicted_n":30}}`+"\n\n", done),
			chunks: 1, counts: "12 in, 30 out by timings",
		},
		{name: "error object, not redeemed by [DONE]", stream: parts(say("a"), `data: {"error":{"message":"out of memory","code":500}}`+"\n\n", say("b"), done), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "error as text", stream: parts(say("a"), `data: {"error":"out of memory"}`+"\n\n", done), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "flat error object", stream: parts(`data: {"object":"error","message":"bad","code":400}`+"\n\n", done), outcome: "failed stream_error"},
		{name: "event: error", stream: parts(say("a"), "event: error\ndata: it broke\n\n", done), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "event: error with an object", stream: parts("event: error\ndata: {\"message\":\"it broke\"}\n\n", done), outcome: "failed stream_error"},
		{name: "event: error after its data", stream: parts(say("a"), "data: {\"message\":\"it broke\"}\nevent: error\n\n", done), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "other events are data", stream: parts("event: chunk\n"+say("a"), stop+done), chunks: 1, counts: guessed1},
		{name: "an error without data:", stream: parts(say("a"), "{\"error\":{\"message\":\"x\"}}\n"), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "an error frame credits no token", stream: parts(`data: {"choices":[{"delta":{"content":"x"}}],"error":{"message":"x"}}` + "\n\n"), outcome: "failed stream_error"},
		{name: "finish_reason error", stream: parts(say("a"), `data: {"choices":[{"delta":{},"finish_reason":"error"}]}`+"\n\n", done), chunks: 1, outcome: "failed stream_error", counts: guessed1},
		{name: "end without [DONE] after finish_reason", stream: parts(say("a"), stop), chunks: 1, counts: guessed1},
		{name: "end without [DONE] and finish_reason", stream: parts(say("a")), chunks: 1, outcome: "failed truncated", counts: guessed1},
		{name: "end after the role frame", stream: parts(role), outcome: "failed truncated"},
		{name: "connection breaks", stream: parts(say("a")), broken: io.ErrUnexpectedEOF, chunks: 1, outcome: "failed truncated", counts: guessed1},
		{name: "connection breaks after finish_reason", stream: parts(say("a"), stop), broken: io.ErrUnexpectedEOF, chunks: 1, counts: guessed1},
		{name: "idle timeout", stream: parts(say("a")), broken: errIdle, chunks: 1, outcome: "failed timeout_idle", counts: guessed1},
		{name: "first-byte timeout", broken: errFirstByte, outcome: "failed timeout_first_byte"},
		{name: "empty", outcome: "failed no_tokens"},
		{name: "only [DONE]", stream: parts(done), outcome: "failed no_tokens"},
		{name: "complete but nothing said", stream: parts(role, stop, done), outcome: "failed no_tokens"},
		{name: "hidden reasoning is ok", stream: parts(role, stop, usage23, done), counts: okUsage},
		{name: "last line without newline", stream: parts(say("a"), strings.TrimSpace(stop)), chunks: 1, counts: guessed1},
		{name: "[DONE] without newline", stream: parts(say("a"), strings.TrimSpace(done)), chunks: 1, counts: guessed1},
		{
			name: "gaps are per choice",
			stream: parts(
				`data: {"choices":[{"index":1,"delta":{"content":"a"}}]}`+"\n\n",
				`data: {"choices":[{"index":0,"delta":{"content":"a"}}]}`+"\n\n",
				`data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"a"}}]}`+"\n\n", stop+done),
			chunks: 4, first: 10, counts: "7 in, 4 out by estimated",
			more: func(t *testing.T, r record.Record, _ *ear) {
				if r.Gaps != 2 || r.GapSum != 30*time.Millisecond || r.GapMax != 20*time.Millisecond {
					t.Errorf("%d gaps, sum %v, longest %v", r.Gaps, r.GapSum, r.GapMax)
				}
			},
		},
		{name: "keys written with escapes", stream: parts(`data: {"\u0063hoices":[{"delta":{"c\u006fntent":"a"}}]}`+"\n\n", stop+done), chunks: 1, counts: guessed1},
		{name: "a huge choice index", stream: parts(`data: {"choices":[{"index":9007199254740992,"delta":{"content":"a"}}]}`+"\n\n", stop+done), chunks: 1, counts: guessed1},
	} {
		t.Run(test.name, test.check)
	}
}

func TestLineBeyondTheBoundIsANamedError(t *testing.T) {
	r, _ := replay(parts(say("a"), "data: "+strings.Repeat("x", maxLine)), 0, nil)
	if r.Kind != record.KindMalformed || r.Error != ErrLineTooLong.Error() {
		t.Errorf("kind %q, error %q", r.Kind, r.Error)
	}
}

func TestEventBeyondTheBoundIsANamedError(t *testing.T) {
	line := "data: {" + strings.Repeat("x", maxLine/4) + "\n"
	r, _ := replay(parts(line, line, line, line, line), 0, nil)
	if r.Kind != record.KindMalformed || r.Error != ErrLineTooLong.Error() {
		t.Errorf("kind %q, error %q", r.Kind, r.Error)
	}
}

// An error inside a 200 is one in whatever words: a later [DONE] does not redeem it.
func TestErrorsInsideAnAnswer(t *testing.T) {
	for event, says := range map[string]string{
		`data: {"error":{"message":"boom"}}`:                                      "boom",
		`data: {"error":"boom"}`:                                                  "boom",
		`data: {"error":["boom"]}`:                                                "boom",
		`data: {"error":500}`:                                                     "500",
		`data: {"error":true,"message":"boom"}`:                                   "boom",
		`data: {"object":"error","message":"boom","code":500}`:                    "boom",
		`data: {"type":"error","error":{"type":"overloaded","message":"boom"}}`:   "boom",
		`data: {"type":"error","message":"boom"}`:                                 "boom",
		`data: {"detail":"boom"}`:                                                 "boom",
		`data: {"detail":[{"loc":["body","x"],"msg":"boom"}]}`:                    "boom",
		`data: {"choices":[{"error":{"message":"boom"},"delta":{"content":""}}]}`: "boom",
		"event: error\ndata: boom":                                                "boom",
		"event: error\ndata: {\"text\":1}":                                        "text",
		"event: error":                                                            "error event",
	} {
		for _, size := range readSizes {
			r, _ := replay(parts(say("a"), event+"\n\n", stop+done), size, io.EOF)
			if r.Outcome != record.Failed || r.Kind != record.KindStreamError || !strings.Contains(r.Error, says) {
				t.Errorf("%s in reads of %d: %s %s %q", event, size, r.Outcome, r.Kind, r.Error)
			}
		}
	}
	for _, member := range []string{`"error":null`, `"error":""`, `"error":false`, `"error":0`, `"error":[ ]`, `"detail":"low","object":"x"`, `"type":"x"`} {
		r, _ := replay(parts(say("a"), `data: {"choices":[{"delta":{"content":"b"}}],`+member+"}\n\n", stop+done), 0, io.EOF)
		if r.Outcome != record.OK || r.Chunks != 2 {
			t.Errorf("%s: %s %s, %d chunks", member, r.Outcome, r.Error, r.Chunks)
		}
	}
}

func TestAnEventDoesNotHaveLinesWithoutEnd(t *testing.T) {
	event := "data: {x\n" + strings.Repeat("data:\n", maxEventLines)
	if r, _ := replay(parts(say("a"), event+"\n", stop+done), 0, io.EOF); r.Kind != record.KindMalformed || r.Error != ErrLineTooLong.Error() {
		t.Errorf("%s %s", r.Kind, r.Error)
	}
}

// Lines that end in "\r" alone are found without a look at all that follows, each time.
func BenchmarkLoneCR(b *testing.B) {
	var l lineReader
	for _, end := range []string{"\n", "\r"} {
		b.Run(fmt.Sprintf("%q", end), func(b *testing.B) {
			long := strings.Repeat("x", 1<<20) + end // makes the buffer large
			l = lineReader{buf: l.buf}
			l.reset(endless{[]byte(long + strings.Repeat("data: {}"+end, 1<<17))})
			for b.Loop() {
				if _, _, err := l.next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestReadErrorIsHandedOnAfterTheLastLine(t *testing.T) {
	broken := errors.New("broken")
	var l lineReader
	l.reset(&feed{parts: parts("a\nb"), end: broken})
	var got []string
	for {
		line, _, err := l.next()
		if err != nil {
			if !errors.Is(err, broken) {
				t.Errorf("error %v", err)
			}
			break
		}
		got = append(got, string(line))
	}
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
}
