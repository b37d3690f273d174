// Package setup keeps what the user has set up: the settings, models and agents of
// their own, and in the keychain the secrets of these.
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

// Config is what a Desk is made with.
type Config struct {
	// What was set up before.
	Settings  backend.Settings
	Providers map[string]backend.Provider
	Profiles  map[string]backend.Profile

	Keys    *keychain.Fallback // where secrets are kept
	Publish func(...backend.Event)
	Commit  func(context.Context, ...backend.Event) error
	Redact  func(secret string) // keeps a secret out of the log
	Log     *slog.Logger
	Life    context.Context //nolint:containedctx // of what goes on in the background
	Go      func(func())    // runs something in the background

	// Check asks the endpoint of a provider for its models, and how many tokens fit
	// into the one that is chosen.
	Check func(ctx context.Context, p backend.Provider, key string) (models []string, fits int64, err *backend.Error)
	// ModelChanged is told that a provider has another model.
	ModelChanged func(providerID string)
}

// Desk keeps what the user has set up: the settings, models and agents of their
// own, and in the keychain the secrets of these.
type Desk struct {
	cfg Config

	mu        sync.Mutex
	settings  backend.Settings
	providers map[string]backend.Provider
	profiles  map[string]backend.Profile
}

// New makes a Desk.
func New(cfg Config) *Desk {
	return &Desk{cfg: cfg, settings: cfg.Settings, providers: cfg.Providers, profiles: cfg.Profiles}
}

// undoTime bounds how long a secret that could not be kept is put back.
const undoTime = 10 * time.Second

// Settings are the settings as they are now.
func (d *Desk) Settings() backend.Settings {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.settings
}

// Change changes the settings durably and returns those of before.
func (d *Desk) Change(ctx context.Context, change func(*backend.Settings)) (was backend.Settings, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	was, now := d.settings, d.settings
	change(&now)
	if err := d.cfg.Commit(ctx, backend.Event{Settings: &now}); err != nil {
		return was, backend.NotSaved("The settings", err)
	}
	d.settings = now
	return was, nil
}

// maxIdleMinutes is a day.
const maxIdleMinutes = 24 * 60

// maxModeID is how long the id of an agent's mode may be in the settings.
const maxModeID = 1000

// Check refuses what nobody could have meant.
func Check(s backend.Settings) error {
	for _, path := range []string{s.CLIPath, s.CopilotHome} {
		if path != "" && !filepath.IsAbs(path) {
			return backend.Invalid("%s is not a whole path. Write it from the root.", path)
		}
	}
	switch {
	case s.IdleMinutes < 0 || s.IdleMinutes > maxIdleMinutes:
		return backend.Invalid("An agent can be kept for 1 to 1440 minutes without work, or for ever with 0.")
	case s.Attempts < 1 || s.Attempts > 2*backend.MaxAttempts:
		return backend.Invalid("An agent can be started again 1 to 10 times in a minute.")
	case s.Mode != backend.ModeAsk && s.Mode != backend.ModeAcceptEdits:
		return backend.Invalid(`New chats can begin with "Ask first" or "Allow edits".`)
	case backend.AsksNothing(s.AgentMode) || len(s.AgentMode) > maxModeID || !utf8.ValidString(s.AgentMode):
		return backend.Invalid("New chats begin in a mode in which the agent asks.")
	case s.SignIn != "" && !slices.Contains(signIns, s.SignIn):
		return backend.Invalid("There is no such sign-in.")
	case !clientID.MatchString(s.ClientID):
		return backend.Invalid("A client ID has letters, digits, dots and dashes only. Copy it from the settings of the OAuth app at GitHub.")
	case s.IfLost != backend.IfLostRecap && s.IfLost != backend.IfLostFresh:
		return backend.Invalid("A session that is lost can be replaced with a summary or without one.")
	case s.Language != "" && s.Language != "en" && s.Language != "de" && s.Language != "zh":
		return backend.Invalid("The window speaks English, German and Chinese.")
	case s.CodeFont != "" && s.CodeFont != "system":
		return backend.Invalid("Code is shown in JetBrains Mono or in the system's own font.")
	case s.StopAfterMinutes < 0 || s.StopAfterMinutes > maxIdleMinutes:
		return backend.Invalid("A turn can be stopped after 1 to 1440 minutes of work, or never with 0.")
	}
	if s.Shortcut != "" {
		if _, err := hotkey.Parse(s.Shortcut); err != nil {
			return err
		}
	}
	return errors.Join(notify.Check(s.Notify), workspace.CheckEditor(s.Editor))
}

var (
	signIns  = []backend.TokenSource{backend.SourceEnv, backend.SourceStored, backend.SourceGH, backend.SourceCLI}
	clientID = regexp.MustCompile(`^[A-Za-z0-9.-]{0,100}$`)
)
