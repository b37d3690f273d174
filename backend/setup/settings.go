package setup

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/platform/hotkey"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

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
