// Package setup keeps what the user has set up: the settings, models and agents of
// their own, and in the keychain the secrets of these.
package setup

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
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
