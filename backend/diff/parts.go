package diff

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Part is what a unified diff says of one file.
type Part struct {
	head, hunks string
	Git         bool // it begins in git's form, which head goes on from
}

const gitBegins = "diff --git "

// Parts are the parts of a unified diff, in git's form such as the CLI makes
// itself or with two lines of names before the hunks of each file; nil where text
// is none. What stands before the first, such as the head of a mail, is of no part.
// split is false where there are parts in text that cannot be told from one another.
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

// partReader tells the files of a unified diff apart, line by line. What a hunk has
// by its own count is never the head of a file, whatever it looks like; and what it
// does not have is not kept, since nobody would see it.
type partReader struct {
	lines     []string
	at        int
	remaining remaining // of the hunk
	parts     []Part
	part      *Part    // the one that is read
	head      []string // its lines
	hunks     []string
	counting  bool // the line before was counted
	short     bool // the hunk ended before it had all of its lines
	mailEnds  bool // the line before what mails end with was behind the hunks
	named     bool // a file may be named behind the hunks, in a form that is not read
	early     bool // there is something of a file before the first head of one
	unclear   bool
}

// counted reads a line of a hunk. It is false where the hunk has ended, or has
// fewer lines than it says.
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

// between reads what is no line of a hunk.
func (r *partReader) between() {
	line := r.lines[r.at]
	rest, git := strings.CutPrefix(line, gitBegins)
	plain := r.isHead(r.at, false)
	// Some count these as lines, others take them for the head of a file.
	wasHead := r.counting && r.at >= 2 && r.isHead(r.at-2, false)
	r.counting = false
	if r.short && strings.TrimRight(line, "\r") != "" { // what is drawn goes by the count
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
	case len(r.hunks) > 0 && strings.HasPrefix(line, `\`): // how the last line of the hunk ends
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

// begin begins a part with the lines of its head.
func (r *partReader) begin(part Part, head ...string) {
	r.end()
	r.part, r.head, r.hunks, r.short, r.mailEnds, r.named = &part, head, nil, false, false, false
}

// end ends the part that is read.
func (r *partReader) end() {
	if r.part == nil {
		return
	}
	r.part.head = strings.Join(r.head, "\n")
	r.part.hunks = strings.TrimSuffix(strings.Join(r.hunks, "\n"), "\n")
	if strings.HasSuffix(r.head[0], "\r") { // the lines of a head end with \n alone
		for _, text := range []*string{&r.part.head, &r.part.hunks} {
			*text = strings.TrimSuffix(strings.ReplaceAll(*text+"\n", "\r\n", "\n"), "\n")
		}
	}
	r.parts = append(r.parts, *r.part)
	r.part = nil
}

// isHead says whether the two names of a file and a hunk begin at a line, or would
// but for what is before them in their lines.
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

// namesFile is what may name the file of the hunks after it, besides what is read.
var namesFile = regexp.MustCompile(`^[ \t>|]*(?:(?:---|\+\+\+|\*\*\*)[ \t]|Index:|rename |copy )`)

// OfGit reads a diff in git's form as the change of the file at path. It is
// false where text is no diff of one file with a change in it.
func OfGit(path, text string) (Diff, bool) {
	parts, _ := Parts(text)
	if len(parts) != 1 || !parts[0].Git {
		return Diff{}, false
	}
	return parts[0].Diff(path)
}

// Names are the file as it was called and as it is to be called, one where that
// is the same or there is only one.
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

// gitRenames is a line of git's about a file that is called, or copied to, something
// else, in which no sides stand before the names.
var gitRenames = regexp.MustCompile(`^(?:rename|copy) (from|to) (.*)$`)

// unquoted is a name that may stand in quotes.
func unquoted(name string) string {
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}

// eitherName are two names, one where that is the same or the other is nowhere.
func eitherName(old, now, nowhere string) (string, string) {
	switch {
	case now == nowhere:
		return old, ""
	case old == nowhere, old == now:
		return "", now
	}
	return old, now
}

// Nowhere is what a diff calls a file that is not there.
const Nowhere = "/dev/null"

// plainNames are the names in the two lines before the hunks of a file.
func plainNames(from, to string) (old, now string) {
	old, now = plainName(from), plainName(to)
	before, isOld := strings.CutPrefix(old, "a/")
	after, isNow := strings.CutPrefix(now, "b/")
	// Only together are they what git puts before names, else they are folders.
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

// timestamp is the time behind a name, where no tab says where it begins.
var timestamp = regexp.MustCompile(`[ ]+(?:\d{4}-\d\d-\d\d[ T]\d\d:\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d)[^/\\]*$`)

// plainName is the name in a line that begins with "---" or "+++".
func plainName(line string) string {
	name, _, hasTime := strings.Cut(strings.TrimLeft(line[min(3, len(line)):], " \t"), "\t")
	if !hasTime {
		name = timestamp.ReplaceAllString(name, "")
	}
	return unquoted(strings.TrimRight(name, " \r"))
}

// gitName is the name in a head of git's, without the "a/" or "b/" before it.
func gitName(name string) string {
	name, _, _ = strings.Cut(name, "\t") // the time may follow
	name = unquoted(name)
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, side); ok {
			return rest
		}
		if rest, ok := strings.CutPrefix(name, side[:1]); ok && filepath.VolumeName(rest) != "" {
			return rest // a whole path on Windows
		}
	}
	return strings.TrimPrefix(name, "/")
}

// ByCLI says whether the CLI made the diff itself: its names are whole paths.
func (p Part) ByCLI() bool { return p.Git && strings.Contains(p.head, "\nindex 0000000..0000000") }

// Diff is the part as the change of the file at path. It is false where nothing
// is changed in the file.
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

// trimLast takes the empty line of context away that the CLI adds after the
// newline at the end of a file.
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
