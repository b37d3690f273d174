package engine

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
)

// setSandbox sets where a chat's commands run, from the next command on.
func (e *Engine) setSandbox(ctx context.Context, chatID string, s backend.Sandbox) error {
	switch s.Network {
	case "", backend.NetworkOff, backend.NetworkSites, backend.NetworkOn:
	default:
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Unknown network setting."), Detail: string(s.Network)}
	}
	if i := slices.IndexFunc(s.Write, func(folder string) bool { return !filepath.IsAbs(folder) }); i >= 0 {
		return backend.Invalid("%s isn't a full path. Enter a full path.", s.Write[i])
	}
	if err := e.Chats.Change(ctx, chatID, func(c *backend.Chat) { c.Sandbox = s }); err != nil {
		return err
	}
	e.Permissions.ModeChanged(ctx, chatID)
	return nil
}
