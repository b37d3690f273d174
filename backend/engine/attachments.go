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

// AttachImage takes an image that was pasted or dropped: data is its bytes in
// base64, at most backend.MaxImageBytes of them. It goes with a message once it is
// sent with one. Where chatID is "", here and below, that is the first message of a
// chat which is not made yet: the image is held in memory until it is sent, or kept
// as a draft.
func (a *API) AttachImage(chatID, name, data string) (attachment backend.Attachment, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		if name = strings.ToValidUTF8(filepath.Base(name), ""); name == "" || name == "." {
			name = "image"
		}
		var body []byte
		if len(data) <= base64.StdEncoding.EncodedLen(backend.MaxImageBytes+1) { // else it is too large as it is
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

// AttachFile takes a file or a folder by its path: as an image where it is one
// and the agent takes images, else by its address.
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

// DiscardImage lets go of an image that goes with no message after all: it was taken
// out of the first one of a chat which is not made yet.
func (a *API) DiscardImage(contentID string) error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.PendingImages.drop(contentID)
		return nil
	})
}

// checkChat says whether there is a chat to attach something in, or none yet.
func (e *Engine) checkChat(chatID string) error {
	if chatID == "" {
		return nil
	}
	_, err := e.Chats.Get(chatID)
	return err
}

// AttachImage keeps an image of a chat that belongs to no message yet, or holds it
// where there is no chat yet.
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

// content is what is known of a body (assistant.Config.Content).
func (e *Engine) content(ctx context.Context, id string) (backend.Content, error) {
	_, content, err := e.Store.Content(ctx, id, 0, 1)
	return content, err
}

// image is an image that goes with a message, whole.
func (e *Engine) image(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	data, content, err := e.Store.Content(ctx, contentID, 0, 0)
	if err == nil && !SafeImage[content.Mime] {
		err = backend.Invalid("This isn't an image.")
	}
	return content.Mime, data, err
}

// CheckAttachments says why who answers a chat does not take what goes with a message, as
// far as its agent has said so (assistant.Config.Takes).
func (e *Engine) CheckAttachments(chatID string, with []backend.Attachment) error {
	if chatID == "" {
		return nil // nobody answers yet
	}
	chat, err := e.Chats.Get(chatID)
	if err != nil || chat.OrchestratorID != "" || !slices.ContainsFunc(with, func(a backend.Attachment) bool { return a.Kind == backend.AttachmentImage }) {
		return err
	}
	a, err := e.Agents.Running(chatID)
	if err != nil {
		return nil //nolint:nilerr // none runs: it has not said yet
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

// noteMentions notes the files of a chat's folder that the user has named.
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

// SafeImage are the image types that hold no script.
var SafeImage = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// SaveImage asks for a file and writes an image of a chat to it. The result comes
// as an event (backend.DialogResult) with the request "image " and contentID.
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

// AnyImage returns an image whole: of a chat, or of a first message that isn't sent yet.
func (e *Engine) AnyImage(ctx context.Context, contentID string) (mime string, data []byte, err error) {
	if image, ok := e.PendingImages.Get(contentID); ok {
		return image.Mime, image.Data, nil
	}
	return e.image(ctx, contentID)
}

// maxPendingBytes is how many bytes of images are held at most: those of one message.
const maxPendingBytes = backend.MaxAttachments * backend.MaxImageBytes

// pendingImages are images that go with the first message of a chat which is not made
// yet. They are in memory, until the chat has them, they are taken out or VoxPilot
// ends; where there are too many, those that came first give way.
type pendingImages struct {
	mu    sync.Mutex
	all   []pendingImage // in the order in which they came
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

// Get is an image by the id that its content is to have.
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

// adopt gives a chat those of the attachments that were held for it.
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

// keepImage keeps an image of a chat that belongs to no message yet.
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
