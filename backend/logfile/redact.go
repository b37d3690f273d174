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

// hiddenText stands where a secret was.
const hiddenText = "•••"

// minSecret is the size of the shortest secret that is looked for; shorter ones
// would take words apart.
const minSecret = 6

// redactor replaces secrets: those it was told of, and all that looks like one.
type redactor struct {
	mu       sync.Mutex
	known    []string // longest first, so that none is left in part
	replacer atomic.Pointer[strings.Replacer]
}

// Redact keeps a secret out of the log from now on.
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

// forms are the ways in which a secret is written: as it is, and within quotes
// as JSON and as Go's own text do it.
func forms(secret string) []string {
	out := []string{secret, strings.Trim(strconv.Quote(secret), `"`)}
	if quoted, err := json.Marshal(secret); err == nil {
		inner := string(quoted[1 : len(quoted)-1])
		out = append(out, inner, strings.ReplaceAll(inner, `\`, `\\`))
	}
	return out
}

// patterns are what secrets look like. What matches is replaced; the groups
// stay.
var patterns = []struct {
	hints []string // in lower case; without one of them there is no need to search
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

// Redacted is s without secrets.
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
