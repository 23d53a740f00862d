// Arrivals and sendings of whole requests: whose stamps they have, and what they leave out.

package wire

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"tokdyno/engine/record"
)

// tunnel is a proxy that only connects.
func tunnel(t *testing.T) *url.URL {
	t.Helper()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			t.Errorf("the proxy was asked to %s", r.Method)
			return
		}
		far, err := net.Dial("tcp", r.Host)
		if err != nil {
			t.Error(err)
			return
		}
		defer far.Close()
		near, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer near.Close()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		var both sync.WaitGroup
		both.Go(func() { _, _ = io.Copy(far, buffered); _ = far.(*net.TCPConn).CloseWrite() })
		both.Go(func() { _, _ = io.Copy(near, far); near.Close() })
		both.Wait()
	})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// kernelStamping reports whether this machine stamps what it receives.
func kernelStamping(t *testing.T) bool {
	t.Helper()
	near, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	c, err := net.Dial("tcp", near.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = newKernelStamps(c.(*net.TCPConn), record.NewClock())
	return err == nil
}

func TestWhoseStampsAreUsed(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, role, say("a"), say("b"), stop, done)
	}
	plain := serve(t, answer)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(answer))
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.Close)
	for _, test := range []struct {
		name string
		ep   Endpoint
		set  func(c *Client)
		want string
	}{
		{"plain", Endpoint{URL: plain.URL}, func(*Client) {}, "kernel"},
		{"TLS", Endpoint{URL: secure.URL, Insecure: true}, func(*Client) {}, "kernel"},
		{"TLS through a proxy", Endpoint{URL: secure.URL, Insecure: true}, func(c *Client) { c.transport.Proxy, c.http1 = http.ProxyURL(tunnel(t)), nil }, "kernel"},
		{"HTTP/2, whose reads are of all streams", Endpoint{URL: secure.URL, Insecure: true, HTTP2: true}, func(*Client) {}, "read"},
		{"refused by the system", Endpoint{URL: plain.URL}, func(c *Client) { c.dialer.unstamped.Store(true) }, "read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.want == "kernel" && !kernelStamping(t) {
				t.Skip("this system does not stamp what it receives")
			}
			c := client(t, test.ep)
			defer c.Close()
			test.set(c)
			if got := c.Stamps(); got != "read" {
				t.Errorf("before any answer: %q", got)
			}
			stamped := 0
			for i := 0; i < 20_000 && (i < 3 || test.want == "kernel" && stamped == 0); i++ { // a busy system begins to stamp a moment after it was asked to
				r, heard := ask(t, c)
				if r.Outcome != record.OK {
					t.Fatalf("%+v", r)
				}
				checkOrder(t, r, heard)
				checkIdentity(t, r, heard)
				for _, token := range heard.tokens {
					if token.Kernel {
						stamped++
					}
					if token.Lag < 0 || (!token.Kernel && token.Lag != 0) || token.At.Add(token.Lag) > r.End {
						t.Errorf("%+v, though the request was over at %d", token, r.End)
					}
				}
			}
			if got := c.Stamps(); got != test.want || (got == "kernel") != (stamped > 0) {
				t.Errorf("%q, with %d token events stamped by the kernel; want %q", got, stamped, test.want)
			}
		})
	}
}

func TestConnectionsThatAreNoTCPAreStampedAtTheRead(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	d := dialer{clock: record.NewClock()}
	if s, ok := d.stamper(near).(*returnStamps); !ok || d.unstamped.Load() {
		t.Errorf("%T; stamps given up: %v", s, d.unstamped.Load())
	}
}

// pacer hears of one request, and lets the server go on after every token event.
type pacer struct {
	ear
	more chan struct{}
}

func (p *pacer) Token(t record.Token) {
	p.ear.Token(t)
	p.more <- struct{}{}
}

