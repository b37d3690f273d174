// Package hostname normalizes host names and addresses, so that each host has exactly one spelling, and
// matches them against lists of patterns.
package hostname

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxName is the maximum length of a host name in bytes, and maxLabel is the maximum length of a label (a part between
// dots).
const (
	maxName  = 253
	maxLabel = 63
)

// Normal returns the normalized spelling of a host name or IP address: a name in lower-case ASCII without a
// trailing dot, or an address as formatted by netip, with IPv4-mapped IPv6 addresses as IPv4. It returns ""
// if host is neither, or if it is a number that some resolvers accept as an IPv4 address, such as 0x7f.1 or
// 127.1.
func Normal(host string) string {
	if addr, err := netip.ParseAddr(strings.TrimSuffix(host, ".")); err == nil {
		if addr.Zone() != "" {
			return ""
		}
		return addr.Unmap().String()
	}
	if !isASCII(host) || strings.Contains(strings.ToLower(host), "xn--") {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil || !utf8.ValidString(host) {
			return ""
		}
		if again, err := idna.Lookup.ToASCII(ascii); err != nil || again != ascii {
			return ""
		}
		host = ascii
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if len(host) > maxName {
		return ""
	}
	last := ""
	for label := range strings.SplitSeq(host, ".") {
		if !isLabel(label) {
			return ""
		}
		last = label
	}
	if isNumber(last) {
		return ""
	}
	return host
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// isLabel reports whether s is a valid lower-case label of a host name: it isn't too long and contains only letters,
// digits and inner hyphens.
func isLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && s[0] != '-' && s[len(s)-1] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// isNumber reports whether a host name that ends with the given label could be read as an IPv4 address.
func isNumber(label string) bool {
	if digits, is := strings.CutPrefix(label, "0x"); is {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// ErrAuthority is the error that Parse returns for text that isn't a valid host and port.
var ErrAuthority = errors.New("not a valid host and port")

// Parse splits the authority of a request, such as "example.test:443" or "[::1]:443", into the normalized
// host and the port. The parameter port is the default for an authority without a port; 0 means that the
// authority must have a port. Parse rejects everything else that a URL could contain there, such as a user
// name.
func Parse(authority string, port int) (host string, _ int, err error) {
	var digits string
	var hasPort bool
	if inner, is := strings.CutPrefix(authority, "["); is {
		inner, rest, closed := strings.Cut(inner, "]")
		if digits, hasPort = strings.CutPrefix(rest, ":"); !closed || rest != "" && !hasPort || !strings.Contains(inner, ":") {
			return "", 0, ErrAuthority
		}
		host = inner
		if addr, err := netip.ParseAddr(host); err != nil || addr.Zone() != "" {
			return "", 0, ErrAuthority
		}
	} else {
		host, digits, hasPort = strings.Cut(authority, ":")
	}
	if hasPort {
		if port = portOf(digits); port == 0 {
			return "", 0, ErrAuthority
		}
	}
	if host = Normal(host); host == "" || port == 0 {
		return "", 0, ErrAuthority
	}
	return host, port, nil
}

// portOf parses a port number. It returns 0 if the digits aren't a valid port.
func portOf(digits string) int {
	if digits == "" || len(digits) > 5 || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	port, err := strconv.Atoi(digits)
	if err != nil || port > 65535 {
		return 0
	}
	return port
}

// Join returns "host:port", or only the host if port is 0. It puts IPv6 addresses in brackets.
func Join(host string, port int) string {
	if port != 0 {
		return net.JoinHostPort(host, strconv.Itoa(port))
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}
