package auth

import (
	"net/url"
	"runtime"
	"strings"
)

const githubHost = "github.com"

// hostVars name GitHub's host, as the Copilot CLI reads them.
var hostVars = []string{"COPILOT_GH_HOST", "GH_HOST"}

// hostOf is the GitHub that the user works with. What is no host stands for
// none, so that a token is never sent to where nobody meant it to go.
func hostOf(getenv func(string) string) string {
	for _, name := range hostVars {
		value := strings.TrimSpace(getenv(name))
		if value == "" {
			continue
		}
		if !strings.Contains(value, "://") {
			value = "https://" + value
		}
		if u, err := url.Parse(value); err == nil && u.Hostname() != "" && u.User == nil {
			return strings.ToLower(u.Host)
		}
	}
	return githubHost
}

// addresses are those of GitHub itself, of an enterprise with data residency,
// and of an Enterprise Server.
func addresses(host string) (web, api string) {
	web = "https://" + host
	switch {
	case host == githubHost:
		return web, "https://api.github.com"
	case strings.HasSuffix(host, ".ghe.com"):
		return web, "https://api." + host
	default:
		return web, web + "/api/v3"
	}
}

// keychainName is how a person calls the system's keychain.
func keychainName() string {
	switch runtime.GOOS {
	case "darwin":
		return "macOS Keychain"
	case "windows":
		return "Windows Credential Manager"
	default:
		return "Secret Service"
	}
}
