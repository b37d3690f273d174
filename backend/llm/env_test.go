package llm_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

func TestProxy_LocalhostBypassed(t *testing.T) {
	t.Setenv("NO_PROXY", "intranet.example")
	p := valid()
	if env := llm.Env(p, "", ""); !slices.Contains(env, "NO_PROXY=intranet.example,localhost") {
		t.Errorf("got %q", env)
	}
	p.BaseURL = "https://api.example.com/v1"
	if env := llm.Env(p, "", ""); slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "NO_PROXY=") }) {
		t.Errorf("got %q", env)
	}
}

func TestEndpoint_WorksWithRealCLI(t *testing.T) {
	path := copilottest.Path(t)
	var mu sync.Mutex
	var header http.Header
	var body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/some/v1/chat/completions" {
			t.Errorf("not expected: %s %s", r.Method, r.URL)
		}
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		header, body = r.Header.Clone(), string(b)
		mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		for _, choice := range []string{`{"index":0,"delta":{"role":"assistant","content":"It is reached."}}`, `{"index":0,"delta":{},"finish_reason":"stop"}`} {
			fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[%s]}\n\n", choice)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	defer s.Close()

	p := backend.Provider{
		Name: "n", Model: "vendor/model:8b", BaseURL: s.URL + "/some/v1/",
		Headers: map[string]string{"X-Tenant": "one: two, three", "X-Other": `quo"te`},
	}
	if err := llm.Validate(p); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--no-auto-update", "--prompt", "Hi")
	cmd.Dir = t.TempDir()
	nowhere := "http://127.0.0.1:9"
	cmd.Env = append(os.Environ(), "HTTP_PROXY="+nowhere, "http_proxy="+nowhere,
		"COPILOT_PROVIDER_BASE_URL="+nowhere, "COPILOT_PROVIDER_BEARER_TOKEN=wrong", "COPILOT_PROVIDER_API_KEY_COMMAND=echo wrong",
		"COPILOT_PROVIDER_TYPE=azure", "COPILOT_PROVIDER_AZURE_API_VERSION=2024-10-21", "COPILOT_PROVIDER_WIRE_API=responses",
		"COPILOT_PROVIDER_TRANSPORT=websockets", "COPILOT_PROVIDER_MODEL_ID=gpt-5.4", "COPILOT_PROVIDER_WIRE_MODEL=other",
		"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=10", "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=10")
	cmd.Env = append(cmd.Env, llm.Env(p, "sk-test", t.TempDir())...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "It is reached.") {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"Authorization": "Bearer sk-test", "X-Tenant": "one: two, three", "X-Other": `quo"te`} {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := gjson.Get(body, "model").String(); got != p.Model {
		t.Errorf("the model is %q", got)
	}
	if got := gjson.Get(body, "max_tokens"); got.Exists() {
		t.Errorf("max_tokens is %s", got)
	}
}

func TestAzure_KeyHeader(t *testing.T) {
	p := valid()
	p.Kind, p.Headers = backend.KindAzure, map[string]string{"X-Tenant": "one"}
	if env := llm.Env(p, "k-1", ""); !slices.Contains(env, "COPILOT_PROVIDER_HEADERS=X-Tenant: one\napi-key: k-1") {
		t.Errorf("got %q", env)
	}
	if env := llm.Env(p, "", ""); !slices.Contains(env, "COPILOT_PROVIDER_HEADERS=X-Tenant: one") {
		t.Errorf("without a key: got %q", env)
	}
}
