package engine

import (
	"context"
	"encoding/base64"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// AttachImage attaches a pasted or dropped image. data is its base64 encoding; the image may have at most
// backend.MaxImageBytes bytes. The image belongs to the message with which it is sent.
//
// If chatID is "", the image is for the first message of a chat that doesn't exist yet. It then stays in memory until
// it is sent, saved with a draft or discarded. The same is true of images that AttachFile attaches.
func (a *API) AttachImage(chatID, name, data string) (attachment backend.Attachment, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		if name = strings.ToValidUTF8(filepath.Base(name), ""); name == "" || name == "." {
			name = "image"
		}
		var body []byte
		if len(data) <= base64.StdEncoding.EncodedLen(backend.MaxImageBytes+1) { // a longer encoding is too large in any case
			if body, err = base64.StdEncoding.DecodeString(data); err != nil {
				return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("The image is incomplete. Add it again."), Detail: err.Error()}
			}
		} else {
			body = make([]byte, base64.StdEncoding.DecodedLen(len(data)))
		}
		attachment, err = e.AttachImage(ctx, chatID, backend.Attachment{Name: name}, body)
		return err
	})
	return attachment, err
}

// AttachFile attaches a file or folder by its path. An image of a supported type and size (workspace.ImageType) is
// attached as an image, unless the agent has declared that it doesn't accept images. Everything else is attached as a
// link.
func (a *API) AttachFile(chatID, path string) (attachment backend.Attachment, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		if err := e.checkChat(chatID); err != nil {
			return err
		}
		var image []byte
		attachment, image, err = workspace.Attach(path)
		if err != nil || image == nil {
			return err
		}
		asImage := attachment
		asImage.Kind = backend.AttachmentImage
		if e.CheckAttachments(chatID, []backend.Attachment{asImage}) == nil {
			attachment, err = e.AttachImage(ctx, chatID, asImage, image)
		}
		return err
	})
	return attachment, err
}

// DiscardImage discards a pending image that the user removed before sending the first
// message of a chat.
func (a *API) DiscardImage(contentID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.PendingImages.drop(contentID)
		return nil
	})
}

// checkChat returns an error if the chat doesn't exist. It accepts "" for a chat that hasn't been
// created yet.
func (e *Engine) checkChat(chatID string) error {
	if chatID == "" {
		return nil
	}
	_, err := e.Chats.Get(chatID)
	return err
}

// AttachImage stores an image before its message is sent. If chatID is "", because the chat doesn't exist yet, the
// image is kept in memory.
func (e *Engine) AttachImage(ctx context.Context, chatID string, at backend.Attachment, data []byte) (backend.Attachment, error) {
	mime, err := workspace.ImageType(at.Name, data)
	if err != nil {
		return backend.Attachment{}, err
	}
	if err := e.checkChat(chatID); err != nil {
		return backend.Attachment{}, err
	}
	at.Kind, at.ContentID, at.Mime, at.Size = backend.AttachmentImage, backend.NewID(), mime, int64(len(data))
	if chatID == "" {
		e.PendingImages.add(at, data)
		return at, nil
	}
	if err := e.keepImage(ctx, chatID, at, data); err != nil {
		return backend.Attachment{}, err
	}
	return at, nil
}

// content returns the metadata of stored content (assistant.Config.Content).
func (e *Engine) content(ctx context.Context, id string) (backend.Content, error) {
	_, content, err := e.Store.Content(ctx, id, 0, 1)
	return content, err
}

// image returns the MIME type and the bytes of an attached image.
func (e *Engine) image(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	data, content, err := e.Store.Content(ctx, contentID, 0, 0)
	if err == nil && !SafeImage[content.Mime] {
		err = backend.Invalid("This isn't an image.")
	}
	return content.Mime, data, err
}

// CheckAttachments returns an error if the chat's model or agent doesn't support the attachments, judging by the
// capabilities that the agent has declared so far (assistant.Config.CheckAttachments).
func (e *Engine) CheckAttachments(chatID string, with []backend.Attachment) error {
	if chatID == "" {
		return nil // no model or agent is selected yet
	}
	chat, err := e.Chats.Get(chatID)
	if err != nil || chat.OrchestratorID != "" || !slices.ContainsFunc(with, func(a backend.Attachment) bool { return a.Kind == backend.AttachmentImage }) {
		return err
	}
	a, err := e.Agents.Running(chatID)
	if err != nil {
		return nil //nolint:nilerr // no agent is running, so its capabilities are unknown
	}
	if now := a.Connection(); now.Capabilities != nil && !now.Capabilities.Image {
		name := "Copilot"
		if p, err := e.Setup.CustomAgent(chat.ProviderID); err == nil {
			name = p.Name
		}
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("%s doesn't accept images. Send the message without them.", name)}
	}
	return nil
}

