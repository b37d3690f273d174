package commandline

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/blame"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// runBlame runs `voxpilot blame` in the running VoxPilot. If none is running, it starts one without showing
// its window.
func runBlame(args []string, out, errs io.Writer) (code int) {
	r, err := parseBlame(args)
	if err != nil {
		_, _ = fmt.Fprintf(errs, "voxpilot blame: %v.\n\n%s", err, usage)
		return 2
	}
	r.Dir, _ = os.Getwd() // if unknown, the file must be absolute
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	plain := &plainText{to: out}
	err = runOrStart(ctx, environment.DataDir(), r, func(a instance.Response) { plain.write(a.Text) })
	plain.end()
	return report(ctx, err, errs, func(error) int { return 1 })
}

// parseBlame returns the request for the arguments of `voxpilot blame`, or an error if the arguments are invalid.
func parseBlame(args []string) (r instance.Request, err error) {
	r.Verb = instance.Blame
	only := false
	for _, arg := range args {
		switch {
		case !only && arg == "--":
			only = true
		case !only && arg == "--json":
			r.JSON = true
		case !only && strings.HasPrefix(arg, "-"):
			return r, fmt.Errorf("unknown option %s", arg)
		case r.Target != "":
			return r, errors.New("blame reads one file at a time")
		default:
			r.Target = arg
		}
	}
	if r.Target == "" {
		return r, errors.New("no file given")
	}
	return r, nil
}

// fileAndLine splits a target such as "main.go:12". line is 0 if the target has no line number, or if the
// whole target is the name of an existing file.
func fileAndLine(dir, target string) (path string, line int) {
	path = realpath.Join(dir, target)
	if _, err := os.Lstat(path); err == nil {
		return path, 0
	}
	if at := strings.LastIndexByte(target, ':'); at > 0 {
		if n, err := strconv.Atoi(target[at+1:]); err == nil && n > 0 {
			return realpath.Join(dir, target[:at]), n
		}
	}
	return path, 0
}

// blame handles `voxpilot blame`: it sends the possible writers of each line of a file or, if the target has a line
// number, of that line.
func (s *Server) blame(ctx context.Context, r instance.Request, more func(instance.Response) error) error {
	e, err := s.api.EngineIn(engine.OpenTime)
	if err != nil {
		return err
	}
	path, line := fileAndLine(r.Dir, r.Target)
	b, err := e.Blame(ctx, path)
	if err != nil {
		return err
	}
	lines := blamedLines(b)
	if line > len(lines) {
		return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The file has no line %s.", strconv.Itoa(line))}
	}
	if line > 0 {
		lines = lines[line-1 : line]
	}
	to := bufio.NewWriterSize(&answerWriter{send: more}, answerPiece)
	if r.JSON {
		err = writeBlameJSON(to, lines)
	} else {
		writeBlame(to, lines)
	}
	return errors.Join(err, to.Flush())
}

// blamedLine is a line of a file with its possible writers.
type blamedLine struct {
	Line    int          `json:"line"`
	Text    string       `json:"text"`
	Certain bool         `json:"certain"` // there is one writer
	By      []lineWriter `json:"by"`      // the likeliest one first
}

// lineWriter is a blame.Writer as `voxpilot blame` prints it.
type lineWriter struct {
	Kind   blame.Kind `json:"kind"`
	Time   string     `json:"time,omitempty"`
	Chat   string     `json:"chat,omitempty"`
	ChatID string     `json:"chatId,omitempty"`
	TurnID string     `json:"turnId,omitempty"`
	Prompt string     `json:"prompt,omitempty"`
	at     backend.Millis
}

func blamedLines(b blame.Blame) (lines []blamedLine) {
	writers := make([]lineWriter, len(b.Writers))
	for i, w := range b.Writers {
		writers[i] = lineWriter{Kind: w.Kind, Chat: w.Chat, ChatID: w.ChatID, TurnID: w.TurnID, Prompt: w.Prompt, at: w.At}
		if w.At > 0 {
			writers[i].Time = time.UnixMilli(int64(w.At)).Format(time.RFC3339)
		}
	}
	rest := b.Text
	for _, span := range b.Spans {
		for range span.Lines {
			var text string
			text, rest, _ = strings.Cut(rest, "\n")
			line := blamedLine{Line: len(lines) + 1, Text: strings.TrimSuffix(text, "\r"), Certain: len(span.By) == 1}
			for _, i := range span.By {
				line.By = append(line.By, writers[i])
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// writeBlameJSON writes the lines as JSON. It escapes the characters that the function printable would remove.
func writeBlameJSON(to *bufio.Writer, lines []blamedLine) error {
	if lines == nil {
		lines = []blamedLine{}
	}
	text, err := json.MarshalIndent(lines, "", "  ")
	if err != nil {
		return err
	}
	for _, c := range string(text) {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			_, _ = fmt.Fprintf(to, `\u%04x`, c)
			continue
		}
		_, _ = to.WriteRune(c)
	}
	return to.WriteByte('\n')
}

// Widths of columns in characters.
const (
	chatWidth   = 20
	promptWidth = 40
)

// writeBlame writes the lines in columns. A question mark after the first writer means that the line has other
// possible writers.
func writeBlame(to *bufio.Writer, lines []blamedLine) {
	digits := 1
	if n := len(lines); n > 0 {
		digits = len(strconv.Itoa(lines[n-1].Line))
	}
	for _, line := range lines {
		w := line.By[0]
		when, chat, prompt := "", "", w.Prompt
		switch w.Kind {
		case blame.Turn:
			when, chat = time.UnixMilli(int64(w.at)).Format("2006-01-02 15:04"), w.Chat
		case blame.Outside:
			prompt = "Changed outside VoxPilot"
		case blame.Earlier:
			prompt = "Before VoxPilot tracked changes"
		case blame.Another:
			prompt = "Another task"
		case blame.PutBack:
			prompt = "Restored by undo"
		}
		mark := " "
		if !line.Certain {
			mark = "?"
		}
		_, _ = fmt.Fprintf(to, "%-16s  %s  %s%s %*d) %s\n", when, column(chat, chatWidth), column(prompt, promptWidth), mark, digits, line.Line, line.Text)
	}
}

// column returns text on one line, padded or shortened to the given width in characters.
func column(text string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	n := utf8.RuneCountInString(text)
	if n <= width {
		return text + strings.Repeat(" ", width-n)
	}
	return string([]rune(text)[:width-1]) + "…"
}
