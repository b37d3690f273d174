package auth

import (
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// wrongKind says why Copilot takes a token of this kind from nobody, "" where it
// takes it or its kind is not known: then GitHub decides.
func wrongKind(token string) backend.Message {
	if len(token) > maxToken || strings.IndexFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return backend.Say("something with characters that no token has")
	}
	prefix, _, _ := strings.Cut(token, "_")
	switch prefix {
	case "ghp":
		return backend.Say("a classic personal access token (ghp_), which Copilot does not take")
	case "ghs":
		return backend.Say("a token of an app's installation (ghs_), which belongs to no person")
	case "ghr":
		return backend.Say("a refresh token (ghr_), which only renews another one")
	}
	return backend.Message{}
}

// maxToken is longer than any token of GitHub's.
const maxToken = 1000

// isPasted says whether a token is of a kind that can be signed in with by
// hand.
func isPasted(token string) bool {
	for _, prefix := range []string{"github_pat_", "gho_", "ghu_"} {
		if rest, ok := strings.CutPrefix(token, prefix); ok {
			return rest != "" && len(token) <= maxToken && isWord(rest)
		}
	}
	return false
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_'
	}) < 0
}

func isFineGrained(token string) bool { return strings.HasPrefix(token, "github_pat_") }

// cleanToken is a token as it was meant: what is copied brings spaces and line
// breaks with it.
func cleanToken(token string) string { return strings.Join(strings.Fields(token), "") }