// noteMentions records which files in the chat's folder were attached. They are suggested first when the user mentions
// files in that folder again.
func (e *Engine) noteMentions(chatID string, with []backend.Attachment) {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return
	}
	for _, a := range with {
		if rel, err := filepath.Rel(chat.Folder, a.Path); a.Path != "" && err == nil && filepath.IsLocal(rel) {
			e.Files.NoteMention(chat.Folder, filepath.ToSlash(rel))
		}
	}
}

// SafeImage contains the MIME types of images that can't contain scripts.
var SafeImage = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// SaveImage opens a save dialog and copies an image of a chat to the chosen file. The result arrives as an event
// (backend.DialogResult) whose request is "image " followed by contentID.
func (a *API) SaveImage(contentID, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		mime, data, err := e.AnyImage(ctx, contentID)
		if err != nil {
			return err
		}
		go func() {
			answer := backend.DialogResult{Request: "image " + contentID}
			path, err := a.Config.SaveFile(workspace.ImageName(name, mime))
			if err == nil && path != "" {
				answer.Path = path
				err = atomicfile.Write(path, func(to io.Writer) error {
					_, err := to.Write(data)
					return err
				})
			}
			if err != nil {
				answer.Message = backend.Say("Couldn't save the image: %s", err)
			}
			e.Bus.Publish(backend.Event{DialogResult: &answer})
		}()
		return nil
	})
}

// AnyImage returns the MIME type and the bytes of an image, which belongs to a chat or to an unsent first message.
func (e *Engine) AnyImage(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	if image, ok := e.PendingImages.Get(contentID); ok {
		return image.Mime, image.Data, nil
	}
	return e.image(ctx, contentID)
}

// maxPendingBytes is the maximum total size of all pending images in bytes: as much as one message may contain.
const maxPendingBytes = backend.MaxAttachments * backend.MaxImageBytes

// pendingImages holds images for the first messages of chats that don't exist yet. An image stays in memory until it
// is moved to its chat, the user removes it or VoxPilot quits. If the total size exceeds maxPendingBytes, the oldest
// images are discarded.
type pendingImages struct {
	mu    sync.Mutex
	all   []pendingImage // oldest first
	bytes int
}

type pendingImage struct {
	backend.Attachment
	Data []byte
}

func (p *pendingImages) add(image backend.Attachment, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all, p.bytes = append(p.all, pendingImage{image, data}), p.bytes+len(data)
	for p.bytes > maxPendingBytes {
		p.bytes -= len(p.all[0].Data)
		p.all = slices.Delete(p.all, 0, 1)
	}
}

// Get returns the pending image with the given content ID. ok is false if there is none.
func (p *pendingImages) Get(contentID string) (image pendingImage, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, image := range p.all {
		if image.ContentID == contentID {
			return image, true
		}
	}
	return pendingImage{}, false
}

func (p *pendingImages) drop(contentID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, image := range p.all {
		if image.ContentID == contentID {
			p.bytes -= len(image.Data)
			p.all = slices.Delete(p.all, i, i+1)
			return
		}
	}
}

// adopt stores the pending images among the given attachments as images of the chat. They are then no longer pending.
func (e *Engine) adopt(ctx context.Context, chatID string, with []backend.Attachment) error {
	for _, a := range with {
		image, ok := e.PendingImages.Get(a.ContentID)
		if !ok {
			continue
		}
		if _, err := e.Chats.Get(chatID); err != nil {
			return err
		}
		if err := e.keepImage(ctx, chatID, image.Attachment, image.Data); err != nil {
			return err
		}
		e.PendingImages.drop(a.ContentID)
	}
	return nil
}

// keepImage stores an image for an unsent message of the chat.
func (e *Engine) keepImage(ctx context.Context, chatID string, at backend.Attachment, data []byte) error {
	content := backend.Content{
		ID: at.ContentID, ChatID: chatID, Type: backend.ContentImage, Path: at.Path,
		Mime: at.Mime, Size: at.Size, Version: 1, Body: data,
	}
	if err := e.Bus.Commit(ctx, backend.Event{Content: &content}); err != nil {
		return backend.NotSaved(backend.Say("the image"), err)
	}
	return nil
}
