package diff

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Part is the section of a unified diff for one file.
type Part struct {
	head, hunks string // the lines before the hunks, and the hunks
	Git         bool   // head starts with git's header; "diff --git " itself is removed
}

const gitBegins = "diff --git "

// Parts splits a unified diff into its files. Each file's part is either in git's format, which the CLI also
// writes, or has two lines with file names before its hunks. Text before the first file, such as an email header,
// is ignored. Parts returns no parts if text isn't a diff. If the files can't be separated unambiguously, split is
// false and parts is nil.
func Parts(text string) (parts []Part, split bool) {
	r := partReader{lines: strings.Split(strings.TrimLeft(text, "\uFEFF \t\r\n\v\f"), "\n")}
	for r.at < len(r.lines) {
		if !r.counted() {
			r.between()
		}
	}
	r.end()
	if r.unclear || r.named || r.early && len(r.parts) > 0 {
		return nil, false
	}
	return r.parts, true
}

// partReader splits a unified diff into files, line by line. Lines within a hunk's declared count are never a file
// header, whatever they look like. Lines outside headers and hunks are dropped, since they aren't shown.
type partReader struct {
	lines     []string
	at        int
	remaining remaining // of the current hunk
	parts     []Part
	part      *Part    // the current part, or nil before the first
	head      []string // header lines of the current part
	hunks     []string // lines of its hunks
	counting  bool     // the previous line was part of a hunk
	short     bool     // the last hunk has fewer lines than declared
	mailEnds  bool     // an email signature separator followed the hunks
	named     bool     // an unsupported file header may have followed the hunks
	early     bool     // part of a diff came before the first file header
	unclear   bool     // the files can't be separated unambiguously
}

// counted reads a line of a hunk. It returns false if the hunk has ended or is shorter than declared.
func (r *partReader) counted() bool {
	line := r.lines[r.at]
	switch {
	case r.remaining == remaining{}:
		return false
	case r.remaining.next(line) == 0:
		r.remaining, r.short = remaining{}, true
		return false
	}
	r.counting = true
	r.hunks = append(r.hunks, line)
	r.at++
	return true
}

