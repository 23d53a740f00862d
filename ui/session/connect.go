// This file asks the person for an endpoint, where none was named.

package session

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"tokdyno/engine/kept"
	"tokdyno/engine/nearby"
	"tokdyno/engine/record"
	"tokdyno/engine/slo"
	"tokdyno/engine/wire"
	"tokdyno/ui/connect"
)

const (
	mostRecent   = 6               // endpoints of kept runs that are offered
	modelsWithin = 5 * time.Second // for the answer to the question for its models
)

// Connect shows what there is to put load on, until the person has chosen or leaves; ok is false where they left. endpointOf is
// an endpoint as the flags have it.
func Connect(
	ctx context.Context, endpointOf func(url string) (wire.Endpoint, error), look Look, std Streams,
) (target connect.Target, ok bool, err error) {
	th, err := look.choose()
	if err != nil {
		return target, false, err
	}
	return connect.Run(ctx, std.In, std.Out, th, look.Mouse.on(os.Getenv), connect.Sources{
		Recent: recentEndpoints(kept.Runs{Folder: std.Runs}),
		Nearby: func(ctx context.Context) []connect.Found {
			var list []connect.Found
			for _, s := range nearby.Find(ctx, nearby.Ports()) {
				list = append(list, connect.Found(s))
			}
			return list
		},
		Ask: func(ctx context.Context, url, key string) connect.Answer {
			ep, err := endpointOf(url)
			if err != nil {
				return connect.Answer{Err: err}
			}
			if key != "" {
				ep.Key = key
			}
			return models(ctx, ep)
		},
	})
}

// models asks an endpoint for its models.
func models(ctx context.Context, ep wire.Endpoint) connect.Answer {
	client, err := wire.New(ep, record.NewClock())
	if err != nil {
		return connect.Answer{Err: err}
	}
	defer client.Close()
	if ep.Model != "" {
		return connect.Answer{Models: []string{ep.Model}}
	}
	ctx, cancel := context.WithTimeout(ctx, modelsWithin)
	defer cancel()
	ids, _, err := client.Models(ctx)
	return connect.Answer{Models: ids, WantsKey: wire.WantsKey(err), NoList: wire.HasNoList(err), Err: err}
}

// recentEndpoints are those that kept runs were of, the newest first, each once. What can't be read is left out: this is an
// offer, and "tokdyno runs" says what is wrong.
func recentEndpoints(runs kept.Runs) []connect.Recent {
	list, _ := runs.List()
	var recent []connect.Recent
	for i := range list {
		r := &list[i]
		at := base(r.Header.URL)
		known := slices.ContainsFunc(recent, func(o connect.Recent) bool { return o.URL == at })
		if r.Err != nil || r.Header.Simulated || at == "" || known {
			continue
		}
		sum, _ := r.Sum()
		recent = append(recent, connect.Recent{
			URL: at, Model: r.Header.Model, When: r.Header.Started, Best: sum.Best,
			Verdict: slo.Verdict(sum.Verdict),
		})
		if len(recent) == mostRecent {
			break
		}
	}
	return recent
}

// base is an endpoint's URL without the page that load goes to.
func base(of string) string {
	u, err := url.Parse(of)
	if err != nil || u.Host == "" {
		return of
	}
	for _, page := range []string{"/chat/completions", "/completions", "/v1"} {
		u.Path = strings.TrimSuffix(u.Path, page)
	}
	return u.String()
}
