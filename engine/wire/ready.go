// Whether an endpoint can be used, and waiting until it can.

package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"tokdyno/engine/endpoint"
	"tokdyno/engine/record"
)

// Ready settles the model and, where it is to, has the endpoint probed: see ResolveModel and Probe. An endpoint that may only
// not have begun yet is asked again for as long as Endpoint.Wait; how long that took becomes one of the profile's warnings.
func (c *Client) Ready(ctx context.Context, probe bool) error {
	began := c.clock()
	for n := 1; ; n++ {
		err := c.settle(ctx, probe)
		waited := time.Duration(c.clock() - began)
		if err == nil {
			if n > 1 {
				p := *c.profile.Load()
				p.Warnings = append(slices.Clone(p.Warnings), fmt.Sprintf("the server was ready after %.1f s of waiting", waited.Seconds()))
				c.SetProfile(p)
			}
			return nil
		}
		why, may := starting(err)
		if c.ep.Wait <= 0 || !may || ctx.Err() != nil {
			return err
		}
		if waited >= c.ep.Wait {
			return &Error{err: err, sentence: fmt.Sprintf("the server was not ready within %v: %v", c.ep.Wait, err)}
		}
		if _, again := c.await(ctx, min(n, 3), 0, why, 0); !again {
			return err
		}
	}
}

// settle is Ready at the first try.
func (c *Client) settle(ctx context.Context, probe bool) error {
	if err := c.ResolveModel(ctx); err != nil || !probe {
		return err
	}
	_, err := c.Probe(ctx)
	if status(err) != http.StatusNotFound {
		return err
	}
	// Either the model is none that is served, or nothing is served yet: the model list tells.
	models, _, listErr := c.models(ctx)
	if listErr != nil {
		return &Error{err: err, sentence: err.Error(), status: http.StatusNotFound}
	}
	var ids []string
	for _, m := range models {
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 {
		return &Error{err: err, sentence: err.Error(), status: http.StatusServiceUnavailable}
	}
	if slices.Contains(ids, c.profile.Load().Model) {
		return errors.New(err.Error())
	}
	return errors.New(c.clean(fmt.Sprintf("%v; the models there are: %s", err, strings.Join(ids, ", "))))
}

// status is the HTTP status that an error is about; 0: none.
func status(err error) int {
	var (
		problem *Error
		api     *openai.APIError
		request *openai.RequestError
	)
	switch {
	case errors.As(err, &problem) && problem.status != 0:
		return problem.status
	case errors.As(err, &api):
		return api.HTTPStatusCode
	case errors.As(err, &request):
		return request.HTTPStatusCode
	}
	return 0
}

// starting reports whether an error may be that of a server which is only not ready yet: nothing listens, its name is not
// known, it loads (503), what is before it finds nothing behind (502, 504), or it has no model list yet (404).
func starting(err error) (why endpoint.Refusal, may bool) {
	var problem *Error
	if !errors.As(err, &problem) {
		return why, false
	}
	why = endpoint.Refusal{Kind: problem.kind, Status: status(err), Example: problem.sentence, Starting: true}
	switch why.Status {
	case http.StatusNotFound, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return why, true
	case 0:
		return why, why.Kind == record.KindConnect || why.Kind == record.KindTruncated ||
			why.Kind == record.KindTimeoutFirstByte
	}
	return why, false
}
