package diff

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// A hunk is one place that a unified diff changes.
type hunk struct {
	line      int // of the new side, counted from 1
	old, now  side
	remaining remaining
}

// A side is the text of a hunk on one side, each line with a newline behind it.
type side struct {
	text []byte
	open bool // the last line has none in the file
}

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// noEnding stands behind a line without a newline.
const noEnding = `\ No newline at end of file`

// readHunks reads the hunks of a unified diff of one file. strict is false if a line
// is none of a hunk's, or a hunk has not as many as its head says; the rest is read
// all the same.
func readHunks(text string) (hunks []*hunk, strict bool) {
	var h *hunk
	var sign byte // of the line before
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
			continue // the head of the file
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

// add adds a line. It reports false if the side has ended without a newline.
func (h *hunk) add(sign byte, line string) bool {
	ok := true
	for i, s := range []*side{&h.old, &h.now} {
		if sign == "+-"[i] { // of the other side
			continue
		}
		ok = ok && !s.open
		s.text = append(append(s.text, line[min(1, len(line)):]...), '\n')
	}
	return ok
}

// bytes is the side as it is in the file.
func (s side) bytes() []byte {
	if s.open {
		return bytes.TrimSuffix(s.text, []byte("\n"))
	}
	return s.text
}

// remaining is how many lines of a hunk are still to come on each side.
type remaining struct{ old, now int }

// next counts a line and returns its sign, 0 if the line is none of the hunk.
func (l *remaining) next(line string) (sign byte) {
	next := *l
	if sign = ' '; line != "" && line != "\r" { // some tools write an empty line of context without its space
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

// isHunk says whether a hunk begins with a line, well formed or not.
func isHunk(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), "@@")
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// lineNumber is how many lines a hunk has on one side: one where that is not said.
func lineNumber(digits string) int {
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return 1
}

// replacements are those that the hunks of a unified diff make.
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
