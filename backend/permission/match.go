package permission

import (
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/cmdline"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// Allow rules are strict: they cover only requests that certainly match. Deny rules are broad: they cover all
// requests that might match.

// ruleMatches records which prefix and glob rules, identified by their scopes, cover a request's commands. The
// rules are compared with the commands in advance, because the paths in the commands must be resolved in the file
// system, which can be slow.
type ruleMatches struct {
	rules    int  // value of Broker.changes when the rules were compared
	anywhere bool // the commands may name paths outside the folder
	covered  map[backend.Scope]bool
}

// allows reports whether an allow rule with the scope s covers the whole request p. l
// records which rules cover the commands of p.
func allows(s backend.Scope, p backend.Permission, l ruleMatches) bool {
	if s.Folder != "" && !inside(s.Folder, p.Folder) {
		return false
	}
	switch s.Kind {
	case backend.RuleEdits:
		return changesOnly(p) && editsInside(p) && editsCovered(s, p) && (s.Folder == "" || inside(s.Folder, p.Scope.Folder))
	case backend.RuleTurn:
		return s.Command != "" && p.TurnID == s.Command && changesOnly(p) && editsInside(p) && p.Protected == "" && inside(s.Folder, p.Scope.Folder)
	case backend.RuleCommand:
		return p.Kind == backend.ToolExecute && len(p.Commands) == 1 && p.Commands[0] == s.Command
	case backend.RulePrefix, backend.RuleGlob:
		return p.Kind == backend.ToolExecute && len(p.Commands) > 0 && l.covered[s]
	case backend.RuleHost:
		return p.Kind == backend.ToolFetch && len(p.Commands) > 0 && !slices.ContainsFunc(p.Commands, func(url string) bool {
			return !hostCovers(s.Command, url)
		})
	}
	return false
}

// covers reports whether a line, run in the folder, is one simple command that does no more than the
// prefix or glob rule s allows. If anywhere is true, the line may name paths outside the folder.
func covers(s backend.Scope, folder, line string, anywhere bool) bool {
	command, err := cmdline.Parse(line)
	if err != nil {
		return false
	}
	if s.Kind == backend.RulePrefix {
		rule, err := cmdline.Parse(s.Command)
		return err == nil && command.HasPrefix(rule) &&
			command.Outside(folder, anywhere, func(i int) bool { return i < len(rule) }) == ""
	}
	if !namesProgram(s.Command) || !glob(s.Command, line) {
		return false
	}
	written := slices.DeleteFunc(splitWords(s.Command), func(word string) bool { return strings.ContainsAny(word, "*?") })
	return command[0].Text == written[0] && command.Outside(folder, anywhere, func(i int) bool {
		return !command[i].Glob && slices.Contains(written, command[i].Text)
	}) == ""
}

// namesProgram reports whether a pattern starts with the full name of a program, without wildcards.
func namesProgram(pattern string) bool {
	all := splitWords(pattern)
	return len(all) > 0 && !strings.ContainsAny(all[0], "*?")
}

// isUnsafe reports whether a rule with the scope s also covers commands that the user hasn't seen, because it has a
// prefix or a pattern.
func isUnsafe(s backend.Scope) bool {
	return s.Kind == backend.RulePrefix || s.Kind == backend.RuleGlob
}

// denies reports whether a deny rule with the scope s applies to the request p, certainly or possibly. The rule
// possibly applies if p has a command that can't be fully parsed, or if p's commands or effect are unknown.
func denies(s backend.Scope, p backend.Permission) (certain, maybe bool) {
	here := s.Folder == "" || p.Folder == "" || insideAnyCase(s.Folder, p.Folder)
	switch s.Kind {
	case backend.RuleEdits:
		touched := func(path string) bool { return insideAnyCase(s.Folder, path) }
		names := slices.ContainsFunc(filesOf(p), touched)
		switch p.Kind {
		case backend.ToolEdit, backend.ToolDelete, backend.ToolMove:
			return here || p.Unclear || names, false
		case backend.ToolRead, backend.ToolSearch, backend.ToolThink, backend.ToolFetch, backend.ToolExecute:
			return false, false
		default: // the tool's effect on files is unknown
			return false, names
		}
	case backend.RuleCommand, backend.RulePrefix, backend.RuleGlob:
		if !here || p.Kind == backend.ToolFetch {
			return false, false
		}
		for _, line := range p.Commands {
			is, may := deniesLine(s, line)
			certain, maybe = certain || is, maybe || may
		}
		return certain, maybe || p.Kind == backend.ToolExecute && len(p.Commands) == 0
	case backend.RuleHost:
		return here && slices.ContainsFunc(p.Commands, func(line string) bool {
			return mentions(line, s.Command) || mentions(noQuotes.Replace(line), s.Command) || mentions(hostOf(line), s.Command)
		}), false
	}
	return false, false
}

// changesOnly reports whether the request is an edit that only creates and changes
// files. An allow rule for edits doesn't cover deletions and moves.
func changesOnly(p backend.Permission) bool {
	return p.Kind == backend.ToolEdit && !slices.ContainsFunc(p.Files, func(f backend.PermissionFile) bool { return f.Deletes })
}

func isEdit(k backend.ToolKind) bool {
	return k == backend.ToolEdit || k == backend.ToolDelete || k == backend.ToolMove
}

// editsInside reports whether the request is an edit, deletion or move that certainly stays inside the session's
// folder. The request's creator has resolved the paths in the file system, and has set a Scope of the kind
// RuleEdits only if all paths are inside. Comparing names wouldn't suffice.
func editsInside(p backend.Permission) bool {
	return isEdit(p.Kind) && !p.Outside && p.Scope != nil && p.Scope.Kind == backend.RuleEdits
}

// inside reports whether path is an absolute path and either folder itself or below it. It compares names only.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel)
}

