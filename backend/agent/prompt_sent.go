package agent

import (
	"context"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// promptBlocks is what goes out for text and what goes with it: the user's words as
// they are, in a block of their own, and in front of the first of a session that
// took the place of a lost one what that one was about. A command of the agent's
// goes without that, since it would be none behind something else. recapped says
// that it is among the blocks. An error says for a person why nothing can go out.
func (a *Agent) promptBlocks(ctx context.Context, k *conn, s *session.Session, text string, with []backend.Attachment) (blocks []sdk.ContentBlock, recapped bool, err error) {
	attached, err := a.attachmentBlocks(ctx, k, with)
	if err != nil {
		return nil, false, err
	}
	row := s.Row()
	a.mu.Lock()
	recap, pending := a.recaps[s.Name]
	a.mu.Unlock()
	if !pending && row.ReplacesID != "" && !row.HadPrompt { // of an earlier run of the app
		recap = a.recap(ctx, s.Name)
		a.mu.Lock()
		a.recaps[s.Name] = recap
		a.mu.Unlock()
	}
	recapped = recap != "" && !isCommand(text, row)
	if recapped {
		blocks = append(blocks, sdk.TextBlock(recap))
	}
	if text != "" || len(attached) == 0 {
		blocks = append(blocks, sdk.TextBlock(text))
	}
	return append(blocks, attached...), recapped, nil
}

// markRecapSent notes that the session was told its recap, where it was.
func (a *Agent) markRecapSent(s *session.Session, recapped bool) {
	if recapped {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.recaps, s.Name)
	}
}

// isCommand says whether text is a slash command of the agent's.
func isCommand(text string, row backend.Session) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return strings.HasPrefix(name, "/") && slices.ContainsFunc(row.Commands, func(c backend.Choice) bool { return "/"+c.ID == name })
}

// markSent makes it durable that the turn goes to the agent now, and that the
// session has a prompt, before it has: from then on the agent keeps it, and its
// loss is one. It returns the row of before.
func (a *Agent) markSent(ctx context.Context, s *session.Session, turn *backend.Turn) (before backend.Session, err error) {
	before = s.Row()
	sent, row := *turn, before
	sent.SentAt = backend.Now()
	row.UsedAt, row.HadPrompt = sent.SentAt, true
	if err := a.commit(ctx, row, backend.Event{Turn: &sent}); err != nil {
		return before, err
	}
	turn.SentAt = sent.SentAt
	s.MarkPrompted(before, row.UsedAt)
	return before, nil
}

// settleCommandPrompt notes what came of a session whose first prompt was a command.
// The Copilot CLI carries some out by itself, and keeps nothing of a session
// that had no other prompt: its loss is none.
func (a *Agent) settleCommandPrompt(k *conn, s *session.Session) {
	row, _ := a.row(s.Name)
	var gone atomic.Bool
	_, err := k.within(k.ctx, func() (r gjson.Result, err error) {
		kept, err := k.listed(row)
		gone.Store(!kept && err == nil)
		return r, err
	})
	if err != nil || !gone.Load() {
		return
	}
	s.SetHadPrompt(false)
}

// unmarkSent takes back what markSent said: the agent did nothing with the prompt.
func (a *Agent) unmarkSent(s *session.Session, turn *backend.Turn, before backend.Session) {
	turn.SentAt = 0
	unsent := *turn
	a.cfg.Publish(backend.Event{Turn: &unsent})
	s.SetHadPrompt(before.HadPrompt)
}

// attachmentBlocks is what goes with a prompt, as ACP has it: the bytes of images, and
// the addresses of files and folders, which the agent reads where it needs to.
func (a *Agent) attachmentBlocks(ctx context.Context, k *conn, with []backend.Attachment) (blocks []sdk.ContentBlock, err error) {
	isImage := func(w backend.Attachment) bool { return w.Kind == backend.AttachmentImage }
	if !k.declaredCapabilities().Image && slices.ContainsFunc(with, isImage) {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot doesn't accept images. Send the message without them.")}
	}
	for _, w := range with {
		if !isImage(w) {
			link := sdk.ContentBlockResourceLink{Type: "resource_link", Name: w.Name, Uri: fileURI(w.Path)}
			if w.Mime != "" {
				link.MimeType = &w.Mime
			}
			if w.Size > 0 {
				size := int(w.Size)
				link.Size = &size
			}
			blocks = append(blocks, sdk.ContentBlock{ResourceLink: &link})
			continue
		}
		mime, data, err := a.cfg.Image(ctx, w.ContentID)
		if err != nil {
			return nil, &backend.Error{
				Code: backend.CodeStorage, Message: backend.Say("The message wasn't sent because the image %s couldn't be read. Try again.", w.Name),
				Detail: err.Error(),
			}
		}
		image := sdk.ContentBlockImage{Type: "image", MimeType: mime, Data: base64.StdEncoding.EncodeToString(data)}
		if w.Path != "" {
			uri := fileURI(w.Path)
			image.Uri = &uri
		}
		blocks = append(blocks, sdk.ContentBlock{Image: &image})
	}
	return blocks, nil
}

// fileURI is the address of a file (RFC 8089), whose path may be one of Windows.
func fileURI(path string) string {
	host := ""
	path = filepath.ToSlash(path)
	if share, is := strings.CutPrefix(path, "//"); is && filepath.VolumeName(path) != "" {
		host, path, _ = strings.Cut(share, "/")
		path = "/" + path
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Host: host, Path: path}).String()
}
