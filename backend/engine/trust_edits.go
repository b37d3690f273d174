package engine

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// editAsked notes what the user allows with an answer in the window, where that is
// the edit of a protected file: it counts as trust in what the file then runs. It is
// nil where the answer allows no such edit, or not all of it was shown.
func (e *Engine) editAsked(ctx context.Context, permissionID, optionID string, always bool) *trust.Edit {
	p, ok := e.Permissions.Open(permissionID)
	if !ok || p.Protected == "" || p.Outside || p.Unclear || p.Kind != backend.ToolEdit && p.Kind != backend.ToolDelete {
		return nil
	}
	allows := always || slices.ContainsFunc(p.Options, func(o backend.Option) bool {
		return o.ID == optionID && (o.Kind == backend.OptionAllowOnce || o.Kind == backend.OptionAllowAlways)
	})
	chat, err := e.Chats.Get(p.ChatID)
	if !allows || err != nil {
		return nil
	}
	files := p.Files
	if len(files) == 0 {
		files = []backend.PermissionFile{{Path: p.Path, ContentID: p.ContentID}}
	}
	var shown []trust.Shown
	for _, f := range files {
		if f.More > 0 || f.ContentID == "" {
			return nil
		}
		diff, content, err := e.Store.Content(ctx, f.ContentID, 0, 0)
		if err != nil || content.Type != backend.ContentDiff {
			return nil
		}
		shown = append(shown, trust.Shown{Path: f.Path, Diff: diff})
	}
	return e.Trust.Allow(e.starter(chat, chat.Folder), shown)
}

// ask has a request of an agent decided (agent.Config.Ask). An edit that the user
// allowed before is looked at first: the next one may be of the same file.
func (e *Engine) ask(ctx context.Context, p backend.Permission) (decided backend.Permission, ok bool) {
	if e.Trust.Edits(p.ChatID) {
		e.Trust.Edited(e.ctx, p.ChatID)
	}
	return e.Permissions.Ask(ctx, p)
}
