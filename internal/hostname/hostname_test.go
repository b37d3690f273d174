package hostname

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestNormal_OneSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"example.test":                     "example.test",
		"Example.TEST":                     "example.test",
		"example.test.":                    "example.test",
		"localhost":                        "localhost",
		"a--b.example.test":                "a--b.example.test",
		"ab--c.example.test":               "ab--c.example.test",
		"bücher.test":                      "xn--bcher-kva.test",
		"XN--Bcher-KVA.test":               "xn--bcher-kva.test",
		"example\u3002test":                "example.test",
		"ｅｘａｍｐｌｅ.test":                     "example.test",
		"127.0.0.1":                        "127.0.0.1",
		"127.0.0.1.":                       "127.0.0.1",
		"::1":                              "::1",
		"0:0:0:0:0:0:0:1":                  "::1",
		"::ffff:127.0.0.1":                 "127.0.0.1",
		"::FFFF:7f00:1":                    "127.0.0.1",
		"1.example.test":                   "1.example.test",
		"0x7f.example":                     "0x7f.example",
		"example.0xg":                      "example.0xg",
		"":                                 "",
		".":                                "",
		"..":                               "",
		"example..test":                    "",
		".example.test":                    "",
		"example.test..":                   "",
		"127.1":                            "",
		"0x7f.1":                           "",
		"0x7f000001":                       "",
		"0x":                               "",
		"2130706433":                       "",
		"0177.0.0.1":                       "",
		"127.0.0.01":                       "",
		"1.2.3.4.5":                        "",
		"example.1":                        "",
		"１２７.0.0.1":                        "",
		"①.②":                              "",
		"fe80::1%eth0":                     "",
		"fe80::1%25eth0":                   "",
		"[::1]":                            "",
		"example.test:443":                 "",
		"user@example.test":                "",
		"example.test/":                    "",
		"example .test":                    "",
		"example.test\x00":                 "",
		"example\\.test":                   "",
		"*.example.test":                   "",
		"-a.test":                          "",
		"a-.test":                          "",
		"a_b.test":                         "",
		"%65xample.test":                   "",
		"xn--a.test":                       "",
		"exa\u00admple.test":               "example.test",
		"example\u2024test":                "",
		"example.test\u2215.other.test":    "example.xn--test-jd9a.other.test",
		strings.Repeat("a", 64) + ".test":  "",
		strings.Repeat("a.", 130) + "test": "",
		strings.Repeat("a", 63) + ".test":  strings.Repeat("a", 63) + ".test",
		strings.Repeat("ü", 60) + ".test":  "",
		strings.Repeat("1.", 3) + "4":      "1.1.1.4",
		strings.Repeat("a.", 126) + "b":    strings.Repeat("a.", 126) + "b",
		"example.test" + strings.Repeat("\u200b", 2): "example.test",
	} {
		if got := Normal(text); got != want {
			t.Errorf("Normal(%q): got %q, want %q", text, got, want)
		}
		if want != "" && Normal(want) != want {
			t.Errorf("Normal(%q): got %q, want no change", want, Normal(want))
		}
	}
}

func TestParse_HostAndPort(t *testing.T) {
	for text, want := range map[string]string{
		"example.test:443":        "example.test:443",
		"EXAMPLE.test.:1":         "example.test:1",
		"[::1]:65535":             "[::1]:65535",
		"[::ffff:10.0.0.1]:80":    "10.0.0.1:80",
		"127.0.0.1:80":            "127.0.0.1:80",
		"":                        "",
		":443":                    "",
		"example.test":            "",
		"example.test:":           "",
		"example.test:0":          "",
		"example.test:65536":      "",
		"example.test:00443":      "",
		"example.test:+443":       "",
		"example.test:-1":         "",
		"example.test:443:443":    "",
		"example.test:https":      "",
		"example.test: 443":       "",
		"example.test:443 ":       "",
		" example.test:443":       "",
		"example.test:４４３":        "",
		"::1:443":                 "",
		"[::1":                    "",
		"[::1]":                   "",
		"[::1]443":                "",
		"[::1]:":                  "",
		"[]:443":                  "",
		"[127.0.0.1]:443":         "",
		"[example.test]:443":      "",
		"[fe80::1%25eth0]:443":    "",
		"[::1].example.test:443":  "",
		"u@example.test:443":      "",
		"u:p@example.test:443":    "",
		"example.test:443@b.test": "",
		"example.test:443/":       "",
		"example.test:443#":       "",
		"example.test\t:443":      "",
		"a.test,b.test:443":       "",
	} {
		host, port, err := Parse(text, 0)
		got := ""
		if err == nil {
			got = Join(host, port)
		}
		if got != want {
			t.Errorf("Parse(%q): got %q, want %q", text, got, want)
		}
	}
	if host, port, err := Parse("example.test", 80); host != "example.test" || port != 80 || err != nil {
		t.Errorf("without a port: got %s, %d, %v", host, port, err)
	}
}

