package logfile

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// hiddenText is the text that replaces a secret.
const hiddenText = "•••"

// minSecret is the minimum length of a redacted secret in bytes. Redacting shorter secrets would garble ordinary
// words.
const minSecret = 6

// redactor replaces registered secrets and text that looks like a secret.
type redactor struct {
	mu       sync.Mutex
	known    []string // longest first, so that no secret is replaced only in part
	replacer atomic.Pointer[strings.Replacer]
}

// Redact registers a secret to be removed from later log records. Secrets shorter than minSecret are ignored.
func (r *redactor) Redact(secret string) {
	secret = strings.TrimSpace(secret)
	if len(secret) < minSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, form := range forms(secret) {
		if !slices.Contains(r.known, form) {
			r.known = append(r.known, form)
		}
	}
	slices.SortStableFunc(r.known, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(r.known))
	for _, s := range r.known {
		pairs = append(pairs, s, hiddenText)
	}
	r.replacer.Store(strings.NewReplacer(pairs...))
}

// HasSecret reports whether text contains a registered secret.
func (r *redactor) HasSecret(text string) bool {
	replacer := r.replacer.Load()
	return replacer != nil && replacer.Replace(text) != text
}

// forms returns the forms in which a secret may appear in a log record: as is, and
// quoted as in JSON and Go.
func forms(secret string) []string {
	out := []string{secret, strings.Trim(strconv.Quote(secret), `"`)}
	if quoted, err := json.Marshal(secret); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		out = append(out, inner, strings.ReplaceAll(inner, `\`, `\\`))
	}
	return out
}

// patterns match typical secrets. Each match is replaced by the value of the field "with", in which ${1} stands for
// the first group of the match.
var patterns = []struct {
	hints []string // in lower case; without any of them the search is skipped
	find  *regexp.Regexp
	with  string
}{
	{
		[]string{"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		regexp.MustCompile(`\b(?:gh[opusr]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{10,})`), hiddenText,
	},
	{
		[]string{"sk-", "xai-", "gsk_", "hf_", "aiza"},
		regexp.MustCompile(`\b(?:sk-|xai-|gsk_|hf_|AIza)[A-Za-z0-9_-]{10,}`), hiddenText,
	},
	{
		[]string{"bearer", "basic"},
		regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}`), "${1}" + hiddenText,
	},
	{
		[]string{"key", "token", "secret", "password", "authorization"},
		regexp.MustCompile(`(?i)((?:api[-_]?key|token|secret|password|authorization)\\*["']?\s*[:=]\s*\\*["']?)[^\s"'\\,;&]{8,}`), "${1}" + hiddenText,
	},
	{
		[]string{"://"},
		regexp.MustCompile(`(://)[^\s/@:"']*:[^\s/@"']+@`), "${1}" + hiddenText + "@",
	},
}

// Redacted returns a copy of s in which hiddenText replaces registered secrets and text that looks like a
// secret.
func (r *redactor) Redacted(s string) string {
	if replacer := r.replacer.Load(); replacer != nil {
		s = replacer.Replace(s)
	}
	lower := strings.ToLower(s)
	for _, p := range patterns {
		if slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			s = p.find.ReplaceAllString(s, p.with)
		}
	}
	return s
}
