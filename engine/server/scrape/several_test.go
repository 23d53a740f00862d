package scrape

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestSeveralServersAreReadTogether(t *testing.T) {
	serve := func(running int, status int) *Source {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, "vllm:num_requests_running{engine=\"0\"} %d\n", running)
		}))
		t.Cleanup(s.Close)
		source, err := New(s.URL, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return source
	}
	both := Several{serve(3, http.StatusOK), serve(4, http.StatusOK)}
	defer both.Close()
	m, err := both.Read(t.Context())
	if err != nil || m.Running.V != 7 || m.Engines != 2 || len(m.Each) != 2 || m.Each[1].Running.V != 4 {
		t.Errorf("%v: %v running of %d engines, %+v", err, m.Running, m.Engines, m.Each)
	}
	one := Several{serve(3, http.StatusOK), serve(4, http.StatusNotFound)}
	defer one.Close()
	if m, err := one.Read(t.Context()); !errors.Is(err, ErrNotOffered) || len(m.Each) > 0 {
		t.Errorf("%v: a part of them says %+v", err, m)
	}
}
