package suggest

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// remark is a comment in an agent's answer.
type remark struct {
	file       file
	start, end int      // the lines in the heading, counted from 0; -1 if the heading has none
	quote      []string // the lines that the comment is about; nil if the answer doesn't quote any
	text       string
}

// answer holds the comments in an agent's answer.
type answer struct {
	remarks []remark // at most backend.MaxSuggestions
	others  int      // number of comments beyond that maximum or on files that haven't changed
	isNone  bool     // the agent says that it has no comments
}

// Limits for an answer. The rest of an answer is ignored.
const (
	maxAnswer   = 1_000_000 // bytes
	maxHeadings = 2000
)

var (
	heading = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*$`)
	bold    = regexp.MustCompile(`^ {0,3}\*\*(.+?)\*\*:?$`)
	// lines matches a path followed by line numbers and, optionally, a title.
	lines = regexp.MustCompile(`^(.+?)(?:[ \t]*[:：#(,][ \t]*|[ \t]+)(?i:lines?|zeilen?|l|第)?[ \t]*(\d{1,8})(?::\d+)?` +
		`(?:[ \t]*(?:-|–|—|\.\.|to|bis|到)[ \t]*(?i:l)?(\d{1,8})(?::\d+)?)?[ \t]*行?\)?(?:[ \t]*(?:[:：]|[-–—]|[ \t])[ \t]*(.*))?$`)
	link  = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})([^`]*)$")
	none  = regexp.MustCompile(`(?i)\bno (?:further |other |more )?(?:review )?(?:comments|findings|issues|problems)\b`)
)

// parse parses an agent's answer. It accepts the deviations from the requested format that are common among models. It
// calls find to get the changed file to which a name refers.
func parse(text string, find func(name string) (file, bool)) answer {
	p := parser{find: find}
	text = strings.ReplaceAll(excerpt.Head(text, maxAnswer), "\r\n", "\n")
	for line := range strings.SplitSeq(text, "\n") {
		p.line(line)
	}
	p.finish()
	p.answer.isNone = len(p.answer.remarks) == 0 && p.answer.others == 0 && none.MatchString(text)
	return p.answer
}

// parser holds the state of parse.
type parser struct {
	find   func(name string) (file, bool)
	answer answer

	now     *remark  // the comment that is being read, or nil
	level   int      // level of the comment's heading
	body    []string // lines of the comment's text
	fence   string   // the fence with which the current code block starts, or "" outside a code block
	read    int      // number of headings that were read
	isQuote bool     // the current code block contains the lines that the comment is about
}

func (p *parser) line(line string) {
	if p.fence != "" {
		p.inFence(line)
		return
	}
	if m := fence.FindStringSubmatch(line); m != nil {
		p.fence = m[1]
		p.isQuote = p.now != nil && p.now.quote == nil && len(p.body) == 0
		if p.isQuote {
			p.now.quote = []string{}
			return
		}
	} else if level, text := headingOf(line); level > 0 && p.heading(level, text) {
		return
	}
	p.add(line)
}

// inFence adds a line of a code block to the quote or the text of the current comment. The closing fence ends the
// block.
func (p *parser) inFence(line string) {
	trimmed := strings.TrimSpace(line)
	isEnd := strings.HasPrefix(trimmed, p.fence) && strings.Trim(trimmed, p.fence[:1]) == "" && len(line)-len(strings.TrimLeft(line, " ")) <= 3
	if isEnd {
		p.fence = ""
	}
	switch {
	case !p.isQuote:
		p.add(line)
	case !isEnd && len(p.now.quote) < backend.MaxReviewQuote:
		p.now.quote = append(p.now.quote, line)
	}
}

// add adds a line to the text of the current comment. It skips empty lines before the text.
func (p *parser) add(line string) {
	if p.now != nil && (len(p.body) > 0 || strings.TrimSpace(line) != "") {
		p.body = append(p.body, line)
	}
}

// headingOf returns the level and the text of a heading. A bold line counts as a heading of level 7. For a line that
// isn't a heading, the level is 0.
func headingOf(line string) (level int, text string) {
	if len(line) > 4096+100 { // longer than any path
		return 0, ""
	}
	if m := heading.FindStringSubmatch(line); m != nil {
		return len(m[1]), m[2]
	}
	if m := bold.FindStringSubmatch(line); m != nil {
		return 7, m[1]
	}
	return 0, ""
}

// maxBefore is the maximum number of words before the path in a heading, such as a number or "File:".
const maxBefore = 3

// heading starts or ends a comment at a heading. It counts a heading that names another file. It returns false if the
// heading is part of the current comment's text.
func (p *parser) heading(level int, text string) bool {
	if p.read++; p.read > maxHeadings {
		return false
	}
	text = strings.NewReplacer("`", "", "**", "").Replace(link.ReplaceAllString(text, "$1"))
	rest := strings.TrimSpace(text)
	for range maxBefore + 1 {
		if next, ok := p.target(rest); ok {
			p.finish()
			p.now, p.level = &next, level
			return true
		}
		_, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimSpace(rest)
	}
	m := lines.FindStringSubmatch(strings.TrimSpace(text))
	switch {
	case m != nil && strings.ContainsAny(m[1], "./") && level < 7: // the heading of a comment on another file
		p.answer.others++
	case p.now != nil && level > min(p.level, 6):
		return false
	case p.now == nil:
		return true
	}
	p.finish()
	return true
}

// target returns a comment on the file and the lines that a heading names. The comment's text is the title in the
// heading, if any.
func (p *parser) target(text string) (f remark, ok bool) {
	f = remark{start: -1, end: -1}
	if f.file, ok = p.find(text); ok {
		return f, true
	}
	m := lines.FindStringSubmatch(text)
	if m == nil {
		return f, false
	}
	f.file, ok = p.find(m[1])
	f.start, f.text = lineNumber(m[2]), strings.TrimSpace(m[4])
	f.end = max(f.start, lineNumber(m[3]))
	return f, ok
}

// lineNumber converts the digits of a line number in a heading into an index, counted from 0. It returns -1 for "".
func lineNumber(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return -1
	}
	return n - 1
}

// finish ends the current comment, if there is one, and adds it to the answer if it has a text. Comments beyond
// backend.MaxSuggestions are only counted.
func (p *parser) finish() {
	f := p.now
	p.now, p.fence = nil, ""
	if f == nil {
		return
	}
	f.text = strings.TrimSpace(f.text + "\n\n" + strings.TrimSpace(strings.Join(p.body, "\n")))
	f.text = strings.TrimSpace(strings.TrimSuffix(f.text, "\n---")) // a horizontal rule that separates two comments
	p.body = nil
	switch {
	case f.text == "":
	case len(p.answer.remarks) == backend.MaxSuggestions:
		p.answer.others++
	default:
		p.answer.remarks = append(p.answer.remarks, *f)
	}
}
