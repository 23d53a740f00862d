// Tests of faults over real loopback: the bytes that each puts on the wire, as golden files.

package sim

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	chatPath       = "/v1/chat/completions"
	completionPath = "/v1/completions"

	chatOfFour       = `{` + hi + `,"stream":true,"max_tokens":4,"ignore_eos":true,"stream_options":{"include_usage":true}}`
	chatOfSix        = `{` + hi + `,"stream":true,"max_tokens":6,"ignore_eos":true}`
	meteredChat      = `{` + hi + `,"stream":true,"max_tokens":4,"ignore_eos":true,"stream_options":{"include_usage":true,"continuous_usage_stats":true}}`
	longChat         = `{"messages":[{"role":"user","content":"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"}],"stream":true,"max_tokens":4,"ignore_eos":true,"stream_options":{"include_usage":true}}`
	completionOfFour = `{"prompt":"hi","stream":true,"max_tokens":4,"ignore_eos":true}`
	wholeChat        = `{` + hi + `,"max_tokens":4,"ignore_eos":true}`
	everyParameter   = `{` + hi + `,"stream":true,"max_tokens":4,"max_completion_tokens":4,"min_tokens":4,"ignore_eos":true,"temperature":0,` +
		`"stream_options":{"include_usage":true,"continuous_usage_stats":true}}`
)

func TestFaultsOnTheWire(t *testing.T) {
	for _, c := range []struct{ name, faults, path, body string }{
		{"none", "none", chatPath, chatOfFour},
		{"none-completion", "none", completionPath, completionOfFour},
		{"http_429", "http_429=100%:1500ms", chatPath, chatOfFour},
		{"http_5xx", "http_5xx=100%", chatPath, chatOfFour},
		{"http_5xx-500", "http_5xx=100%:500:7s", completionPath, completionOfFour},
		{"disconnect", "disconnect=100%", chatPath, chatOfFour},
		{"error_mid", "error_mid=100%:2", chatPath, chatOfFour},
		{"error_mid-at-once", "error_mid=100%:0", completionPath, completionOfFour},
		{"error_mid-late", "error_mid=100%:99", completionPath, completionOfFour},
		{"truncate_mid", "truncate_mid=100%:2", chatPath, chatOfFour},
		{"truncate_mid-amid-a-chunk", "truncate_mid=100%:3 chunk_tokens=2", completionPath, completionOfFour},
		{"stall_mid", "stall_first=100%:1ms stall_mid=100%:1ms:2", completionPath, completionOfFour},
		{"role_early", "role_early", chatPath, meteredChat},
		{"role_every", "role_every", chatPath, chatOfFour},
		{"buffer", "buffer=3", chatPath, chatOfFour},
		{"bursts", "bursts=2 comments", chatPath, chatOfFour},
		{"chunk_tokens", "chunk_tokens=3", chatPath, meteredChat},
		{"no_continuous_usage", "chunk_tokens=3 no_continuous_usage", chatPath, meteredChat},
		{"no_usage", "no_usage zero_usage", chatPath, meteredChat},
		{"no_usage-whole", "no_usage", chatPath, wholeChat},
		{"zero_usage", "zero_usage", completionPath, completionOfFour},
		{"zero_usage-asked-for", "zero_usage", chatPath, chatOfFour},
		{"usage_form-input", "usage_form=input", chatPath, meteredChat},
		{"usage_form-below", "usage_form=below", chatPath, chatOfFour},
		{"usage_form-strings-whole", "usage_form=strings", chatPath, wholeChat},
		{"refuse-openai", "refuse=max_tokens,min_tokens", chatPath, everyParameter},
		{"refuse-openai-temperature", "refuse=temperature,ignore_eos:openai", chatPath, everyParameter},
		{"refuse-vllm", "refuse=stream_options,ignore_eos:vllm", chatPath, everyParameter},
		{"refuse-fastapi", "refuse=continuous_usage_stats,min_tokens:fastapi", chatPath, everyParameter},
		{"refuse-what-is-not-there", "refuse=temperature,max_completion_tokens,min_tokens", chatPath, chatOfFour},
		{"least_output", "least_output=5", chatPath, chatOfFour},
		{"least_output-renamed", "least_output=5:renamed", chatPath, chatOfFour},
		{"least_output-unfinished", "least_output=5:unfinished", chatPath, everyParameter},
		{"least_output-enough", "least_output=4", completionPath, completionOfFour},
		{"no_stream", "no_stream", chatPath, chatOfFour},
		{"reasoning_content", "reasoning=3 chunk_tokens=2", chatPath, meteredChat},
		{"reasoning", "reasoning=2:reasoning", chatPath, chatOfFour},
		{"reasoning-details", "reasoning=2:reasoning_details", chatPath, chatOfFour},
		{"reasoning-details-whole", "reasoning=2:reasoning_details", chatPath, wholeChat},
		{"reasoning-hidden", "reasoning=2:hidden", chatPath, meteredChat},
		{"reasoning-all-hidden", "reasoning=9:hidden", chatPath, chatOfFour},
		{"reasoning-completion", "reasoning=2", completionPath, completionOfFour},
		{"reasoning-completion-all-hidden", "reasoning=9:hidden", completionPath, completionOfFour},
		{"reasoning-whole", "reasoning=2:reasoning", chatPath, wholeChat},
		{"tool_calls", "tool_calls chunk_tokens=2", chatPath, chatOfFour},
		{"tool_calls-after-reasoning", "tool_calls reasoning=3", chatPath, chatOfFour},
		{"tool_calls-whole", "tool_calls", chatPath, wholeChat},
		{"finish", "finish=abort", chatPath, meteredChat},
		{"finish-whole", "finish=abort", chatPath, wholeChat},
		{"slow_close", "slow_close=1ms", completionPath, completionOfFour},
		{"close_after_stream", "close_after_stream", completionPath, completionOfFour},
		{"comments", "comments", chatPath, chatOfFour},
		{"crlf", "crlf comments", completionPath, completionOfFour},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, Config{Faults: parse(t, c.faults)})
			compare(t, filepath.Join("testdata", "faults", c.name+".txt"), exchange(t, s, c.path, c.body))
		})
	}
}

