// This file asks a server how it cuts text into tokens, where it can be asked.

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

// tokenizeTime bounds one question to a tokenizer: a long prompt takes it some tens of milliseconds.
const tokenizeTime = 5 * time.Second

// ErrNoTokenize says that a server does not tell how it cuts text into tokens.
var ErrNoTokenize = errors.New("the server has no /tokenize that is understood")

// errNoSuchPage and errOtherForm say why one way to a tokenizer is none. Both stay inside this file.
var (
	errNoSuchPage = errors.New("there is no such page")
	errOtherForm  = errors.New("the page does not take this form")
)

// tokenizer is the way in which a server tokenizes. One without a page is that of a server that has none.
type tokenizer struct {
	page *url.URL
	form tokenForm
}

// tokenForm is one of the bodies that servers want.
type tokenForm int

// The forms, in the order in which they are tried. vLLM and SGLang refuse a body without "prompt"; llama.cpp takes one
// without "content" for an empty text.
const (
	formPrompt  tokenForm = iota // vLLM, SGLang: {"model", "prompt"}
	formContent                  // llama.cpp: {"content"}
	formBare                     // {"prompt"}, for servers that want nothing else
	formText                     // {"text"}
	tokenForms
)

// body is the request of a form.
func (f tokenForm) body(model, text string) any {
	switch f {
	case formContent:
		return map[string]string{"content": text}
	case formBare:
		return map[string]string{"prompt": text}
	case formText:
		return map[string]string{"text": text}
	}
	return map[string]string{"model": model, "prompt": text}
}

// Tokenize returns the ids of a text's tokens as the server's /tokenize has them: vLLM's, llama.cpp's or SGLang's,
// whichever form is answered; that is remembered until the next Probe. It lies beside the API, or below it. vLLM puts the
// model's beginning-of-text token first, as it does with a prompt; llama.cpp does not. The error is ErrNoTokenize where
// the server has none, now and every time until the next Probe; other errors are sentences for the user and may pass. An
// empty text has no tokens, and nobody is asked.
func (c *Client) Tokenize(ctx context.Context, text string) (ids []int, err error) {
	if text == "" {
		return nil, nil
	}
	model := c.profile.Load().Model
	if known := c.tokenizer.Load(); known != nil {
		if known.page == nil {
			return nil, ErrNoTokenize
		}
		ids, err := c.tokenizeBy(ctx, known, model, text)
		if errors.Is(err, errNoSuchPage) {
			err = ErrNoTokenize
		}
		return ids, err
	}
	for _, page := range c.target.beside("tokenize") {
		for form := range tokenForms {
			way := &tokenizer{page, form}
			ids, err := c.tokenizeBy(ctx, way, model, text)
			if err == nil {
				c.tokenizer.Store(way)
				return ids, nil
			}
			if errors.Is(err, errNoSuchPage) {
				break
			}
			if !errors.Is(err, errOtherForm) {
				return nil, err
			}
		}
	}
	c.tokenizer.Store(new(tokenizer))
	return nil, ErrNoTokenize
}

// tokenizeBy asks in one way.
func (c *Client) tokenizeBy(ctx context.Context, way *tokenizer, model, text string) ([]int, error) {
	said, err := c.tokens(ctx, way.page, way.form.body(model, text))
	if err != nil {
		return nil, err
	}
	for _, ids := range [][]int{said.Tokens, said.IDs, said.InputIDs, said.TokenIDs} {
		if len(ids) > 0 {
			return ids, nil
		}
	}
	return nil, fmt.Errorf("%w: its answer has no tokens", errOtherForm)
}

// tokenized is a tokenizer's answer, with the names that servers have for the ids.
type tokenized struct {
	Tokens   []int `json:"tokens"`
	IDs      []int `json:"ids"`
	InputIDs []int `json:"input_ids"`
	TokenIDs []int `json:"token_ids"`
}

// tokens asks a page. errNoSuchPage and errOtherForm say that another way may be tried, and the sentences of the others
// that it is of no use.
func (c *Client) tokens(ctx context.Context, page *url.URL, question any) (tokenized, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return tokenized{}, c.fault("the text cannot be encoded: %v", err)
	}
	resp, text, err := c.ask(ctx, http.MethodPost, page, body, tokenizeTime)
	if err != nil {
		return tokenized{}, err
	}
	var said tokenized
	switch status := resp.StatusCode; {
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented,
		status == http.StatusUnauthorized, status == http.StatusForbidden, // gateways, of pages they do not have
		status >= 300 && status < 400:
		return said, errNoSuchPage
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return said, fmt.Errorf("%w: %w", errOtherForm, c.statusProblem(resp, text, page))
	case status < 200 || status > 299:
		return said, c.statusProblem(resp, text, page)
	case looksLikeHTML(text):
		return said, errNoSuchPage
	case json.Unmarshal(text, &said) != nil:
		return said, fmt.Errorf("%w: its answer cannot be read", errOtherForm)
	}
	return said, nil
}

// ProbeIDs reports whether the completions API takes a prompt of token ids, by sending this one, for an answer of one
// token. A server that makes text of the numbers is found out by what it counts. It is false for the chat API, for no ids,
// and if ctx ends first.
func (c *Client) ProbeIDs(ctx context.Context, ids []int) bool {
	if len(ids) == 0 || c.profile.Load().API != endpoint.Completions {
		return false
	}
	req, err := c.Prepare(Prompt{IDs: ids, OutputTokens: 1})
	if err != nil {
		return false
	}
	answer, err := c.probeOnce(ctx, req)
	if err != nil || answer.problem != nil {
		return false
	}
	if answer.rec.TokenSource == record.SourceEstimated {
		return true
	}
	n, known := answer.rec.InputTokens.Get()
	surplus := n - int64(len(ids))
	return !known || surplus == 0 || surplus == 1 // a beginning-of-text token
}
