// This file words why there are no figures, and what to do on which server.

package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tokdyno/gpu/promtext"
)

// remedy says what to do on a server.
type remedy struct {
	marks []string // in the server's name, its Server header or its answer, lower case
	text  string
}

// remedies are tried in order.
var remedies = []remedy{
	{[]string{"llama.cpp", "start it with `--metrics`", "does not support metrics endpoint"}, "start llama-server with --metrics"},
	{[]string{"sglang"}, "start SGLang with --enable-metrics"},
	{[]string{"lmdeploy"}, "start lmdeploy serve api_server with --enable-metrics"},
	{[]string{"trtllm", "tensorrt", "inflightbatchingstats"}, "start trtllm-serve with return_perf_metrics: true in the file of its --extra_llm_api_options; the page is then /prometheus/metrics"},
	{[]string{"triton"}, "Triton has its metrics on a port of their own: add --metrics http://HOST:8002/metrics"},
	{[]string{"dynamo"}, "Dynamo's frontend has them at /metrics of its own port: add --metrics URL"},
	{[]string{"text-generation-inference", "tgi"}, "TGI's router has them at /metrics of its own port, which a proxy may hide: add --metrics URL"},
	{[]string{"vllm"}, "vLLM gives them at /metrics unless it runs with --disable-log-stats; where a proxy hides that page, add --metrics URL"},
	{[]string{"ollama"}, "Ollama has no metrics, and a proxy seems to hide its /api/ps"},
}

// anyRemedy is for a server that nobody knows.
const anyRemedy = "name the page with --metrics URL if the server has one elsewhere"

// refusal is an answer without figures.
type refusal struct {
	sentence string
	remedied bool // the sentence says what to do on this very server
	passing  bool // it may be otherwise in a moment
}

func (r *refusal) Error() string { return r.sentence }

// Unwrap makes a refusal that stands an ErrNotOffered.
func (r *refusal) Unwrap() error {
	if r.passing {
		return nil
	}
	return ErrNotOffered
}

// refuse makes a refusal of what was found and, where the server is recognised, what to do.
func refuse(found string, a answer, guess string) *refusal {
	for _, clue := range []string{a.server, string(a.body[:min(len(a.body), 4096)]), guess} {
		clue = strings.ToLower(clue)
		for _, r := range remedies {
			if slices.ContainsFunc(r.marks, func(mark string) bool { return strings.Contains(clue, mark) }) {
				return &refusal{sentence: found + "; " + r.text, remedied: true}
			}
		}
	}
	return &refusal{sentence: found + "; " + anyRemedy}
}

// refused words an answer with another status than 200.
func refused(a answer, guess string) *refusal {
	status := strings.TrimSpace(fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)))
	found := fmt.Sprintf("no server metrics: %s answered %s", shown(a.url), status)
	switch {
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return &refusal{sentence: found + "; it wants a key other than the endpoint's, or none was given", passing: true}
	case a.status == http.StatusTooManyRequests, a.status >= 500 && a.status != http.StatusNotImplemented:
		return &refusal{sentence: found, passing: true}
	}
	return refuse(found, a, guess)
}

// noFigures words a page that has none of the figures that are known.
func noFigures(a answer, page promtext.Page, guess string) *refusal {
	found := "no server metrics: " + shown(a.url)
	body := bytes.TrimSpace(a.body)
	switch {
	case len(body) == 0:
		found += " is empty; some servers fill it with the first request"
		return &refusal{sentence: found, passing: true}
	case len(page.Samples) > 0:
		r := refuse(fmt.Sprintf("%s has no figures of a known inference server, only such as %s", found, page.Samples[0].Name), a, guess)
		r.passing = true // some servers show theirs only after the first request
		return r
	case body[0] == '{', body[0] == '[':
		found += " answered JSON instead of a metrics page"
	case body[0] == '<', strings.Contains(a.content, "html"):
		found += " answered a web page (HTML) instead of metrics"
	default:
		found += " is not a metrics page"
	}
	return refuse(found, a, guess)
}

// mostTelling picks one of the problems that the pages had, in the order they were tried: one that knows what to do, else
// the first.
func mostTelling(problems []error) error {
	for _, err := range problems {
		if r := (*refusal)(nil); errors.As(err, &r) && r.remedied {
			return err
		}
	}
	return problems[0]
}
