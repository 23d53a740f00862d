package wire

import "testing"

func TestOnThisHost(t *testing.T) {
	for url, want := range map[string]bool{
		"http://127.0.0.1:8000": true, "localhost:8000/v1": true, "[::1]:8000": true, "http://a.localhost": true,
		"http://0.0.0.0:1": true, "http://[::ffff:127.0.0.1]:1": true,
		"http://10.0.0.7:8000": false, "gpu-7:8000": false, "https://api.example.com": false, "": false, "ftp://localhost": false,
	} {
		if got := (Endpoint{URL: url}).OnThisHost(); got != want {
			t.Errorf("%q: %v", url, got)
		}
	}
}

func TestPageClientConnectsAsTheEndpointDoes(t *testing.T) {
	client, header, err := Endpoint{URL: "h:1", Key: "k", NoProxy: true}.PageClient()
	if err != nil || client == nil || header.Get("Authorization") != "Bearer k" {
		t.Errorf("%v, %v, %v", client, header, err)
	}
	if _, _, err := (Endpoint{URL: "h:1", CAFile: "/nonexistent"}).PageClient(); err == nil {
		t.Error("a CA file that is not there was passed over")
	}
}
