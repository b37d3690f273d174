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

// promptBlocks returns the content blocks of a prompt: the session's pending recap, if any, then the unchanged text and
// the attachments. For a slash command, the recap is left out, because the command must be the first block. recapped is
// true if the blocks include the recap. Errors are user-facing.
func (a *Agent) promptBlocks(ctx context.Context, k *conn, s *session.Session, text string, attachments []backend.Attachment) (blocks []sdk.ContentBlock, recapped bool, err error) {
	attached, err := a.attachmentBlocks(ctx, k, attachments)
	if err != nil {
		return nil, false, err
	}
	row := s.Row()
	a.mu.Lock()
	recap, pending := a.recaps[s.Name]
	a.mu.Unlock()
	if !pending && row.ReplacesID != "" && !row.HadPrompt { // from an earlier run of the app
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

// markRecapSent records that the session has received its recap. It does nothing if recapped is false.
func (a *Agent) markRecapSent(s *session.Session, recapped bool) {
	if recapped {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.recaps, s.Name)
	}
}

// isCommand reports whether text starts with one of the session's slash commands.
func isCommand(text string, row backend.Session) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return strings.HasPrefix(name, "/") && slices.ContainsFunc(row.Commands, func(c backend.Choice) bool { return "/"+c.ID == name })
}

// markSent durably records that the turn was sent and that the session has received a prompt. The caller must call it
// before sending the prompt. From then on, later processes restore the session, and replace it if it is lost. markSent
// returns the session's previous row; its errors are those of commit.
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

// settleCommandPrompt sets the session's HadPrompt to false if the agent doesn't list the session. It is called if the
// session's first prompt was a slash command for which the agent reported no token usage: the Copilot CLI runs some
// commands itself and doesn't store the session until it receives another prompt.
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

// unmarkSent undoes markSent after a prompt that wasn't sent or that the agent ignored. before is the row that markSent
// returned.
func (a *Agent) unmarkSent(s *session.Session, turn *backend.Turn, before backend.Session) {
	turn.SentAt = 0
	unsent := *turn
	a.cfg.Publish(backend.Event{Turn: &unsent})
	s.SetHadPrompt(before.HadPrompt)
}

// attachmentBlocks returns the ACP content blocks of the attachments: images as data,
// files and folders as links that the agent reads if needed. Its errors are user-facing.
func (a *Agent) attachmentBlocks(ctx context.Context, k *conn, attachments []backend.Attachment) (blocks []sdk.ContentBlock, err error) {
	isImage := func(w backend.Attachment) bool { return w.Kind == backend.AttachmentImage }
	if !k.declaredCapabilities().Image && slices.ContainsFunc(attachments, isImage) {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Copilot doesn't accept images. Send the message without them.")}
	}
	for _, w := range attachments {
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

// fileURI returns the file URI (RFC 8089) of a path, which may be a Windows path.
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
