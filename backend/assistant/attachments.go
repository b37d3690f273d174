package assistant

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// Attachments of messages. The bytes of an image are stored as a Content, which belongs to a message
// (Content.ItemID) once that message is sent or queued. Content without a message is deleted at the
// next start of the app, unless it is part of a draft (store, recover.go).

// maxPath and maxAttachmentName are the maximum sizes, in bytes, of an attachment's
// path and name. No system allows longer ones.
const (
	maxPath           = 32 << 10
	maxAttachmentName = 4 << 10
)

// nameOf returns a name for an attachment that has none: the name of its file, one derived from its MIME type, or its
// kind.
func nameOf(a backend.Attachment) string {
	if a.Path != "" {
		return filepath.Base(a.Path)
	}
	kind, ending, ok := strings.Cut(a.Mime, "/")
	if !ok || kind == "" || ending == "" {
		return string(a.Kind)
	}
	return kind + "." + ending
}

// checkAttachments returns the attachments with missing names filled in, or an error if
// one is invalid or there are too many.
func checkAttachments(with []backend.Attachment) ([]backend.Attachment, error) {
	if len(with) > backend.MaxAttachments {
		return nil, &backend.Error{
			Code:    backend.CodeTooLarge,
			Message: backend.Say("A message can have up to %d attachments. Remove some, or send them in another message.", backend.MaxAttachments),
		}
	}
	with = slices.Clone(with)
	for i := range with {
		a := &with[i]
		if strings.TrimSpace(a.Name) == "" {
			a.Name = nameOf(*a)
		}
		good := utf8.ValidString(a.Name+a.Path+a.Mime) && len(a.Name) <= maxAttachmentName && len(a.Path) <= maxPath && len(a.Mime) <= 200 &&
			a.Size >= 0 && !strings.ContainsRune(a.Path, 0) && (a.Path == "" || filepath.IsAbs(a.Path))
		switch a.Kind {
		case backend.AttachmentImage:
			good = good && a.ContentID != ""
		case backend.AttachmentFile, backend.AttachmentMention:
			good = good && a.Path != "" && a.ContentID == ""
		default:
			good = false
		}
		if !good {
			return nil, &backend.Error{
				Code:    backend.CodeInvalid,
				Message: backend.Say("Can't use the attachment “%s”. Add it again.", firstLine(strings.ToValidUTF8(a.Name, ""), 60)),
			}
		}
	}
	return with, nil
}

// checkAttachments returns the attachments to send in a chat, or an error if they can't be sent. It fills in missing
// names, and takes the type and size of an image from its content.
func (s *Service) checkAttachments(ctx context.Context, chatID string, with []backend.Attachment) ([]backend.Attachment, error) {
	with, err := checkAttachments(with)
	for i := range with {
		a := &with[i]
		if a.Kind != backend.AttachmentImage {
			continue
		}
		image, there := s.image(ctx, a.ContentID)
		if !there || image.ChatID != chatID {
			return nil, &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("The image “%s” is no longer available. Add it again.", firstLine(a.Name, 60))}
		}
		a.Mime, a.Size = image.Mime, image.Size
	}
	return with, err
}

// image returns the metadata of an image and reports whether the image exists.
func (s *Service) image(ctx context.Context, id string) (backend.Content, bool) {
	if s.cfg.Content == nil {
		return backend.Content{}, false
	}
	content, err := s.cfg.Content(ctx, id)
	return content, err == nil && content.Type == backend.ContentImage
}

// checkAttachments returns an error if one of the attachments isn't supported by the chat's model or
// agent. The caller must hold v.mu.
func (v *conversation) checkAttachments(with []backend.Attachment) error {
	if len(with) == 0 || v.service.cfg.CheckAttachments == nil {
		return nil
	}
	return v.service.cfg.CheckAttachments(v.chat.ID, with)
}

