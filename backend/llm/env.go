package llm

import (
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Env returns the environment variables that make the Copilot CLI use the endpoint p instead of GitHub's models,
// and store its state in the folder home ("" means the CLI's default). They must come after the inherited
// variables, because they set variables for other providers to "", which the CLI treats as unset.
//
// COPILOT_OFFLINE also keeps the CLI from connecting to GitHub: users with their own model expect that no data goes
// to other servers.
func Env(p backend.Provider, key, home string) []string {
	var headers []string
	for _, name := range sortedNames(p.Headers) {
		headers = append(headers, name+": "+p.Headers[name])
	}
	if key != "" && KindOf(p) == backend.KindAzure {
		headers = append(headers, "api-key: "+key) // The CLI sends it only as a bearer token.
	}
	env := []string{
		"COPILOT_OFFLINE=true",
		"COPILOT_MODEL=" + p.Model,
		"COPILOT_PROVIDER_BASE_URL=" + strings.TrimRight(p.BaseURL, "/"),
		"COPILOT_PROVIDER_TYPE=openai",
		"COPILOT_PROVIDER_WIRE_API=completions",
		"COPILOT_PROVIDER_API_KEY=" + key,
		"COPILOT_PROVIDER_HEADERS=" + strings.Join(headers, "\n"),
		"COPILOT_PROVIDER_API_KEY_COMMAND=",
		"COPILOT_PROVIDER_BEARER_TOKEN=",
		"COPILOT_PROVIDER_TRANSPORT=",
		"COPILOT_PROVIDER_AZURE_API_VERSION=",
		"COPILOT_PROVIDER_MODEL_ID=",
		"COPILOT_PROVIDER_WIRE_MODEL=",
		"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=",
		"COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=",
	}
	if home != "" {
		env = append(env, "COPILOT_HOME="+home)
	}
	if host, ok := loopback(p.BaseURL); ok {
		direct := withHost(os.Getenv("NO_PROXY"), os.Getenv("no_proxy"), host)
		env = append(env, "NO_PROXY="+direct, "no_proxy="+direct)
	}
	return env
}

// loopback returns the host of an address and reports whether that host is this computer. Such a host must be listed in
// NO_PROXY, because the CLI would otherwise use a proxy set in HTTP_PROXY even for connections to this computer.
func loopback(address string) (host string, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	host = u.Hostname()
	ip := net.ParseIP(host)
	return host, host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// withHost appends host to the comma-separated list in upper, the value of NO_PROXY. If upper is empty, it uses lower,
// the value of no_proxy.
func withHost(upper, lower, host string) string {
	list := upper
	if list == "" {
		list = lower
	}
	if list == "" {
		return host
	}
	return list + "," + host
}

func sortedNames(headers map[string]string) []string {
	return slices.Sorted(maps.Keys(headers))
}