// between reads a line outside a hunk.
func (r *partReader) between() {
	line := r.lines[r.at]
	rest, git := strings.CutPrefix(line, gitBegins)
	plain := r.isHead(r.at, false)
	// Lines that look like a file header may be the last lines of the previous hunk. Tools disagree on such lines.
	wasHead := r.counting && r.at >= 2 && r.isHead(r.at-2, false)
	r.counting = false
	if r.short && strings.TrimRight(line, "\r") != "" { // the page relies on the line counts when it shows a diff
		r.unclear = true
	}
	switch {
	case git:
		r.begin(Part{Git: true}, rest)
	case plain && (r.part == nil || !r.part.Git || len(r.hunks) > 0):
		r.begin(Part{}, line, r.lines[r.at+1])
		r.at++
	case isHunk(line) && r.part != nil:
		m := hunkHead.FindStringSubmatch(line)
		r.unclear = r.unclear || wasHead || r.named || r.mailEnds || m == nil
		if m != nil {
			r.remaining = remaining{lineNumber(m[2]), lineNumber(m[4])}
		}
		r.hunks = append(r.hunks, line)
	case len(r.hunks) > 0 && strings.HasPrefix(line, `\`): // the hunk's last line has no newline
		r.hunks = append(r.hunks, line)
	case len(r.hunks) > 0:
		if strings.TrimRight(line, " \r") == "--" {
			r.mailEnds = true
		} else if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			r.unclear = true
		}
		r.named = r.named || namesFile.MatchString(line)
	case r.part != nil:
		r.head = append(r.head, line)
	default:
		r.early = r.early || isHunk(line) || strings.HasPrefix(line, "+++ ")
	}
	if !git && strings.Contains(line, gitBegins) || !plain && r.isHead(r.at, true) {
		r.unclear = true
	}
	r.at++
}

// begin starts a part with the lines of its header.
func (r *partReader) begin(part Part, head ...string) {
	r.end()
	r.part, r.head, r.hunks, r.short, r.mailEnds, r.named = &part, head, nil, false, false, false
}

// end finishes the current part.
func (r *partReader) end() {
	if r.part == nil {
		return
	}
	r.part.head = strings.Join(r.head, "\n")
	r.part.hunks = strings.TrimSuffix(strings.Join(r.hunks, "\n"), "\n")
	if strings.HasSuffix(r.head[0], "\r") { // git header lines end with \n only
		for _, text := range []*string{&r.part.head, &r.part.hunks} {
			*text = strings.TrimSuffix(strings.ReplaceAll(*text+"\n", "\r\n", "\n"), "\n")
		}
	}
	r.parts = append(r.parts, *r.part)
	r.part = nil
}

// isHead reports whether a header with two file names, followed by a hunk, starts at r.lines[at]. If
// indented is true, the lines may be quoted or indented.
func (r *partReader) isHead(at int, indented bool) bool {
	if at+2 >= len(r.lines) {
		return false
	}
	lines := [3]string(r.lines[at : at+3])
	for i := range lines {
		if indented {
			lines[i] = strings.TrimLeft(lines[i], " \t>|")
		}
	}
	for i, sign := range []string{"---", "+++"} {
		rest, ok := strings.CutPrefix(lines[i], sign)
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			return false
		}
	}
	return isHunk(lines[2])
}

// namesFile matches lines outside file headers that may still name the file to which the next hunks
// belong.
var namesFile = regexp.MustCompile(`^[ \t>|]*(?:(?:---|\+\+\+|\*\*\*)[ \t]|Index:|rename |copy )`)

// OfGit parses a diff in git's format as a change to the file at path. It returns false
// if text isn't a diff of exactly one file with changes.
func OfGit(path, text string) (Diff, bool) {
	parts, _ := Parts(text)
	if len(parts) != 1 || !parts[0].Git {
		return Diff{}, false
	}
	return parts[0].Diff(path)
}

// Names returns the file's old and new name. The old name is "" if the file is new or both names are equal. The
// new name is "" if the file is deleted.
func (p Part) Names() (old, now string) {
	first, rest, _ := strings.Cut(p.head, "\n")
	if !p.Git {
		return plainNames(first, rest)
	}
	first = strings.TrimSuffix(first, "\r")
	half := len(first) / 2
	if half < len(first) && first[half] == ' ' {
		old, now = gitName(first[:half]), gitName(first[half+1:])
	} else {
		before, after, _ := strings.Cut(first, " b/")
		old, now = gitName(before), after
	}
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "--- "); ok {
			old = gitName(name)
		} else if name, ok := strings.CutPrefix(line, "+++ "); ok {
			now = gitName(name)
		} else if m := gitRenames.FindStringSubmatch(line); m != nil && m[1] == "from" {
			old = unquoted(m[2])
		} else if m != nil {
			now = unquoted(m[2])
		}
	}
	return eitherName(old, now, "dev/null")
}

// gitRenames matches git's lines about a renamed or copied file, whose names have no "a/" or "b/".
var gitRenames = regexp.MustCompile(`^(?:rename|copy) (from|to) (.*)$`)

// unquoted returns name without the quotes and escapes that git writes around unusual names.
func unquoted(name string) string {
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}

// eitherName returns the old and the new name of a file. The name that stands for a missing file (nowhere) becomes "".
// If both names are equal, the old one becomes "".
func eitherName(old, now, nowhere string) (string, string) {
	switch {
	case now == nowhere:
		return old, ""
	case old == nowhere, old == now:
		return "", now
	}
	return old, now
}

// Nowhere is the name that a diff uses for the side on which the file doesn't exist.
const Nowhere = "/dev/null"

// plainNames returns the old and the new file name in the two lines before the hunks of a file.
func plainNames(from, to string) (old, now string) {
	old, now = plainName(from), plainName(to)
	before, isOld := strings.CutPrefix(old, "a/")
	after, isNow := strings.CutPrefix(now, "b/")
	// "a/" and "b/" are git's prefixes only if both are present; otherwise they are folders.
	switch {
	case isOld && isNow:
		old, now = before, after
	case isOld && now == Nowhere:
		old = before
	case isNow && old == Nowhere:
		now = after
	}
	return eitherName(old, now, Nowhere)
}

// timestamp matches a time that follows a file name after spaces instead of a tab.
var timestamp = regexp.MustCompile(`[ ]+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d)[^/\\]*$`)

// plainName returns the name in a line that starts with "---" or "+++".
func plainName(line string) string {
	name, _, hasTime := strings.Cut(strings.TrimLeft(line[min(3, len(line)):], " \t"), "\t")
	if !hasTime {
		name = timestamp.ReplaceAllString(name, "")
	}
	return unquoted(strings.TrimRight(name, " \r"))
}

// gitName returns a name in git's header without the "a/" or "b/" prefix. If the name has no such prefix, a
// leading slash is removed.
func gitName(name string) string {
	name, _, _ = strings.Cut(name, "\t") // a time may follow
	name = unquoted(name)
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, side); ok {
			return rest
		}
		if rest, ok := strings.CutPrefix(name, side[:1]); ok && filepath.VolumeName(rest) != "" {
			return rest // an absolute path on Windows
		}
	}
	return strings.TrimPrefix(name, "/")
}

// ByCLI reports whether the Copilot CLI itself created the part. In such parts, paths are absolute.
func (p Part) ByCLI() bool { return p.Git && strings.Contains(p.head, "\nindex 0000000..0000000") }

// Diff returns the part as a change to the file at path. It returns false if the part has
// no added or removed lines; the Diff then has no body.
func (p Part) Diff(path string) (Diff, bool) {
	if p.hunks == "" {
		return Diff{Path: path, Deletes: p.Git && strings.Contains(p.head, "deleted file mode")}, false
	}
	from, to := InHead(path), InHead(path)
	hunks := p.hunks
	var created, deleted bool
	if p.Git {
		created = strings.Contains(p.head, "create file mode") || strings.Contains(p.head, "new file mode")
		deleted = strings.Contains(p.head, "deleted file mode")
		hunks = trimLast(hunks)
	} else {
		first, second, _ := strings.Cut(p.head, "\n")
		created, deleted = plainName(first) == Nowhere, plainName(second) == Nowhere
	}
	if created {
		from = Nowhere
	}
	if deleted {
		to = Nowhere
	}
	body := "--- " + from + "\n+++ " + to + "\n" + hunks + "\n"
	d := Diff{Path: path, Body: []byte(body), Replacements: replacements(hunks), Deletes: deleted}
	d.added, d.Removed = count(body)
	if d.added+d.Removed == 0 {
		return Diff{Path: path, Deletes: deleted}, false
	}
	return d, true
}

// trimLast removes the empty context line that the CLI adds after the final newline of a file.
func trimLast(hunks string) string {
	short, ok := strings.CutSuffix(hunks, "\n ")
	at := strings.LastIndex("\n"+short, "\n@@ ")
	if !ok || at < 0 {
		return hunks
	}
	m := hunkHead.FindStringSubmatch(short[at:])
	if m == nil || m[2] == "" || m[4] == "" {
		return hunks
	}
	old, _ := strconv.Atoi(m[2])
	now, _ := strconv.Atoi(m[4])
	return short[:at] + fmt.Sprintf("@@ -%s,%d +%s,%d @@", m[1], old-1, m[3], now-1) + short[at+len(m[0]):]
}
