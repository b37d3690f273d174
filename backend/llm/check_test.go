package llm_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// check calls Client.Check with a new client.
func check(ctx context.Context, p backend.Provider, key string) ([]string, int64, *backend.Error) {
	c := llm.NewClient()
	defer c.Close()
	return c.Check(ctx, p, key)
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newEndpoint starts a server that answers one GET request for each of the given paths. It fails the test if another
// request arrives or one of these requests is missing.
func newEndpoint(t *testing.T, tls bool, answers map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	asked := map[string]bool{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.RequestURI()]
		if !ok || r.Method != http.MethodGet || asked[r.URL.RequestURI()] {
			t.Errorf("not expected: %s %s", r.Method, r.URL)
			return
		}
		asked[r.URL.RequestURI()] = true
		answer(w, r)
	}))
	if tls {
		s.Config.ErrorLog = log.New(io.Discard, "", 0) // The client disconnects on purpose.
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(func() {
		s.Close()
		for path := range answers {
			if !asked[path] {
				t.Errorf("nobody asked for %s", path)
			}
		}
	})
	return s
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestModels_Listed(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"as OpenAI does", `{"object":"list","data":[{"id":"b","object":"model"},{"id":"a"},{"id":"b"},{"id":""}]}`, []string{"a", "b"}},
		{"as a bare array", `[{"id":"llama3:8b"},{"id":"qwen/qwen3"}]`, []string{"llama3:8b", "qwen/qwen3"}},
		{"none", `{"data":[]}`, nil},
		{"names that cannot be used", `{"data":[{"id":"ok"},{"id":"a\nb"},{"id":"` + strings.Repeat("x", 300) + `"}]}`, []string{"ok"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": respond(200, c.body)})
			got, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/v1"}, "")
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %+v, want %q", got, err, c.want)
			}
		})
	}
}

func TestModels_ContextSizeFromList(t *testing.T) {
	for body, want := range map[string]int64{
		`{"data":[{"id":"a","context_length":131072},{"id":"b","context_length":4096}]}`: 131072,
		`{"data":[{"id":"a","context_window":8192}]}`:                                    8192,
		`{"data":[{"id":"a","max_context_length":32768}]}`:                               32768,
		`{"data":[{"id":"a","max_model_len":40960}]}`:                                    40960,
		`{"data":[{"id":"a","context_length":null,"max_model_len":40960}]}`:              40960,
		`{"data":[{"id":"a","context_length":"large"}]}`:                                 0,
		`{"data":[{"id":"a","context_length":-1}]}`:                                      0,
		`{"data":[{"id":"b","context_length":4096}]}`:                                    0,
	} {
		s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": respond(200, body)})
		_, got, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/v1", Model: "a"}, "")
		if err != nil || got != want {
			t.Errorf("%s: got %d, %+v", body, got, err)
		}
	}
}

func TestCheck_SendsKeyAndHeaders(t *testing.T) {
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{"Authorization": "Bearer sk-test", "X-Tenant": "one two", "X-Gateway": "a:b, c"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		fmt.Fprint(w, `{"data":[]}`)
	}})
	p := backend.Provider{BaseURL: s.URL + "/v1/", Headers: map[string]string{"x-tenant": "one two", "X-Gateway": "a:b, c"}}
	if _, _, err := check(t.Context(), p, "sk-test"); err != nil {
		t.Error(err)
	}
}

func TestCheck_NoKeyNoAuthorization(t *testing.T) {
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": func(w http.ResponseWriter, r *http.Request) {
		if got, ok := r.Header["Authorization"]; ok {
			t.Errorf("Authorization is %q", got)
		}
		fmt.Fprint(w, `{"data":[]}`)
	}})
	if _, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/v1"}, ""); err != nil {
		t.Error(err)
	}
}

func TestCheck_MissingListIsFine(t *testing.T) {
	for _, status := range []int{404, 405, 501} {
		s := newEndpoint(t, false, map[string]http.HandlerFunc{"/openai/models": respond(status, "not here")})
		if got, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/openai"}, "k"); err != nil || len(got) != 0 {
			t.Errorf("status %d: %q, %+v", status, got, err)
		}
	}
}

func TestCheck_FindsMissingV1(t *testing.T) {
	s := newEndpoint(t, false, map[string]http.HandlerFunc{
		"/models": respond(404, "404 page not found"), "/v1/models": respond(200, `{"data":[{"id":"a"}]}`),
	})
	_, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL}, "")
	if err == nil || err.Code != backend.CodeInvalid || !strings.Contains(err.Message.String(), s.URL+"/v1.") {
		t.Errorf("got %+v", err)
	}
}

