// Which model, which server, and where it is.

package wire

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tokdyno/engine/record"
)

func TestServersAreIdentified(t *testing.T) {
	for want, pages := range map[string]map[string]string{
		"vLLM 0.11.0":      {"/v1/models": `{"data":[{"id":"m","owned_by":"vllm"}]}`, "/version": `{"version":"0.11.0"}`},
		"vLLM":             {"/v1/models": `{"data":[{"id":"m","owned_by":"vllm"}]}`},
		"SGLang 0.5.2":     {"/v1/models": `{"data":[{"id":"m","owned_by":"sglang"}]}`, "/get_server_info": `{"version":"0.5.2"}`},
		"Ollama 0.12.1":    {"/v1/models": `{"data":[{"id":"m","owned_by":"library"}]}`, "/api/version": `{"version":"0.12.1"}`},
		"llama.cpp b10587": {"/v1/models": `{"data":[{"id":"m","owned_by":"llamacpp"}]}`, "fingerprint": "b10587"},
		"tokdyno-sim":      {"/v1/models": `{"data":[{"id":"m","owned_by":"tokdyno-sim"}]}`},
		"":                 {},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				streamOut(w, `data: {"model":"m","system_fingerprint":"`+pages["fingerprint"]+`","choices":[{"delta":{"content":"a"}}]}`+"\n\n", stop, done)
				return
			}
			page, ok := pages[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			_, _ = io.WriteString(w, page)
		})
		p, err := client(t, Endpoint{URL: s.URL}).Probe(t.Context())
		if err != nil || p.Server != want {
			t.Errorf("%q, %v; want %q", p.Server, err, want)
		}
		if p.Protocol != "HTTP/1.1" || p.ReplyModel != "m" || p.URL != s.URL+"/v1/chat/completions" {
			t.Errorf("%+v", p)
		}
	}
}

func TestModelIsResolved(t *testing.T) {
	for _, test := range []struct {
		name, page string
		status     int
		want       string
		many       []string
		sentence   string
	}{
		{name: "one", page: `{"object":"list","data":[{"id":"a","object":"model","created":"odd","owned_by":null,"root":"/models/a","parent":null}]}`, want: "a"},
		{name: "llama.cpp", page: "testdata/llama-models.json", want: "tiny"},
		{name: "bare array", page: `[{"id":"a"}]`, want: "a"},
		{
			name: "several, LoRA children last", page: `{"data":[{"id":"lora","parent":"base"},{"id":"base"},{"id":"lora2","parent":"base"},{"id":"base2"}]}`,
			many: []string{"base", "base2", "lora", "lora2"},
		},
		{name: "none", page: `{"data":[]}`, sentence: "is empty"},
		{name: "no list", status: 404, page: `{"detail":"Not Found"}`, sentence: "give --model"},
		{name: "nonsense", page: `{"hello":1}`, sentence: "cannot be read"},
		{name: "web page", page: "<html>", sentence: "web page"},
		{name: "no key", status: 401, page: "", sentence: "--api-key-env"},
		{name: "broken server", status: 500, page: `{"error":"boom"}`, sentence: "boom"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/models" || r.Method != http.MethodGet {
					t.Errorf("asked for %s %s", r.Method, r.URL)
				}
				if strings.HasPrefix(test.page, "testdata/") {
					http.ServeFile(w, r, test.page)
					return
				}
				if test.status != 0 {
					w.WriteHeader(test.status)
				}
				_, _ = io.WriteString(w, test.page)
			})
			c, err := New(Endpoint{URL: s.URL, NoProxy: true}, record.NewClock())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			err = c.ResolveModel(t.Context())
			var many *ManyModelsError
			switch {
			case test.many != nil:
				if !errors.As(err, &many) || !slices.Equal(many.IDs, test.many) {
					t.Errorf("%v", err)
				}
			case test.sentence != "":
				if err == nil || !strings.Contains(err.Error(), test.sentence) {
					t.Errorf("%v, want %q", err, test.sentence)
				}
			case err != nil || c.Profile().Model != test.want:
				t.Errorf("%q, %v; want %q", c.Profile().Model, err, test.want)
			}
		})
	}
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost:1": true, "127.0.0.1": true, "[::1]:1": true, "10.1.2.3": true, "192.168.0.9:1": true, "172.16.0.1": true, "169.254.0.1": true,
		"100.100.1.1": true, "[fd00::1]": true, "[::ffff:10.0.0.1]": true, "0.0.0.0:1": true, "vllm:8000": true, "gpu.local": true,
		"x.svc.cluster.local": true, "GPU.Home.Arpa.": true,
		"8.8.8.8": false, "api.openai.com": false, "[2001:4860::1]": false, "172.32.0.1": false, "local.example.com": false,
	} {
		if got := client(t, Endpoint{URL: "http://" + host}).Local(); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}
