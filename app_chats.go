package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/export"
	"github.com/voxpilot/voxpilot/backend/store"
)

// RestoreChat takes the deletion of a chat back, while that is possible.
func (a *App) RestoreChat(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.restore(ctx, id) })
}

// PinChat has a chat stand above the others of its folder, or no longer.
func (a *App) PinChat(id string, pinned bool) error {
	return a.change(id, func(c *backend.Chat) { c.Pinned = pinned })
}

// ArchiveChat takes a chat out of the list of chats, or back into it. A message
// brings it back as well.
func (a *App) ArchiveChat(id string, archived bool) error {
	return a.change(id, func(c *backend.Chat) { c.Archived = archived })
}

// ExportChat writes a chat to a file that the user chooses: format is "markdown",
// "html" or "json". It returns at once; how it went comes as Picked, under the
// request "export " and the chat's id.
func (a *App) ExportChat(chatID, format string) error {
	return a.call(func(_ context.Context, e *engine) error { return e.export(chatID, format) })
}

// export asks for a file and writes a chat to it.
func (e *engine) export(chatID, format string) error {
	as, known := export.Formats[format]
	if !known {
		return &backend.Error{Code: backend.CodeInvalid, Message: "A chat can be exported as Markdown, HTML or JSON.", Detail: format}
	}
	chat, err := e.chats.Get(chatID)
	if err != nil {
		return err
	}
	go func() {
		answer := backend.Picked{Request: "export " + chatID}
		path, err := e.app.desktop().saveFile(fileNameOf("", chat.Title) + as.Ending)
		if err == nil && path != "" {
			answer.Path = path
			err = replaceFile(path, func(w io.Writer) error { return e.writeChat(w, as, chatID) })
		}
		if err != nil {
			answer.Message = "The chat could not be written: " + err.Error()
		}
		e.feed.Publish(backend.Event{Picked: &answer})
	}()
	return nil
}

// writeChat writes a chat as it is now.
func (e *engine) writeChat(w io.Writer, as export.Format, chatID string) error {
	return e.store.View(e.ctx, func(v *store.View) error {
		chat, err := v.Chat(e.ctx, chatID)
		if err != nil {
			return err
		}
		return as.Write(w, export.Source{
			Chat: chat,
			Items: func(parentID string, do func(backend.Item) error) error {
				return v.EachItem(e.ctx, chatID, parentID, do)
			},
			Contents: func(itemID string) ([]backend.Content, error) { return v.ContentsOf(e.ctx, itemID) },
			Text:     func(to io.Writer, itemID string) error { return v.WriteText(e.ctx, to, itemID) },
			Body:     func(to io.Writer, contentID string) error { return v.WriteBody(e.ctx, to, contentID) },
		})
	})
}

// replaceFile writes a file that its owner alone can read, whole or not at all.
func replaceFile(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".voxpilot-*")
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
