package desktop

import (
	"context"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// ClipboardText returns the text on the clipboard, or "" if it holds files or no
// text. The page isn't allowed to read the clipboard outside of a paste.
func (d *Desktop) ClipboardText() (string, error) {
	if paths, _, err := copiedFiles(engine.CallTime / 2); err == nil && len(paths) > 0 {
		return "", nil // AttachCopied attaches the files instead of their names
	}
	text, err := d.window().Paste()
	if err != nil {
		return "", &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the clipboard. Copy the content again."), Detail: err.Error()}
	}
	return text, nil
}

// CopyImage copies an image in a chat to the clipboard.
func (d *Desktop) CopyImage(contentID string) error {
	return d.API.Call(func(ctx context.Context, e *engine.Engine) error {
		_, data, err := e.AnyImage(ctx, contentID)
		if err != nil {
			return err
		}
		return copyImage(data)
	})
}

// AttachCopied attaches the image on the clipboard under the given name and returns it. The page calls
// AttachCopied if it can't read the pasted data itself. If the clipboard holds files instead, AttachCopied returns
// them without attaching them. A file that isn't on this computer has an empty path and name.
func (d *Desktop) AttachCopied(chatID, name string) (attachments []backend.Attachment, err error) {
	err = d.API.Call(func(ctx context.Context, e *engine.Engine) error {
		paths, image, err := copiedFiles(engine.CallTime / 2) // leaves time to store an image
		if err != nil {
			return err
		}
		for _, path := range paths {
			file := backend.Attachment{Kind: backend.AttachmentFile, Path: path}
			if path != "" {
				file.Name = filepath.Base(path)
			}
			attachments = append(attachments, file)
		}
		if len(image) == 0 {
			return nil
		}
		asImage := backend.Attachment{Kind: backend.AttachmentImage, Name: name}
		if err := e.CheckAttachments(chatID, []backend.Attachment{asImage}); err != nil {
			return err
		}
		asImage, err = e.AttachImage(ctx, chatID, asImage, image)
		attachments = append(attachments, asImage)
		return err
	})
	return attachments, err
}
