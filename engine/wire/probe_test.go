// Probing servers that refuse one thing or another.

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tokdyno/engine/record"
)

// complaint words a refusal of a field in the way of some server.
type complaint func(field string, body []byte) (status int, text string)

func wording() map[string]complaint {
	return map[string]complaint{
		"OpenAI": func(field string, _ []byte) (int, string) {
			if field == fieldMaxTokens {
				return 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`
			}
			return 400, fmt.Sprintf(`{"error":{"message":"Unrecognized request argument supplied: %s","type":"invalid_request_error","param":null,"code":null}}`, field)
		},
		"vLLM": func(field string, body []byte) (int, string) {
			message := fmt.Sprintf("[{'type': 'extra_forbidden', 'loc': ('body', %s), 'msg': 'Extra inputs are not permitted', 'input': %s}]",
				place(field, "'", ", "), strings.ReplaceAll(string(body), `"`, `'`))
			text, _ := json.Marshal(map[string]any{"object": "error", "message": message, "type": "BadRequestError", "param": nil, "code": 400})
			return 400, string(text)
		},
		"FastAPI": func(field string, _ []byte) (int, string) {
			return 422, fmt.Sprintf(`{"detail":[{"type":"extra_forbidden","loc":["body",%s],"msg":"Extra inputs are not permitted","input":1}]}`,
				place(field, `"`, ","))
		},
		"vLLM, by value": func(field string, body []byte) (int, string) {
			message := fmt.Sprintf("[{'type': 'value_error', 'loc': ('body',), 'msg': 'Value error, `%s` is not supported.', 'input': %s}]",
				field, strings.ReplaceAll(string(body), `"`, `'`))
			text, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "BadRequestError", "param": nil, "code": 400}})
			return 400, string(text)
		},
		"plain text":  func(field string, _ []byte) (int, string) { return 400, "unknown field `" + field + "`" },
		"no reason":   func(string, []byte) (int, string) { return 400, `{"error":"Bad Request"}` },
		"empty":       func(string, []byte) (int, string) { return 400, "" },
		"with a page": func(string, []byte) (int, string) { return 400, "<html>Bad Request</html>" },
	}
}

func place(field, quote, comma string) string {
	if field == fieldContinuousUsage {
		return quote + fieldStreamOptions + quote + comma + quote + field + quote
	}
	return quote + field + quote
}

// picky answers requests without the refused fields, complains of one of the others, and counts the requests.
func picky(t *testing.T, refused []string, complain complaint, tries *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		tries.Add(1)
		body, _ := io.ReadAll(r.Body)
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(body, &fields); err != nil {
			t.Errorf("body %s: %v", body, err)
		}
		var options map[string]json.RawMessage
		if raw, ok := fields[fieldStreamOptions]; ok {
			_ = json.Unmarshal(raw, &options)
		}
		for _, field := range refused {
			_, there := fields[field]
			_, inside := options[field]
			if there || inside {
				status, text := complain(field, body)
				w.WriteHeader(status)
				_, _ = io.WriteString(w, text)
				return
			}
		}
		if options[fieldContinuousUsage] != nil {
			streamOut(w, metered("a", 1), metered("b", 2), stop)
		} else {
			streamOut(w, say("a"), say("b"), stop)
		}
		if options["include_usage"] != nil {
			streamOut(w, `data: {"choices":[],"usage":{"prompt_tokens":41,"completion_tokens":2}}`+"\n\n")
		}
		streamOut(w, done)
	}
}

func metered(text string, n int) string {
	return strings.Replace(say(text), "}]}\n", fmt.Sprintf("}],\"usage\":{\"prompt_tokens\":41,\"completion_tokens\":%d}}\n", n), 1)
}

