// This file is the shape of the load, and the hash by which runs compare.

package shape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"tokdyno/engine/shape/dataset"
)

// Shape is what the requests of a run ask for. No figure compares across shapes. Shapes compare with ==, as long as Data
// does, and the zero value of each field but the first two is a load without what it adds. The zero Shape is not valid.
type Shape struct {
	Prompt        Length        // tokens of the prompt; of a conversation, of what each turn says
	Output        Length        // tokens of the answer; with Data, of those that the data set does not tell
	PrefixOverlap float64       // share of the prompt, from its front, that it has in common with others: 0 to 1
	Prefixes      int           // how many common prefixes there are, of which a prompt draws one; 0 and 1: one for all
	Text          Text          // what prompts are made of
	Turns         Length        // turns of a conversation, MaxTurns at most; the zero Length: single requests
	Think         time.Duration // mean time between an answer and the next turn, drawn exponentially; 0: none
	Data          Source        // where prompts come from instead of being made; nil: they are made
}

// Source is a data set that requests take their prompts from, usually a *dataset.Set. With one, a shape's prompt length,
// prefixes, text and turns mean nothing: its items are sent as they are. It must compare with ==, as a pointer does, and
// not change while it is used. All methods may be called from any goroutine.
type Source interface {
	Name() string                     // what a person calls it, its file's name for instance
	Hash() string                     // equal for the same content, different for another
	Len() int                         // how many items there are
	Item(i int) (dataset.Item, error) // the item i, from 0 to below Len; an error says what of the file can't be read
}

// The most there may be of what makes a conversation, or a pool.
const (
	MaxTurns    = 1000
	MaxThink    = 24 * time.Hour
	MaxPrefixes = 1_000_000
)

// Validate returns nil, or one sentence that says which part is wrong and what it may be.
func (s Shape) Validate() error {
	if err := s.Prompt.Validate(); err != nil && (s.Data == nil || s.Prompt != Length{}) {
		return fmt.Errorf("prompt length: %w", err)
	}
	if err := s.Output.Validate(); err != nil {
		return fmt.Errorf("output length: %w", err)
	}
	if math.IsNaN(s.PrefixOverlap) || s.PrefixOverlap < 0 || s.PrefixOverlap > 1 {
		return fmt.Errorf("prefix overlap %v is out of range: it is a share from 0 to 1", s.PrefixOverlap)
	}
	if s.Prefixes < 0 || s.Prefixes > MaxPrefixes {
		return fmt.Errorf("%d common prefixes are out of range: there may be from 1 to %d", s.Prefixes, MaxPrefixes)
	}
	if err := s.Text.Validate(); err != nil {
		return err
	}
	if err := s.ValidateTurns(); err != nil {
		return err
	}
	if s.Think < 0 || s.Think > MaxThink {
		return fmt.Errorf("a think time of %v is out of range: it goes from 0 to %v", s.Think, MaxThink)
	}
	if s.Data != nil && s.Data.Len() < 1 {
		return fmt.Errorf("the data set %s holds no prompt", s.Data.Name())
	}
	return nil
}

// ValidateTurns is Validate of the turns alone.
func (s Shape) ValidateTurns() error {
	if s.Turns != (Length{}) && (s.Turns.Validate() != nil || s.Turns.Reach() > MaxTurns) {
		return fmt.Errorf("a conversation of %s turns is out of range: it has from 1 to %d", s.Turns, MaxTurns)
	}
	return nil
}

// Hash returns twelve hexadecimal digits: equal for equal shapes however they were spelled, different (but for one
// chance in 2⁴⁸) for different ones, and the same in every version that makes the same prompts of a shape. Fields that
// mean nothing in the shape, like the number of prefixes where nothing is common, do not count.
func (s Shape) Hash() string {
	text := []byte("shape 1\n")
	line := func(name, value string) { text = fmt.Appendf(text, "%s %s\n", name, value) }
	if s.Data != nil {
		line("data", s.Data.Hash())
		line("output", s.Output.canonical())
	} else {
		line("prompt", s.Prompt.canonical())
		line("output", s.Output.canonical())
		line("prefix", strconv.FormatFloat(math.Abs(s.PrefixOverlap), 'g', -1, 64)) // Abs: -0 is 0
		if s.PrefixOverlap > 0 && s.Prefixes > 1 {
			line("prefixes", strconv.Itoa(s.Prefixes))
		}
		if s.Text != Words {
			line("text", s.Text.String())
		}
		if s.Converses() {
			line("turns", s.Turns.canonical())
		}
	}
	if s.Think > 0 && s.MayConverse() {
		line("think", s.Think.String())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// Converses reports whether made prompts are of more than one turn.
func (s Shape) Converses() bool { return s.Turns != (Length{}) && s.Turns != Fixed(1) }

// MayConverse reports whether requests may be turns of a conversation: made prompts of several turns, or a data set,
// whose items may have them.
func (s Shape) MayConverse() bool { return s.Data != nil || s.Converses() }
