package repository

import (
	"context"
	"os"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const (
	// chatTrailer is the name of the trailer that contains the chat's title.
	chatTrailer = "VoxPilot-Chat"
	// maxTrailer is the maximum number of characters of the title in the trailer.
	maxTrailer = 100
)

// message returns a file, open for reading, that contains the message of the commit that q describes. If
// Config.NameChat returns true, the message has a trailer with the chat's title. The caller must pass the file to
// discard.
func (d *draft) message(ctx context.Context, q backend.ReviewCommitRequest) (*os.File, error) {
	text := strings.ToValidUTF8(q.Message, "\uFFFD")
	if title := trailerText(d.chat.Title); title != "" && d.m.cfg.NameChat != nil && d.m.cfg.NameChat() {
		// A message to amend may already have the trailer.
		out, err := d.change(ctx, nil, []byte(strings.TrimRight(text, "\n")+"\n"), "interpret-trailers", "--no-divider", "--if-exists", "addIfDifferent", "--if-missing", "add", "--where", "end", "--trailer", chatTrailer+": "+title)
		if err != nil {
			return nil, err
		}
		text = out
	}
	file, err := inputFile([]byte(text))
	if err != nil {
		return nil, fileError(err)
	}
	return file, nil
}

// trailerText returns a title as one line of printable text with at most maxTrailer characters.
func trailerText(title string) string {
	title = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c == '\u2028' || c == '\u2029' || c == '\u0085' {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(title, ""))
	title = strings.Join(strings.Fields(title), " ")
	if all := []rune(title); len(all) > maxTrailer {
		title = strings.TrimSpace(string(all[:maxTrailer-1])) + "…"
	}
	return title
}
