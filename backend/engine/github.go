//go:build !dev

package engine

// GitHubBase returns the web and API addresses to use for a GitHub host. If GitHubBase is nil, the host's own addresses
// are used.
var GitHubBase func(host string) (web, api string)
