package engine

import (
	"context"
	"io"

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
