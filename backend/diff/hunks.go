package diff

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// A hunk is one changed section of a unified diff.
type hunk struct {
	line      int // number of the first line of the new side, 1-based
	old, now  side
	remaining remaining // lines that the header declares and that haven't been read
}

// A side is the old or the new text of a hunk. Each line ends with a newline.
type side struct {
	text []byte
	open bool // the last line has no newline in the file
}

// hunkHead matches the header of a hunk and captures the start and the line count of both sides.
var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// noEnding is the marker after a diff line that has no newline at its end in the file.
const noEnding = `\ No newline at end of file`

// readHunks parses the hunks of a unified diff of one file. strict is true if there is at least one hunk, if all
// lines after the first header belong to hunks, and if the line counts of each hunk match its header. Even if
// strict is false, readHunks parses the remaining hunks.
func readHunks(text string) (hunks []*hunk, strict bool) {
	var h *hunk
	var sign byte // of the previous line
	strict = true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if isHunk(line) {
			strict = strict && (h == nil || h.remaining == remaining{})
			if m := hunkHead.FindStringSubmatch(line); m != nil {
				h, sign = &hunk{line: lineNumber(m[3]), remaining: remaining{lineNumber(m[2]), lineNumber(m[4])}}, 0
				hunks = append(hunks, h)
				continue
			}
		}
		if h == nil {
			continue // file header
		}
		before := sign
		switch sign = h.remaining.next(line); {
		case sign == 0 || line == "\r":
			strict = false
		case sign == '\\':
			strict = strict && strings.HasPrefix(line, noEnding) && before != sign
			h.old.open, h.now.open = h.old.open || before != '+', h.now.open || before != '-'
		default:
			strict = h.add(sign, line) && strict
		}
	}
	return hunks, strict && h != nil && h.remaining == remaining{}
}

// add adds a line to the sides that contain it. It returns false if one of these sides has already ended without a
// newline.
func (h *hunk) add(sign byte, line string) bool {
	ok := true
	for i, s := range []*side{&h.old, &h.now} {
		if sign == "+-"[i] { // line of the other side
			continue
		}
		ok = ok && !s.open
		s.text = append(append(s.text, line[min(1, len(line)):]...), '\n')
	}
	return ok
}

// bytes returns the side's text as it is in the file.
func (s side) bytes() []byte {
	if s.open {
		return bytes.TrimSuffix(s.text, []byte("\n"))
	}
	return s.text
}

// remaining holds the number of lines still to be read on each side of a hunk.
type remaining struct{ old, now int }

// next counts a line as read. It returns the line's diff marker, or 0 if the line isn't part of the hunk.
func (l *remaining) next(line string) (sign byte) {
	next := *l
	if sign = ' '; line != "" && line != "\r" { // some tools write an empty context line without its space
		sign = line[0]
	}
	switch sign {
	case '-':
		next.old--
	case '+':
		next.now--
	case ' ':
		next.old, next.now = next.old-1, next.now-1
	case '\\':
	default:
		return 0
	}
	if next.old < 0 || next.now < 0 {
		return 0
	}
	*l = next
	return sign
}

// isHunk reports whether a line starts a hunk, even a malformed one.
func isHunk(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), "@@")
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// lineNumber parses a line number or line count in a hunk header. It returns 1 if digits is "", because a missing
// count means 1.
func lineNumber(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return 1
}

// replacements returns the replacements that the hunks of a unified diff make.
func replacements(hunks string) []Replacement {
	steps := []Replacement{}
	read, _ := readHunks(hunks + "\n")
	for _, h := range read {
		if len(h.old.text)+len(h.now.text) > 0 {
			steps = append(steps, Replacement{strings.TrimSuffix(string(h.old.text), "\n"), strings.TrimSuffix(string(h.now.text), "\n")})
		}
	}
	return steps
}