func TestMatch_Patterns(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		port          int
		want          Coverage
	}{
		{"example.test", "example.test", 443, ByName},
		{"example.test", "example.test", 80, ByName},
		{"example.test", "example.test", 22, None},
		{"example.test", "www.example.test", 443, None},
		{"example.test", "notexample.test", 443, None},
		{" Example.TEST. ", "example.test", 443, ByName},
		{"example.test:8081", "example.test", 8081, ByName},
		{"example.test:8081", "example.test", 443, None},
		{"example.test:443", "example.test", 80, None},
		{"example.test:80", "example.test", 443, None},
		{"example.test:80", "example.test", 80, ByName},
		{"*.example.test", "www.example.test", 443, ByStar},
		{"*.example.test", "a.b.example.test", 443, ByStar},
		{"*.example.test", "example.test", 443, None},
		{"*.example.test", "badexample.test", 443, None},
		{"*.example.test", "example.test.other.test", 443, None},
		{"*.example.test:8081", "www.example.test", 8081, ByStar},
		{"*.example.test:8081", "www.example.test", 443, None},
		{"*.bücher.test", "a.xn--bcher-kva.test", 443, ByStar},
		{"*.test", "example.test", 443, None},
		{"*", "example.test", 443, None},
		{"*.*.test", "a.example.test", 443, None},
		{"ex*.test", "example.test", 443, None},
		{"*.0.0.1", "127.0.0.1", 443, None},
		{"*.10.0.0.1", "127.10.0.0.1", 443, None},
		{"10.0.0.1", "10.0.0.1", 443, ByName},
		{"[fd00::1]", "fd00::1", 443, ByName},
		{"[fd00::1]:81", "fd00::1", 81, ByName},
		{"[fd00::1]:81", "fd00::1", 443, None},
		{"https://example.test", "example.test", 443, None},
		{"user@example.test", "example.test", 443, None},
		{"fd00::1", "fd00::1", 443, ByName},
		{"", "example.test", 443, None},
	} {
		if got := Match([]string{c.pattern}, c.host, c.port); got != c.want {
			t.Errorf("%q, %s, %d: got %d, want %d", c.pattern, c.host, c.port, got, c.want)
		}
	}
	if got := Match([]string{"*.example.test", "no pattern", "www.example.test"}, "www.example.test", 443); got != ByName {
		t.Errorf("name after star: got %d, want %d", got, ByName)
	}
}

// FuzzAuthority checks that the host of every authority that Parse accepts is normalized, and that net/url parses the
// same host.
func FuzzAuthority(f *testing.F) {
	for _, seed := range []string{"example.test:443", "[::1]:1", "0x7f.1:80", "a.test:443@b.test:1", "bücher.test:443", "１.1:2", "\xbc:1", "[::ffff:1.2.3.4]:5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		host, port, err := Parse(text, 0)
		if err != nil {
			return
		}
		joined := Join(host, port)
		again, samePort, err := Parse(joined, 0)
		if err != nil || again != host || samePort != port {
			t.Fatalf("%q: %q is parsed as %q, %d, %v", text, joined, again, samePort, err)
		}
		if !isASCII(host) || host != strings.ToLower(host) || strings.HasSuffix(host, ".") || strings.ContainsAny(host, "@/\\?#%* ") || port < 1 || port > 65535 {
			t.Fatalf("%q: got host %q, port %d", text, host, port)
		}
		u, err := url.Parse("http://" + joined + "/")
		if err != nil || u.Hostname() != host || u.User != nil {
			t.Fatalf("%q: net/url reads %q as %v, %v", text, joined, u, err)
		}
		if _, err := netip.ParseAddr(host); isAddress(host) != (err == nil) {
			t.Fatalf("%q: %q is an address: %t, %v", text, host, isAddress(host), err)
		}
		if Match([]string{joined}, host, port) != ByName {
			t.Fatalf("%q: %q doesn't match its own pattern", text, joined)
		}
	})
}
