package llm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

func valid() backend.Provider {
	return backend.Provider{Name: "Ollama", BaseURL: "http://localhost:11434/v1", Model: "qwen3:8b"}
}

func TestValidate_AcceptsValid(t *testing.T) {
	for _, url := range []string{
		"http://localhost:11434/v1", "http://127.0.0.1:1234", "http://[::1]:8080/v1/", "https://api.openai.com/v1",
		"http://192.168.1.5:11434/v1", "https://müller.example/v1", "HTTPS://EXAMPLE.COM/v1",
	} {
		p := valid()
		p.BaseURL = url
		if err := llm.Validate(p); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	p := valid()
	p.Headers = map[string]string{"X-Key": "a:b c", "Api-Key": "1", "Authorization": "Basic abc"}
	if err := llm.Validate(p); err != nil {
		t.Errorf("%v: %v", p.Headers, err)
	}
}

func TestValidate_RejectsAddress(t *testing.T) {
	for url, want := range map[string]string{
		"":                                     "missing",
		"localhost:11434":                      "start with http",
		"example.com/v1":                       "start with http",
		"ftp://example.com":                    "start with http",
		"file:///etc/passwd":                   "start with http",
		"javascript:alert(1)":                  "start with http",
		"http://":                              "no host",
		"http:///v1":                           "no host",
		"http://:80/v1":                        "no host",
		"http://user:pass@example.com/v1":      "user name or password",
		"http://user@example.com/v1":           "user name or password",
		"http://example.com/v1?key=1":          "Remove the ? or # and everything after it",
		"http://example.com/v1?":               "Remove the ? or # and everything after it",
		"http://example.com/v1#a":              "Remove the ? or # and everything after it",
		" http://example.com":                  "space",
		"http://exa mple.com":                  "space",
		"http://example.com/\nX: 1":            "space",
		"http://example.com/%zz":               "isn't valid",
		"http://example.com:port":              "isn't valid",
		"http://h/v1/chat/completions":         "Remove /chat/completions",
		"http://h/" + strings.Repeat("x", 3e3): "longer than",
	} {
		p := valid()
		p.BaseURL = url
		err := llm.Validate(p)
		if err == nil || err.Code != backend.CodeInvalid || !strings.Contains(err.Message.String(), want) {
			t.Errorf("%.60q: got %v, want %q", url, err, want)
		}
		if _, _, checked := check(t.Context(), p, ""); checked == nil || checked.Message != err.Message {
			t.Errorf("%.60q: Check says %v, Validate %v", url, checked, err)
		}
		if err != nil && strings.Contains(err.Message.String(), "pass@") {
			t.Errorf("the message shows the password: %v", err)
		}
	}
}

func TestValidate_RejectsHeader(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"", "x", "isn't a valid header name"},
		{"X Key", "x", "isn't a valid header name"},
		{"X-Key:", "x", "isn't a valid header name"},
		{"X-Key\nEvil", "x", "isn't a valid header name"},
		{"Ünï", "x", "isn't a valid header name"},
		{"X-Key", "", "no value"},
		{"X-Key", " ", "no value"},
		{"X-Key", "a\nEvil: b", "line break"},
		{"X-Key", "a\r\nEvil: b", "line break"},
		{"X-Key", "a\x00b", "line break"},
		{"X-Key", "schlüssel", "line break"},
		{"X-Key", `a\nEvil: b`, `contains a backslash`},
		{"X-Key", strings.Repeat("x", 5000), "longer than"},
		{"host", "x", "VoxPilot already sets the"},
		{"Content-Length", "1", "VoxPilot already sets the"},
		{"transfer-encoding", "chunked", "VoxPilot already sets the"},
	} {
		p := valid()
		p.Headers = map[string]string{c.name: c.value}
		if err := llm.Validate(p); err == nil || err.Code != backend.CodeInvalid || !strings.Contains(err.Message.String(), c.want) {
			t.Errorf("%q: %.20q: got %v, want %q", c.name, c.value, err, c.want)
		}
	}
}

func TestValidate_RejectsConflictingHeaders(t *testing.T) {
	p := valid()
	p.Headers = map[string]string{"x-key": "1", "X-Key": "2"}
	if err := llm.Validate(p); err == nil || !strings.Contains(err.Message.String(), "twice") {
		t.Errorf("got %v", err)
	}
	p.Headers = map[string]string{"authorization": "Basic abc"}
	p.Key = backend.KeyKeychain
	if err := llm.Validate(p); err == nil || !strings.Contains(err.Message.String(), "Remove the key or the header") {
		t.Errorf("got %v", err)
	}
	p.Headers = map[string]string{}
	for i := range 21 {
		p.Headers[fmt.Sprintf("X-%d", i)] = "1"
	}
	if err := llm.Validate(p); err == nil || !strings.Contains(err.Message.String(), "at most 20") {
		t.Errorf("got %v", err)
	}
}

func TestValidate_RequiresNameAndModel(t *testing.T) {
	for _, c := range []struct{ name, model, want string }{
		{"", "m", "a name"},
		{"  ", "m", "a name"},
		{"a\nb", "m", "a name"},
		{strings.Repeat("x", 300), "m", "a name"},
		{"n", "", "Choose a model"},
		{"n", " m", "The model name"},
		{"n", "m\nX=1", "The model name"},
		{"n", strings.Repeat("x", 300), "The model name"},
	} {
		p := valid()
		p.Name, p.Model = c.name, c.model
		if err := llm.Validate(p); err == nil || err.Code != backend.CodeInvalid || !strings.Contains(err.Message.String(), c.want) {
			t.Errorf("%.10q, %.10q: got %v, want %q", c.name, c.model, err, c.want)
		}
	}
}

func TestValidate_CountsCharacters(t *testing.T) {
	p := valid()
	p.Name, p.Model = strings.Repeat("ü", 200), strings.Repeat("模", 200)
	if err := llm.Validate(p); err != nil {
		t.Errorf("got %v for 200 characters", err)
	}
}

func TestValidate_RejectsKey(t *testing.T) {
	for _, key := range []string{"sk\n", " sk", "schlüssel", "a\x00"} {
		if _, _, err := check(t.Context(), valid(), key); err == nil || err.Code != backend.CodeInvalid || strings.Contains(err.Message.String(), key) {
			t.Errorf("%q: got %v", key, err)
		}
	}
}

func TestValidate_RejectsServiceAndSize(t *testing.T) {
	for _, change := range []func(*backend.Provider){
		func(p *backend.Provider) { p.Kind = "anthropic" },
		func(p *backend.Provider) { p.Context = -1 },
		func(p *backend.Provider) { p.Context = 100 },
	} {
		p := valid()
		change(&p)
		if err := llm.Validate(p); err == nil || err.Code != backend.CodeInvalid {
			t.Errorf("%+v: got %v", p, err)
		}
	}
	p := valid()
	p.Kind, p.Context = backend.KindLMStudio, 8192
	if err := llm.Validate(p); err != nil {
		t.Error(err)
	}
}
