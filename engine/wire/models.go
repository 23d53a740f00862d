// Which model to ask for.

package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tokdyno/engine/endpoint"

	openai "github.com/sashabaranov/go-openai"
)

// pageTime bounds the small questions asked beside the load: model list, version.
const pageTime = 10 * time.Second

// ManyModelsError says that the endpoint serves several models and none was chosen.
type ManyModelsError struct {
	IDs []string // base models before their LoRA children, else in the server's order
}

func (e *ManyModelsError) Error() string {
	return "the endpoint serves several models; choose one with --model: " + strings.Join(e.IDs, ", ")
}

// listed is what the model list said beside the model.
type listed struct {
	ownedBy string
	server  string // Server header
}

// ResolveModel settles which model is asked for: the endpoint's own Model, or the only one that its model list has. If
// there are several, the error is a *ManyModelsError.
func (c *Client) ResolveModel(ctx context.Context) error {
	if c.profile.Load().Model != "" {
		return nil
	}
	models, err := c.modelsPersistently(ctx)
	if err != nil {
		return err
	}
	switch len(models) {
	case 0:
		problem := c.fault("the model list of %s is empty; load a model, or name one with --model", shown(c.target.models()))
		problem.status = http.StatusServiceUnavailable // for who waits until there is one
		return problem
	case 1:
		p := *c.profile.Load()
		p.Model = models[0].ID
		c.SetProfile(p)
		return nil
	}
	ids := make([]string, len(models))
	for i, m := range models {
		ids[i] = m.ID
	}
	return &ManyModelsError{IDs: ids}
}

// Models asks once for the models that the endpoint serves: their ids, base models first, and what the server is, as far as
// its list tells; "": it does not.
func (c *Client) Models(ctx context.Context) (ids []string, server string, err error) {
	models, from, err := c.models(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, m := range models {
		ids = append(ids, m.ID)
	}
	return ids, c.identify(ctx, from, ""), nil
}

// WantsKey reports whether an error is that of a server that takes no request without a key, or not with this one (401).
func WantsKey(err error) bool { return answered(err, http.StatusUnauthorized) }

// HasNoList reports whether an error is that of a server without a model list, so that the model has to be named.
func HasNoList(err error) bool {
	return answered(err, http.StatusNotFound) || answered(err, http.StatusMethodNotAllowed)
}

func answered(err error, status int) bool {
	var problem *Error
	return errors.As(err, &problem) && problem.status == status
}

// modelsPersistently asks for the model list, and again where that may help and the user wants it.
func (c *Client) modelsPersistently(ctx context.Context) ([]openai.Model, error) {
	for n := 1; ; n++ {
		models, _, err := c.models(ctx)
		var problem *Error
		if n > c.ep.Retries || !errors.As(err, &problem) || !mayPass(problem.kind) || ctx.Err() != nil {
			return models, err
		}
		why := endpoint.Refusal{Kind: problem.kind, Status: problem.status, Example: problem.sentence}
		if _, again := c.await(ctx, n, 0, why, problem.after); !again {
			return nil, err
		}
	}
}

// models asks for the model list: base models first.
func (c *Client) models(ctx context.Context) ([]openai.Model, listed, error) {
	asked := c.target.models()
	resp, text, err := c.get(ctx, asked)
	if err != nil {
		return nil, listed{}, err
	}
	from := listed{server: resp.Header.Get("Server")}
	switch {
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusMethodNotAllowed:
		problem := c.fault("there is no model list at %s (%d); give --model", shown(asked), resp.StatusCode)
		problem.status = resp.StatusCode
		return nil, from, problem
	case resp.StatusCode != http.StatusOK:
		problem := c.statusProblem(resp, text, asked)
		problem.kind, problem.status, problem.after = kindOf(resp.StatusCode), resp.StatusCode, retryAfter(resp.Header)
		return nil, from, problem
	case looksLikeHTML(text):
		return nil, from, c.fault("%s", pageSentence(asked, text))
	}
	models, ok := parseModels(text)
	if !ok {
		if e := parseError(text); e != nil {
			return nil, from, c.fault("the server answers the question for its models with a message: %s; give --model", e.Message)
		}
		return nil, from, c.fault("the model list at %s cannot be read; give --model", shown(asked))
	}
	if len(models) > 0 {
		from.ownedBy = models[0].OwnedBy
	}
	return models, from, nil
}

// parseModels reads a model list as OpenAI has it, or a bare array, as some gateways do. Of each model only strings are
// looked at, for servers differ in the rest. One whose name is more than a line, or cannot be shown as it is, is no model.
func parseModels(text []byte) ([]openai.Model, bool) {
	var list struct {
		Data json.RawMessage `json:"data"`
	}
	raw := json.RawMessage(text)
	if json.Unmarshal(text, &list) == nil {
		if list.Data == nil {
			return nil, false
		}
		raw = list.Data
	}
	var entries []map[string]json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		return nil, false
	}
	var bases, children []openai.Model
	for _, entry := range entries {
		m := openai.Model{
			ID: word(entry["id"]), OwnedBy: word(entry["owned_by"]), Root: word(entry["root"]), Parent: word(entry["parent"]),
		}
		switch {
		case m.ID == "", flat(m.ID) != m.ID:
		case m.Parent == "":
			bases = append(bases, m)
		default:
			children = append(children, m)
		}
	}
	return append(bases, children...), true
}

// word returns the string that raw is; "" for anything else.
func word(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// get asks for a page beside the load.
func (c *Client) get(ctx context.Context, asked *url.URL) (*http.Response, []byte, error) {
	return c.ask(ctx, http.MethodGet, asked, nil, pageTime)
}

// ask sends a small question beside the load and returns the answer with its body read.
func (c *Client) ask(
	ctx context.Context, method string, asked *url.URL, question []byte, limit time.Duration,
) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	header := c.header.Clone()
	header.Set("Accept", "application/json")
	r := &http.Request{Method: method, URL: asked, Header: header, Host: c.host}
	if question == nil {
		header.Del("Content-Type")
	} else {
		r.Body = io.NopCloser(bytes.NewReader(question))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(question)), nil }
		r.ContentLength = int64(len(question))
		header["X-Idempotency-Key"] = []string{} // sends nothing; net/http then replaces a stale connection by itself
	}
	resp, err := c.transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return nil, nil, c.noAnswer(ctx, err)
	}
	defer resp.Body.Close()
	b := body{Reader: resp.Body, clock: c.clock, guard: nil}
	text, _, err := b.whole(maxBody)
	if err != nil && !errors.Is(err, errTooLong) {
		return nil, nil, c.noAnswer(ctx, err)
	}
	return resp, text, nil
}

// noAnswer words a failure to get a page.
func (c *Client) noAnswer(ctx context.Context, err error) error {
	err = cause(ctx, err)
	if errors.Is(err, context.Canceled) {
		return &Error{sentence: "stopped before " + c.target.base.Host + " answered", err: err}
	}
	v := c.unanswered(err)
	return &Error{sentence: c.clean(v.sentence), err: err, kind: v.kind}
}