// parse reads faults that are right.
func parse(t *testing.T, text string) Faults {
	t.Helper()
	f, err := ParseFaults([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// changing matches what differs from run to run.
var changing = regexp.MustCompile(`[0-9a-f]{32}|"created":\d+`)

// masked is a text without what differs from run to run, for people.
func masked(text string) string {
	text = changing.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, `"`) {
			return `"created":1`
		}
		return "…"
	})
	return strings.ReplaceAll(text, "\r", `\r`)
}

// exchange posts a body and returns what came back, as text for people: status, headers that matter, body and end.
func exchange(t *testing.T, s *Server, path, body string) string {
	t.Helper()
	resp, err := client(t).Post(s.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		return "(no answer)\n"
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", resp.StatusCode)
	for _, name := range []string{"Content-Type", "Retry-After", "Keep-Alive", "Connection"} {
		if value := resp.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&b, "\n%s", masked(string(text)))
	if err != nil {
		fmt.Fprintf(&b, "(%v)\n", err)
	}
	return b.String()
}

// compare checks text against a golden file.
func compare(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (run with -update if it is meant to change):\n%s", file, diff)
	}
}

func TestToolArgumentsAreJSON(t *testing.T) {
	for _, faults := range []string{"tool_calls", "tool_calls chunk_tokens=3", "tool_calls reasoning=5", "tool_calls reasoning=19", "tool_calls reasoning=18"} {
		s := serve(t, Config{Faults: parse(t, faults)})
		_, text := ask(t, s, "POST", chatPath, `{`+hi+`,"stream":true,"max_tokens":20,"ignore_eos":true}`)
		type delta struct {
			Choices []struct {
				Delta struct {
					ToolCalls []struct {
						ID       string
						Function wholeFunction
					} `json:"tool_calls"`
				}
			}
		}
		var name, arguments string
		for event := range strings.SplitSeq(strings.TrimSuffix(text, "data: [DONE]\n\n"), "\n\n") {
			if event == "" {
				continue
			}
			for _, choice := range decode[delta](t, strings.TrimPrefix(event, "data: ")).Choices {
				for _, call := range choice.Delta.ToolCalls {
					name += call.Function.Name
					arguments += call.Function.Arguments
				}
			}
		}
		if decode[map[string]string](t, arguments); name != toolName {
			t.Errorf("%s: the function is called %q", faults, name)
		}
	}
}

func TestRefusedAndDeniedRequestsAreCountedAsRejected(t *testing.T) {
	s := serve(t, Config{Faults: parse(t, "refuse=max_tokens")})
	ask(t, s, "POST", chatPath, chatOfFour)
	s.SetFaults(parse(t, "http_429=100%"))
	ask(t, s, "POST", chatPath, chatOfFour)
	s.SetFaults(parse(t, "disconnect=100%"))
	if _, err := client(t).Post(s.URL()+chatPath, "application/json", strings.NewReader(chatOfFour)); err == nil {
		t.Error("an answer came")
	}
	s.SetFaults(Faults{})
	ask(t, s, "POST", chatPath, chatOfFour)
	if c := s.Counters(); c.Rejected != 3 || c.Received != 1 || c.Finished != 1 {
		t.Errorf("%+v", c)
	}
}

