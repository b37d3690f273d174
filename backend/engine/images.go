package engine

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// SaveImage asks for a file and writes an image of a chat to it. The result comes
// as an event (backend.Picked) with the request "image " and contentID.
func (a *API) SaveImage(contentID, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		mime, data, err := e.AnyImage(ctx, contentID)
		if err != nil {
			return err
		}
		go func() {
			answer := backend.Picked{Request: "image " + contentID}
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
			e.Feed.Publish(backend.Event{Picked: &answer})
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

// maxHeld is how many bytes of images are held at most: those of one message.
const maxHeld = backend.MaxAttachments * backend.MaxImageBytes

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

func (h *pendingImages) add(image backend.Attachment, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all, h.bytes = append(h.all, pendingImage{image, data}), h.bytes+len(data)
	for h.bytes > maxHeld {
		h.bytes -= len(h.all[0].Data)
		h.all = slices.Delete(h.all, 0, 1)
	}
}

// Get is an image by the id that its content is to have.
func (h *pendingImages) Get(contentID string) (image pendingImage, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, image := range h.all {
		if image.ContentID == contentID {
			return image, true
		}
	}
	return pendingImage{}, false
}

func (h *pendingImages) drop(contentID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, image := range h.all {
		if image.ContentID == contentID {
			h.bytes -= len(image.Data)
			h.all = slices.Delete(h.all, i, i+1)
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
	if err := e.Feed.Commit(ctx, backend.Event{Content: &content}); err != nil {
		return backend.NotSaved("The image", err)
	}
	return nil
}
