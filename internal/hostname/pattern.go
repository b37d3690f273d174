package hostname

import (
	"slices"
	"strings"
)

// Coverage describes how a list of patterns covers a host.
type Coverage int

// Kinds of coverage.
const (
	None   Coverage = iota
	ByStar          // by a pattern such as *.example.test
	ByName          // by the host's own name or address
)

// webPorts are the ports that a pattern without a port covers.
var webPorts = []int{80, 443}

// Pattern returns the normalized spelling of a pattern, or "" if text isn't a valid pattern. Patterns are:
//
//	example.test        the host, with the ports 80 and 443
//	example.test:8081   the host, with this port only
//	*.example.test      all hosts below example.test, but not example.test; may have a port
//	192.0.2.1, [::1]    an address; may have a port
//
// The name after *. must have at least two parts.
func Pattern(text string) string {
	text = strings.TrimSpace(text)
	name, below := strings.CutPrefix(text, "*.")
	if strings.Contains(Normal(name), ":") { // an IPv6 address without brackets
		name = "[" + name + "]"
	}
	host, port, err := Parse(name, webPorts[0])
	if err != nil || below && (!strings.Contains(host, ".") || isAddress(host)) {
		return ""
	}
	if i := strings.LastIndexByte(name, ':'); i < strings.LastIndexByte(name, ']') || i < 0 {
		port = 0
	}
	if below {
		return "*." + Join(host, port)
	}
	return Join(host, port)
}

// isAddress reports whether a normalized host is an IP address rather than a name. It relies on the fact that the last
// part of a normalized name is never a number.
func isAddress(host string) bool {
	return strings.Contains(host, ":") || isNumber(host[strings.LastIndexByte(host, '.')+1:])
}

// Match returns how the patterns cover a normalized host and a port. It ignores invalid patterns.
func Match(patterns []string, host string, port int) Coverage {
	covered := None
	for _, text := range patterns {
		pattern := Pattern(text)
		if pattern == "" {
			continue
		}
		name, below := strings.CutPrefix(pattern, "*.")
		want, only, err := Parse(name, webPorts[0])
		if err != nil || port != only && (Join(want, only) == name || !slices.Contains(webPorts, port)) {
			continue
		}
		switch {
		case below && strings.HasSuffix(host, "."+want):
			covered = max(covered, ByStar)
		case !below && host == want:
			return ByName
		}
	}
	return covered
}
