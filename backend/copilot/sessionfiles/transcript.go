package sessionfiles

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Transcript writes a conversation in the format that `copilot sessions import` reads: JSON lines, with images in
// files next to it. Its methods must be called in the order of the conversation.
type Transcript struct {
	out       *bufio.Writer
	image     func(name string, data []byte) error // writes a file with an image
	records   int                                  // records written, except the first
	images    int                                  // images written
	answering bool                                 // the last user message has an answer, which tool calls must follow
}

// maxName is the maximum length of a session's name in bytes. The CLI allows 100 characters.
const maxName = 90

// Head describes a conversation.
type Head struct {
	Name      string
	Folder    string // absolute path of the working directory
	CreatedAt time.Time
}

// Image is an image in a user message.
type Image struct {
	Name string
	Mime string
	Data []byte
}

// writeTranscript writes the conversation that the function write provides to a file in dir.
func writeTranscript(dir string, write func(*Transcript) error) error {
	file, err := os.OpenFile(filepath.Join(dir, TranscriptFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = WriteTranscript(file, func(name string, data []byte) error {
		return os.WriteFile(filepath.Join(dir, name), data, 0o600)
	}, write)
	return errors.Join(err, file.Close())
}

// WriteTranscript writes the conversation that the function write provides to w. The function image writes a file with
// an image; that file must be in the same folder as the transcript.
func WriteTranscript(w io.Writer, image func(name string, data []byte) error, write func(*Transcript) error) error {
	t := &Transcript{out: bufio.NewWriterSize(w, 1<<18), image: image}
	return errors.Join(write(t), t.out.Flush())
}

// Begin writes the first record. It must be called once, before the other methods.
func (t *Transcript) Begin(h Head) error {
	fields := map[string]any{
		"type": "session", "version": 1, "externalId": NewID(), "createdAt": h.CreatedAt.UTC().Format(timeFormat), "workingDirectory": h.Folder,
	}
	if name := excerpt.FirstLine(h.Name, maxName); name != "" {
		fields["name"] = name
	}
	return t.line(fields)
}

// User writes a message of the user.
func (t *Transcript) User(at time.Time, text string, images ...Image) error {
	t.answering = false
	content := []any{textPart(text)}
	for _, image := range images {
		t.images++
		name := strconv.Itoa(t.images) + extension(image.Mime)
		if err := t.image(name, image.Data); err != nil {
			return err
		}
		content = append(content, map[string]any{"type": "attachment", "path": name, "mediaType": image.Mime, "name": image.Name})
	}
	_, err := t.record(at, "message", map[string]any{"role": "user", "content": content})
	return err
}

// Answer writes a message of the agent.
func (t *Transcript) Answer(at time.Time, text string) error {
	t.answering = true
	_, err := t.record(at, "message", map[string]any{"role": "assistant", "content": []any{textPart(text)}})
	return err
}

// Tool writes a tool call with its result. arguments are a JSON object. The result of a call that failed must not be
// empty.
func (t *Transcript) Tool(at time.Time, name string, arguments any, succeeded bool, result string) error {
	if !t.answering { // the CLI requires a message of the agent before its tool calls
		if err := t.Answer(at, ""); err != nil {
			return err
		}
	}
	id, err := t.record(at, "tool-call", map[string]any{"name": name, "arguments": arguments})
	if err != nil {
		return err
	}
	fields := map[string]any{"toolCallId": id, "success": succeeded}
	if succeeded {
		fields["content"] = result
	} else {
		fields["error"] = map[string]any{"message": result}
	}
	_, err = t.record(at, "tool-result", fields)
	return err
}

// record writes a record with the given type and fields, and returns its ID.
func (t *Transcript) record(at time.Time, kind string, fields map[string]any) (id string, err error) {
	t.records++
	id = strconv.Itoa(t.records)
	fields["type"], fields["id"], fields["timestamp"] = kind, id, at.UTC().Format(timeFormat)
	return id, t.line(fields)
}

func (t *Transcript) line(fields map[string]any) error {
	line, err := json.Marshal(fields)
	if err != nil {
		return fmt.Errorf("a record can't be written as JSON: %w", err)
	}
	if _, err := t.out.Write(line); err != nil {
		return err
	}
	return t.out.WriteByte('\n')
}

func textPart(text string) map[string]any { return map[string]any{"type": "text", "text": text} }

// extension returns the file name extension for an image of the given type, or ".png" if the type isn't known.
func extension(mediaType string) string {
	if all, err := mime.ExtensionsByType(mediaType); err == nil && len(all) > 0 {
		return all[0]
	}
	return ".png"
}
