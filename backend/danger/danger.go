// Package danger finds the potentially harmful parts of a command by parsing it. It
// runs nothing and reads no files. The results are hints for the user: a command
// without hints isn't necessarily harmless, and hints never allow or reject anything.
package danger

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"mvdan.cc/sh/v3/syntax"

	"github.com/voxpilot/voxpilot/backend"
)

// Limits on the work for one command. They prevent an agent from blocking the app with a long command.
const (
	maxRead  = 64 << 10      // size in bytes of a command that is parsed; longer ones are searched with patterns
	maxMarks = 20            // number of marks that Find returns
	maxDepth = 5             // nesting of shell texts, as in sh -c 'sh -c "…"'
	maxLevel = 50            // nesting of commands in words and of starters
	maxFound = 40 * maxMarks // number of marks that are collected, of which the most important are returned
)

// Find returns marks for the potentially harmful parts of a command to be run in folder. The marks are in
// order of position; there are at most maxMarks. home is the user's home directory, or "" if unknown.
func Find(folder, home, command string) []backend.Mark {
	r := &reader{folder: folder, home: home, text: command}
	if len(command) <= maxRead {
		r.parse(command, 0, 0, folder)
	} else {
		r.roughly(command, 0)
	}
	r.match(command, 0)
	return r.marks()
}

// found is a mark with its byte offsets in the command.
type found struct {
	backend.Mark
	from, to int
}

// reader collects the marks of one command.
type reader struct {
	folder, home string
	text         string // the whole command
	found        []found
	outsides     int      // number of marks for paths outside the folder in found
	effects      *Effects // nil unless the caller wants the effects
	jobs         bool     // a command was started with "&", and no wait followed
}

// add adds a mark for the bytes [from, to). It does nothing if a mark of the same kind overlaps these bytes, if m is
// MarkUnread and a MarkWebScript overlaps them, or if there are too many marks.
func (r *reader) add(from, to int, m backend.Mark) {
	if m.Kind == backend.MarkOutside && r.outsides == maxMarks || len(r.found) == maxFound {
		return
	}
	from, to = max(0, min(from, len(r.text))), max(0, min(to, len(r.text)))
	for _, other := range r.found {
		over := other.from < to && from < other.to
		if over && (other.Kind == m.Kind || m.Kind == backend.MarkUnread && other.Kind == backend.MarkWebScript) {
			return // already marked by another parse
		}
	}
	if m.Kind == backend.MarkOutside {
		r.outsides++
	}
	r.found = append(r.found, found{m, from, to})
}