func TestProbeDropsJustWhatIsRefused(t *testing.T) {
	all := []string{
		fieldMaxTokens, fieldMaxCompletionTokens, fieldTemperature, fieldIgnoreEOS, fieldMinTokens, fieldStreamOptions, fieldContinuousUsage,
	}
	sent := []string{fieldMaxTokens, fieldTemperature, fieldIgnoreEOS, fieldMinTokens, fieldStreamOptions, fieldContinuousUsage}
	for style, complain := range wording() {
		for _, refused := range [][]string{
			nil,
			{fieldMaxTokens},
			{fieldTemperature},
			{fieldIgnoreEOS},
			{fieldMinTokens},
			{fieldStreamOptions},
			{fieldContinuousUsage},
			{fieldIgnoreEOS, fieldMinTokens},
			{fieldIgnoreEOS, fieldMinTokens, fieldContinuousUsage, fieldMaxTokens, fieldTemperature},
			{fieldMaxTokens, fieldMaxCompletionTokens},
		} {
			vague := style == "no reason" || style == "empty" || style == "with a page"
			if vague && len(refused) > 1 {
				continue // which of several it is can't be told then; see TestProbeOfAVagueServer
			}
			t.Run(style+"/"+strings.Join(refused, "+"), func(t *testing.T) {
				var tries atomic.Int64
				s := serve(t, picky(t, refused, complain, &tries))
				c := client(t, Endpoint{URL: s.URL})
				p, err := c.Probe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var want, got []string
				for _, field := range all {
					wanted := slices.Contains(sent, field) && !slices.Contains(refused, field)
					switch field {
					case fieldMaxCompletionTokens:
						wanted = slices.Contains(refused, fieldMaxTokens) && !slices.Contains(refused, field)
					case fieldContinuousUsage:
						wanted = wanted && !slices.Contains(refused, fieldStreamOptions)
					}
					if wanted {
						want = append(want, field)
					}
					if sends(&p, field) {
						got = append(got, field)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("fields sent afterwards (-want):\n%s", diff)
				}
				if len(p.Dropped) != len(refused) {
					t.Errorf("said: %q", p.Dropped)
				}
				least := len(refused) + 1
				if slices.Contains(refused, fieldMaxCompletionTokens) {
					least++ // a limit is given up only where the load's own length is refused too
				}
				if tries.Load() > maxProbes || (!vague && int(tries.Load()) != least) {
					t.Errorf("%d tries", tries.Load())
				}
				before := tries.Load()
				if r, _ := ask(t, c); r.Outcome != record.OK || tries.Load() != before+1 {
					t.Errorf("a request after the probe: %+v", r)
				}
				if p.StreamOptions && (p.ProbeTokens != record.Known(41) || p.ProbeUnits == 0) {
					t.Errorf("%+v tokens for %d words", p.ProbeTokens, p.ProbeUnits)
				}
			})
		}
	}
}

func TestProbeOfAVagueServer(t *testing.T) {
	var tries atomic.Int64
	s := serve(t, picky(t, []string{fieldIgnoreEOS, fieldContinuousUsage}, wording()["no reason"], &tries))
	c := client(t, Endpoint{URL: s.URL})
	if _, err := c.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, _ := ask(t, c); r.Outcome != record.OK || tries.Load() > maxProbes {
		t.Errorf("%d tries: %+v", tries.Load(), r)
	}
}

func TestProbeOfAServerThatRefusesEverything(t *testing.T) {
	for _, test := range []struct {
		status int
		text   string
		tries  int64
		want   string
	}{
		{400, `{"error":{"message":"prompt is too naughty"}}`, 10, "prompt is too naughty"},
		{401, `{"error":{"message":"who are you"}}`, 1, "--api-key-env"},
		{404, `{"detail":"Not Found"}`, 1, "/v1/chat/completions"},
		{500, `{"error":{"message":"boom"}}`, 1, "boom"},
		{400, `{"error":{"message":"temperature, max_tokens, max_completion_tokens, ignore_eos: all bad"}}`, maxProbes, "all bad"},
	} {
		var tries atomic.Int64
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			tries.Add(1)
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.text)
		})
		_, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
		if err == nil || !strings.Contains(err.Error(), test.want) || tries.Load() > test.tries {
			t.Errorf("%d: %d tries, %v", test.status, tries.Load(), err)
		}
	}
}

func TestProbeWithoutAServer(t *testing.T) {
	s := serve(t, nil)
	s.Close()
	_, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
	if err == nil || !strings.Contains(err.Error(), "is the server running?") {
		t.Errorf("%v", err)
	}
}

func TestProbeOfAnAnswerWithoutEnd(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		for r.Context().Err() == nil {
			streamOut(w, say("a"))
		}
	})
	p, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
	if err != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "does not keep to the length") || p.ProbeTokens != (record.Count{}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestProbeOfAnAnswerThatNeverBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, served := stage(t, 1, func(write func(string)) {
			for range 700 {
				write(": ping\n\n")
				time.Sleep(time.Second)
			}
		})
		began := time.Now()
		_, err := c.Probe(t.Context())
		if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "no token") || took != c.ep.FirstByteTimeout+time.Second {
			t.Errorf("after %v: %v", took, err)
		}
		c.Close()
		served.Wait()
	})
}

func TestContinuousUsageWithoutEffectIsNotAskedForAgain(t *testing.T) {
	var last atomic.Pointer[[]byte]
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last.Store(&body)
		streamOut(w, say("a"), say("b"), stop, usage23, done)
	})
	c := client(t, Endpoint{URL: s.URL})
	p, err := c.Probe(t.Context())
	if err != nil || p.ContinuousUsage || !p.StreamOptions || len(p.Dropped) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	ask(t, c)
	if bytes.Contains(*last.Load(), []byte(fieldContinuousUsage)) || !bytes.Contains(*last.Load(), []byte("include_usage")) {
		t.Errorf("sent %s", *last.Load())
	}
}

func TestOtherModelInTheReplyIsWarnedAbout(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		streamOut(w, `data: {"model":"other","choices":[{"delta":{"content":"a"}}]}`+"\n\n", stop, usage23, done)
	})
	p, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
	if err != nil || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "other") {
		t.Errorf("%q, %v", p.Warnings, err)
	}
}
