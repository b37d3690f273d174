package rescue

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"math"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// Endings of the files that Export writes.
const (
	EndingLines   = ".jsonl" // the file that `copilot sessions import` reads
	EndingArchive = ".zip"   // a ZIP archive with that file and the images
)

// errFound stops the search for images.
var errFound = errors.New("found")

// Ending returns the file name extension for an export of the chat's conversation: EndingArchive if it contains images,
// and EndingLines otherwise.
func (r *Rescuer) Ending(ctx context.Context, chat backend.Chat) (string, error) {
	err := r.each(ctx, rowOf(chat), true, func(s step) error {
		for _, a := range s.item.Attachments {
			if s.isPrompt && a.Kind == backend.AttachmentImage && a.ContentID != "" {
				return errFound
			}
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return EndingArchive, nil
	}
	return EndingLines, err
}

// Export writes the chat's conversation in the format that `copilot sessions import` reads: all messages of the user and
// the answers, with the tool calls and their whole results. Delegated tasks are tool calls. Turns that haven't ended are
// left out. ending is the file name extension from Ending.
func (r *Rescuer) Export(ctx context.Context, chat backend.Chat, ending string, w io.Writer) error {
	row := rowOf(chat)
	write := func(t *sessionfiles.Transcript) error {
		each := func(do func(step) error) error { return r.each(ctx, row, true, do) }
		_, _, err := writePlanned(each, row, plan{limit: math.MaxInt}, t)
		if errors.Is(err, errNothing) {
			return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("This chat has no messages yet."), Detail: err.Error()}
		}
		return err
	}
	if ending == EndingLines {
		return sessionfiles.WriteTranscript(w, ignoreImage, write)
	}
	// The files of an archive are written one after the other, so the conversation is written twice: first as text
	// without the images, and then only the images, with the same names.
	z := zip.NewWriter(w)
	file, err := create(z, sessionfiles.TranscriptFile, zip.Deflate)
	if err == nil {
		err = sessionfiles.WriteTranscript(file, ignoreImage, write)
	}
	if err == nil {
		err = sessionfiles.WriteTranscript(io.Discard, func(name string, data []byte) error {
			file, err := create(z, name, zip.Store)
			if err == nil {
				_, err = file.Write(data)
			}
			return err
		}, write)
	}
	return errors.Join(err, z.Close())
}

func ignoreImage(string, []byte) error { return nil }

// create adds a file to an archive.
func create(z *zip.Writer, name string, method uint16) (io.Writer, error) {
	h := &zip.FileHeader{Name: name, Method: method, Modified: time.Now()}
	h.SetMode(0o600)
	return z.CreateHeader(h)
}

// rowOf returns a row for the chat's main session with the fields that Export needs.
func rowOf(chat backend.Chat) backend.Session {
	return backend.Session{ChatID: chat.ID, Name: backend.SessionMain, Title: chat.Title, Cwd: chat.Folder, CreatedAt: chat.CreatedAt}
}
