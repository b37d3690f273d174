package llm

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const userAgent = "VoxPilot"

// A preset is what is known of a service.
type preset struct {
	kind backend.ProviderKind
	// context is how many tokens fit into a model of the service where nothing
	// says so: on the user's own computer it is what the service gives a model
	// by itself, elsewhere what the smallest of the models in use takes.
	context int64
	is      func(base *url.URL) bool
}

var presets = []preset{
	{backend.KindOpenAI, 128_000, host("openai.com")},
	{backend.KindAzure, 128_000, host("azure.com", "azure.us", "azure.cn")},
	{backend.KindOpenRouter, 64_000, host("openrouter.ai")},
	{backend.KindOllama, 8_192, port("11434")},
	{backend.KindLMStudio, 8_192, port("1234")},
	{backend.KindCustom, 32_000, func(*url.URL) bool { return true }},
}

// host tells addresses of these domains.
func host(domains ...string) func(*url.URL) bool {
	return func(base *url.URL) bool {
		return slices.ContainsFunc(domains, func(domain string) bool {
			name := strings.ToLower(base.Hostname())
			return name == domain || strings.HasSuffix(name, "."+domain)
		})
	}
}

func port(number string) func(*url.URL) bool {
	return func(base *url.URL) bool { return base.Port() == number }
}

// KindOf says which service an endpoint is: as it was chosen, else as its
// address tells.
func KindOf(p backend.Provider) backend.ProviderKind {
	base, err := url.Parse(p.BaseURL)
	if p.Kind != backend.KindCustom || err != nil {
		return p.Kind
	}
	i := slices.IndexFunc(presets, func(s preset) bool { return s.is(base) })
	return presets[i].kind
}

// ContextOf is how many tokens fit into the model of p: as it was set, else a
// safe guess.
func ContextOf(p backend.Provider) int64 {
	if p.Context > 0 {
		return p.Context
	}
	kind := KindOf(p)
	i := slices.IndexFunc(presets, func(s preset) bool { return s.kind == kind })
	if i < 0 {
		i = len(presets) - 1
	}
	return presets[i].context
}

// headers are those that a request to an endpoint carries: its key, and those
// that the user gave it, which win. version is Azure's api-version, "" where the
// address is of the kind that needs none.
func headers(p backend.Provider, kind backend.ProviderKind, key string, base *url.URL) (header http.Header, version string) {
	header = http.Header{}
	switch {
	case key == "":
	case kind == backend.KindAzure:
		header.Set("Api-Key", key)
	default:
		header.Set("Authorization", "Bearer "+key)
	}
	if kind == backend.KindAzure {
		version = azureVersion(base)
	}
	for name, value := range p.Headers {
		if kind == backend.KindAzure && strings.EqualFold(name, "api-version") {
			version = value // It is no header, but this is where users can put it.
			continue
		}
		header.Set(name, value)
	}
	return header, version
}

// azureVersion is the api-version that an address of Azure's wants.
func azureVersion(base *url.URL) string {
	switch path := strings.TrimRight(base.Path, "/"); {
	case strings.Contains(path, "/openai/deployments/"):
		return "2024-10-21"
	case strings.HasSuffix(path, "/models"):
		return "2024-05-01-preview"
	default: // /openai/v1
		return ""
	}
}

// secrets is what must not be shown of an endpoint.
func secrets(p backend.Provider, key string) (hide []string) {
	if key != "" {
		hide = append(hide, key)
	}
	for _, value := range p.Headers {
		if len(value) >= 6 { // Shorter ones are no secrets, and hiding them would garble the text.
			hide = append(hide, value)
		}
	}
	return hide
}

func redact(s string, hide []string) string {
	for _, secret := range hide {
		s = strings.ReplaceAll(s, secret, "•••")
	}
	return strings.ToValidUTF8(s, "�")
}
