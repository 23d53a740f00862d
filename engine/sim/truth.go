// The truth: what a generation really was and when its bytes were written, for tests of clients.

package sim

import (
	"encoding/json"
	"hash/maphash"
	"strings"
	"sync"
	"time"
)

// The truths that are kept: the latest, as long as they are no more than maxTruths, with no more than maxTruthFrames
// frames among them (56 MB).
const (
	maxTruths      = 1 << 14
	maxTruthFrames = 1 << 20
)

// Truth is what a server knows of one generation. All instants have monotonic readings. It is there from before the first
// byte of the answer, and each frame is in it before the next one is sent, [DONE] included: a client that read an
// answer to its end finds all of it.
type Truth struct {
	Read         time.Time // when all of the request had been read
	PromptTokens int       // N_in
	OutputTokens int       // N_out: what a whole answer has
	Fault        string    // of the faults that end a request otherwise, the one that was drawn, such as "http_429"; "" is none
	Frames       []TokenFrame
}

// TokenFrame is a frame with tokens in it, as it was handed to the kernel.
type TokenFrame struct {
	Before time.Time // just before the write
	After  time.Time // just after the flush returned
	Tokens int
}

// Truth returns what is known of the latest generation for the prompt: the full text of a completion's prompt, or the
// contents of a chat's messages with a newline between two. false where there is none, because Config.Truth is off,
// because the request was found bad, or because it is too long ago.
func (s *Server) Truth(prompt string) (Truth, bool) {
	if s.truths == nil {
		return Truth{}, false
	}
	return s.truths.find(prompt)
}

// truths keeps the latest generations.
type truths struct {
	seed maphash.Seed

	mu     sync.Mutex
	byText map[uint64]*truth
	order  []*truth // oldest first
	frames int      // that those in order may come to have
}

// truth is a Truth that still grows. A nil one records nothing.
type truth struct {
	key uint64

	mu sync.Mutex
	Truth
}

func newTruths() *truths {
	return &truths{seed: maphash.MakeSeed(), byText: make(map[uint64]*truth)}
}

// begin notes a generation, and forgets the oldest ones.
func (k *truths) begin(prompt string, what Truth) *truth {
	t := &truth{key: maphash.String(k.seed, prompt), Truth: what}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.byText[t.key] = t
	k.order = append(k.order, t)
	k.frames += t.OutputTokens
	for len(k.order) > 1 && (len(k.order) > maxTruths || k.frames > maxTruthFrames) {
		oldest := k.order[0]
		k.order[0] = nil
		k.order = k.order[1:]
		k.frames -= oldest.OutputTokens
		if k.byText[oldest.key] == oldest {
			delete(k.byText, oldest.key)
		}
	}
	return t
}

func (k *truths) find(prompt string) (Truth, bool) {
	k.mu.Lock()
	t := k.byText[maphash.String(k.seed, prompt)]
	k.mu.Unlock()
	if t == nil {
		return Truth{}, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.Truth
	found.Frames = append([]TokenFrame(nil), t.Frames...)
	return found, true
}

// now returns the present where a truth is kept.
func (t *truth) now() time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Now()
}

// wrote notes a frame that was just handed over.
func (t *truth) wrote(before time.Time, tokens int) {
	if t == nil {
		return
	}
	frame := TokenFrame{Before: before, After: time.Now(), Tokens: tokens}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Frames = append(t.Frames, frame)
}

// text returns what a generation's truth is found by; "" for a prompt of token ids.
func (q *generationRequest) text(chat bool) string {
	if !chat {
		var one string
		var list []string
		switch {
		case json.Unmarshal(q.Prompt, &one) == nil:
			return one
		case json.Unmarshal(q.Prompt, &list) == nil && len(list) == 1:
			return list[0]
		}
		return ""
	}
	contents := make([]string, 0, len(q.Messages))
	for _, m := range q.Messages {
		contents = append(contents, string(m.Content))
	}
	return strings.Join(contents, "\n")
}
