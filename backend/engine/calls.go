package engine

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// These methods pass calls from the window on. App, in the root package, documents them.

// Chats.

func (a *API) SetInitialOptions(chatID, modeID string, options map[string]string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setInitialOptions(ctx, chatID, modeID, options) })
}

func (a *API) ViewChat(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		e.Undo.Prepare(chatID)
		e.SessionUse.View(chatID)
		return e.Agents.restoreViewed(ctx, chatID)
	})
}

func (a *API) UndoTurn(turnID string, choices map[string]backend.UndoChoice) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Undo.Undo(ctx, turnID, choices) })
}

func (a *API) RedoTurn(turnID string, choices map[string]backend.UndoChoice) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Undo.Redo(ctx, turnID, choices) })
}

func (a *API) GoBack(turnID string, r backend.GoBackRequest) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Branch.GoBack(ctx, turnID, r) })
}

func (a *API) BringBack(chatID, asideID string, files bool) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Branch.BringBack(ctx, chatID, asideID, files) })
}

func (a *API) NewChatFrom(turnID string) (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) (err error) {
		chat, err = e.Branch.NewChat(ctx, turnID)
		return err
	})
	return chat, err
}

func (a *API) PutBack(chatID string, part backend.UndoPart) (res backend.PartResult, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) (err error) {
		res, err = e.Undo.PutBack(ctx, chatID, part)
		return err
	})
	return res, err
}

func (a *API) DeleteChat(id string, sessions bool) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.discard(ctx, id, sessions) })
}

func (a *API) RestoreChat(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.restore(ctx, id) })
}

func (a *API) ExportChat(chatID, format string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.export(chatID, format) })
}

// Messages, queue and attachments.

func (a *API) Stop(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Chats.Stop(chatID) })
}

func (a *API) ResumeQueue(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.Resume(ctx, chatID) })
}

func (a *API) EditQueued(id, text string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.EditQueued(ctx, id, text) })
}

func (a *API) BeginEdit(id string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Chats.BeginEdit(id) })
}

func (a *API) EndEdit(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.EndEdit(ctx, id) })
}

func (a *API) MoveQueued(id, before string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.MoveQueued(ctx, id, before) })
}

func (a *API) SendQueuedNow(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.SendQueuedNow(ctx, id) })
}

func (a *API) RemoveQueued(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.RemoveQueued(ctx, id) })
}

func (a *API) DismissBanner(itemID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.dismiss(ctx, itemID) })
}

// Model or agent, and its sessions.

func (a *API) SetProvider(chatID, providerID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setProvider(ctx, chatID, providerID) })
}

func (a *API) SetOrchestrator(chatID, providerID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setOrchestrator(ctx, chatID, providerID) })
}

func (a *API) SetMode(chatID, session, modeID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.setMode(ctx, chatID, session, modeID) })
}

func (a *API) SetOption(chatID, session, optionID, value string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		return e.Agents.setOption(ctx, chatID, session, optionID, value)
	})
}

func (a *API) SendTo(chatID, session, text string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.sendTo(ctx, chatID, session, text) })
}

func (a *API) StopBlock(itemID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Chats.StopBlock(itemID) })
}

func (a *API) RenameSession(chatID, session, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.renameSession(ctx, chatID, session, name) })
}

func (a *API) CloseSession(chatID, session string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.removeSession(ctx, chatID, session) })
}

func (a *API) RestartSession(chatID, session string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.restartSession(ctx, chatID, session) })
}

func (a *API) ContinueSession(chatID, acpID, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.continueSession(ctx, chatID, acpID, name) })
}

func (a *API) ForkSession(chatID, session, name string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Agents.forkSession(ctx, chatID, session, name) })
}

func (a *API) StopAgent(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.stop(chatID) })
}

func (a *API) StopProcess(chatID, id string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.stopProcess(chatID, id) })
}

func (a *API) SaveProtocol(chatID string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Agents.saveProtocol(chatID) })
}

// Permissions and trust.

func (a *API) SetPermissionMode(chatID string, mode backend.PermissionMode) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setPermissionMode(ctx, chatID, mode) })
}

func (a *API) SetSandbox(chatID string, s backend.Sandbox) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.setSandbox(ctx, chatID, s) })
}

func (a *API) CheckSandbox() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.sandbox.Check()
		return nil
	})
}

func (a *API) FindSandboxSites() error {
	return a.Call(func(_ context.Context, e *Engine) error {
		e.sandbox.FindSites()
		return nil
	})
}

func (a *API) RunOutside(itemID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.runOutside(ctx, itemID) })
}

func (a *API) RemoveRule(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Permissions.RemoveRule(ctx, id) })
}

func (a *API) RemoveAllRules() error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Permissions.RemoveAll(ctx) })
}

func (a *API) OpenWithoutRunning(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.wholeAgents.Open(ctx, id) })
}

func (a *API) ReviewTrust(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.reviewTrust(ctx, chatID) })
}

func (a *API) TrustFolder(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Trust.Trust(ctx, id) })
}

func (a *API) ForgetFolder(key string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Trust.Forget(ctx, key) })
}

// GitHub sign-in.

func (a *API) SignInToken(token string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Auth.UseToken(ctx, token) })
}

func (a *API) SignOut() error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.signOut(ctx) })
}

func (a *API) CheckAccount() error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Auth.Recheck(ctx) })
}

// Settings, models, agents, the Copilot CLI and updates.

func (a *API) SaveSettings(s backend.Settings) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.saveSettings(ctx, s) })
}

func (a *API) CheckProvider(id string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.Setup.CheckProvider(id) })
}

func (a *API) InstallCLI(how string) error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.installCLI(how) })
}

func (a *API) CheckUpdate() error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.updates.Check() })
}

func (a *API) DownloadUpdate() error {
	return a.Call(func(_ context.Context, e *Engine) error { return e.updates.Download() })
}

// Files, folders and the clipboard.

func (a *API) OpenInEditor(chatID, path string, line int) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.openInEditor(ctx, chatID, path, line) })
}

func (a *API) OpenFolder(chatID string) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.openFolder(ctx, chatID) })
}

func (a *API) OpenSessionFolder() error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.openSessionFolder(ctx) })
}
