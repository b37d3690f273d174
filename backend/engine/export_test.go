package engine

import (
	"context"
	"io"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/agent/session"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// The functions in this file let tests use internals of the package.
var ()

const (
	KeepToken = hideTokenFlag
	TraceName = traceName
)

// SetUndoTime sets the time during which a deletion can be undone.
func (a *API) SetUndoTime(d time.Duration) { a.undoTime = d }

// SetSaveTime sets the time limit for saving before the computer sleeps.
func (a *API) SetSaveTime(d time.Duration) { a.saveTime = d }

// Reopen does the same as RetryStorage, but returns only when the attempt to open the database has ended.
func (a *API) Reopen() { a.open() }

// Redact keeps a secret out of the log.
func (a *API) Redact(secret string) { a.redact(secret) }

// SetLimit sets the duration that counts as a minute of Settings.StopAfterMinutes, and
// the time between the warning and the stop.
func (e *Engine) SetLimit(minute, warning time.Duration) { e.minute, e.warning = minute, warning }

// RunInBackground runs the function do in the background, unless the engine is closing.
func (e *Engine) RunInBackground(do func()) { e.inBackground(do) }

// WaitForTasks waits for the background tasks.
func (e *Engine) WaitForTasks() { e.tasks.Wait() }

// Keys returns the store of secrets.
func (e *Engine) Keys() *keychain.Fallback { return &e.keys }

// Servers returns the MCP servers for a chat's agent.
func (e *Engine) Servers(chatID string) []session.MCPServer { return e.router.servers(chatID) }

// SendToSession does the same as API.SendTo, with the caller's context.
func (e *Engine) SendToSession(ctx context.Context, chatID, session, text string) error {
	return e.sendTo(ctx, chatID, session, text)
}

// ProtectionOf returns the reason why the user must decide on edits to a file in every permission mode, or "" if
// there is none.
func (e *Engine) ProtectionOf(folder, file string) backend.Protection {
	return e.protectionOf(folder, file)
}

// AddPendingImage adds a pending image.
func (e *Engine) AddPendingImage(at backend.Attachment, data []byte) { e.PendingImages.add(at, data) }

// PendingSize returns the number of pending images and their total size in bytes.
func (e *Engine) PendingSize() (images, bytes int) {
	return len(e.PendingImages.all), e.PendingImages.bytes
}

// StartExport performs the steps of API.ExportChat before ExportTo, and FinishExport performs the steps after it.
func (e *Engine) StartExport(chatID string, end context.CancelFunc) bool {
	return e.exports.Begin(chatID, end)
}

func (e *Engine) FinishExport(chatID string, tell func()) { e.exports.End(chatID, tell) }

// ExportTo writes a file in the same way as an export and publishes the progress.
func (e *Engine) ExportTo(chatID, path string, write func(io.Writer) error) error {
	return e.exportTo(chatID, path, write)
}

// StartPaused gives a chat an agent that calls the function hold before each start, once the launch parameters are
// known.
func (e *Engine) StartPaused(chat backend.Chat, hold func()) {
	cfg := e.Agents.config(chat, nil, nil)
	launch := cfg.Launch
	cfg.Launch = func(ctx context.Context) (agent.Launch, *agent.LaunchError) {
		l, err := launch(ctx)
		hold()
		return l, err
	}
	e.Agents.mu.Lock()
	defer e.Agents.mu.Unlock()
	e.Agents.byChat[chat.ID] = agent.New(cfg)
}
