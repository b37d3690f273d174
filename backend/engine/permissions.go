package engine

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
)

// Answer answers an open permission request with one of its options. If always is true, a rule is created from the
// request's scope.
func (a *API) Answer(permissionID, optionID string, always bool) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		edit := e.editOf(ctx, permissionID, optionID, always)
		err := e.Permissions.Answer(ctx, permissionID, optionID, always)
		if err != nil {
			e.Trust.CancelEdit(edit)
		}
		return err
	})
}

// Reject rejects an open permission request. If reason isn't empty, it is sent as the chat's next message when the turn
// has ended, before any queued messages.
func (a *API) Reject(permissionID, reason string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		reason = strings.TrimSpace(reason)
		if reason == "" {
			return e.Permissions.Reject(ctx, permissionID, "")
		}
		chatID, err := e.Permissions.ChatOf(permissionID)
		if err != nil {
			return err
		}
		return e.Chats.SendNext(ctx, chatID, reason, func(ctx context.Context, events ...backend.Event) error {
			return e.Permissions.Reject(ctx, permissionID, reason, events...)
		})
	})
}

// SaveRule adds or changes a rule that the user created in the settings.
func (a *API) SaveRule(rule backend.Rule) (saved backend.Rule, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		saved, err = e.Permissions.SaveRule(ctx, rule)
		return err
	})
	return saved, err
}

// setPermissionMode sets the permission mode of a chat and applies it to open requests. Unless the mode is "Allow
// everything", it also makes the agent ask for permission again.
func (e *Engine) setPermissionMode(ctx context.Context, chatID string, mode backend.PermissionMode) error {
	switch mode {
	case backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass:
	default:
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Unknown permission mode."), Detail: string(mode)}
	}
	if err := e.Chats.Change(ctx, chatID, func(c *backend.Chat) { c.PermissionMode = mode }); err != nil {
		return err
	}
	e.Permissions.ModeChanged(ctx, chatID)
	if mode == backend.ModeBypass {
		return nil
	}
	return e.Agents.askAgain(ctx, chatID)
}

// permissionMode returns the current mode of a chat (permission.Config.Mode).
func (e *Engine) permissionMode(chatID string) backend.PermissionMode {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return backend.ModeAsk
	}
	return chat.PermissionMode
}

// maxSuspects is the maximum number of hooks and settings that a banner lists.
const maxSuspects = 5

// suspects returns the folder's hooks and settings that might answer permission requests on the user's behalf, at most
// maxSuspects (agent.Config.Suspects).
func (e *Engine) suspects(folder string) (lines []string) {
	found, err := trust.Inventory(e.ctx, folder, trust.Everyone)
	if err != nil {
		e.Log.Warn("couldn't read the folder's hooks and settings", "err", err)
		return nil
	}
	for _, entry := range found.Entries {
		if entry.AnswersRequests() && len(lines) < maxSuspects {
			lines = append(lines, strings.TrimSpace(entry.File+" "+entry.Key))
		}
	}
	return lines
}

// protectionOf returns the reason why the user must decide on an edit to a file in every permission mode, or "" if
// there is none (permission.Config.Protected). VoxPilot's data directory is protected, but a chat whose folder is
// inside it, such as the practice chat, may edit files in its folder.
func (e *Engine) protectionOf(folder, file string) backend.Protection {
	g := e.trustGuard()
	if slices.ContainsFunc(g.Data, func(dir string) bool { return trust.Below(dir, folder) && trust.Below(folder, file) }) {
		g.Data = nil
	}
	return g.Protected(file)
}

// trustGuard returns the trust.Guard for the protected files on this computer: those in the user's home directory, in
// VoxPilot's data directory and in the CLI's directory.
func (e *Engine) trustGuard() trust.Guard {
	home, _ := os.UserHomeDir() // without a home directory there are no shell files to protect
	own := []string{e.Dir}
	if real, err := filepath.EvalSymlinks(e.Dir); err == nil {
		own = append(own, real)
	}
	return trust.Guard{Home: home, Data: own, Agent: []string{cmp.Or(e.cliHome(), filepath.Join(home, ".copilot"))}}
}
