// Package setup manages the settings, the user's models and custom agents, and their
// secrets in the keychain.
package setup

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/hotkey"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/keychain"
)

// Config is the configuration of a Manager.
type Config struct {
	// Settings, Providers and CustomAgents are the state loaded at startup.
	Settings     backend.Settings
	Providers    map[string]backend.Provider
	CustomAgents map[string]backend.CustomAgent

	Keys    *keychain.Fallback                            // storage of secrets
	Publish func(...backend.Event)                        // queues events; it never blocks
	Commit  func(context.Context, ...backend.Event) error // publishes events and waits until they are durable
	Redact  func(secret string)                           // hides a secret in everything that is logged later
	Log     *slog.Logger
	Life    context.Context //nolint:containedctx // of background tasks
	Go      func(func())    // runs a function in the background

	// Check requests a provider's models from its endpoint, and the context size of the
	// selected one in tokens.
	Check func(ctx context.Context, p backend.Provider, key string) (models []string, fits int64, err *backend.Error)
	// ModelChanged is called when a provider's model has changed.
	ModelChanged func(providerID string)
}

// Manager manages the settings, the user's models and custom agents, and their secrets
// in the keychain. It is safe for concurrent use.
type Manager struct {
	cfg Config

	mu           sync.Mutex
	settings     backend.Settings
	providers    map[string]backend.Provider
	customAgents map[string]backend.CustomAgent
}

// New creates a Manager.
func New(cfg Config) *Manager {
	return &Manager{cfg: cfg, settings: cfg.Settings, providers: cfg.Providers, customAgents: cfg.CustomAgents}
}

// undoTime is the time limit for restoring a secret.
const undoTime = 10 * time.Second

// Settings returns the current settings.
func (m *Manager) Settings() backend.Settings {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settings
}

// Change passes a copy of the settings to the given function, which modifies the copy, and then saves the copy. It
// returns the previous settings.
func (m *Manager) Change(ctx context.Context, change func(*backend.Settings)) (was backend.Settings, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was, now := m.settings, m.settings
	change(&now)
	if err := m.cfg.Commit(ctx, backend.Event{Settings: &now}); err != nil {
		return was, backend.NotSaved(backend.Say("the settings"), err)
	}
	m.settings = now
	return was, nil
}

// maxIdleMinutes is the maximum number of minutes in the settings for the idle time and for the time limit of turns:
// one day.
const maxIdleMinutes = 24 * 60

// Maximum values of the settings for undo: the number of days for which files are kept, and their total size in GB.
const (
	maxUndoDays = 365
	maxUndoGB   = 100
)

// maxModeID is the maximum length in bytes of an agent mode's ID in the settings.
const maxModeID = 1000

// Check returns a user-facing error if the settings are invalid.
func Check(s backend.Settings) error {
	for _, path := range []string{s.CLIPath, s.CopilotHome} {
		if path != "" && !filepath.IsAbs(path) {
			return backend.Invalid("%s isn't a full path. Enter a full path.", path)
		}
	}
	switch {
	case s.IdleMinutes < 0 || s.IdleMinutes > maxIdleMinutes:
		return backend.Invalid("Enter an idle time from 1 to 1440 minutes, or 0 to keep the agent running.")
	case s.Attempts < 1 || s.Attempts > 2*backend.MaxAttempts:
		return backend.Invalid("Enter a number of reconnect attempts from 1 to 10.")
	case s.Mode != backend.ModeAsk && s.Mode != backend.ModeAcceptEdits:
		return backend.Invalid("New chats can use “Ask first” or “Allow edits”.")
	case backend.AsksNothing(s.AgentMode) || len(s.AgentMode) > maxModeID || !utf8.ValidString(s.AgentMode):
		return backend.Invalid("New chats must use a mode in which the agent asks for permission.")
	case s.SignIn != "" && !slices.Contains(signIns, s.SignIn):
		return backend.Invalid("Unknown sign-in method.")
	case !clientID.MatchString(s.ClientID):
		return backend.Invalid("A client ID contains only letters, digits, dots and dashes. Copy it from your OAuth app's settings on GitHub.")
	case s.IfLost != backend.IfLostRecap && s.IfLost != backend.IfLostFresh:
		return backend.Invalid("Choose whether the new session starts with or without a summary when a session can't be restored.")
	case s.Language != "" && s.Language != "en" && s.Language != "de" && s.Language != "zh":
		return backend.Invalid("VoxPilot is available in English, German and Chinese.")
	case s.CodeFont != "" && s.CodeFont != "system":
		return backend.Invalid("Choose JetBrains Mono or the system font for code.")
	case s.UndoDays < 1 || s.UndoDays > maxUndoDays:
		return backend.Invalid("Enter how long to keep files for undo, from 1 to 365 days.")
	case s.UndoGB < 1 || s.UndoGB > maxUndoGB:
		return backend.Invalid("Enter the maximum disk space for undo, from 1 to 100 GB.")
	case s.StopAfterMinutes < 0 || s.StopAfterMinutes > maxIdleMinutes:
		return backend.Invalid("Enter a time limit from 1 to 1440 minutes, or 0 for no limit.")
	}
	if s.Shortcut != "" {
		if _, err := hotkey.Parse(s.Shortcut); err != nil {
			return err
		}
	}
	return errors.Join(notify.Check(s.Notify), workspace.CheckEditor(s.Editor), checkSandboxSettings(s.Sandbox))
}

var (
	signIns  = []backend.TokenSource{backend.SourceEnv, backend.SourceStored, backend.SourceGH, backend.SourceCLI}
	clientID = regexp.MustCompile(`^[A-Za-z0-9.-]{0,100}$`)
)