// marks returns the marks in order of position. If there are too many, marks for paths outside the folder are
// dropped first.
func (r *reader) marks() []backend.Mark {
	inOrder := func(a, b found) int { return cmp.Or(a.from-b.from, b.to-a.to) }
	rank := func(f found) int {
		if f.Kind == backend.MarkOutside {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.found, func(a, b found) int { return cmp.Or(rank(a)-rank(b), inOrder(a, b)) })
	r.found = r.found[:min(len(r.found), maxMarks)]
	slices.SortStableFunc(r.found, inOrder)
	var out []backend.Mark
	for _, f := range r.found {
		f.Start, f.End = units(r.text[:f.from]), units(r.text[:f.to])
		out = append(out, f.Mark)
	}
	return out
}

// units returns the length of text in UTF-16 code units, which the page uses.
func units(text string) (n int) {
	for _, c := range text {
		n += max(1, utf16.RuneLen(c))
	}
	return n
}

// parse examines shell text that is run in the directory dir. It needs the text's byte offset in the command (at) and
// the number of shell texts around it (depth). At depth 0, text that can't be parsed is searched with patterns.
func (r *reader) parse(text string, at, depth int, dir string) {
	if depth > maxDepth {
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		if depth == 0 {
			r.roughly(text, at)
		}
		return
	}
	w := &walker{reader: r, text: text, at: at, depth: depth, dir: dir}
	w.statements(file.Stmts)
}

// outside reports whether a path, as used in the directory dir, is outside the folder. It looks only at the text
// of the path, not at the file system. Devices never count as outside.
func (r *reader) outside(dir, path string) bool {
	switch {
	case strings.HasPrefix(path, "/dev/"):
		return false
	case path == "~" || strings.HasPrefix(path, "~/"):
		if r.home == "" {
			return true
		}
		path = filepath.Join(r.home, strings.TrimPrefix(path, "~"))
	case strings.HasPrefix(path, "~"):
		return true // another user's home
	case !filepath.IsAbs(path) && !strings.HasPrefix(path, "/"):
		path = filepath.Join(dir, path)
	}
	rel, err := filepath.Rel(r.folder, path)
	return err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// thumb is a rule of thumb: a pattern that finds harmful commands in text without parsing it.
type thumb struct {
	kind backend.MarkKind
	is   *regexp.Regexp // matches a harmful command; its first group is the part to mark
	part string         // name of the marked part
	of   int            // number of the group that captures the affected objects, or 0 for none
}

// Parts of the patterns: the start of a command, and any text within a command or a line.
const (
	lineStart = `(?im)(?:^|[;&|({"'\n]|\b(?:do|then|else)\b)\s*`
	within    = `[^;|&\n]*?`
	anyBefore = `[^;\n]*?`
)

// match searches for harmful PowerShell and cmd commands on all systems, because PowerShell may be installed on any
// of them. A Unix shell may accept such commands, so parsing alone doesn't reveal them.
func (r *reader) match(text string, at int) { r.thumbs(windows, text, at) }

// roughly searches for harmful Unix commands in text that can't be parsed or is too long to be parsed.
func (r *reader) roughly(text string, at int) { r.thumbs(unix, text, at) }

func (r *reader) thumbs(all []thumb, text string, at int) {
	text = text[:min(len(text), 4*maxRead)]
	for _, t := range all {
		for _, m := range t.is.FindAllStringSubmatchIndex(text, maxMarks) {
			mark := backend.Mark{Kind: t.kind, Part: t.part}
			if t.of > 0 && m[2*t.of] >= 0 {
				mark.Of = strings.Fields(text[m[2*t.of]:m[2*t.of+1]])
			}
			from := m[2] // the first group is the marked part
			if host := address.FindStringSubmatch(text[from:m[3]]); host != nil && t.kind == backend.MarkWebScript {
				mark.Of = host[1:]
			}
			r.add(at+from, at+m[3], mark)
		}
	}
}

// address matches a URL and captures its host.
var address = regexp.MustCompile(`https?://([^/\s"')]+)`)

// windows contains the rules of thumb for PowerShell and cmd.
var windows = []thumb{
	{backend.MarkDelete, regexp.MustCompile(lineStart + `((?:Remove-Item|ri|rd|rmdir|del|erase)\b` + within + `\s(?:-r(?:ecurse)?|-fo(?:rce)?)\b` + within + `)(?:$|[;|&"'\n)}])`), "Remove-Item -Recurse", 0},
	{backend.MarkDelete, regexp.MustCompile(lineStart + `((?:del|erase|rd|rmdir)\b(?:\s+/\w)*\s+/s\b` + within + `)(?:$|[;|&"'\n)}])`), "del /s", 0},
	{backend.MarkWebScript, regexp.MustCompile(lineStart + `((?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|curl|wget)\b` + anyBefore + `\|\s*(?:iex|Invoke-Expression)\b)`), "iwr … | iex", 0},
	{backend.MarkWebScript, regexp.MustCompile(lineStart + `((?:iex|Invoke-Expression)\b` + anyBefore + `(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b[^;\n]*)`), "iex", 0},
	{backend.MarkUnread, regexp.MustCompile(lineStart + `((?:iex|Invoke-Expression)\b[^;\n]*)`), "iex", 0},
	{backend.MarkUnread, regexp.MustCompile(lineStart + `((?:powershell|pwsh)(?:\.exe)?\b` + within + `\s-(?:e|ec|enc|EncodedCommand)\s+\S+)`), "-EncodedCommand", 0},
	{backend.MarkAdmin, regexp.MustCompile(lineStart + `(runas\b` + within + `)(?:$|[;|&\n])`), "runas", 0},
	{backend.MarkAdmin, regexp.MustCompile(lineStart + `(Start-Process\b` + within + `-Verb\s+RunAs\b)`), "-Verb RunAs", 0},
	{backend.MarkDisk, regexp.MustCompile(lineStart + `(format(?:\.com)?\s+([a-z]:)` + within + `)(?:$|[;|&\n])`), "format", 2},
	{backend.MarkDisk, regexp.MustCompile(lineStart + `((?:Format-Volume|Clear-Disk|Initialize-Disk)\b` + within + `)(?:$|[;|&\n])`), "Format-Volume", 0},
}

// unix contains the rules of thumb for Unix commands that aren't parsed.
var unix = []thumb{
	{backend.MarkDelete, regexp.MustCompile(lineStart + `(?:sudo\s+)?(rm\s+(?:-\S+\s+)*-\w*[rRf]\w*` + within + `)(?:$|[;|&\n)])`), "rm -rf", 0},
	{backend.MarkOverwrite, regexp.MustCompile(lineStart + `(git\b` + within + `\bpush\b` + within + `\s(?:--force|-f)(?:\s` + within + `)?)(?:$|[;|&\n)])`), "git push --force", 0},
	{backend.MarkWebScript, regexp.MustCompile(lineStart + `((?:curl|wget)\b` + anyBefore + `\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b)`), "curl … | sh", 0},
	{backend.MarkDiscard, regexp.MustCompile(lineStart + `(git\b` + within + `\breset\b` + within + `--hard)`), "git reset --hard", 0},
	{backend.MarkAdmin, regexp.MustCompile(lineStart + `((?:sudo|doas)\s` + within + `)(?:$|[;|&\n)])`), "sudo", 0},
}
