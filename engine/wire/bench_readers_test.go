// Readers of the same streams, and what they use in turn: ours, and net/http alone and go-openai to take ratios against.

package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

// reader is a way to read streams, and what it used for how many chunks.
type reader struct {
	name     string
	read     func() (chunks int)
	spent    cost
	chunks   int
	perChunk []float64 // µs of processor time, of each turn
}

// turn reads some times over, and returns what this turn alone used, for how many chunks.
func (r *reader) turn(b *testing.B, s *benchServer, times int) (spent cost, chunks int) {
	b.Helper()
	spent = measure(b, s, func() {
		for range times {
			chunks += r.read()
		}
	})
	r.perChunk = append(r.perChunk, float64(spent.cpu)/float64(chunks)/1e3)
	r.spent.add(spent)
	r.chunks += chunks
	return spent, chunks
}

// bareClient is net/http and nothing else.
func bareClient(b *testing.B, n int) *http.Client {
	transport := &http.Transport{
		MaxIdleConnsPerHost: n, IdleConnTimeout: benchKeepAlive, ReadBufferSize: buffer, WriteBufferSize: buffer, DisableCompression: true,
	}
	b.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// bareLoop reads answers with a bare client, as many at a time as are wanted, and returns how many events they had.
func bareLoop(b *testing.B, c *http.Client, url string, n int) (events int) {
	var all atomic.Int64
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			if err := bareAnswer(b.Context(), c, url, &all); err != nil {
				b.Error(err)
			}
		})
	}
	running.Wait()
	return int(all.Load())
}

// bareAnswer reads an answer with a bare client, and counts its events.
func bareAnswer(ctx context.Context, c *http.Client, url string, events *atomic.Int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	into := make([]byte, firstLineBuffer)
	for {
		read, err := resp.Body.Read(into)
		events.Add(int64(bytes.Count(into[:read], []byte("\n\n"))))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// goOpenAI is the common library's client for a server that takes its orders from the query.
func goOpenAI(b *testing.B, ordered string, n int) *openai.Client {
	b.Helper()
	base, err := url.Parse(ordered)
	if err != nil {
		b.Fatal(err)
	}
	plain := bareClient(b, n)
	config := openai.DefaultConfig("")
	config.BaseURL = "http://" + base.Host + base.Path
	config.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
		r.URL.RawQuery = base.RawQuery
		return plain.Do(r)
	})
	return openai.NewClientWithConfig(config)
}

// doer is an openai.HTTPDoer.
type doer func(*http.Request) (*http.Response, error)

// Do implements openai.HTTPDoer.
func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// libraryLoop reads answers with go-openai, as many at a time as are wanted, and returns how many chunks they had.
func libraryLoop(b *testing.B, c *openai.Client, n int) int {
	var all atomic.Int64
	var running sync.WaitGroup
	for range n {
		running.Go(func() {
			answer, err := c.CreateChatCompletionStream(b.Context(), openai.ChatCompletionRequest{
				Model: "m", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "hello"}},
			})
			if err != nil {
				b.Error(err)
				return
			}
			defer answer.Close()
			for {
				if _, err := answer.Recv(); err == io.EOF {
					return
				} else if err != nil {
					b.Error(err)
					return
				}
				all.Add(1)
			}
		})
	}
	running.Wait()
	return int(all.Load())
}
