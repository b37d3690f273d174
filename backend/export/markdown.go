package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// markdown writes a chat as GitHub Flavored Markdown.
type markdown struct {
	*bufio.Writer
	s        Source
	messages messages
	depth    int // nesting of blocks
}

func writeMarkdown(w *bufio.Writer, s Source) error {
	m := &markdown{Writer: w, s: s, messages: s.messages()}
	fmt.Fprintf(m, "# %s\n\n", markdownEscaper(s.title()))
	for _, f := range s.header() {
		fmt.Fprintf(m, "- %s: %s\n", f.name, span(f.value))
	}
	return s.Items("", m.item)
}

func (m *markdown) item(i backend.Item) error {
	fmt.Fprintf(m, "\n%s %s\n\n*%s*\n", strings.Repeat("#", min(2+m.depth, 6)), markdownEscaper(m.messages.heading(i)), m.s.moment(i.CreatedAt))
	for _, f := range m.messages.properties(i) {
		if f.name == "" {
			fmt.Fprintf(m, "\n%s\n\n", markdownEscaper(f.value))
			continue
		}
		fmt.Fprintf(m, "- %s: %s\n", f.name, span(f.value))
	}
	if len(i.Plan) > 0 {
		m.WriteByte('\n')
	}
	for _, e := range i.Plan {
		fmt.Fprintf(m, "- %s%s\n", mark(e), markdownEscaper(oneLine(e.Content)))
	}
	if err := m.text(i); err != nil {
		return err
	}
	contents, err := m.s.contents(i)
	if err != nil {
		return err
	}
	for _, c := range contents {
		if err := m.content(c); err != nil {
			return err
		}
	}
	if i.Kind != backend.ItemBlock {
		return nil
	}
	m.depth++
	defer func() { m.depth-- }()
	return m.s.Items(i.ID, m.item)
}

// text writes the text of an item, which is already Markdown. If the text leaves a code fence open, text adds the
// closing fence.
func (m *markdown) text(i backend.Item) error {
	m.WriteByte('\n')
	var fences fences
	err := textOf(func(to io.Writer) error { return m.s.Text(to, i.ID) }, func(text []byte) error {
		fences.read(text)
		_, err := m.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	fences.read([]byte("\n"))
	m.WriteByte('\n')
	if fences.open != "" {
		m.WriteString(fences.open + "\n")
	}
	return nil
}

// content writes the body of c as a fenced code block. For an image, it writes only the name, type and size. The
// body is read twice: first to find the longest run of backticks in it, then to write it.
func (m *markdown) content(c backend.Content) error {
	if c.Type == backend.ContentImage {
		fmt.Fprintf(m, "\n*%s, %s, %s*\n", m.messages.name(c), markdownEscaper(c.Mime), m.messages.Say("%s bytes", fmt.Sprint(c.Size)))
		return nil
	}
	read := func(to io.Writer) error { return m.s.Body(to, c.ID) }
	longest, run, last := 2, 0, byte('\n')
	err := textOf(read, func(text []byte) error {
		for _, b := range text {
			if run++; b != '`' {
				run = 0
			}
			longest = max(longest, run)
			last = b
		}
		return nil
	})
	if err != nil {
		return err
	}
	fence, language := strings.Repeat("`", longest+1), ""
	if c.Type == backend.ContentDiff {
		language = "diff"
	}
	fmt.Fprintf(m, "\n%s:\n\n%s%s\n", markdownEscaper(m.messages.name(c)), fence, language)
	err = textOf(read, func(text []byte) error {
		_, err := m.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if last != '\n' {
		m.WriteByte('\n')
	}
	_, err = m.WriteString(fence + "\n")
	return err
}

// span returns text as an inline code span.
func span(text string) string {
	text = oneLine(text)
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	marks := strings.Repeat("`", longest+1)
	if longest > 0 || text == "" {
		return marks + " " + text + " " + marks
	}
	return marks + text + marks
}

// markdownEscaper escapes a line of text for Markdown and HTML.
var markdownEscaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "|", `\|`, "~", `\~`, "!", `\!`,
).Replace

// fences tracks the code fence that is open at the end of the text read so far (see "Fenced code blocks" in the
// CommonMark specification).
type fences struct {
	line []byte // the start of the current line, at most maxFenceLine bytes
	open string // the marks that opened the fence, such as "```"; "" if none is open
}

// maxFenceLine is the number of bytes at the start of each line that are checked for a fence.
const maxFenceLine = 1000

func (f *fences) read(text []byte) {
	for _, b := range text {
		if b != '\n' {
			if len(f.line) < maxFenceLine {
				f.line = append(f.line, b)
			}
			continue
		}
		f.ended(string(f.line))
		f.line = f.line[:0]
	}
}

// ended processes a complete line: it updates f.open if the line opens or closes a fence.
func (f *fences) ended(line string) {
	bare := strings.TrimLeft(line, " ")
	if len(line)-len(bare) > 3 || bare == "" {
		return
	}
	kind := bare[:1]
	if kind != "`" && kind != "~" {
		return
	}
	info := strings.TrimLeft(bare, kind)
	n := len(bare) - len(info)
	switch {
	case n < 3:
	case f.open == "":
		if kind == "~" || !strings.Contains(info, "`") {
			f.open = bare[:n]
		}
	case kind == f.open[:1] && n >= len(f.open) && strings.TrimSpace(info) == "":
		f.open = ""
	}
}
