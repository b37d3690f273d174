//go:build dev

package engine

import (
	"os"
	"strings"
)

// GitHubBase returns the web and API addresses to use for a GitHub host. If GitHubBase is nil, the host's own addresses
// are used. VOXPILOT_GITHUB_URL is the address of a test server that replaces all hosts. Release builds ignore the
// variable, because the server receives the user's token.
var GitHubBase = baseAt(os.Getenv("VOXPILOT_GITHUB_URL"))

func baseAt(url string) func(host string) (web, api string) {
	url = strings.TrimRight(url, "/")
	if url == "" {
		return nil
	}
	return func(string) (web, api string) { return url, url + "/api/v3" }
}
