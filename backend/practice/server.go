package practice

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Model is the name of the only model that the server offers.
const Model = "practice"

// The maximum size of a request body in bytes, and the maximum number of requests that Requests returns.
const (
	maxBody     = 64 << 20
	maxRequests = 100
)

// Server answers an agent's model requests from a script. It listens on the loopback
// interface and rejects requests without its key.
type Server struct {
	script Script
	key    string
	http   *http.Server
	addr   string
	done   chan struct{} // closed when Serve has returned
	ctx    context.Context
	stop   context.CancelFunc

	mu       sync.Mutex
	closed   bool
	active   sync.WaitGroup // requests in progress; none is added once closed
	count    int
	requests []Request
	errs     []error
}

// New starts a server. The caller must close it.
func New(script Script) (*Server, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the practice model: %w", err)
	}
	s := &Server{script: script, key: strings.ToLower(rand.Text()), addr: l.Addr().String(), done: make(chan struct{})}
	s.ctx, s.stop = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.completions)
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(fmt.Errorf("unexpected request %s %s", r.Method, r.URL.Path))
		writeError(w, http.StatusNotFound, "no such address: "+r.URL.Path)
	})
	s.http = &http.Server{
		Handler:           s.guard(mux),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // it ends with Close; the error isn't needed
	}()
	return s, nil
}

// URL returns the base URL for OpenAI clients.
func (s *Server) URL() string { return "http://" + s.addr + "/v1" }

// Key returns the bearer key for requests.
func (s *Server) Key() string { return s.key }

// Requests returns the latest requests, at most 100, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Err returns an error that joins all deviations from the script (unexpected requests and unused replies), or
// nil if there are none. Tests call it at the end.
func (s *Server) Err() error {
	s.mu.Lock()
	errs := append([]error(nil), s.errs...)
	s.mu.Unlock()
	if e, ok := s.script.(interface{ Err() error }); ok {
		errs = append(errs, e.Err())
	}
	return errors.Join(errs...)
}

// Close stops the server and aborts the replies in progress. It returns once they have ended.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	_ = s.http.Close() // an error can come only from the listener, which is closed even then
	<-s.done
	s.active.Wait()
}

// Env returns the environment variables that make the Copilot CLI use only this server and store its state in the given
// folder. They must come after the inherited variables. Variables that would take precedence over them in the CLI are
// set to "", which the CLI treats as unset.
func (s *Server) Env(home string) []string {
	direct := noProxy()
	return []string{
		"NO_PROXY=" + direct,
		"no_proxy=" + direct,
		"COPILOT_HOME=" + home,
		"COPILOT_OFFLINE=true",
		"COPILOT_MODEL=" + Model,
		"COPILOT_PROVIDER_BASE_URL=" + s.URL(),
		"COPILOT_PROVIDER_TYPE=openai",
		"COPILOT_PROVIDER_WIRE_API=completions",
		"COPILOT_PROVIDER_API_KEY=" + s.key,
		"COPILOT_PROVIDER_API_KEY_COMMAND=",
		"COPILOT_PROVIDER_BEARER_TOKEN=",
		"COPILOT_PROVIDER_HEADERS=",
		"COPILOT_PROVIDER_TRANSPORT=",
		"COPILOT_PROVIDER_MODEL_ID=",
		"COPILOT_PROVIDER_WIRE_MODEL=",
		"COPILOT_PROVIDER_AZURE_API_VERSION=",
		"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=",
		"COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=",
	}
}

// noProxy returns the user's NO_PROXY list with this computer added. Without the addition, the CLI would use the proxy
// from HTTP_PROXY even for the loopback interface.
func noProxy() string {
	list := os.Getenv("NO_PROXY")
	if list == "" {
		list = os.Getenv("no_proxy")
	}
	if list != "" {
		list += ","
	}
	return list + "127.0.0.1,localhost"
}

func (s *Server) fail(err error) {
	s.mu.Lock()
	s.errs = append(s.errs, err)
	s.mu.Unlock()
}

// enter registers a request. It returns false if the server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.active.Add(1)
	return true
}

// guard rejects requests without the key, because any program on the computer can reach the port.
func (s *Server) guard(next http.Handler) http.Handler {
	want := []byte("Bearer " + s.key)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.enter() {
			panic(http.ErrAbortHandler)
		}
		defer s.active.Done()
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			writeError(w, http.StatusUnauthorized, "the key of the practice model is missing or wrong")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"object": "list",
		"data":   []any{map[string]any{"id": Model, "object": "model", "created": 0, "owned_by": "voxpilot"}},
	})
}

func (s *Server) completions(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeError(w, http.StatusBadRequest, "reading the request: "+err.Error())
		return
	}
	req, err := parse(body)
	if err != nil {
		s.fail(fmt.Errorf("reading a request: %w", err))
		writeError(w, http.StatusBadRequest, "reading the request: "+err.Error())
		return
	}
	req.Header = r.Header.Clone()
	s.mu.Lock()
	s.count++
	req.N = s.count
	s.requests = append(s.requests, req)
	if n := len(s.requests) - maxRequests; n > 0 {
		s.requests = append([]Request(nil), s.requests[n:]...)
	}
	s.mu.Unlock()

	reply, err := s.script.Reply(req)
	if err != nil {
		writeError(w, http.StatusInternalServerError, err.Error())
		return
	}
	if len(reply) == 1 {
		if e, ok := reply[0].(errorStep); ok {
			for name, values := range e.header {
				w.Header()[name] = values
			}
			w.WriteHeader(e.status)
			_, _ = io.WriteString(w, e.body) // the client may have disconnected
			return
		}
	}
	st := &stream{w: w, flush: http.NewResponseController(w).Flush, id: "practice-" + fmt.Sprint(req.N), req: req}
	if err := st.play(r.Context(), reply); err != nil {
		if errors.Is(err, errScript) {
			s.fail(err)
		}
		panic(http.ErrAbortHandler) // an incomplete stream must not look complete
	}
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": "practice"}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
}
