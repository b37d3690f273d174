package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

const readSchema = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "Path of the file, absolute or relative to the chat's folder."},
    "line": {"type": "integer", "minimum": 1, "description": "First line to read (1-based). Default 1."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 5000, "description": "Number of lines to read. Default 1000."}
  },
  "required": ["path"],
  "additionalProperties": false
}`

// Limits for reading a file in one call.
const (
	defaultLines = 1000
	maxLines     = 5000
	// maxCounted is the maximum number of bytes that are read to count a file's lines.
	maxCounted = 32 << 20
	// maxSkipped is the maximum offset in bytes at which a read may start.
	maxSkipped = 1 << 30
)

type readArgs struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Limit int    `json:"limit"`
}

func (a *readArgs) check() error {
	if a.Path == "" {
		return invalid("The argument \"path\" is required: the file to read.")
	}
	if a.Line < 0 {
		return invalid("The argument \"line\" must be 1 or more.")
	}
	a.Line = max(a.Line, 1)
	if err := between("limit", a.Limit, 1, maxLines); err != nil {
		return err
	}
	if a.Limit == 0 {
		a.Limit = defaultLines
	}
	return nil
}

func (r *Registry) readFile(ctx context.Context, c call) (Result, error) {
	var args readArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := args.check(); err != nil {
		return Result{}, err
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	return read(ctx, place, args)
}

// locate resolves a path from the model, which must be inside the chat's folder. "" means that folder.
func (c call) locate(path string) (workspace.ResolvedPath, error) {
	if path == "" {
		path = "."
	}
	place, err := workspace.Locate(c.folder, realpath.Join(c.folder, filepath.FromSlash(path)))
	if err == nil && !place.Inside {
		err = invalid("%s is outside the folder %s. Only read_file_external can read files there, after the user allows it.", place.Path, c.folder)
	}
	return place, err
}

// read returns the text of a file with line numbers, and a note about omitted lines.
func read(ctx context.Context, place workspace.ResolvedPath, args readArgs) (Result, error) {
	res := Result{Path: place.Path}
	if place.IsDir() {
		return res, invalid("%s is a folder. Use list_directory to see its contents.", place.Path)
	}
	f, info, err := place.Open()
	if err != nil {
		return res, err
	}
	defer func() { _ = f.Close() }()
	if kind, err := binary(f); err != nil || kind != "" {
		if err == nil {
			err = invalid("%s isn't UTF-8 text (%s, %s), so it can't be read as text.", place.Path, kind, backend.Count(int(info.Size()), "1 byte", "%d bytes"))
		}
		return res, err
	}
	p := page{ctx: ctx, in: bufio.NewReaderSize(f, 64<<10), first: args.Line, limit: args.Limit}
	if err := p.read(); err != nil {
		return res, err
	}
	total := backend.Plain(backend.GroupDigits(p.total))
	if !p.whole {
		total = backend.Say("more than %s", total)
	}
	switch {
	case p.text.Len() > 0:
	case info.Size() == 0:
		res.Text, res.Summary = "[The file is empty.]", backend.Say("empty")
		return res, nil
	default:
		return res, invalid("%s has %s lines, so line %d doesn't exist.", place.Path, total, args.Line)
	}
	res.Text, res.Summary = p.text.String(), backend.Count(p.lines, "1 line", "%d lines")
	if last := args.Line + p.lines - 1; args.Line > 1 || !p.whole || last < p.total {
		res.Text += fmt.Sprintf("[Lines %d to %d of %s.", args.Line, last, total)
		if !p.whole || last < p.total {
			res.Text += fmt.Sprintf(" Continue with line=%d.", last+1)
		}
		res.Text += "]\n"
	}
	return res, nil
}

// page reads a range of lines from a file.
type page struct {
	ctx          context.Context
	in           *bufio.Reader
	first, limit int

	text  strings.Builder
	lines int  // lines in text
	total int  // number of lines read
	whole bool // all lines have been counted
}

func (p *page) read() error {
	full := false
	for size := 0; ; {
		line, n, err := p.next()
		if n == 0 {
			p.whole = true
			return err
		}
		size += n
		p.total++
		if p.total >= p.first && p.lines < p.limit && !full {
			if full = p.lines > 0 && p.text.Len()+len(line) > maxText; !full {
				fmt.Fprintf(&p.text, "%6d\t%s\n", p.total, line)
				p.lines++
			}
		}
		begun := p.total >= p.first
		if err != nil || begun && size > maxCounted || size > maxSkipped {
			return err
		}
		if p.total%1000 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
	}
}

// next returns the next line, truncated if it is very long, and its size in bytes
// including the line ending. A size of 0 means the end of the file.
func (p *page) next() (line string, size int, err error) {
	var kept []byte
	for {
		piece, err := p.in.ReadSlice('\n')
		size += len(piece)
		if room := maxLine + utf8.UTFMax - len(kept); room > 0 {
			kept = append(kept, piece[:min(room, len(piece))]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if p.ctx.Err() != nil {
				return "", size, p.ctx.Err()
			}
			continue
		case errors.Is(err, io.EOF):
			err = nil
		}
		text := strings.TrimRight(string(kept), "\r\n")
		if size > maxLine+utf8.UTFMax {
			text = excerpt.Head(text, maxLine) + fmt.Sprintf("… [line is %s bytes]", backend.GroupDigits(size))
		}
		return strings.ToValidUTF8(text, "\uFFFD"), size, err
	}
}

// sniffBytes is the number of bytes at the start of a file from which its type is determined.
const sniffBytes = 8 << 10

// binary returns the MIME type of a file that doesn't start with UTF-8 text, or "" if it does.
// Afterward, f is positioned at its start again.
func binary(f *os.File) (string, error) {
	head := make([]byte, sniffBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if head = head[:n]; isText(head, n == sniffBytes) {
		return "", nil
	}
	return http.DetectContentType(head), nil
}

// isText reports whether b is UTF-8 text. If cut is true, the last character in b may be incomplete.
func isText(b []byte, cut bool) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return false
	}
	for i := 0; cut && i < utf8.UTFMax && len(b) > 0; i++ {
		if r, size := utf8.DecodeLastRune(b); r != utf8.RuneError || size != 1 {
			break
		}
		b = b[:len(b)-1]
	}
	return utf8.Valid(b)
}

const externalSchema = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "Absolute path of the file, or a path starting with ~/."},
    "line": {"type": "integer", "minimum": 1, "description": "First line to read (1-based). Default 1."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 5000, "description": "Number of lines to read. Default 1000."}
  },
  "required": ["path"],
  "additionalProperties": false
}`

