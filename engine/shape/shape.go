// This file is the shape of the load, and the hash by which runs compare.

package shape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
)

// Shape is what the requests of a run ask for. No figure compares across shapes. The zero Shape is not valid.
type Shape struct {
	Prompt        Length  // tokens of the prompt
	Output        Length  // tokens of the answer
	PrefixOverlap float64 // share of the prompt, from its front, that all prompts have in common: 0 to 1
}

// Validate returns nil, or one sentence that says which part is wrong and what it may be.
func (s Shape) Validate() error {
	if err := s.Prompt.Validate(); err != nil {
		return fmt.Errorf("prompt length: %w", err)
	}
	if err := s.Output.Validate(); err != nil {
		return fmt.Errorf("output length: %w", err)
	}
	if math.IsNaN(s.PrefixOverlap) || s.PrefixOverlap < 0 || s.PrefixOverlap > 1 {
		return fmt.Errorf("prefix overlap %v is out of range: it is a share from 0 to 1", s.PrefixOverlap)
	}
	return nil
}

// Hash returns twelve hexadecimal digits: equal for equal shapes however they were spelled, different (but for one
// chance in 2⁴⁸) for different ones, and the same in every version that makes the same prompts of a shape.
func (s Shape) Hash() string {
	overlap := strconv.FormatFloat(math.Abs(s.PrefixOverlap), 'g', -1, 64) // Abs: -0 is 0
	sum := sha256.Sum256(fmt.Appendf(nil, "shape 1\nprompt %s\noutput %s\nprefix %s\n", s.Prompt, s.Output, overlap))
	return hex.EncodeToString(sum[:6])
}
