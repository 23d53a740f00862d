// The probe: one short request that finds out what an endpoint refuses.

package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

const (
	// probePrompt is short and harmless; it says nothing that could be taken for a field's name. It is words and spaces
	// only, so that what the server counts for it tells how many tokens a word has.
	probePrompt = "Write a short story about a small lighthouse by the sea and its keeper and a grey cat and the ships " +
		"that pass by in the night on their long way home"
	maxProbes = 16 // requests that a probe may take

	// An answer that is longer than anybody asked for is cut off there: the server does not mind max_tokens.
	probeEnough = 256             // token events
	probeTime   = 2 * time.Minute // from the first on
)

var (
	errProbed  = errors.New("the probe has seen enough")
	errNoToken = errors.New("no token of the probe's answer within the first-byte timeout")
)

// Probe sends one short request as load would be sent, and again without what the endpoint refuses, until one is
// answered: then every later request is made that way. ResolveModel must have settled the model. Errors are sentences
// for the user; of an endpoint that refuses for another reason than a field, the error is that reason.
func (c *Client) Probe(ctx context.Context) (endpoint.Profile, error) {
	p := *c.profile.Load()
	p.Dropped, p.Warnings = nil, nil
	p.IgnoreEOS, p.MinTokens, p.Temperature, p.StreamOptions, p.ContinuousUsage = true, true, true, true, true
	p.MaxTokensField, p.LeastOutput = fieldMaxTokens, 0

	c.tokenizer.Store(nil) // what answers may be another server by now
	t := prober{c: c, tokens: probeTokens}
	p, err := t.find(ctx, p)
	if err == nil {
		err = t.settle(&p)
	}
	if err != nil {
		return endpoint.Profile{}, err
	}
	c.learn(ctx, &p, t.last)
	c.SetProfile(p)
	c.remarks.forget() // the load's answers are what is counted
	return c.Profile(), nil
}

// prober counts what a probe has used up.
type prober struct {
	c      *Client
	tries  int
	tokens int    // that the next try asks for
	short  *Error // why fewer were refused; nil: they were not
	last   probed
}

// probed is the answer to one try.
type probed struct {
	rec         *record.Record
	stream      *stream
	verdict     verdict
	tokens      int // asked for
	fingerprint string
	protocol    string
	problem     *Error // of an HTTP status, with go-openai's error inside
	cut         bool   // the answer went on and on
}

// find returns the profile, with as little dropped as needed, under which the endpoint answers.
func (t *prober) find(ctx context.Context, p endpoint.Profile) (endpoint.Profile, error) {
	for {
		done, err := t.climb(ctx, p)
		if done || err != nil {
			return p, err
		}
		refused := t.last.problem
		named := refusedFields(refused, &p)
		if len(named) == 0 {
			t.tokens, t.short = min(fairLength, t.c.ownLength()), nil // it was not the length
			return t.guess(ctx, p, refused)
		}
		if others := slices.DeleteFunc(slices.Clone(named), isLength); len(others) > 0 {
			named = others // the length's turn comes when it alone is left
		} else {
			t.tokens, t.short = probeTokens, nil // what takes its place begins anew
		}
		for _, field := range named {
			p = without(p, field)
		}
	}
}

// guess drops fields one by one when a refusal names none, then all at once; the first that helps is kept. If nothing
// does, the refusal was about something else.
func (t *prober) guess(ctx context.Context, p endpoint.Profile, refused *Error) (endpoint.Profile, error) {
	fields := []string{
		fieldContinuousUsage, fieldStreamOptions, fieldIgnoreEOS, fieldMinTokens, fieldMaxTokens, fieldTemperature,
	}
	bare := p
	for _, field := range fields {
		if !sends(&p, field) {
			continue
		}
		less := without(p, field)
		bare = without(bare, field)
		if done, err := t.try(ctx, less); done || err != nil {
			return less, err
		}
	}
	done, err := t.try(ctx, bare)
	if !done && err == nil {
		err = t.helpless(refused)
	}
	return bare, err
}

// try sends the probe once. done: the endpoint answered. Neither done nor an error: it refused the request's form.
func (t *prober) try(ctx context.Context, p endpoint.Profile) (done bool, err error) {
	if t.tries++; t.tries > maxProbes {
		return false, t.last.problem
	}
	req, err := t.c.prepare(Prompt{Text: probePrompt, OutputTokens: t.tokens}, p)
	if err != nil {
		return false, err
	}
	t.last, err = t.c.probePersistently(ctx, req)
	t.last.tokens = t.tokens
	if err != nil {
		return false, err
	}
	if t.last.problem == nil {
		return true, nil
	}
	if status := t.last.rec.Status; status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false, t.last.problem
	}
	return false, nil
}

// probePersistently sends a request of the probe, and again where that may help and the user wants it.
func (c *Client) probePersistently(ctx context.Context, req *Request) (probed, error) {
	for n := 1; ; n++ {
		found, err := c.probeOnce(ctx, req)
		if n > c.ep.Retries || !passing(found.verdict, found.rec) || ctx.Err() != nil {
			return found, err
		}
		why := endpoint.Refusal{Kind: found.verdict.kind, Status: found.rec.Status, Example: found.verdict.sentence}
		if _, again := c.await(ctx, n, 0, why, found.stream.retryAfter); !again {
			return found, err
		}
	}
}

