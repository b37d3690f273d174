//go:build dev

package engine

import (
	"os"
	"strings"
)

// GitHubBase gives the addresses of a GitHub host; nil are the real ones.
// VOXPILOT_GITHUB_URL is that of a GitHub for tests, which stands for all of
// them. A build that ships does not know the variable, since what it names gets
// the user's token.
var GitHubBase = baseAt(os.Getenv("VOXPILOT_GITHUB_URL"))

func baseAt(url string) func(host string) (web, api string) {
	url = strings.TrimRight(url, "/")
	if url == "" {
		return nil
	}
	return func(string) (web, api string) { return url, url + "/api/v3" }
}
