package export

import (
	"bytes"
	"errors"
	"io"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// Limits for rendering Markdown. Messages that exceed one of them are shown as plain text, because the parser could
// need quadratic time for them.
const (
	maxMarkdown = 64 * 1024 // size of a message in bytes
	maxMarks    = 2000      // number of each markup character
	maxNested   = 100       // number of characters at the start of a line that can open nested blocks
)

// errLong is the error that ends the reading of a message longer than maxMarkdown.
var errLong = errors.New("the text is long")

// isHeavy reports whether text contains an implausible number of Markdown markers.
func isHeavy(text []byte) bool {
	for _, mark := range []byte("*_[]<!`~|&\\") {
		if bytes.Count(text, []byte{mark}) > maxMarks {
			return true
		}
	}
	for line := range bytes.Lines(text) {
		begins := line[:len(line)-len(bytes.TrimLeft(line, " \t>-+*#0123456789.)"))]
		if len(begins) > maxNested && bytes.Count(begins, []byte{begins[0]}) < len(begins)-1 {
			return true // thematic breaks of any length are fine
		}
		if bytes.Count(begins, []byte(">")) > maxNested {
			return true
		}
	}
	return false
}

// gfm renders GitHub Flavored Markdown as HTML that can't load or run anything.
var gfm = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(sanitizer{}, 1))),
)

// proseHTML writes Markdown as HTML.
func proseHTML(to io.Writer, text []byte) error { return gfm.Convert(text, to) }

// sanitizer renders headings, and the parts of Markdown that could refer to external content. HTML is shown as
// text, and an image as its description and address. Only web and mail addresses become links; a tooltip shows the
// address.
type sanitizer struct{}

func (sanitizer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, htmlBlock)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindImage, image)
	r.Register(ast.KindLink, link)
	r.Register(ast.KindAutoLink, autoLink)
	r.Register(ast.KindHeading, subheading)
}

func writeEscaped(w util.BufWriter, s []byte) { _, _ = w.WriteString(text(string(s))) }

func htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<pre>")
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		writeEscaped(w, segment.Value(source))
	}
	if block, ok := n.(*ast.HTMLBlock); ok && block.HasClosure() {
		writeEscaped(w, block.ClosureLine.Value(source))
	}
	_, err := w.WriteString("</pre>\n")
	return ast.WalkSkipChildren, err
}

func rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if raw, ok := n.(*ast.RawHTML); ok && entering {
		for i := range raw.Segments.Len() {
			segment := raw.Segments.At(i)
			writeEscaped(w, segment.Value(source))
		}
	}
	return ast.WalkSkipChildren, nil
}

func image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if i, ok := n.(*ast.Image); ok && !entering {
		_, _ = w.WriteString(" <code>")
		writeEscaped(w, i.Destination)
		_, _ = w.WriteString("</code>")
	}
	return ast.WalkContinue, nil
}

// isSafe reports whether an address is a web or mail address.
func isSafe(address []byte) bool {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if len(address) > len(scheme) && bytes.EqualFold(address[:len(scheme)], []byte(scheme)) {
			return true
		}
	}
	return false
}

func writeLink(w util.BufWriter, address []byte) {
	_, _ = w.WriteString(`<a rel="noopener noreferrer nofollow" href="`)
	writeEscaped(w, util.URLEscape(address, false))
	_, _ = w.WriteString(`" title="`)
	_, _ = w.WriteString(text(oneLine(string(address))))
	_, _ = w.WriteString(`">`)
}

func link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l, ok := n.(*ast.Link)
	switch {
	case !ok:
	case isSafe(l.Destination) && entering:
		writeLink(w, l.Destination)
	case isSafe(l.Destination):
		_, _ = w.WriteString("</a>")
	case !entering:
		_, _ = w.WriteString(" <code>")
		_, _ = w.WriteString(text(oneLine(string(l.Destination))))
		_, _ = w.WriteString("</code>")
	}
	return ast.WalkContinue, nil
}

func autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	l, ok := n.(*ast.AutoLink)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	address := l.URL(source)
	if l.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(address), []byte("mailto:")) {
		address = append([]byte("mailto:"), address...)
	}
	if !isSafe(address) {
		writeEscaped(w, l.Label(source))
		return ast.WalkContinue, nil
	}
	writeLink(w, address)
	writeEscaped(w, l.Label(source))
	_, err := w.WriteString("</a>")
	return ast.WalkContinue, err
}

// subheading renders a heading at a level below the page's own headings.
func subheading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := "3"
	if h, ok := n.(*ast.Heading); ok {
		level = itoa(min(h.Level+2, 6))
	}
	var err error
	if entering {
		_, err = w.WriteString("<h" + level + ">")
	} else {
		_, err = w.WriteString("</h" + level + ">\n")
	}
	return ast.WalkContinue, err
}
