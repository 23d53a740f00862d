// Tests of the truth: that it is whole, in order, of the latest request, and bounded.

package sim

import (
	"fmt"
	"testing"
	"time"
)

func TestTruthIsOffByDefault(t *testing.T) {
	s := serve(t, Config{})
	ask(t, s, "POST", completionPath, completionOfFour)
	if found, ok := s.Truth("hi"); ok {
		t.Errorf("%+v", found)
	}
}

func TestTruthOfAGeneration(t *testing.T) {
	const pause = 5 * time.Millisecond
	for _, c := range []struct {
		name, faults, path, body, prompt string
		in, out                          int
		tokens                           []int // of the frames
		fault                            string
		firstAfter                       time.Duration
		stalled                          int // the frame before which there is a pause; 0: none
	}{
		{"chat", "none", chatPath, chatOfFour, "hi", 9, 4, []int{1, 1, 1, 1}, "", 0, 0},
		{
			"messages and parts", "none", chatPath, `{"messages":[{"role":"system","content":"be kind"},{"role":"user","content":[{"text":"tell "},{"text":"me"}]}],"stream":true,"max_tokens":1}`,
			"be kind\ntell me", 17, 1,
			[]int{1},
			"", 0, 0,
		},
		{"completion", "none", completionPath, completionOfFour, "hi", 1, 4, []int{1, 1, 1, 1}, "", 0, 0},
		{"list of one prompt", "none", completionPath, `{"prompt":["hi"],"stream":true,"max_tokens":2}`, "hi", 1, 2, []int{1, 1}, "", 0, 0},
		{"not streamed", "none", chatPath, wholeChat, "hi", 9, 4, nil, "", 0, 0},
		{"chunks", "chunk_tokens=3 comments crlf", chatPath, chatOfFour, "hi", 9, 4, []int{3, 1}, "", 0, 0},
		{"hidden tokens are in no frame", "reasoning=3:hidden", chatPath, chatOfFour, "hi", 9, 4, []int{1}, "", 0, 0},
		{"stall before the first", "stall_first=100%:5ms", chatPath, chatOfFour, "hi", 9, 4, []int{1, 1, 1, 1}, "", pause, 0},
		{"stall amid", "stall_mid=100%:5ms:2", chatPath, chatOfFour, "hi", 9, 4, []int{1, 1, 1, 1}, "", 0, 2},
		{"error", "error_mid=100%:2", chatPath, chatOfFour, "hi", 9, 4, []int{1, 1}, "error_mid", 0, 0},
		{"truncation", "truncate_mid=100%:2", completionPath, completionOfFour, "hi", 1, 4, []int{1, 1}, "truncate_mid", 0, 0},
		{"error that cannot be amid a whole answer", "error_mid=100%:2 no_stream", chatPath, chatOfFour, "hi", 9, 4, nil, "", 0, 0},
		{"429", "http_429=100%", completionPath, completionOfFour, "hi", 1, 4, nil, "http_429", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, Config{Truth: true, Faults: parse(t, c.faults)})
			before := time.Now()
			exchange(t, s, c.path, c.body)
			after := time.Now()
			got, ok := s.Truth(c.prompt)
			if !ok {
				t.Fatal("there is none")
			}
			if got.PromptTokens != c.in || got.OutputTokens != c.out || got.Fault != c.fault || len(got.Frames) != len(c.tokens) {
				t.Fatalf("%+v", got)
			}
			last := got.Read
			if last.Before(before) {
				t.Error("it was read before it was sent")
			}
			for i, f := range got.Frames {
				if f.Tokens != c.tokens[i] {
					t.Errorf("frame %d has %d tokens, want %d", i, f.Tokens, c.tokens[i])
				}
				if f.Before.Before(last) || f.After.Before(f.Before) || f.After.After(after) {
					t.Errorf("frame %d is out of order: %+v", i, f)
				}
				if gap := f.Before.Sub(last); i == 0 && gap < c.firstAfter || i > 0 && i == c.stalled && gap < pause {
					t.Errorf("frame %d came %v after what was before it", i, gap)
				}
				last = f.After
			}
			if _, ok := s.Truth("other"); ok {
				t.Error("another prompt has a truth too")
			}
		})
	}
}

func TestTruthIsOfTheLatestRequest(t *testing.T) {
	s := serve(t, Config{Truth: true})
	for n := 1; n <= 3; n++ {
		ask(t, s, "POST", completionPath, fmt.Sprintf(`{"prompt":"hi","max_tokens":%d,"stream":true,"ignore_eos":true}`, n))
		if got, _ := s.Truth("hi"); len(got.Frames) != n {
			t.Errorf("%d frames, want %d", len(got.Frames), n)
		}
	}
	ask(t, s, "POST", completionPath, `{"prompt":"hi","max_tokens":0}`)
	if got, _ := s.Truth("hi"); len(got.Frames) != 3 {
		t.Error("a bad request took the place of a good one")
	}
}

func TestTruthIsBounded(t *testing.T) {
	k := newTruths()
	for i := range maxTruths + 10 {
		k.begin(fmt.Sprint(i), Truth{OutputTokens: 1})
	}
	if _, ok := k.find("9"); ok || len(k.order) != maxTruths || len(k.byText) != maxTruths {
		t.Errorf("%d are kept, %d can be found; want %d", len(k.order), len(k.byText), maxTruths)
	}
	if _, ok := k.find("10"); !ok {
		t.Error("more are forgotten than have to be")
	}

	k = newTruths()
	for i := range 100 {
		k.begin(fmt.Sprint(i%2), Truth{OutputTokens: maxTruthFrames / 10})
	}
	if len(k.order) != 10 || k.frames > maxTruthFrames || len(k.byText) != 2 {
		t.Errorf("%d are kept with up to %d frames", len(k.order), k.frames)
	}
	k.begin("large", Truth{OutputTokens: 2 * maxTruthFrames})
	if _, ok := k.find("large"); !ok || len(k.order) != 1 {
		t.Errorf("the latest, however large, is not there: %d are kept", len(k.order))
	}
}
