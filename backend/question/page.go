package question

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// maxAddress is the maximum length in bytes of the address of a web page.
const maxAddress = 8000

// parsePage reads the address of a web page. It accepts only addresses that every program reads in the same way.
func parsePage(id, address string) (*backend.QuestionPage, error) {
	if len(address) > maxAddress {
		return nil, invalid("The url can have at most %d bytes, not %d.", maxAddress, len(address))
	}
	scheme, rest, _ := strings.Cut(address, "://")
	scheme = strings.ToLower(scheme)
	if scheme != "https" && scheme != "http" {
		return nil, invalid("The url must start with https:// or http://.")
	}
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	authority, after := rest[:end], rest[end:]
	user, authority, hasUser := cutLast(authority, "@")
	if !isAddressText(after) || !isAddressText(user) {
		return nil, invalid("The url contains a character that must be percent-encoded.")
	}
	defaultPort := map[string]int{"https": 443, "http": 80}[scheme]
	host, port, err := hostname.Parse(authority, defaultPort)
	if err != nil {
		return nil, invalid("The url doesn't have a valid host.")
	}
	if port == defaultPort {
		port = 0
	}
	page := &backend.QuestionPage{ID: id, Before: scheme + "://", Host: hostname.Join(host, port), After: after, NeverOpens: hasUser}
	if hasUser {
		page.Before += user + "@"
	}
	// The browser is given the address as net/url writes it.
	u, err := url.Parse(page.Before + page.Host + page.After)
	if err != nil {
		return nil, invalid("The url isn't valid.")
	}
	whole := u.String()
	tail, ok := strings.CutPrefix(whole, page.Before+page.Host)
	if again, err := url.Parse(whole); !ok || err != nil || again.String() != whole {
		return nil, invalid("The url contains a character that must be percent-encoded.")
	}
	page.After = tail
	page.Doubts = doubtsOf(scheme, host, hasUser)
	return page, nil
}

// cutLast splits s at the last separator. If there is none, before is empty.
func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(separator):], true
}

// isAddressText reports whether text consists of visible ASCII characters that browsers don't change.
func isAddressText(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\\\"<>^`{|}", r) })
}

// doubtsOf returns the reasons why an address with the given normalized host may mislead the user.
func doubtsOf(scheme, host string, hasUser bool) (doubts []backend.Message) {
	addr, err := netip.ParseAddr(host)
	isIP := err == nil
	isLocal := isIP && addr.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
	if hasUser {
		doubts = append(doubts, backend.Say("It contains a user name before the host. The site is %s.", host))
	}
	if isIP && !isLocal {
		doubts = append(doubts, backend.Say("It names a computer by its number, so nothing shows whose site it is."))
	}
	if strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--") {
		doubts = append(doubts, foreignDoubt(host))
	}
	if scheme == "http" && !isLocal {
		doubts = append(doubts, backend.Say("It isn't encrypted, so others in the network can read and change what you enter."))
	}
	return doubts
}

// foreignDoubt describes a host name with letters other than those of ASCII.
func foreignDoubt(host string) backend.Message {
	shown, err := idna.Lookup.ToUnicode(host)
	if err != nil {
		return backend.Say("It uses letters other than a to z.")
	}
	for _, r := range shown {
		if like := lookalike(r); like != 0 {
			return backend.Say("Browsers show it as %s. One of its letters looks like %s.", shown, string(like))
		}
	}
	return backend.Say("Browsers show it as %s. It uses letters other than a to z.", shown)
}

// similar lists letters that resemble ASCII letters.
var similar = map[rune]string{
	'a': "аɑα", 'b': "ƅ", 'c': "сϲᴄ", 'd': "ԁ", 'e': "еҽ", 'g': "ɡց", 'h': "һհ", 'i': "іıɩι", 'j': "јϳ", 'k': "кκ", 'l': "ӏ", 'n': "ոη",
	'o': "оοօσ", 'p': "рρ", 'q': "ԛգ", 'r': "г", 's': "ѕꜱ", 't': "тτ", 'u': "υսᴜ", 'v': "ѵνᴠ", 'w': "ԝѡ", 'x': "хχ", 'y': "уүγʏ", 'z': "ᴢ",
}

// lookalike returns the ASCII letter that r resembles, or 0 if r is ASCII or resembles none.
func lookalike(r rune) rune {
	if r < unicode.MaxASCII {
		return 0
	}
	for like, others := range similar {
		if strings.ContainsRune(others, r) {
			return like
		}
	}
	if base := []rune(norm.NFD.String(string(r)))[0]; base < unicode.MaxASCII && unicode.IsLetter(base) {
		return base
	}
	return 0
}