// checkStart returns an error if the chat can't send messages now, or not with these attachments. The caller must hold
// v.mu.
func (v *conversation) checkStart(with []backend.Attachment) error {
	if err := v.service.checkWritable(v.chat.ID); err != nil {
		return err
	}
	return v.checkAttachments(with)
}

// claim returns events that make the message q the owner of its images. An image that already belongs to another
// message stays with that message, unless sent is true and the other message is still queued. The caller must hold
// v.mu.
func (v *conversation) claim(ctx context.Context, q backend.QueuedPrompt, sent bool) (events []backend.Event) {
	for _, a := range q.Attachments {
		if a.Kind != backend.AttachmentImage {
			continue
		}
		image, there := v.service.image(ctx, a.ContentID)
		if there && (image.ItemID == "" || sent && image.ItemID != q.ID && v.indexOf(image.ItemID) >= 0) {
			image.ItemID = q.ID
			events = append(events, backend.Event{Content: &image})
		}
	}
	return events
}

// release returns events for the images of q, a message that is being removed from the queue. Each image is assigned to
// another queued message that also uses it, or to none. The caller must hold v.mu.
func (v *conversation) release(ctx context.Context, q backend.QueuedPrompt) (events []backend.Event) {
	for _, a := range q.Attachments {
		image, there := v.service.image(ctx, a.ContentID)
		if !there || image.ItemID != q.ID {
			continue
		}
		image.ItemID = ""
		for _, other := range v.queue {
			if other.ID != q.ID && slices.ContainsFunc(other.Attachments, func(b backend.Attachment) bool { return b.ContentID == a.ContentID }) {
				image.ItemID = other.ID
			}
		}
		events = append(events, backend.Event{Content: &image})
	}
	return events
}

const (
	// maxHistoryImages is the maximum number of images from earlier messages that a model receives again. If there are
	// more, the model receives the newest ones. Each image costs as much as a page of text in every request.
	maxHistoryImages = 5
	// imageBytes is the number of bytes that an image adds to the estimated size of a conversation.
	imageBytes = 6000
)

// load reads the images attached to a message.
func (o *Orchestrator) load(ctx context.Context, with []backend.Attachment) (images []llm.Image, err error) {
	for _, a := range with {
		if a.Kind != backend.AttachmentImage {
			continue
		}
		image, err := o.cfg.Image(ctx, a.ContentID)
		if err != nil {
			return nil, failedError(backend.Say("Couldn't send the message because the image %s couldn't be read. Try again.", a.Name), err)
		}
		images = append(images, image)
	}
	return images, nil
}

// loadHistoryImages reads the newest images attached to earlier messages, at most maxHistoryImages, and returns them by
// content ID. Images that can't be read are left out.
func (o *Orchestrator) loadHistoryImages(ctx context.Context, past []Exchange) map[string]llm.Image {
	shown := map[string]llm.Image{}
	for _, e := range slices.Backward(past) {
		for _, a := range e.Attachments {
			if a.Kind != backend.AttachmentImage || len(shown) == maxHistoryImages {
				continue
			}
			if image, err := o.cfg.Image(ctx, a.ContentID); err == nil {
				shown[a.ContentID] = image
			}
		}
	}
	return shown
}

// userPrompt returns a user's message in the form that the model receives. It includes a list of the attachments, whose
// paths the model can pass to its tools.
func userPrompt(text string, with []backend.Attachment) string {
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

// historyPrompt returns an earlier message with its images. Images that aren't in p.pastImages are left out.
func (p *promptContext) historyPrompt(e Exchange) llm.Message {
	m := llm.Message{Role: llm.RoleUser, Text: userPrompt(e.Prompt, e.Attachments)}
	for _, a := range e.Attachments {
		if image, ok := p.pastImages[a.ContentID]; ok {
			m.Images = append(m.Images, image)
		}
	}
	return m
}

// dropImages removes the images attached to earlier messages. It reports whether there were any to
// remove.
func (p *promptContext) dropImages() bool {
	had := len(p.pastImages) > 0
	p.pastImages = nil
	return had
}
