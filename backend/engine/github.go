//go:build !dev

package engine

// GitHubBase returns the web and API addresses to use for a GitHub host; nil means the real ones.
var GitHubBase func(host string) (web, api string)