// IDs of the options in a permission request.
const (
	optionAllow  = "allow"
	optionReject = "reject"
)

// readExternal reads a file outside the folder, with the user's permission. A file
// inside the folder needs no permission.
func (r *Registry) readExternal(ctx context.Context, c call) (Result, error) {
	var args readArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := args.check(); err != nil {
		return Result{}, err
	}
	path := args.Path
	if len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		if home, err := os.UserHomeDir(); err == nil {
			path = realpath.Join(home, path[2:])
		}
	}
	if !filepath.IsAbs(path) {
		return Result{}, invalid("The argument \"path\" must be absolute or start with ~/. To read files in the chat's folder, use read_file.")
	}
	place, err := workspace.Locate(c.folder, path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	if !place.Inside {
		if err := r.ask(ctx, c, place); err != nil {
			return Result{Path: place.Path}, err
		}
	}
	return read(ctx, place, args)
}

// ask requests permission to read a file. The user or a rule decides; ask returns an error unless permission is
// granted.
func (r *Registry) ask(ctx context.Context, c call, place workspace.ResolvedPath) error {
	raw, err := json.Marshal(map[string]any{"tool": c.Name, "arguments": c.Arguments})
	if err != nil {
		return err
	}
	p, ok := r.cfg.Ask(ctx, backend.Permission{
		ID: backend.NewID(), ChatID: c.ChatID, TurnID: c.TurnID, Session: backend.SessionMain, Folder: c.folder,
		State: backend.PermissionOpen, Title: "Read " + place.Path, Kind: backend.ToolRead, Path: place.Path, Outside: true,
		Options: []backend.Option{
			{ID: optionAllow, Kind: backend.OptionAllowOnce, Name: "Allow once"},
			{ID: optionReject, Kind: backend.OptionRejectOnce, Name: "Reject"},
		},
		CreatedAt: backend.Now(), Raw: raw,
	})
	switch {
	case !ok:
		return invalid("The request was canceled before the user answered it: Read %s.", place.Path)
	case p.OptionID != optionAllow:
		return invalid("The user didn't allow this: Read %s. Don't ask for this file again unless the user tells you to.", place.Path)
	}
	return nil
}

// maxText is the maximum size in bytes of the text that a tool returns, about 10,000 tokens.
const maxText = 40 << 10

// maxLine is the size in bytes above which a line is truncated.
const maxLine = 1000

// shortLine returns the line, truncated if it is very long.
func shortLine(line string) string {
	if len(line) <= maxLine {
		return line
	}
	return excerpt.Head(line, maxLine) + fmt.Sprintf("… [line is %s bytes]", backend.GroupDigits(len(line)))
}

// lines joins the non-empty parts with newlines.
func lines(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.TrimRight(p, "\n"); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n")
}