func TestCutAnswersAreCancelled(t *testing.T) {
	for _, faults := range []string{"error_mid=100%:2", "truncate_mid=100%:2"} {
		s := serve(t, Config{TimeScale: 1, Faults: parse(t, faults)})
		resp, err := client(t).Post(s.URL()+completionPath, "application/json",
			strings.NewReader(`{"prompt":"go","stream":true,"max_tokens":4000,"ignore_eos":true}`))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body) // how it ends is the golden files' matter
		_ = resp.Body.Close()
		c := until(t, s, func(c Counters) bool { return c.Running == 0 })
		if c.Cancelled != 1 || c.Finished != 0 {
			t.Errorf("%s: %+v", faults, c)
		}
	}
}

func TestSharesFallOnTheSameRequestsInEveryRun(t *testing.T) {
	statuses := func(seed uint64) (found []int) {
		s := serve(t, Config{Seed: seed, Faults: parse(t, "http_429=30% http_5xx=20%:500")})
		for range 60 {
			resp, _ := ask(t, s, "POST", completionPath, `{"prompt":"hi","max_tokens":1}`)
			found = append(found, resp.StatusCode)
		}
		s.SetFaults(s.Faults()) // the draws begin anew
		if resp, _ := ask(t, s, "POST", completionPath, `{"prompt":"hi","max_tokens":1}`); resp.StatusCode != found[0] {
			t.Errorf("seed %d: after the faults were set again the first request got %d, want %d", seed, resp.StatusCode, found[0])
		}
		return found
	}
	first := statuses(1)
	if diff := cmp.Diff(first, statuses(1)); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(first, statuses(2)) {
		t.Error("another seed draws the same")
	}
}

func TestSharesAreWhatWasAskedFor(t *testing.T) {
	f := parse(t, "disconnect=1% http_429=5% http_5xx=0.5% error_mid=10%:1 truncate_mid=20%:1 stall_first=25%:1s stall_mid=50%:1s:1")
	draws := faultDraws{faults: f, seed: 7}
	const n = 100_000
	counts := map[string]int{}
	for range n {
		met := draws.next()
		counts[met.ending.String()]++
		if met.stallFirst > 0 {
			counts["stall_first"]++
		}
		if met.stallMid > 0 {
			counts["stall_mid"]++
		}
	}
	for name, percent := range map[string]float64{
		"disconnect": 1, "http_429": 5, "http_5xx": 0.5, "error_mid": 10, "truncate_mid": 20, "": 63.5, "stall_first": 25, "stall_mid": 50,
	} {
		if got := 100 * float64(counts[name]) / n; got < percent*0.9-0.05 || got > percent*1.1+0.05 {
			t.Errorf("%q fell on %.2f %% of the requests, want %g %%", name, got, percent)
		}
	}
}

func TestFaultRoute(t *testing.T) {
	s := serve(t, Config{Faults: parse(t, "http_429=5%")})
	do := func(method, contentType, accept, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+"/sim/faults", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Accept", accept)
		resp, err := client(t).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	for _, c := range []struct {
		method, contentType, accept, body string
		status                            int
		says, now                         string
	}{
		{"GET", "", "", "", 200, "http_429=5%\n", "http_429=5%"},
		{"GET", "", "application/json", "", 200, `{"http_429":"5%"}`, "http_429=5%"},
		{"PUT", "text/plain", "", "chunk_tokens=4\ncrlf\n", 200, "chunk_tokens=4 crlf\n", "chunk_tokens=4 crlf"},
		{"POST", "application/x-www-form-urlencoded", "", "no_usage", 200, "no_usage\n", "no_usage"},
		{"POST", "application/json", "application/json", `{"stall_first":"2%:3s"}`, 200, `{"stall_first":"2%:3s"}`, "stall_first=2%:3s"},
		{"PUT", "", "", "nonsense", 400, `there is no fault \"nonsense\"; there are disconnect`, "stall_first=2%:3s"},
		{"PUT", "application/json", "", "nonsense", 400, "faults are a JSON object", "stall_first=2%:3s"},
		{"PUT", "", "", strings.Repeat("x", maxFaultBody+1), 400, "too large", "stall_first=2%:3s"},
		{"DELETE", "", "", "", 405, "Method Not Allowed", "stall_first=2%:3s"},
		{"PUT", "", "", "", 200, "none\n", "none"},
	} {
		status, text := do(c.method, c.contentType, c.accept, c.body)
		if status != c.status || !strings.Contains(text, c.says) || s.Faults().String() != c.now {
			t.Errorf("%s %.40q: %d %s, now %s", c.method, c.body, status, text, s.Faults())
		}
	}
}
