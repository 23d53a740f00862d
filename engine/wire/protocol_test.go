// HTTP/2, TLS, and what is neither.

package wire

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"tokdyno/engine/record"
)

func TestHTTP2(t *testing.T) {
	for _, secure := range []bool{true, false} {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.ProtoMajor != 2 {
				t.Errorf("asked over %s", r.Proto)
			}
			streamOut(w, say("a"), say("b"), stop, done)
		}))
		s.Config.Protocols = new(http.Protocols)
		s.Config.Protocols.SetHTTP1(true)
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.EnableHTTP2 = true
		if secure {
			s.Config.Protocols.SetHTTP2(true)
			s.StartTLS()
		} else {
			s.Start()
		}
		c := client(t, Endpoint{URL: s.URL, HTTP2: true, Insecure: true})
		for range 2 {
			r, heard := ask(t, c)
			if r.Outcome != record.OK || r.Chunks != 2 {
				t.Errorf("TLS %v: %+v", secure, r)
			}
			checkIdentity(t, r, heard)
			checkOrder(t, r, heard)
		}
		c.Close()
		s.Close()
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.ProtoMajor != 1 {
			t.Errorf("asked over %s", r.Proto)
		}
		streamOut(w, say("a"), stop, done)
	}))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes fail on purpose
	s.StartTLS()
	ca := t.TempDir() + "/ca.pem"
	if err := os.WriteFile(ca, pemOf(s.Certificate()), 0o600); err != nil {
		t.Fatal(err)
	}
	marked := t.TempDir() + "/marked.pem" // by an editor
	if err := os.WriteFile(marked, append([]byte("\xef\xbb\xbf"), pemOf(s.Certificate())...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		ep       Endpoint
		outcome  string
		sentence string
	}{
		{"unknown authority", Endpoint{URL: s.URL}, "failed tls", "--ca"},
		{"authority given", Endpoint{URL: s.URL, CAFile: ca}, "ok", ""},
		{"authority in a file with a mark", Endpoint{URL: s.URL, CAFile: marked}, "ok", ""},
		{"other name", Endpoint{URL: strings.Replace(s.URL, "127.0.0.1", "localhost", 1), CAFile: ca}, "failed tls", "not accepted"},
		{"unchecked", Endpoint{URL: s.URL, Insecure: true}, "ok", ""},
		{"http to https", Endpoint{URL: strings.Replace(s.URL, "https", "http", 1)}, "failed http_4xx", "speaks https, not http; write https://"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, heard := ask(t, client(t, test.ep))
			outcome, _ := brief(r)
			if outcome != test.outcome || !strings.Contains(r.Error, test.sentence) {
				t.Errorf("%s: %q", outcome, r.Error)
			}
			if r.Outcome == record.OK {
				checkOrder(t, r, heard)
				if r.Connect <= 0 {
					t.Errorf("connecting took %v", r.Connect)
				}
			}
		})
	}
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	r, _ := ask(t, client(t, Endpoint{URL: strings.Replace(plain.URL, "http", "https", 1)}))
	if r.Kind != record.KindTLS || !strings.Contains(r.Error, "speaks http, not https") {
		t.Errorf("https to http: %s %q", r.Kind, r.Error)
	}
}

func TestClientCertificateIsShown(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		streamOut(w, say("a"), stop, done)
	}))
	defer s.Close()
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // a handshake fails on purpose
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	cert, key := t.TempDir()+"/cert.pem", t.TempDir()+"/key.pem"
	secret, err := x509.MarshalPKCS8PrivateKey(s.TLS.Certificates[0].PrivateKey) // any pair will do
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{
		cert: pemOf(s.Certificate()), key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r, _ := ask(t, client(t, Endpoint{URL: s.URL, Insecure: true, CertFile: cert, KeyFile: key})); r.Outcome != record.OK {
		t.Errorf("with a certificate: %+v", r)
	}
	if r, _ := ask(t, client(t, Endpoint{URL: s.URL, Insecure: true})); r.Kind != record.KindTLS {
		t.Errorf("without one: %s %q", r.Kind, r.Error)
	}
}

func TestNothingListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	r, heard := ask(t, client(t, Endpoint{URL: listener.Addr().String()}))
	if r.Kind != record.KindConnect || !strings.Contains(r.Error, "is the server running?") || r.Sent != 0 || len(heard.sent) != 0 {
		t.Errorf("%v %+v", heard.sent, r)
	}
}

func TestWhatAnswersIsNoHTTP(t *testing.T) {
	s := newRawServer(t, func(c net.Conn, _ int, _ []byte) bool {
		_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n")
		return false
	})
	if r, _ := ask(t, client(t, Endpoint{URL: s.url})); r.Kind != record.KindMalformed {
		t.Errorf("%+v", r)
	}
}

func TestProxy(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		if r.URL.Host != "gpu.internal" {
			t.Errorf("asked the proxy for %s", r.URL)
		}
		streamOut(w, say("a"), stop, usage23, done)
	})
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, Endpoint{URL: "http://gpu.internal"})
	c.proxy = http.ProxyURL(address)
	c.transport.Proxy, c.http1 = c.proxy, nil
	c.SetProfile(c.Profile())
	p, err := c.Probe(t.Context())
	if err != nil || p.Proxy != address.Host {
		t.Fatalf("%+v, %v", p, err)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "--no-proxy") {
		t.Errorf("warnings: %q", p.Warnings)
	}
	r, heard := ask(t, c)
	if r.Outcome != record.OK {
		t.Errorf("%+v", r)
	}
	checkOrder(t, r, heard)
}

func TestHandshakeThatNobodyAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // it accepts by itself, and says nothing
	r, _ := ask(t, client(t, Endpoint{URL: "https://" + listener.Addr().String(), ConnectTimeout: 50 * time.Millisecond}))
	if want := "no TLS handshake with " + listener.Addr().String() + " within 50ms"; r.Kind != record.KindTLS || r.Error != want {
		t.Errorf("%s: %q, want %q", r.Kind, r.Error, want)
	}
}
