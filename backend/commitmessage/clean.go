package commitmessage

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxAnswer is the maximum number of bytes of an answer that clean reads.
const maxAnswer = 64 << 10

var (
	// introduction matches a line that introduces a message.
	introduction = regexp.MustCompile(`(?i)^(?:here(?:'|’)?s|here is|here are|sure|certainly|okay|ok|of course|based on|(?:the |a |my )?(?:suggested |proposed )?commit message|message)\b[^\n]*:$`)
	// label matches a label, such as "Commit message:", that is on the same line as the message.
	label = regexp.MustCompile(`(?i)^[*_]{0,2}(?:(?:suggested |proposed )?commit message|subject)[*_]{0,2}:[*_]{0,2} +`)
	// heading matches the start of a Markdown heading.
	heading = regexp.MustCompile(`^#{1,6} +`)
)

// quotes lists the pairs of marks in which models enclose a message.
var quotes = [][2]string{{"```", "```"}, {"**", "**"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"„", "“"}, {"‘", "’"}, {"«", "»"}, {"「", "」"}}

// clean returns the commit message from a model's answer. It removes introductions, fences, quotation marks and
// invisible characters. The result has at most backend.MaxMessageDraft bytes. It is "" if the answer contains no
// message.
func clean(answer string) string {
	text := visible(excerpt.Head(answer, maxAnswer))
	text = withoutQuotes(withoutFence(withoutIntroduction(text)))
	text = heading.ReplaceAllString(label.ReplaceAllString(text, ""), "")
	subject, body, _ := strings.Cut(text, "\n")
	subject, body = withoutQuotes(strings.TrimSpace(subject)), tidy(body)
	if subject == "" && body != "" {
		subject, body, _ = strings.Cut(body, "\n")
		body = tidy(body)
	}
	if body != "" {
		subject += "\n\n" + body
	}
	return strings.TrimSpace(excerpt.Head(subject, backend.MaxMessageDraft))
}

// visible returns text as valid UTF-8 with LF line endings and without invisible characters, except those that join
// emoji and letters.
func visible(text string) string {
	text = strings.ToValidUTF8(text, "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200c', r == '\u200d':
			return r
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, text))
}

// withoutIntroduction removes a first line such as "Here is the commit message:".
func withoutIntroduction(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	if more && introduction.MatchString(strings.Trim(first, "*_# ")) {
		return strings.TrimSpace(rest)
	}
	return text
}

// withoutFence returns the content of the fenced code block at the start of text and omits the lines after the
// block. If text doesn't start with such a block, it is returned unchanged.
func withoutFence(text string) string {
	if !strings.HasPrefix(text, "```") {
		return text
	}
	first, rest, more := strings.Cut(text, "\n")
	if !more || strings.Contains(first[3:], "`") {
		return text
	}
	if inside, _, closed := strings.Cut("\n"+rest, "\n```"); closed {
		rest = inside
	}
	return strings.TrimSpace(rest)
}

// withoutQuotes removes a pair of quotation marks around text.
func withoutQuotes(text string) string {
	for _, q := range quotes {
		if len(text) < len(q[0])+len(q[1]) || !strings.HasPrefix(text, q[0]) || !strings.HasSuffix(text, q[1]) {
			continue
		}
		if inside := text[len(q[0]) : len(text)-len(q[1])]; !strings.Contains(inside, q[0]) && !strings.Contains(inside, q[1]) {
			return strings.TrimSpace(inside)
		}
	}
	return text
}

// tidy removes trailing spaces and repeated empty lines.
func tidy(body string) string {
	var out []string
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}
