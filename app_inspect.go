package main

import "context"

// OpenInEditor opens a file of a chat in the user's editor, at a line where that
// is not 0. It never executes the file.
func (a *API) OpenInEditor(chatID, path string, line int) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.openInEditor(ctx, chatID, path, line) })
}

// OpenFolder shows a chat's folder in the file manager.
func (a *API) OpenFolder(chatID string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.openFolder(ctx, chatID) })
}

// OpenSessionFolder shows where Copilot keeps its session files.
func (a *API) OpenSessionFolder() error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.openSessionFolder(ctx) })
}

// ContinueSession adds a session that the agent knows, and VoxPilot does not yet,
// to a chat under a name: one that was begun in a terminal, say.
func (a *API) ContinueSession(chatID, acpID, name string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.agents.continueSession(ctx, chatID, acpID, name) })
}

// ForkSession begins a session with all that another one knows, where the agent
// can do that.
func (a *API) ForkSession(chatID, session, name string) error {
	return a.call(func(ctx context.Context, e *Engine) error { return e.agents.forkSession(ctx, chatID, session, name) })
}

// InstallCLI installs the Copilot CLI, or updates it: how is one of the ids of
// CLI.Installers. It returns at once; CLI events tell how it goes.
func (a *API) InstallCLI(how string) error {
	return a.call(func(_ context.Context, e *Engine) error { return e.installCLI(how) })
}