// probeOnce sends a request of the probe. An error means that the endpoint cannot be used at all.
func (c *Client) probeOnce(ctx context.Context, req *Request) (probed, error) {
	rec := record.New(0)
	s := new(stream)
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := newProbeLimit(cancel, c.ep.FirstByteTimeout+time.Second) // where no byte comes at all, that is said
	defer limit.timer.Stop()
	s.answer.reset(rec, limit, req)
	v := c.exchange(limited, req, s)
	c.conclude(ctx, s, v)
	found := probed{
		rec: rec, stream: s, verdict: v, fingerprint: s.answer.fingerprint, protocol: s.protocol, problem: s.problem,
		cut: errors.Is(context.Cause(limited), errProbed),
	}
	switch {
	case found.cut && ctx.Err() == nil:
		return found, nil
	case errors.Is(context.Cause(limited), errNoToken):
		found.verdict = verdict{} // it waited long enough
		return found, c.fault("%v (%v)", errNoToken, c.ep.FirstByteTimeout)
	case rec.Outcome == record.Cancelled:
		return found, fmt.Errorf("the probe was stopped: %w", context.Cause(ctx))
	case rec.Outcome == record.OK, found.problem != nil:
		return found, nil
	case rec.Kind == record.KindNoTokens:
		return found, nil // a probe that the model has nothing to say to is answered all the same
	}
	return found, &Error{sentence: rec.Error, kind: rec.Kind, status: rec.Status}
}

// probeLimit ends an answer that does not end by itself. It hears of its tokens.
type probeLimit struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
	tokens atomic.Int64
}

func newProbeLimit(cancel context.CancelCauseFunc, patience time.Duration) *probeLimit {
	l := &probeLimit{cancel: cancel}
	l.timer = time.AfterFunc(patience, func() {
		if l.tokens.Load() == 0 {
			cancel(errNoToken)
		}
		cancel(errProbed)
	})
	return l
}

// Sent implements record.Observer.
func (l *probeLimit) Sent(record.Instant) {}

// Token implements record.Observer.
func (l *probeLimit) Token(record.Token) {
	switch l.tokens.Add(1) {
	case 1:
		l.timer.Reset(probeTime)
	case probeEnough:
		l.cancel(errProbed)
	}
}

// learn takes what the probe's answer says about the endpoint.
func (c *Client) learn(ctx context.Context, p *endpoint.Profile, answer probed) {
	rec := answer.rec
	p.Protocol = answer.protocol
	p.ReplyModel = c.clean(rec.Model)
	p.ProbeUnits, p.ProbeTokens = len(strings.Fields(probePrompt)), record.Count{}
	if rec.TokenSource != record.SourceEstimated && !answer.cut {
		p.ProbeTokens = rec.InputTokens
	}
	if p.ContinuousUsage && rec.TokenSource != record.SourceContinuous {
		p.ContinuousUsage = false // taken, but without effect
	}
	switch {
	case answer.cut && rec.Chunks <= 2*answer.tokens: // it is just slow, or was asked for that many
	case answer.cut:
		p.Warnings = append(p.Warnings, fmt.Sprintf("the server does not keep to the length that it is asked for: of %d tokens, %d came and more",
			answer.tokens, rec.Chunks))
	case rec.TokenSource == record.SourceEstimated, rec.TokenSource == "":
		p.Warnings = append(p.Warnings, "the server does not count tokens; they are estimated")
	}
	if !rec.Streamed {
		p.Warnings = append(p.Warnings, "the server did not stream its answer; there is no time to first token")
	}
	if rec.Model != "" && p.Model != "" && rec.Model != p.Model {
		p.Warnings = append(p.Warnings, c.clean(fmt.Sprintf("the reply names the model %s, not %s", rec.Model, p.Model)))
	}
	if p.Proxy != "" && c.Local() {
		p.Warnings = append(p.Warnings, "requests to a private address go through the proxy "+p.Proxy+"; --no-proxy goes without it")
	}
	// Who it is matters less than that it answers: a missing model list is no fault here.
	_, from, _ := c.models(ctx)
	p.Server = c.identify(ctx, from, answer.fingerprint)
}

// refusedFields returns which of the fields that are sent a refusal is about; none if it does not say. Structured
// answers may name several, a sentence is trusted with one: it may go on to name what to use instead.
func refusedFields(problem *Error, p *endpoint.Profile) []string {
	api := refusal(problem)
	var found []string
	if api.Param != nil {
		for place := range strings.SplitSeq(*api.Param, ",") {
			found = appendField(found, place, p)
		}
	}
	for _, match := range bodyLocation.FindAllStringSubmatch(api.Message, -1) {
		found = appendField(found, match[1], p)
	}
	if len(found) > 0 {
		return found
	}
	message, _, _ := strings.Cut(api.Message, "'input':") // what follows repeats the whole request
	return appendField(nil, message, p)
}

// refusal is what an endpoint says in one.
func refusal(problem *Error) *openai.APIError {
	var api *openai.APIError
	if errors.As(problem, &api) {
		return api
	}
	var request *openai.RequestError
	if errors.As(problem, &request) {
		return &openai.APIError{Message: string(request.Body)}
	}
	return new(openai.APIError)
}

// bodyLocation finds pydantic's locations in the text that vLLM makes of them: 'loc': ('body', 'ignore_eos').
var bodyLocation = regexp.MustCompile(`'loc': \('body', ([^)]*)\)`)

// fieldWord finds words that could be a field's name.
var fieldWord = regexp.MustCompile(`[a-z_]+`)

// appendField appends the field that a text is about: the first that is sent, but a part of stream_options rather than
// all of it.
func appendField(to []string, text string, p *endpoint.Profile) []string {
	words := fieldWord.FindAllString(text, -1)
	if sends(p, fieldContinuousUsage) && slices.Contains(words, fieldContinuousUsage) {
		words = []string{fieldContinuousUsage}
	}
	for _, word := range words {
		if sends(p, word) && !slices.Contains(to, word) {
			return append(to, word)
		}
	}
	return to
}
