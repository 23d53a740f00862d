// How many tokens a probe asks for: few, and more where that few are refused.

package wire

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"tokdyno/engine/endpoint"
)

const (
	probeTokens = 8  // enough to see whether usage comes on every chunk
	fairLength  = 64 // that many an endpoint takes which takes any, as far as is known
)

// ownLength is how long an answer the load asks for; a fair guess where that is not known.
func (c *Client) ownLength() int {
	if c.ep.OutputTokens > 0 {
		return c.ep.OutputTokens
	}
	return fairLength
}

// longer is how many tokens to ask for after a refusal of n; false if there is no more to try. Endpoints are known that
// take no fewer than 16, and others whose reasoning has to fit. It goes on to the load's own length, and in any case so
// far that it shows whether the length was it.
func (c *Client) longer(n int) (int, bool) {
	steps := []int{16, fairLength, c.ownLength()}
	slices.Sort(steps)
	for _, next := range steps {
		if next > n {
			return next, true
		}
	}
	return n, false
}

// climb sends the probe, asking for more tokens as long as it may be for their number that the endpoint refuses. Not done: it
// refuses for another reason, or the field itself.
func (t *prober) climb(ctx context.Context, p endpoint.Profile) (done bool, err error) {
	for {
		done, err = t.try(ctx, p)
		if done || err != nil || t.tries >= maxProbes {
			return done, err
		}
		next, more := t.c.longer(t.tokens)
		named := refusedFields(t.last.problem, &p)
		switch {
		case !more, slices.ContainsFunc(named, isOther):
			return false, nil
		case len(named) > 0 && refusesField(t.last.problem):
			if named[0] == fieldMaxTokens { // its successor is tried, and no limit is lost
				return false, nil
			}
			next = max(next, t.c.ownLength())
		}
		if t.short == nil {
			t.short = t.last.problem
		}
		t.tokens = next
	}
}

// fieldItself finds the words by which endpoints refuse a field whatever its value.
var fieldItself = regexp.MustCompile(`(?i)unsupported[ _]param|not supported|does ?n[o']t support|un(recogni[sz]ed|known|expected)|` +
	`extra[ _](forbidden|inputs|fields)|not (permitted|allowed)|max_completion_tokens'? instead`)

// refusesField reports whether a refusal is of a field itself, so that another value of it would not help.
func refusesField(problem *Error) bool {
	api := refusal(problem)
	code, _ := api.Code.(string)
	return fieldItself.MatchString(api.Message) || fieldItself.MatchString(code)
}

// settle notes in the profile, once the endpoint has answered, that it refuses short answers. The error says that the load's
// own are too short for it.
func (t *prober) settle(p *endpoint.Profile) error {
	answered := t.last.tokens
	if t.short == nil || p.MaxTokensField == "" {
		return nil
	}
	if own := t.c.ownLength(); answered > own {
		return t.c.fault("the endpoint takes no request for as few output tokens as the load asks for (%d), but one for %d; "+
			"ask for more with --output-tokens (%v)", own, answered, t.short)
	}
	p.LeastOutput = answered
	p.Warnings = append(p.Warnings, t.c.clean(fmt.Sprintf("the endpoint refused a request for %d output tokens and took one for %d; "+
		"those for fewer may fail (%v)", probeTokens, answered, t.short)))
	return nil
}

// helpless is a refusal that nothing helps against. Where the endpoint speaks of the length, it says how far that was tried.
func (t *prober) helpless(refused *Error) error {
	if said := refusal(refused).Message; !lengthWord.MatchString(said) || !moreWord.MatchString(said) {
		return refused
	}
	return &Error{err: refused.err, sentence: t.c.clean(fmt.Sprintf("%s; asked for up to %d output tokens, as the load does: "+
		"ask for more with --output-tokens", refused.sentence, t.c.ownLength()))}
}

// lengthWord finds the words for the length of answers, moreWord those that say of one that it is too little.
var (
	lengthWord = regexp.MustCompile(`(?i)max_(completion_|output_|new_)?tokens|output (limit|token)`)
	moreWord   = regexp.MustCompile(`(?i)higher|minimum|at least|greater|below|reached|too (small|few|short|low)|>=`)
)
