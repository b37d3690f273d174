//go:build !dev

package main

// githubBase gives the addresses of a GitHub host; nil are the real ones.
var githubBase func(host string) (web, api string)
