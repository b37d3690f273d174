//go:build !dev

package engine

// GitHubBase gives the addresses of a GitHub host; nil are the real ones.
var GitHubBase func(host string) (web, api string)
