package assistant

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

const (
	// pastImages is how many images of earlier messages are shown to a model
	// again, the newest: each costs as much as a page of text, every time.
	pastImages = 5
	// imageBytes is what an image counts for in the size of a conversation.
	imageBytes = 6000
)

// load reads the images that go with a message.
func (m *Main) load(ctx context.Context, with []backend.Attachment) (images []llm.Image, err error) {
	for _, a := range with {
		if a.Kind != backend.AttachmentImage {
			continue
		}
		image, err := m.cfg.Image(ctx, a.ContentID)
		if err != nil {
			return nil, notDone(backend.Say("The message could not be sent, because the image %s could not be read. Try again.", a.Name), err)
		}
		images = append(images, image)
	}
	return images, nil
}

// loadPast reads the newest images of what was said before. One that cannot be
// read is left out.
func (m *Main) loadPast(ctx context.Context, past []Exchange) map[string]llm.Image {
	shown := map[string]llm.Image{}
	for _, e := range slices.Backward(past) {
		for _, a := range e.With {
			if a.Kind != backend.AttachmentImage || len(shown) == pastImages {
				continue
			}
			if image, err := m.cfg.Image(ctx, a.ContentID); err == nil {
				shown[a.ContentID] = image
			}
		}
	}
	return shown
}

// asked is a message of the user's as a model gets it: files and folders are
// named by their paths, which its tools take.
func asked(text string, with []backend.Attachment) string {
	if len(with) == 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text)
	b.WriteString("\n\nAttached by the user:")
	for _, a := range with {
		b.WriteString("\n- ")
		switch {
		case a.Kind != backend.AttachmentImage:
			b.WriteString(strconv.Quote(a.Path))
		case a.Path == "":
			b.WriteString("the image " + strconv.Quote(a.Name))
		default:
			b.WriteString("the image " + strconv.Quote(a.Path))
		}
	}
	return strings.TrimSpace(b.String())
}

// pastPrompt is a message of the past, with those of its images that are shown.
func (t *talk) pastPrompt(e Exchange) llm.Message {
	m := llm.Message{Role: llm.RoleUser, Text: asked(e.Prompt, e.With)}
	for _, a := range e.With {
		if image, ok := t.shown[a.ContentID]; ok {
			m.Images = append(m.Images, image)
		}
	}
	return m
}

// blind takes the images of earlier messages out. It says whether there were any.
func (t *talk) blind() bool {
	had := len(t.shown) > 0
	t.shown = nil
	return had
}
