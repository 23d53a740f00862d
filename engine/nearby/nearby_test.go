package nearby

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// port is one of this host's on which a server answers so.
func port(t *testing.T, status int, page string) int {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().(*net.TCPAddr).Port
}

// Those that answer as inference servers do are found, whatever else listens.
func TestFindsWhatServesModels(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().(*net.TCPAddr).Port
	closed.Close()
	got := Find(t.Context(), []int{
		port(t, 200, `{"data":[{"id":"a","owned_by":"vllm"},{"id":"b"}]}`),
		nobody,
		port(t, 401, `{"error":{"message":"Unauthorized"}}`),
		port(t, 200, `<html>a web page</html>`),
		port(t, 404, `not here`),
	})
	if len(got) != 2 {
		t.Fatalf("found %+v", got)
	}
	if !slices.Equal(got[0].Models, []string{"a", "b"}) || got[0].Name != "vLLM" || got[0].Locked {
		t.Errorf("the first is %+v", got[0])
	}
	if !got[1].Locked || got[1].Models != nil {
		t.Errorf("the second is %+v", got[1])
	}
}

// One that takes connections and says nothing is given up.
func TestWhoDoesNotAnswerIsLeftOut(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if got := Find(t.Context(), []int{silent.Addr().(*net.TCPAddr).Port}); got != nil {
		t.Errorf("found %+v", got)
	}
}
