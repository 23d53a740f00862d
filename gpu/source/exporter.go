// This file is the source that reads an exporter's page over HTTP.

package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/promtext"
)

const (
	scrapePatience = 2 * time.Second
	largestPage    = 16 << 20
	oldAfter       = 3 * time.Second // what is older is shown with its age
)

// exporterSource scrapes one page.
type exporterSource struct {
	url    string
	shown  string // the URL without password
	client *http.Client
	most   int64 // bytes of a page
	table  exporterTable
	name   atomic.Pointer[string]    // of the exporter, once it is known
	meters map[gpu.Key]exporterMeter // each device's energy counter
}

// exporterMeter is what the energy counter last showed. A GPU uses energy as long as it is on, so a counter that stands still
// is a page that was not made anew.
type exporterMeter struct {
	joules float64
	since  time.Time // when it first showed this
}

// Exporter reads the metrics page at address, such as "http://gpu-7:9400/metrics"; the path may be left out.
// It uses the proxy of the environment, and waits for 2 s.
func Exporter(address string) (gpu.Source, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a metrics page, such as http://gpu-7:9400/metrics", address)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/metrics"
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute}
	s := &exporterSource{
		url: u.String(), shown: gpu.Spec{Kind: gpu.KindExporter, Arg: u.String()}.String(), client: &http.Client{Transport: transport}, most: largestPage,
		table: newExporterTable(), meters: make(map[gpu.Key]exporterMeter),
	}
	return s, nil
}

// Name implements Source: the exporter's name, "exporter" before it is known.
func (s *exporterSource) Name() string {
	if name := s.name.Load(); name != nil {
		return *name
	}
	return "exporter"
}

// Simulated implements Source: never.
func (*exporterSource) Simulated() bool { return false }

// Close implements Source.
func (s *exporterSource) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// Read implements Source.
func (s *exporterSource) Read(ctx context.Context) ([]gpu.Device, error) {
	ctx, cancel := context.WithTimeout(ctx, scrapePatience)
	defer cancel()
	body, at, err := s.scrape(ctx)
	if err != nil {
		return nil, err
	}
	page := promtext.Parse(body)
	devices, name := s.table.devices(page, at)
	if len(devices) == 0 {
		return nil, s.strange(page)
	}
	s.name.Store(&name)
	for i := range devices {
		s.remember(&devices[i], name, at)
	}
	return devices, nil
}

// scrape gets the page, and the time at which the exporter sent it, by the exporter's own clock if it says so.
func (s *exporterSource) scrape(ctx context.Context) ([]byte, time.Time, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, time.Time{}, err
	}
	request.Header.Set("Accept", "text/plain;version=0.0.4, */*;q=0.5")
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, time.Time{}, s.unreachable(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, time.Time{}, s.refused(answer)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, s.most+1))
	if err != nil {
		return nil, time.Time{}, s.unreachable(err)
	}
	if int64(len(body)) > s.most {
		return nil, time.Time{}, fmt.Errorf("%s is larger than 16 MiB: no exporter's page", s.shown)
	}
	at := time.Now()
	if sent, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		at = sent
	}
	return body, at, nil
}

func (s *exporterSource) unreachable(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not answer within %v", s.shown, scrapePatience)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return fmt.Errorf("%s cannot be read: %w", s.shown, err)
}

func (s *exporterSource) refused(answer *http.Response) error {
	switch answer.StatusCode {
	case http.StatusNotFound:
		return fmt.Errorf("%s is not there (404): give the exporter's whole address, with its path", s.shown)
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%s refuses (%s): put user:password@ before the host", s.shown, answer.Status)
	default:
		return fmt.Errorf("%s answers %s", s.shown, answer.Status)
	}
}

// strange says what is wrong with a page without devices.
func (s *exporterSource) strange(page promtext.Page) error {
	for _, sample := range page.Samples {
		for _, server := range []string{"vllm:", "vllm_", "sglang:", "sglang_", "tgi_", "llamacpp:", "lmdeploy:", "trtllm_", "dynamo_"} {
			if strings.HasPrefix(sample.Name, server) {
				return fmt.Errorf("%s is the inference server's own page, without GPUs: give it with --metrics", s.shown)
			}
		}
	}
	if len(page.Samples) == 0 {
		return fmt.Errorf("%s is no metrics page", s.shown)
	}
	return fmt.Errorf("none of the %d samples at %s is of a GPU", len(page.Samples), s.shown)
}

// remember finds out from the energy counter whether the values are old, or the exporter started anew.
func (s *exporterSource) remember(d *gpu.Device, exporter string, at time.Time) {
	if d.EnergyJ.OK() {
		key, joules := d.Key(), d.EnergyJ.V
		before, known := s.meters[key]
		if known && joules < before.joules {
			d.Restarted = true
			remark(d, gpu.TextRestarted)
		}
		if known && joules == before.joules {
			d.Age = max(d.Age, at.Sub(before.since))
		} else {
			s.meters[key] = exporterMeter{joules, at}
		}
	}
	if d.Age <= oldAfter {
		d.Age = 0
		return
	}
	old := fmt.Sprintf("%.0f s old", d.Age.Seconds())
	if exporter == dcgmName {
		old += ": " + textDCGMSlow
	}
	remark(d, old)
}
