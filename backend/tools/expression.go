package tools

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// expression is a regular expression that is matched line by line.
type expression struct {
	re *regexp.Regexp
	// rust is an expression in ripgrep's syntax that finds at least the same matches.
	rust string
}

// newExpression parses an expression in RE2 syntax. If the expression is empty, invalid or too large, the error tells
// the model what to change.
func newExpression(text string, ignoreCase bool) (*expression, error) {
	if text == "" {
		return nil, invalid("The argument \"pattern\" is required: a regular expression.")
	}
	flags := syntax.Perl &^ syntax.OneLine
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(text, flags)
	if err != nil {
		var bad *syntax.Error
		if errors.As(err, &bad) {
			return nil, invalid("The pattern isn't a valid RE2 regular expression: %s: %q. To match any of \\.+*?()|[]{}^$ literally, put a backslash before it.", bad.Code, excerpt.Head(bad.Expr, 100))
		}
		return nil, invalid("The pattern isn't a valid RE2 regular expression: %v.", err)
	}
	perLine(tree)
	if prog, err := syntax.Compile(tree.Simplify()); err != nil || len(prog.Inst) > maxSteps {
		return nil, invalid("The pattern is too large. Use smaller repetition counts, or + instead of {1,1000}.")
	}
	re, err := regexp.Compile(tree.String())
	if err != nil {
		return nil, invalid("The pattern is too large: %v.", err)
	}
	return &expression{re: re, rust: toRustSyntax(tree.String())}, nil
}

// maxSteps is the maximum number of instructions in a compiled expression, and piece is the maximum number
// of bytes that are searched without checking for cancellation. Both limit how long a canceled search runs.
const (
	maxSteps = 2000
	piece    = 16 << 10
)

// in reports whether the expression matches the given line. It returns false soon after ctx ends.
func (e *expression) in(ctx context.Context, line string) bool {
	switch {
	case ctx.Err() != nil:
		return false
	case len(line) <= piece:
		return e.re.MatchString(line)
	}
	return e.re.MatchReader(&cancelReader{ctx: ctx, in: strings.NewReader(line)})
}

// inAny reports whether the expression matches any line of text. It is faster than calling in for each line,
// because it searches up to piece bytes of whole lines per step. It returns false soon after ctx ends.
func (e *expression) inAny(ctx context.Context, text []byte) bool {
	for len(text) > 0 && ctx.Err() == nil {
		some := text[:min(piece, len(text))]
		if end := bytes.LastIndexByte(some, '\n'); end >= 0 {
			some = text[:end+1]
		} else if end = bytes.IndexByte(text, '\n'); end >= 0 {
			some = text[:end+1] // a long line
		} else {
			some = text
		}
		text = text[len(some):]
		if len(some) <= piece && e.re.Match(some) || len(some) > piece && e.in(ctx, string(some)) {
			return true
		}
	}
	return false
}

// cancelReader is a reader that returns io.EOF soon after ctx ends.
type cancelReader struct {
	ctx  context.Context
	in   *strings.Reader
	read int
}

func (u *cancelReader) ReadRune() (r rune, size int, err error) {
	if u.read++; u.read%256 == 0 && u.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	return u.in.ReadRune()
}

// perLine makes the anchors for the start and end of the text match at line boundaries.
func perLine(tree *syntax.Regexp) {
	switch tree.Op { //nolint:exhaustive // other kinds are unchanged
	case syntax.OpBeginText:
		tree.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		tree.Op, tree.Flags = syntax.OpEndLine, tree.Flags&^syntax.WasDollar
	}
	for _, sub := range tree.Sub {
		perLine(sub)
	}
}

// toRustSyntax converts text, an expression as formatted by package syntax, into ripgrep's syntax, so
// that ripgrep finds at least the same matches. The input has explicit character classes and escapes
// all literal metacharacters. Two differences are converted: in Go, \b treats only ASCII characters as
// letters, and the tools remove the carriage return at the end of a line before they match $.
func toRustSyntax(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '$':
			out.WriteString(`(?:\r?$)`)
		case text[i] != '\\' || i+1 == len(text):
			out.WriteByte(text[i])
		default:
			i++
			if pair := text[i-1 : i+1]; text[i] == 'b' || text[i] == 'B' {
				out.WriteString("(?-u:" + pair + ")")
			} else {
				out.WriteString(pair)
			}
		}
	}
	return out.String()
}