// insideAnyCase is like inside but ignores case. On most macOS disks, a folder's name can
// be written in any case.
func insideAnyCase(folder, path string) bool {
	return inside(strings.ToLower(folder), strings.ToLower(path))
}

// deniesLine is like denies, but for a single command line: the rule applies if it matches any command that the line
// could run.
func deniesLine(s backend.Scope, line string) (certain, maybe bool) {
	if line == s.Command || slices.ContainsFunc(readingsOf(line), func(c string) bool { return matches(s, c, true) }) {
		return true, false
	}
	calls, ok := cmdline.Calls(line)
	for _, call := range calls {
		is, may := deniesCall(s, call)
		if is {
			return true, false
		}
		maybe = maybe || may
	}
	return false, maybe || !ok && mayName(s, line)
}

// deniesCall is like denies, but for a single program call within a command line.
func deniesCall(s backend.Scope, call cmdline.Call) (certain, maybe bool) {
	rule := splitWords(strings.ToLower(s.Command))
	switch s.Kind {
	case backend.RulePrefix:
		return call.HasPrefix(rule)
	case backend.RuleGlob:
		known := slices.Index(call, cmdline.Unknown)
		if known < 0 {
			return glob(strings.ToLower(s.Command), strings.ToLower(strings.Join(call, " "))), false
		}
		return false, len(rule) > 0 && (known == 0 || glob(rule[0], call[0]))
	default: // an exact command
		certain, maybe = call.HasPrefix(rule)
		return certain && len(call) == len(rule), maybe || certain && slices.Contains(call[len(rule):], cmdline.Unknown)
	}
}

// mayName reports whether a line that can't be parsed could call the program in the rule's command. This is the
// case if the line contains the program's name, or variables that could expand to it.
func mayName(s backend.Scope, line string) bool {
	rule := splitWords(strings.ToLower(s.Command))
	if len(rule) == 0 || strings.ContainsAny(rule[0], "*?") {
		return false
	}
	line = strings.ToLower(line[:min(len(line), maxPiece)])
	return strings.Contains(noQuotes.Replace(line), rule[0]) || strings.ContainsAny(line, "$%")
}

// noQuotes removes the quote and escape characters that shells, PowerShell and cmd allow within names.
var noQuotes = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", "", "^", "")

// matches reports whether line, a simple command, matches the scope. Unless the scope is a pattern, any run of spaces
// and tabs counts as one space. If loose is true, case is ignored.
func matches(s backend.Scope, line string, loose bool) bool {
	want := s.Command
	if loose {
		want, line = strings.ToLower(want), strings.ToLower(line)
	}
	switch s.Kind {
	case backend.RuleGlob:
		return glob(want, line)
	case backend.RulePrefix:
		w, l := splitWords(want), splitWords(line)
		return len(w) > 0 && len(l) >= len(w) && slices.Equal(w, l[:len(w)])
	default: // an exact command of a deny rule
		return slices.Equal(splitWords(want), splitWords(line))
	}
}

// splitWords splits a command into words, at spaces and tabs only. As in a shell, other whitespace is part of a word.
func splitWords(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
}

// forbidden are the characters that can turn a line into more than one simple command
// in any shell used by agents: separators, pipes, redirects, groups and substitutions.
const forbidden = ";&|<>()`\n\r"

// forbiddenMarks lists, for the user, the characters that an allow rule's command must not contain.
const forbiddenMarks = "; & | < > ( ) ` $ ! ~"

// glob reports whether pattern matches the whole of s. In a pattern, * matches any number of characters, and ?
// exactly one.
func glob(pattern, s string) bool {
	p, text := []rune(pattern), []rune(s)
	star, from := -1, 0
	i, j := 0, 0
	for j < len(text) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == text[j]):
			i, j = i+1, j+1
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// hostOf returns the normalized host in text, which is a host name or a URL. The result is in lower-case ASCII and
// includes the port if text contains one. It is "" if text isn't a valid host name or URL.
func hostOf(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return ""
	}
	host := hostname.Normal(u.Hostname())
	if host == "" || u.Port() == "" {
		return host
	}
	return net.JoinHostPort(host, u.Port())
}

// hostCovers reports whether address is an HTTP or HTTPS URL whose host is exactly host, the host of a rule. If host
// includes a port, address must contain that port, too.
func hostCovers(host, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	got := hostname.Normal(u.Hostname())
	if got == "" {
		return false
	}
	return got == host || u.Port() != "" && net.JoinHostPort(got, u.Port()) == host
}

// mentions reports whether the line contains the host or one of its subdomains. host must be in lower case.
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
