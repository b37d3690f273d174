package llm

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const userAgent = "VoxPilot"

// A preset holds the defaults for a kind of service.
type preset struct {
	kind backend.ProviderKind
	// context is the assumed context size of a model in tokens. For local services, it is the service's default.
	// For others, it is the smallest context size of the service's popular models.
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

// host returns a function that reports whether the host of an address is one of the domains or a subdomain of one.
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

// KindOf returns the kind of service that an endpoint belongs to. If the user hasn't configured a kind, KindOf
// derives it from the address.
func KindOf(p backend.Provider) backend.ProviderKind {
	base, err := url.Parse(p.BaseURL)
	if p.Kind != backend.KindCustom || err != nil {
		return p.Kind
	}
	i := slices.IndexFunc(presets, func(s preset) bool { return s.is(base) })
	return presets[i].kind
}

// ContextOf returns the context size of p's model in tokens. If the user hasn't configured it, ContextOf returns
// the default for the kind of service.
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

// headers returns the headers for requests to an endpoint, with its key. The user's own headers take precedence.
// version is the value for Azure's parameter api-version, or "" if the address needs none.
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
			version = value // not a header, but users can set it only here
			continue
		}
		header.Set(name, value)
	}
	return header, version
}

// azureVersion returns the value of the parameter api-version for an Azure address, or "" if the address needs none.
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

// secrets returns the values to redact in texts about an endpoint: its key and the values of its headers, except
// very short ones.
func secrets(p backend.Provider, key string) (hide []string) {
	if key != "" {
		hide = append(hide, key)
	}
	for _, value := range p.Headers {
		if len(value) >= 6 { // shorter values aren't secrets, and redacting them would garble the text
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
