package main

import (
	"context"
	"encoding/base64"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// AttachImage takes an image that was pasted or dropped: data is its bytes in
// base64, at most backend.MaxImageBytes of them. It goes with a message once it is
// sent with one. Where chatID is "", here and below, that is the first message of a
// chat which is not made yet: the image is held in memory until it is sent, or kept
// as a draft.
func (a *App) AttachImage(chatID, name, data string) (attachment backend.Attachment, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		if name = strings.ToValidUTF8(filepath.Base(name), ""); name == "" || name == "." {
			name = "image"
		}
		var body []byte
		if len(data) <= base64.StdEncoding.EncodedLen(backend.MaxImageBytes+1) { // else it is too large as it is
			if body, err = base64.StdEncoding.DecodeString(data); err != nil {
				return &backend.Error{Code: backend.CodeInvalid, Message: "The image did not arrive whole. Add it again.", Detail: err.Error()}
			}
		} else {
			body = make([]byte, base64.StdEncoding.DecodedLen(len(data)))
		}
		attachment, err = e.attachImage(ctx, chatID, backend.Attachment{Name: name}, body)
		return err
	})
	return attachment, err
}

// AttachFile takes a file or a folder by its path: as an image where it is one
// and the agent takes images, else by its address.
func (a *App) AttachFile(chatID, path string) (attachment backend.Attachment, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		if err := e.isThere(chatID); err != nil {
			return err
		}
		var image []byte
		attachment, image, err = workspace.Attach(path)
		if err != nil || image == nil {
			return err
		}
		asImage := attachment
		asImage.Kind = backend.AttachmentImage
		if e.takes(chatID, []backend.Attachment{asImage}) == nil {
			attachment, err = e.attachImage(ctx, chatID, asImage, image)
		}
		return err
	})
	return attachment, err
}

// AttachCopied takes what the clipboard has and the page was not handed: an image,
// by a name, or files, which are not attached yet: they have a path and no more, and
// those that are not on this computer have none.
func (a *App) AttachCopied(chatID, name string) (attachments []backend.Attachment, err error) {
	err = a.call(func(ctx context.Context, e *engine) error {
		paths, image, err := copied(callTime / 2) // an image is still to be kept
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
		if err := e.takes(chatID, []backend.Attachment{asImage}); err != nil {
			return err
		}
		asImage, err = e.attachImage(ctx, chatID, asImage, image)
		attachments = append(attachments, asImage)
		return err
	})
	return attachments, err
}

// ForgetImage lets go of an image that goes with no message after all: it was taken
// out of the first one of a chat which is not made yet.
func (a *App) ForgetImage(contentID string) error {
	return a.call(func(_ context.Context, e *engine) error {
		e.held.drop(contentID)
		return nil
	})
}

// MoveQueued puts a queued prompt before another one of its chat, or at the end
// where before is "".
func (a *App) MoveQueued(id, before string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.MoveQueued(ctx, id, before) })
}

// SendQueuedNow stops the running turn, and sends a queued prompt as the next.
func (a *App) SendQueuedNow(id string) error {
	return a.call(func(ctx context.Context, e *engine) error { return e.chats.SendQueuedNow(ctx, id) })
}

// isThere says whether there is a chat to attach something in, or none yet.
func (e *engine) isThere(chatID string) error {
	if chatID == "" {
		return nil
	}
	_, err := e.chats.Get(chatID)
	return err
}

// attachImage keeps an image of a chat that belongs to no message yet, or holds it
// where there is no chat yet.
func (e *engine) attachImage(ctx context.Context, chatID string, at backend.Attachment, data []byte) (backend.Attachment, error) {
	mime, err := workspace.ImageType(at.Name, data)
	if err != nil {
		return backend.Attachment{}, err
	}
	if err := e.isThere(chatID); err != nil {
		return backend.Attachment{}, err
	}
	at.Kind, at.ContentID, at.Mime, at.Size = backend.AttachmentImage, backend.NewID(), mime, int64(len(data))
	if chatID == "" {
		e.held.add(at, data)
		return at, nil
	}
	if err := e.keepImage(ctx, chatID, at, data); err != nil {
		return backend.Attachment{}, err
	}
	return at, nil
}

// content is what is known of a body (assistant.Config.Content).
func (e *engine) content(ctx context.Context, id string) (backend.Content, error) {
	_, content, err := e.store.Content(ctx, id, 0, 1)
	return content, err
}

// image is an image that goes with a message, whole.
func (e *engine) image(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	data, content, err := e.store.Content(ctx, contentID, 0, 0)
	if err == nil && !safeImage[content.Mime] {
		err = &backend.Error{Code: backend.CodeInvalid, Message: "This is no image."}
	}
	return content.Mime, data, err
}

// takes says why who answers a chat does not take what goes with a message, as
// far as its agent has said so (assistant.Config.Takes).
func (e *engine) takes(chatID string, with []backend.Attachment) error {
	if chatID == "" {
		return nil // nobody answers yet
	}
	chat, err := e.chats.Get(chatID)
	if err != nil || chat.MainID != "" || !slices.ContainsFunc(with, func(a backend.Attachment) bool { return a.Kind == backend.AttachmentImage }) {
		return err
	}
	a, err := e.agents.running(chatID)
	if err != nil {
		return nil //nolint:nilerr // none runs: it has not said yet
	}
	if now := a.Connection(); now.Can != nil && !now.Can.Image {
		name := "Copilot"
		if p, err := e.profile(chat.ProviderID); err == nil {
			name = p.Name
		}
		return &backend.Error{Code: backend.CodeUnavailable, Message: name + " does not take images. Send the message without them."}
	}
	return nil
}

const (
	// maxFiles is how many files an answer has at most.
	maxFiles = 200
	// filesFresh is for how long the files of a folder are not looked for again.
	filesFresh = 3 * time.Second
)

// files answers which files of a chat's folder fit what is written, or of the
// folder of a chat that is not made yet.
func (a *App) files(ctx context.Context, e *engine, r *http.Request) (workspace.Found, error) {
	var err error
	folder := r.FormValue("folder")
	if folder != "" {
		folder, err = workspace.Resolve(folder)
	} else {
		var chat backend.Chat
		chat, err = e.chats.Get(r.FormValue("chat"))
		folder = chat.Folder
	}
	if err != nil {
		return workspace.Found{}, err
	}
	limit, err := number(r, "limit", 50)
	if err != nil {
		return workspace.Found{}, err
	}
	return e.files.Find(ctx, folder, r.FormValue("q"), int(min(max(limit, 1), maxFiles)))
}

// mentioned notes the files of a chat's folder that the user has named.
func (e *engine) mentioned(chatID string, with []backend.Attachment) {
	chat, err := e.chats.Get(chatID)
	if err != nil {
		return
	}
	for _, a := range with {
		if rel, err := filepath.Rel(chat.Folder, a.Path); a.Path != "" && err == nil && filepath.IsLocal(rel) {
			e.files.Mentioned(chat.Folder, filepath.ToSlash(rel))
		}
	}
}
