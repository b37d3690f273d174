package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

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