func TestCheck_NeitherListNorV1Fails(t *testing.T) {
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/models": respond(404, ""), "/v1/models": respond(404, "")})
	if got, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/"}, ""); err != nil || len(got) != 0 {
		t.Errorf("got %q, %+v", got, err)
	}
}

func TestCheck_ReportsEndpointErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		answer  http.HandlerFunc
		key     string
		code    backend.Code
		message string
	}{
		{"the key is refused", respond(401, `{"error":"no"}`), "sk-secret", backend.CodeInvalid, "rejected the key"},
		{"the key is not enough", respond(403, `{"error":"no"}`), "sk-secret", backend.CodeInvalid, "rejected the key"},
		{"there is no key", respond(401, `{"error":"no"}`), "", backend.CodeInvalid, "had no key"},
		{"too many requests", respond(429, ""), "", backend.CodeUnavailable, "too many requests"},
		{"it is broken", respond(500, "oops"), "", backend.CodeUnavailable, "status 500"},
		{"a web page", respond(200, "<!DOCTYPE html><p>Hi"), "", backend.CodeInvalid, "doesn't seem to be a model endpoint"},
		{"other JSON", respond(200, `{"hello":"world"}`), "", backend.CodeInvalid, "doesn't seem to be a model endpoint"},
		{"null", respond(200, `null`), "", backend.CodeInvalid, "doesn't seem to be a model endpoint"},
		{"data of another kind", respond(200, `{"data":"x"}`), "", backend.CodeInvalid, "doesn't seem to be a model endpoint"},
		{"nothing", respond(200, ``), "", backend.CodeInvalid, "doesn't seem to be a model endpoint"},
		{"too much", respond(200, `{"data":[{"id":"`+strings.Repeat("x", 4<<20)+`"}]}`), "", backend.CodeTooLarge, "larger than 4 MB"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/models", http.StatusFound)
		}, "sk-secret", backend.CodeInvalid, "https://elsewhere.example/models"},
		{"an answer that breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"data":[`)
		}, "", backend.CodeUnavailable, "Can't reach"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": c.answer})
			_, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL + "/v1"}, c.key)
			if err == nil || err.Code != c.code || !strings.Contains(err.Message.String(), c.message) {
				t.Errorf("got %+v, want %s with %q", err, c.code, c.message)
			}
		})
	}
}

func TestCheck_ErrorHidesKeyAndHeaders(t *testing.T) {
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/v1/models": func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "bad key %q, bad header %q", r.Header.Get("Authorization"), r.Header.Get("X-Gateway-Key"))
	}})
	p := backend.Provider{BaseURL: s.URL + "/v1", Headers: map[string]string{"X-Gateway-Key": "gateway-secret"}}
	_, _, err := check(t.Context(), p, "sk-secret")
	if err == nil || !strings.Contains(err.Detail, "bad key") {
		t.Fatalf("got %+v", err)
	}
	if all := err.Message.String() + err.Detail; strings.Contains(all, "sk-secret") || strings.Contains(all, "gateway-secret") {
		t.Errorf("got %s", all)
	}
}

func TestCheck_UnreachableReported(t *testing.T) {
	plain := newEndpoint(t, false, nil)
	secure := newEndpoint(t, true, nil)
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for _, c := range []struct{ name, url, message string }{
		{"nobody listens", "http://" + gone.Addr().String(), "Can't connect to"},
		{"there is no such host", "http://nowhere.invalid/v1", "Can't find the host nowhere.invalid"},
		{"https where only http is spoken", strings.Replace(plain.URL, "http:", "https:", 1), "doesn't support HTTPS"},
		{"a certificate that is not known", secure.URL, "doesn't trust"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := check(t.Context(), backend.Provider{BaseURL: c.url}, "")
			if err == nil || err.Code != backend.CodeUnavailable || !strings.Contains(err.Message.String(), c.message) {
				t.Errorf("got %+v, want %q", err, c.message)
			}
		})
	}
}

func TestCheck_EndsWithCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/models": func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}})
	_, _, err := check(ctx, backend.Provider{BaseURL: s.URL}, "")
	if err == nil || !strings.Contains(err.Message.String(), "stopped") {
		t.Errorf("got %+v", err)
	}
}

func TestCheck_UnresponsiveTimesOut(t *testing.T) {
	t.Parallel()
	s := newEndpoint(t, false, map[string]http.HandlerFunc{"/models": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }})
	_, _, err := check(t.Context(), backend.Provider{BaseURL: s.URL}, "")
	if err == nil || err.Code != backend.CodeUnavailable || !strings.Contains(err.Message.String(), "didn't respond within 10s") {
		t.Errorf("got %+v", err)
	}
}
