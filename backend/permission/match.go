package permission

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

// A rule that allows is read strictly: what it does not certainly cover, it
// does not. A rule that denies is read broadly: what it may well be about, it
// covers.

// allows says whether a rule that allows takes in the whole of the request.
func allows(s backend.Scope, p backend.Permission) bool {
	if s.Folder != "" && !inside(s.Folder, p.Folder) {
		return false
	}
	switch s.Kind {
	case backend.RuleEdits:
		return changesOnly(p) && editsInside(p) && editsCovered(s, p) && (s.Folder == "" || inside(s.Folder, p.Scope.Folder))
	case backend.RuleCommand:
		return p.Kind == backend.ToolExecute && len(p.Commands) == 1 && p.Commands[0] == s.Command
	case backend.RulePrefix, backend.RuleGlob:
		return p.Kind == backend.ToolExecute && len(p.Commands) > 0 && !slices.ContainsFunc(p.Commands, func(line string) bool {
			return !simple(line) || !matches(s, line, false)
		})
	case backend.RuleHost:
		return p.Kind == backend.ToolFetch && len(p.Commands) > 0 && !slices.ContainsFunc(p.Commands, func(url string) bool {
			return !hostCovers(s.Command, url)
		})
	}
	return false
}

// widens says whether a rule also covers what its maker never saw whole.
func widens(s backend.Scope) bool {
	return s.Kind == backend.RulePrefix || s.Kind == backend.RuleGlob
}

// denies says whether a rule that denies touches the request.
func denies(s backend.Scope, p backend.Permission) bool {
	here := s.Folder == "" || p.Folder == "" || insideAnyCase(s.Folder, p.Folder)
	switch s.Kind {
	case backend.RuleEdits:
		touched := func(path string) bool { return insideAnyCase(s.Folder, path) }
		return isEdit(p.Kind) && (here || p.Unclear || touched(p.Path) || touched(p.To) || slices.ContainsFunc(p.Names, touched) ||
			slices.ContainsFunc(p.Files, func(f backend.PermissionFile) bool { return touched(f.Path) }))
	case backend.RuleCommand, backend.RulePrefix, backend.RuleGlob:
		return here && p.Kind != backend.ToolFetch && slices.ContainsFunc(p.Commands, func(line string) bool {
			return line == s.Command || slices.ContainsFunc(readings(line), func(c string) bool { return matches(s, c, true) })
		})
	case backend.RuleHost:
		return here && slices.ContainsFunc(p.Commands, func(line string) bool {
			return mentions(line, s.Command) || mentions(hostOf(line), s.Command)
		})
	}
	return false
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
		w, l := words(want), words(line)
		return len(w) > 0 && len(l) >= len(w) && slices.Equal(w, l[:len(w)])
	default: // of an exact command, for a rule that denies
		return slices.Equal(words(want), words(line))
	}
}

// words are the words of a command, at blanks alone: what other space there is
// belongs to a word, as it does in a shell.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
}

// forbidden are the characters by which one line becomes more than one simple
// command, in any of the shells that agents use: separators, pipes, redirects,
// groups and substitutions. Quotes do not make them harmless here, since shells
// read quotes in different ways.
const forbidden = ";&|<>()`\n\r"

const forbiddenInWords = "; & | < > ( ) ` ${ $[ and line breaks"

// simple says whether the line is one simple command, whatever the shell.
func simple(line string) bool {
	return len(line) <= maxPiece && utf8.ValidString(line) && !strings.ContainsAny(line, forbidden) && !strings.Contains(line, "${") && !strings.Contains(line, "$[") &&
		!strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

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
