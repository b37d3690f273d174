package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// ClipboardText returns the text on the clipboard, or "" if it holds files or no
// text. The page isn't allowed to read the clipboard outside of a paste.
func (a *App) ClipboardText() (string, error) {
	if paths, _, err := copied(callTime / 2); err == nil && len(paths) > 0 {
		return "", nil // their names as text are of no use: AttachCopied takes the files
	}
	text, err := a.desktop().paste()
	if err != nil {
		return "", &backend.Error{Code: backend.CodeUnavailable, Message: "Couldn't read the clipboard. Copy it again.", Detail: err.Error()}
	}
	return text, nil
}

// CopyImage puts an image of a chat on the clipboard.
func (a *App) CopyImage(contentID string) error {
	return a.call(func(ctx context.Context, e *Engine) error {
		_, data, err := e.anyImage(ctx, contentID)
		if err != nil {
			return err
		}
		return copyImage(data)
	})
}

// SaveImage asks for a file and writes an image of a chat to it. The result comes
// as an event (backend.Picked) with the request "image " and contentID.
func (a *API) SaveImage(contentID, name string) error {
	return a.call(func(ctx context.Context, e *Engine) error {
		mime, data, err := e.anyImage(ctx, contentID)
		if err != nil {
			return err
		}
		go func() {
			answer := backend.Picked{Request: "image " + contentID}
			path, err := a.cfg.SaveFile(imageName(name, mime))
			if err == nil && path != "" {
				answer.Path = path
				err = replaceFile(path, func(to io.Writer) error {
					_, err := to.Write(data)
					return err
				})
			}
			if err != nil {
				answer.Message = "Couldn't save the image: " + err.Error()
			}
			e.feed.Publish(backend.Event{Picked: &answer})
		}()
		return nil
	})
}

// anyImage returns an image whole: of a chat, or of a first message that isn't sent yet.
func (e *Engine) anyImage(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	if image, ok := e.held.get(contentID); ok {
		return image.Mime, image.data, nil
	}
	return e.image(ctx, contentID)
}

// imageName returns a file name for an image, with the ending of its type.
func imageName(name, mime string) string {
	name = fileNameOf("", filepath.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := "." + strings.TrimPrefix(mime, "image/")
	if ending == ".jpeg" {
		if strings.EqualFold(filepath.Ext(name), ".jpg") {
			return name
		}
		ending = ".jpg"
	}
	if strings.EqualFold(filepath.Ext(name), ending) {
		return name
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ending
}

// FoldersAt returns the folders that complete a path as far as it is typed, at most
// workspace.MaxFolders of them. It lists names of folders only, never of files.
func (a *API) FoldersAt(typed string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return workspace.FoldersAt(ctx, typed)
}
