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

// What tests reach into.
var ()

const (
	KeepToken = hideTokenFlag
	TraceName = traceName
)

// SetUndoTime is how long a deletion can be undone from now on.
func (a *API) SetUndoTime(d time.Duration) { a.undoTime = d }

// SetSaveTime bounds what is waited for before the computer sleeps.
func (a *API) SetSaveTime(d time.Duration) { a.saveTime = d }

// OpenAgain tries to open the database, as RetryStorage does, and waits for it.
func (a *API) OpenAgain() { a.open() }

// Redact keeps a secret out of the log.
func (a *API) Redact(secret string) { a.redact(secret) }

// SetLimit makes the minute of Settings.StopAfterMinutes another one, and how long
// before such a stop the user is told.
func (e *Engine) SetLimit(minute, warning time.Duration) { e.minute, e.warning = minute, warning }

// Later has do run in the background, unless the engine ends.
func (e *Engine) Later(do func()) { e.inBackground(do) }

// WaitForTasks waits for what goes on in the background.
func (e *Engine) WaitForTasks() { e.tasks.Wait() }

// Keys is where secrets are.
func (e *Engine) Keys() *keychain.Fallback { return &e.keys }

// Servers are the MCP servers that the agent of a chat is given.
func (e *Engine) Servers(chatID string) []session.MCPServer { return e.router.servers(chatID) }

// SendToSession is API.SendTo in the caller's time.
func (e *Engine) SendToSession(ctx context.Context, chatID, session, text string) error {
	return e.sendTo(ctx, chatID, session, text)
}

// Protects says why an edit of a file is asked for in every mode.
func (e *Engine) Protects(folder, file string) backend.Protection {
	return e.protectionOf(folder, file)
}

// HoldImage adds an image that waits for its chat.
func (e *Engine) HoldImage(at backend.Attachment, data []byte) { e.PendingImages.add(at, data) }

// Pending is how many images wait for their chat, and how many bytes they have.
func (e *Engine) Pending() (images, bytes int) {
	return len(e.PendingImages.all), e.PendingImages.bytes
}

// BeginExport and EndExport are what API.ExportChat does around ExportTo.
func (e *Engine) BeginExport(chatID string, end context.CancelFunc) bool {
	return e.exports.Begin(chatID, end)
}

func (e *Engine) EndExport(chatID string, tell func()) { e.exports.End(chatID, tell) }

// ExportTo writes a file as an export, and says how far it is.
func (e *Engine) ExportTo(chatID, path string, write func(io.Writer) error) error {
	return e.exportTo(chatID, path, write)
}

// StartHeld gives a chat an agent whose start calls hold when it is known what is
// started.
func (e *Engine) StartHeld(chat backend.Chat, hold func()) {
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
