package main

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
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
