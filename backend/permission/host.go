package permission

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// hostOf is the host that a person wrote, as it is kept: in lower case and
// ASCII, with its port where one was written. A whole address stands for its
// host. It is "" where there is no host in it.
func hostOf(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return ""
	}
	host := normal(u.Hostname())
	if host == "" || u.Port() == "" {
		return host
	}
	return net.JoinHostPort(host, u.Port())
}

// normal is a host's name in the one form in which names are compared.
func normal(host string) string {
	host = strings.TrimSuffix(host, ".")
	if ip := net.ParseIP(host); ip != nil {
		return ip.String()
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil || strings.ContainsAny(ascii, "*%") {
		return ""
	}
	return strings.ToLower(ascii)
}

// hostCovers says whether address is a web address of exactly this host; of
// its port as well, where the rule names one.
func hostCovers(host, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	got := normal(u.Hostname())
	if got == "" {
		return false
	}
	return got == host || u.Port() != "" && net.JoinHostPort(got, u.Port()) == host
}

// mentions says whether the line names the host, or one below it.
func mentions(line, host string) bool {
	line = strings.ToLower(line)
	part := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c >= 0x80
	}
	for from := 0; ; {
		i := strings.Index(line[from:], host)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(host)
		begins := i == 0 || !part(line[i-1])
		ends := end == len(line) || !part(line[end]) && (line[end] != '.' || end+1 == len(line) || !part(line[end+1]))
		if begins && ends {
			return true
		}
		from = i + 1
	}
}
