//go:build !dev

package engine

// GitHubBase returns the addresses of a GitHub host; nil selects the real ones.
var GitHubBase func(host string) (web, api string)
