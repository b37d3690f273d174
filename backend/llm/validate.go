package llm

import (
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"github.com/voxpilot/voxpilot/backend"
)

// Limits on accepted values.
const (
	maxName    = 200         // characters
	maxURL     = 2000        // bytes
	maxHeaders = 20          // per endpoint
	maxValue   = 4000        // bytes of a header's value
	minContext = 2_000       // tokens; less is too small for a conversation
	maxContext = 100_000_000 // tokens
)

// Validate returns nil if p is valid, and otherwise the error to show in the endpoint's form. Plain HTTP is allowed
// for all addresses: models often run on the user's own network, where servers have no certificates.
func Validate(p backend.Provider) *backend.Error {
	if name := strings.TrimSpace(p.Name); name == "" || utf8.RuneCountInString(name) > maxName || !printable(name) {
		return backend.Invalid("Enter a name of at most %d characters.", maxName)
	}
	if _, err := validateEndpoint(p, p.Key != backend.KeyNone); err != nil {
		return err
	}
	if !slices.ContainsFunc(presets, func(s preset) bool { return s.kind == p.Kind }) {
		return backend.Invalid("Choose a service, or “Other”.")
	}
	if p.Context != 0 && (p.Context < minContext || p.Context > maxContext) {
		return backend.Invalid("Enter a context size of at least %d tokens, or leave it empty.", minContext)
	}
	if p.Model == "" {
		return backend.Invalid("Choose a model, or enter its name.")
	}
	if utf8.RuneCountInString(p.Model) > maxName || !printable(p.Model) || strings.TrimSpace(p.Model) != p.Model {
		return backend.Invalid("The model name is longer than %d characters, contains invisible characters, or starts or ends with a space.", maxName)
	}
	return nil
}

// validateEndpoint checks the address and the headers, and returns the parsed address.
func validateEndpoint(p backend.Provider, hasKey bool) (*url.URL, *backend.Error) {
	base, err := validateURL(p.BaseURL)
	if err != nil {
		return nil, err
	}
	if len(p.Headers) > maxHeaders {
		return nil, backend.Invalid("You can add at most %d headers.", maxHeaders)
	}
	seen := map[string]bool{}
	for _, name := range sortedNames(p.Headers) {
		if err := validateHeader(name, p.Headers[name]); err != nil {
			return nil, err
		}
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if seen[canonical] {
			return nil, backend.Invalid("The header %s is listed twice.", name)
		}
		seen[canonical] = true
	}
	if seen["Authorization"] && hasKey {
		return nil, backend.Invalid("The API key is sent in the Authorization header, but you've also set that header yourself. Remove the key or the header.")
	}
	return base, nil
}

func validateURL(s string) (*url.URL, *backend.Error) {
	example := backend.Say("Enter an address such as http://localhost:11434/v1.")
	switch {
	case s == "":
		return nil, backend.Invalid("The address is missing. %s", example)
	case len(s) > maxURL:
		return nil, backend.Invalid("The address is longer than %d characters.", maxURL)
	case !printable(s) || strings.ContainsFunc(s, unicode.IsSpace):
		return nil, backend.Invalid("The address contains a space or an invisible character. %s", example)
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, backend.Invalid("The address isn't valid. %s", example)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, backend.Invalid("The address must start with http:// or https://. %s", example)
	case u.Hostname() == "":
		return nil, backend.Invalid("The address has no host. %s", example)
	case u.User != nil:
		return nil, backend.Invalid("The address contains a user name or password. Remove it and enter a key instead: keys are stored in the keychain, addresses aren't.")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, backend.Invalid("Remove the ? or # and everything after it: VoxPilot adds paths such as /chat/completions to the address. Enter those values as headers instead.")
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return nil, backend.Invalid("Remove /chat/completions from the address. VoxPilot adds it.")
	}
	return u, nil
}

// reservedHeaders are the headers that users can't set, because VoxPilot or its HTTP
// client controls them.
var reservedHeaders = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Host", "Keep-Alive",
	"Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

func validateHeader(name, value string) *backend.Error {
	switch {
	case !httpguts.ValidHeaderFieldName(name) || utf8.RuneCountInString(name) > maxName:
		return backend.Invalid("%.60q isn't a valid header name. Use letters, digits and hyphens.", name)
	case slices.Contains(reservedHeaders, textproto.CanonicalMIMEHeaderKey(name)):
		return backend.Invalid("VoxPilot already sets the %s header. Remove it from the list of headers.", name)
	case strings.TrimSpace(value) == "":
		return backend.Invalid("The header %s has no value.", name)
	case len(value) > maxValue:
		return backend.Invalid("The value of the header %s is longer than %d characters.", name, maxValue)
	case !ascii(value):
		return backend.Invalid("The value of the header %s contains a line break or an invalid character.", name)
	case strings.Contains(value, `\n`):
		// The Copilot CLI treats these two characters as the end of a header.
		return backend.Invalid(`The value of the header %s contains a backslash followed by n, which Copilot CLI can't pass on.`, name)
	}
	return nil
}

func validateKey(key string) *backend.Error {
	if !ascii(key) || strings.TrimSpace(key) != key {
		return backend.Invalid("The key starts or ends with a space, or contains a line break or an invalid character. Copy it again.")
	}
	return nil
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
