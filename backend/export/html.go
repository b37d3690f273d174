package export

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"io"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

//go:embed page.css
var pageCSS string

// page writes an HTML page.
type page struct {
	*bufio.Writer
	s        Source
	messages messages
}

// policy is the content security policy of the page. It prevents the page from loading or running anything.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

func writeHTML(w *bufio.Writer, s Source) error {
	p := &page{w, s, s.messages()}
	fmt.Fprintf(p, `<!doctype html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<main>
<h1>%[3]s</h1>
`, s.language(), policy, text(s.title()), pageCSS)
	for _, f := range s.header() {
		p.fact(f)
	}
	if err := s.Items("", p.item); err != nil {
		return err
	}
	_, err := p.WriteString("</main>\n</body>\n</html>\n")
	return err
}

// text returns s escaped for HTML text and attributes.
func text(s string) string { return html.EscapeString(s) }

// fact writes a property as a paragraph.
func (p *page) fact(f property) {
	if f.name == "" {
		fmt.Fprintf(p, "<p>%s</p>\n", text(f.value))
		return
	}
	fmt.Fprintf(p, "<p class=\"facts\">%s: <code>%s</code></p>\n", text(f.name), text(f.value))
}

func (p *page) item(i backend.Item) error {
	fmt.Fprintf(p, "<section class=\"%s\">\n<h2>%s <time datetime=\"%s\">%s</time></h2>\n",
		text(string(i.Kind)), text(p.messages.heading(i)), p.s.at(i.CreatedAt).Format(time.RFC3339), p.s.moment(i.CreatedAt))
	for _, f := range p.messages.properties(i) {
		p.fact(f)
	}
	for _, e := range i.Plan {
		fmt.Fprintf(p, "<p>%s%s</p>\n", mark(e), text(oneLine(e.Content)))
	}
	if err := p.prose(func(to io.Writer) error { return p.s.Text(to, i.ID) }); err != nil {
		return err
	}
	contents, err := p.s.contents(i)
	if err != nil {
		return err
	}
	for _, c := range contents {
		if err := p.content(c); err != nil {
			return err
		}
	}
	if i.Kind == backend.ItemBlock {
		if err := p.s.Items(i.ID, p.item); err != nil {
			return err
		}
	}
	_, err = p.WriteString("</section>\n")
	return err
}

// images lists the MIME types of the images that are embedded in the page. Images of these types can't contain
// scripts.
var images = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

func (p *page) content(c backend.Content) error {
	read := func(to io.Writer) error { return p.s.Body(to, c.ID) }
	if c.Type == backend.ContentImage {
		if !images[c.Mime] {
			_, err := fmt.Fprintf(p, "<p class=\"facts\">%s, %s, %s</p>\n", p.messages.name(c), text(c.Mime), p.messages.Say("%s bytes", fmt.Sprint(c.Size)))
			return err
		}
		fmt.Fprintf(p, `<p><img alt="" src="data:%s;base64,`, c.Mime)
		if err := base64Of(p, read); err != nil {
			return err
		}
		_, err := p.WriteString("\"></p>\n")
		return err
	}
	fmt.Fprintf(p, "<details>\n<summary>%s</summary>\n", text(p.messages.name(c)))
	if err := p.body(string(c.Type), read); err != nil {
		return err
	}
	_, err := p.WriteString("</details>\n")
	return err
}

// prose writes a message, which is Markdown. If the message is too long or complex, it
// is written as plain text, in pieces.
func (p *page) prose(read func(io.Writer) error) error {
	var whole []byte
	err := textOf(read, func(piece []byte) error {
		if whole = append(whole, piece...); len(whole) > maxMarkdown {
			return errLong
		}
		return nil
	})
	switch {
	case errors.Is(err, errLong) || err == nil && isHeavy(whole):
		return p.body("text", read)
	case err != nil || len(bytes.TrimSpace(whole)) == 0:
		return err
	}
	p.WriteString("<div class=\"said\">\n")
	if err := proseHTML(p, whole); err != nil {
		return err
	}
	_, err = p.WriteString("</div>\n")
	return err
}

// body writes the output of the function read as preformatted text with the given CSS class. It writes nothing if there
// is no output.
func (p *page) body(class string, read func(io.Writer) error) error {
	begun := false
	err := textOf(read, func(piece []byte) error {
		if !begun {
			begun = true
			fmt.Fprintf(p, "<pre class=\"%s\">", text(class))
			if piece[0] == '\n' {
				p.WriteByte('\n') // HTML ignores the first newline
			}
		}
		_, err := p.WriteString(text(string(piece)))
		return err
	})
	if err != nil || !begun {
		return err
	}
	_, err = p.WriteString("</pre>\n")
	return err
}