func TestChunksOfOneReadArriveTogether(t *testing.T) {
	more := make(chan struct{}, 10)
	piece := func(c net.Conn, texts ...string) {
		text := strings.Join(texts, "")
		_, _ = fmt.Fprintf(c, "%x\r\n%s\r\n", len(text), text)
	}
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, _ = io.WriteString(c, streamHeader)
		piece(c, say("a"))
		<-more
		piece(c, say("b"))
		<-more
		both := `data: {"choices":[{"index":0,"delta":{"content":"x"}},{"index":1,"delta":{"content":"y"}}]}` + "\n\n"
		piece(c, say("c"), both, say("d"))
		for range 4 {
			<-more
		}
		piece(c, both)
		piece(c, stop, done)
		_, err := io.WriteString(c, "0\r\n\r\n")
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	req, err := c.Prepare(Prompt{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	rec, heard := record.New(1), &pacer{more: more}
	c.Stream(t.Context(), req, rec, heard)
	if rec.Outcome != record.OK || len(heard.tokens) != 8 {
		t.Fatalf("%d token events: %+v", len(heard.tokens), rec)
	}
	if rec.Arrivals.Events != 6 { // the other two are of the second choice
		t.Errorf("%+v", rec.Arrivals)
	}
	for i := range heard.tokens {
		if i > 2 && i < 6 && (heard.tokens[i].At != heard.tokens[2].At || heard.tokens[i].Lag != heard.tokens[2].Lag) {
			t.Errorf("token event %d came in the same read as 2, but at %d, not %d", i, heard.tokens[i].At, heard.tokens[2].At)
		}
	}
}

func TestChunksOfOneReadArriveTogetherHoweverTheyAreTaken(t *testing.T) {
	// A body is read in pieces as large as the line buffer has room for, so one read of the connection may take several.
	text := strings.Repeat(say("a"), 40)
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, err := io.WriteString(c, chunked(streamHeader, text, stop, done))
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	r, heard := ask(t, c)
	times := map[record.Instant]bool{}
	for _, token := range heard.tokens {
		times[token.At] = true
	}
	if n := r.Arrivals; n.Events != 40 || n.Times > len(times) || n.Opening < n.Events/n.Times {
		t.Errorf("%+v, at %d instants", n, len(times))
	}
}

func TestWhatComesBeforeSendingIsNotInTTFT(t *testing.T) {
	// 150 requests start at once, but connections come one by one, each after the answer to the one before: what the
	// last of them waited for its connection is everything that the others took.
	const requests = 150
	clock := record.NewClock()
	next := make(chan struct{}, 1)
	var mu sync.Mutex
	var let record.Instant                        // when the latest connection was allowed
	allowed := make([]record.Instant, requests+1) // by request
	received := make([]record.Instant, requests+1)
	s := newRawServer(t, func(c net.Conn, _ int, body []byte) bool {
		var id int
		if _, after, ok := strings.Cut(string(body), "request-"); ok {
			_, _ = fmt.Sscanf(after, "%d", &id)
		}
		mu.Lock()
		allowed[id], received[id] = let, clock()
		mu.Unlock()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"+say("a")+stop+done)
		next <- struct{}{}
		return false
	})
	c, err := New(Endpoint{URL: s.url, Model: "m", NoProxy: true}, clock)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var waiting sync.WaitGroup
	waiting.Add(requests)
	c.dialer.net.ControlContext = func(ctx context.Context, _, _ string, _ syscall.RawConn) error {
		waiting.Done()
		select {
		case <-next:
			mu.Lock()
			let = clock()
			mu.Unlock()
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var all sync.WaitGroup
	records := make([]*record.Record, requests+1)
	for id := 1; id <= requests; id++ {
		req, err := c.Prepare(Prompt{Text: fmt.Sprintf("request-%d", id)})
		if err != nil {
			t.Fatal(err)
		}
		rec := record.New(uint64(id))
		records[id] = rec
		all.Go(func() {
			rec.Started = clock()
			c.Stream(t.Context(), req, rec, nil)
		})
	}
	waiting.Wait()
	next <- struct{}{}
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	for id, r := range records[1:] {
		id++
		if r.Outcome != record.OK {
			t.Fatalf("request %d: %+v", id, r)
		}
		if r.Started >= allowed[id] || r.Sent <= allowed[id] || r.Sent >= received[id] {
			t.Errorf("request %d: started at %d, connection allowed at %d, sent at %d, received at %d", id, r.Started, allowed[id], r.Sent, received[id])
		}
	}
}

func TestStreamingDoesNotAllocatePerChunk(t *testing.T) {
	frames := flow(contentForm)
	answer := func(n int) string {
		events := make([]string, n, n+2)
		for i := range events {
			events[i] = "data: " + string(frames[i%len(frames)]) + "\n\n"
		}
		return chunked(streamHeader, append(events, stop, done)...)
	}
	const short, long = 100, 10_100
	answers := map[int]string{short: answer(short), long: answer(long)}
	var chunks atomic.Int64
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, err := io.WriteString(c, answers[int(chunks.Load())])
		return err == nil
	})
	c := client(t, Endpoint{URL: s.url})
	req, err := c.Prepare(Prompt{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(n int) uint64 {
		chunks.Store(int64(n))
		var before, after runtime.MemStats
		rec, heard := record.New(1), onToken(func(int) {})
		runtime.ReadMemStats(&before)
		c.Stream(t.Context(), req, rec, heard)
		runtime.ReadMemStats(&after)
		if rec.Chunks != n || rec.Outcome != record.OK {
			t.Fatalf("%d chunks: %+v", n, rec)
		}
		return after.Mallocs - before.Mallocs
	}
	allocations(long) // grows what grows
	base := allocations(short)
	if n := allocations(long); n > base+(long-short)/100 {
		t.Errorf("%d allocations for %d chunks, %d for %d", n, long, base, short)
	}
}
