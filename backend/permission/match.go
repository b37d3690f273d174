package permission

import (
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/cmdline"
)

// A rule that allows is read strictly: what it does not certainly cover, it
// does not. A rule that denies is read broadly: what it may well be about, it
// covers.

// ruleMatches is what rules for beginnings and patterns cover of a request, by their
// scopes. To know that, the words of its commands are resolved, which may take as
// long as the disk does.
type ruleMatches struct {
	rules    int  // how often the rules had changed
	anywhere bool // words may name what is outside of the folder
	covered  map[backend.Scope]bool
}

// allows reports whether a rule that allows takes in the whole of the request, of
// which l is known.
func allows(s backend.Scope, p backend.Permission, l ruleMatches) bool {
	if s.Folder != "" && !inside(s.Folder, p.Folder) {
		return false
	}
	switch s.Kind {
	case backend.RuleEdits:
		return changesOnly(p) && editsInside(p) && editsCovered(s, p) && (s.Folder == "" || inside(s.Folder, p.Scope.Folder))
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

// covers reports whether a line, run in the folder, is one simple command that does
// no more than a rule for a beginning or a pattern says.
func covers(s backend.Scope, folder, line string, anywhere bool) bool {
	command, err := cmdline.Parse(line)
	if err != nil {
		return false
	}
	if s.Kind == backend.RulePrefix {
		rule, err := cmdline.Parse(s.Command)
		return err == nil && command.Begins(rule) &&
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

// namesProgram reports whether a pattern begins with the whole name of a program.
func namesProgram(pattern string) bool {
	all := splitWords(pattern)
	return len(all) > 0 && !strings.ContainsAny(all[0], "*?")
}

// isUnsafe says whether a rule also covers what its maker never saw whole.
func isUnsafe(s backend.Scope) bool {
	return s.Kind == backend.RulePrefix || s.Kind == backend.RuleGlob
}

// denies reports whether a rule that denies is about the request, and maybe whether
// it may be: the request has a command that nobody can read from it.
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
		default: // nobody knows what the tool does with a file
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

// changesOnly reports whether an edit creates and changes files, and deletes or
// moves none: a rule that was made for changes covers no more than these.
func changesOnly(p backend.Permission) bool {
	return p.Kind == backend.ToolEdit && !slices.ContainsFunc(p.Files, func(f backend.PermissionFile) bool { return f.Deletes })
}

func isEdit(k backend.ToolKind) bool {
	return k == backend.ToolEdit || k == backend.ToolDelete || k == backend.ToolMove
}

// editsInside says whether the request is an edit, delete or move of which
// everything is known to be inside of the session's folder. Whoever made the
// request followed its paths through the file system, and gave it this Scope
// only where all of them lead there; names alone would say less.
func editsInside(p backend.Permission) bool {
	return isEdit(p.Kind) && !p.Outside && p.Scope != nil && p.Scope.Kind == backend.RuleEdits
}

// inside says whether the absolute path is folder or below it, by name alone.
func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel)
}

// insideAnyCase is inside where the case of letters does not count, as on most
// disks of macOS: a folder may have been written in two ways.
func insideAnyCase(folder, path string) bool {
	return inside(strings.ToLower(folder), strings.ToLower(path))
}

// deniesLine is denies for one line: each command that it may run counts.
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

func deniesCall(s backend.Scope, call cmdline.Call) (certain, maybe bool) {
	rule := splitWords(strings.ToLower(s.Command))
	switch s.Kind {
	case backend.RulePrefix:
		return call.Begins(rule)
	case backend.RuleGlob:
		known := slices.Index(call, cmdline.Unknown)
		if known < 0 {
			return glob(strings.ToLower(s.Command), strings.ToLower(strings.Join(call, " "))), false
		}
		return false, len(rule) > 0 && (known == 0 || glob(rule[0], call[0]))
	default: // of an exact command
		certain, maybe = call.Begins(rule)
		return certain && len(call) == len(rule), maybe || certain && slices.Contains(call[len(rule):], cmdline.Unknown)
	}
}

// mayName reports whether a line that can't be parsed may call the program of the
// rule: its name is in it, or the line makes names of something else.
func mayName(s backend.Scope, line string) bool {
	rule := splitWords(strings.ToLower(s.Command))
	if len(rule) == 0 || strings.ContainsAny(rule[0], "*?") {
		return false
	}
	line = strings.ToLower(line[:min(len(line), maxPiece)])
	return strings.Contains(noQuotes.Replace(line), rule[0]) || strings.ContainsAny(line, "$%")
}

// noQuotes takes away what shells, PowerShell and cmd allow within names.
var noQuotes = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", "", "^", "")

// matches says whether one simple command is what the scope describes. Runs of
// blanks count as one for a prefix. Where loose is true case does not count
// anywhere.
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
	default: // of an exact command, for a rule that denies
		return slices.Equal(splitWords(want), splitWords(line))
	}
}

// splitWords are the words of a command, at blanks alone: what other space there is
// belongs to a word, as it does in a shell.
func splitWords(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
}

// forbidden are the characters by which one line becomes more than one simple
// command, in any of the shells that agents use: separators, pipes, redirects,
// groups and substitutions.
const forbidden = ";&|<>()`\n\r"

const forbiddenInWords = "; & | < > ( ) ` $ ! ~ {a,b} and line breaks"

// glob says whether the whole of s is what pattern describes: * stands for any
// characters or none, ? for one.
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
