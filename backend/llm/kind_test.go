package llm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

func TestKind_FromAddress(t *testing.T) {
	for address, want := range map[string]backend.ProviderKind{
		"https://api.openai.com/v1":                        backend.KindOpenAI,
		"https://me.openai.azure.com/openai/v1":            backend.KindAzure,
		"https://me.services.ai.azure.com/models":          backend.KindAzure,
		"https://me.cognitiveservices.azure.com/openai/v1": backend.KindAzure,
		"https://openrouter.ai/api/v1":                     backend.KindOpenRouter,
		"http://localhost:11434/v1":                        backend.KindOllama,
		"http://127.0.0.1:1234/v1":                         backend.KindLMStudio,
		"https://notopenai.com/v1":                         backend.KindCustom,
		"https://models.example/v1":                        backend.KindCustom,
	} {
		if got := llm.KindOf(backend.Provider{BaseURL: address}); got != want {
			t.Errorf("%s is %q, want %q", address, got, want)
		}
	}
	if got := llm.KindOf(backend.Provider{Kind: backend.KindOllama, BaseURL: "https://api.openai.com/v1"}); got != backend.KindOllama {
		t.Errorf("what was chosen counts: got %q", got)
	}
}

func TestContextSize_ConservativeGuess(t *testing.T) {
	if got := llm.ContextOf(backend.Provider{Kind: backend.KindOpenAI, Context: 5000}); got != 5000 {
		t.Errorf("what was set counts: got %d", got)
	}
	local := llm.ContextOf(backend.Provider{BaseURL: "http://localhost:11434/v1"})
	unknown := llm.ContextOf(backend.Provider{BaseURL: "https://models.example/v1"})
	large := llm.ContextOf(backend.Provider{BaseURL: "https://api.openai.com/v1"})
	if local <= 0 || local >= unknown || unknown >= large {
		t.Errorf("guessed %d, %d, %d", local, unknown, large)
	}
}

func TestAzure_RequestFormat(t *testing.T) {
	for _, c := range []struct {
		path    string
		headers map[string]string
		version string
	}{
		{"/openai/v1", nil, ""},
		{"/openai/deployments/m-1", nil, "2024-10-21"},
		{"/models", nil, "2024-05-01-preview"},
		{"/models", map[string]string{"api-version": "2025-01-01"}, "2025-01-01"},
	} {
		var asked []*http.Request
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r)
			_, _ = io.Copy(io.Discard, r.Body)
			if r.Method == http.MethodGet {
				respond(200, `{"data":[]}`)(w, r)
				return
			}
			streamText(textDelta("A"), finishDelta("stop"))(w, r)
		}))
		p := backend.Provider{Kind: backend.KindAzure, BaseURL: s.URL + c.path, Model: "m-1", Headers: c.headers}
		if _, _, failure := stream(t, t.Context(), llm.Request{Provider: p, Key: "azure-key"}); failure != nil {
			t.Errorf("%s: %+v", c.path, failure.Err)
		}
		if _, _, err := check(t.Context(), p, "azure-key"); err != nil {
			t.Errorf("%s: %+v", c.path, err)
		}
		s.Close()
		want := url.Values{}
		if c.version != "" {
			want.Set("api-version", c.version)
		}
		for _, r := range asked {
			if r.Header.Get("Api-Key") != "azure-key" || r.Header.Get("Authorization") != "" || r.URL.Query().Encode() != want.Encode() || r.Header.Get("Api-Version") != "" {
				t.Errorf("%s: %s %s, %v", c.path, r.Method, r.URL, r.Header)
			}
		}
		if len(asked) != 2 {
			t.Errorf("%s: asked %d times", c.path, len(asked))
		}
	}
}
