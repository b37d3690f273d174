package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/feed"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/backend/platform/hotkey"
	"github.com/voxpilot/voxpilot/backend/platform/notify"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/process"
)

// engine is everything that needs the open database. Facts go one way through
// it: chats, agents and permissions make events; the feed commits them to the
// store, numbers them and emits them to the window.
type engine struct {
	app         *App
	run         string
	store       *store.Store
	feed        *feed.Feed
	permissions *permission.Desk
	trust       *trust.Desk
	chats       *assistant.Chats
	files       *workspace.Files
	held        held
	agents      *agents
	limits      *limits
	minute      time.Duration // of Settings.StopAfterMinutes
	warning     time.Duration // how long before such a stop the user is told
	answers     *answers
	auth        *auth.Desk
	keys        keychain.Fallback
	trash       trash
	updates     *update.Updater
	installing  atomic.Bool  // an update, until it fails or the app ends
	shell       *environment // of the user's login shell
	exports     exports

	ctx   context.Context // of what goes on in the background; ends with the engine
	end   context.CancelFunc
	tasks sync.WaitGroup // what goes on in the background

	finding   sync.Mutex // one search for the CLI at a time
	cliSignIn cliSignIn

	mu        sync.Mutex
	cli       backend.CLI
	settings  backend.Settings
	providers map[string]backend.Provider
	profiles  map[string]backend.Profile
}

// openEngine opens the database and wires the engine. Errors come with how the
// database stands, for the window.
func openEngine(ctx context.Context, a *App) (*engine, backend.Storage, error) {
	db, storage, err := store.Open(ctx, a.dir)
	if err != nil {
		return nil, storage, err
	}
	process.Reap(a.records(), a.log) // the lock of the database says that they are of a VoxPilot that is no more
	e := &engine{app: a, run: backend.NewID(), store: db, cli: backend.CLI{State: backend.CLIChecking, Min: backend.MinCLIVersion}}
	e.ctx, e.end = context.WithCancel(context.Background())
	e.shell = newEnvironment(e.ctx, a.log)
	if err := e.wire(ctx); err != nil {
		return nil, backend.Storage{
			State: backend.StorageUnusable, Path: storage.Path,
			Message: "The database was opened, but what is in it could not be read.",
		}, errors.Join(err, db.Close())
	}
	return e, storage, nil
}

func (e *engine) wire(ctx context.Context) error {
	kept, err := readKept(ctx, e.store)
	if err != nil {
		return err
	}
	e.settings, e.providers, e.profiles = kept.settings, kept.providers, kept.profiles
	e.app.overview.begin(kept.chats, kept.settings)
	e.feed = feed.New(feed.Config{
		Run:   e.run,
		Apply: e.store.Apply,
		Emit: func(b backend.Batch) {
			e.app.pulse.sent()
			e.app.desktop().emit(b)
		},
		Watch: e.app.overview.see,
		Log:   e.app.log,
	})
	e.permissions = permission.New(permission.Config{
		Publish: func(events ...backend.Event) {
			e.feed.Publish(events...)
			e.chats.Does(events...)
			e.limits.sees(events...)
		},
		Commit: func(ctx context.Context, events ...backend.Event) error {
			err := e.feed.Commit(ctx, events...)
			if err == nil {
				e.chats.Does(events...)
				e.limits.sees(events...)
			}
			return err
		},
		Rules:      kept.rules,
		Mode:       e.permissionMode,
		AskOutside: func() bool { return e.currentSettings().AskOutside },
		Protected:  e.protected,
	})
	e.trust = e.newTrust()
	e.auth = e.newAuth(kept.logins)
	e.files = workspace.NewFiles(workspace.FilesConfig{LoginPath: e.loginPath, Fresh: filesFresh})
	e.agents, e.limits, e.minute, e.warning = newAgents(e), newLimits(), time.Minute, time.Minute
	e.answers = newAnswers(e)
	e.updates = newUpdates(e)
	e.answers.models.Use(e.shell.through)
	e.chats = assistant.New(assistant.Config{
		Chats: kept.chats, Queued: kept.queued,
		Prompt: e.answers.prompt, Publish: e.feed.Publish, Commit: e.feed.Commit,
		Content: e.content, Takes: e.takes,
	})
	old := e.chats.Discarded()
	e.tasks.Go(func() { e.emptyTrash(old) })
	return nil
}

// kept is what was in the database when it was opened.
type kept struct {
	chats     []backend.Chat
	queued    []backend.Queued
	rules     []backend.Rule
	logins    []backend.Login
	providers map[string]backend.Provider
	profiles  map[string]backend.Profile
	settings  backend.Settings
}

// readKept reads the rows that the packages hold in memory, by way of the same
// events that the window begins with.
func readKept(ctx context.Context, db *store.Store) (kept, error) {
	k := kept{providers: map[string]backend.Provider{}, profiles: map[string]backend.Profile{}, settings: backend.DefaultSettings()}
	view, err := db.BeginView(ctx)
	if err != nil {
		return k, err
	}
	defer view.Close()
	events, err := view.AppEvents(ctx)
	for _, ev := range events {
		switch {
		case ev.Chat != nil:
			k.chats = append(k.chats, *ev.Chat)
		case ev.Queued != nil:
			k.queued = append(k.queued, *ev.Queued)
		case ev.Rule != nil:
			k.rules = append(k.rules, *ev.Rule)
		case ev.Login != nil:
			k.logins = append(k.logins, *ev.Login)
		case ev.Provider != nil:
			k.providers[ev.Provider.ID] = *ev.Provider
		case ev.Profile != nil:
			k.profiles[ev.Profile.ID] = *ev.Profile
		case ev.Settings != nil:
			k.settings = *ev.Settings
		}
	}
	return k, err
}

// start tells the window how things stand and begins to look for the CLI.
func (e *engine) start(storage backend.Storage) {
	e.feed.Publish(backend.Event{Storage: &storage}, backend.Event{CLI: &e.cli})
	e.app.place.opened(e.feed.Publish)
	e.tasks.Go(func() { e.findCLI() })
	e.tasks.Go(func() { e.shell.shell() })
	e.tasks.Go(func() {
		if err := e.store.Upkeep(e.ctx); err != nil {
			e.app.log.Error("the search index is not kept up", "err", err)
		}
	})
	e.auth.Start()
	e.updates.Start()
}

// loginPath is the PATH for agents and for what is looked for.
func (e *engine) loginPath() string { return e.shell.path() }

// environ is the environment for agents, but for their PATH.
func (e *engine) environ() []string { return e.shell.environ() }

// close has what is known now on the disk first: whoever ends VoxPilot may not
// wait for more. Then it ends the turns and the agents, which may take long, and
// writes what they had to say.
func (e *engine) close(ctx context.Context) error {
	e.save()
	e.app.place.closed()
	err := e.chats.Close(ctx)
	e.end() // a search for the CLI would keep an agent that starts
	err = errors.Join(err, e.agents.close(ctx))
	e.answers.close()
	err = errors.Join(err, e.files.Close(ctx))
	e.auth.Close()
	e.updates.Close()
	e.tasks.Wait()
	e.exports.close()
	return errors.Join(err, e.feed.Close(ctx), e.store.Close())
}

// findCLI looks for the Copilot CLI, and publishes that it does and what it found.
func (e *engine) findCLI() backend.CLI {
	e.finding.Lock()
	defer e.finding.Unlock()
	e.mu.Lock()
	e.cli.Looking = true
	looking := e.cli
	e.feed.Publish(backend.Event{CLI: &looking})
	e.mu.Unlock()
	found := copilot.Find(e.ctx, e.currentSettings().CLIPath, e.shell.lately)
	found.Installers = e.installersFor(found)
	e.mu.Lock()
	found.Install = e.cli.Install
	found.LookedAt = max(backend.Now(), e.cli.LookedAt+1) // each answer is another, also the same one
	e.cli = found
	e.feed.Publish(backend.Event{CLI: &found})
	e.mu.Unlock()
	e.app.log.Info("looked for the Copilot CLI", "state", found.State, "path", found.Path, "version", found.Version)
	if found.State == backend.CLIFound {
		e.agents.cliFound()
	}
	return found
}

// usableCLI is the CLI found last, looked for again where that cannot be used.
func (e *engine) usableCLI() backend.CLI {
	e.mu.Lock()
	cli := e.cli
	e.mu.Unlock()
	if cli.State == backend.CLIFound && isFile(cli.Path) {
		return cli
	}
	return e.findCLI()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (e *engine) currentSettings() backend.Settings {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.settings
}

// saveSettings replaces the settings; a new path of the CLI is tried at once.
func (e *engine) saveSettings(ctx context.Context, s backend.Settings) error {
	if err := checkSettings(s); err != nil {
		return err
	}
	was, err := e.changeSettings(ctx, func(now *backend.Settings) { *now = s })
	if err != nil {
		return err
	}
	if s.SignIn != was.SignIn || s.ClientID != was.ClientID || s.CopilotHome != was.CopilotHome {
		if err := e.auth.Recheck(ctx); err != nil {
			return err
		}
	}
	if s.CLIPath != was.CLIPath {
		e.agents.outdate("")
		e.tasks.Go(func() { e.findCLI() })
	}
	if s.AskOutside != was.AskOutside {
		e.permissions.ModeChanged(ctx, "")
	}
	return nil
}

// changeSettings changes the settings durably and returns those of before.
func (e *engine) changeSettings(ctx context.Context, change func(*backend.Settings)) (was backend.Settings, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	was, now := e.settings, e.settings
	change(&now)
	if err := e.feed.Commit(ctx, backend.Event{Settings: &now}); err != nil {
		return was, notSaved("The settings", err)
	}
	e.settings = now
	return was, nil
}

// maxIdleMinutes is a day.
const maxIdleMinutes = 24 * 60

// maxModeID is how long the id of an agent's mode may be in the settings.
const maxModeID = 1000

// checkSettings refuses what nobody could have meant.
func checkSettings(s backend.Settings) error {
	invalid := func(message string) error { return &backend.Error{Code: backend.CodeInvalid, Message: message} }
	for _, path := range []string{s.CLIPath, s.CopilotHome} {
		if path != "" && !filepath.IsAbs(path) {
			return invalid(path + " is not a whole path. Write it from the root.")
		}
	}
	switch {
	case s.IdleMinutes < 0 || s.IdleMinutes > maxIdleMinutes:
		return invalid("An agent can be kept for 1 to 1440 minutes without work, or for ever with 0.")
	case s.Attempts < 1 || s.Attempts > 2*backend.MaxAttempts:
		return invalid("An agent can be started again 1 to 10 times in a minute.")
	case s.Mode != backend.ModeAsk && s.Mode != backend.ModeAcceptEdits:
		return invalid("New chats can begin with \"Ask first\" or \"Allow edits\".")
	case agent.AsksNothing(s.AgentMode) || len(s.AgentMode) > maxModeID || !utf8.ValidString(s.AgentMode):
		return invalid("New chats begin in a mode in which the agent asks.")
	case s.SignIn != "" && !slices.Contains(signIns, s.SignIn):
		return invalid("There is no such sign-in.")
	case !clientID.MatchString(s.ClientID):
		return invalid("A client ID has letters, digits, dots and dashes only. Copy it from the settings of the OAuth app at GitHub.")
	case s.IfLost != backend.IfLostRecap && s.IfLost != backend.IfLostFresh:
		return invalid("A session that is lost can be replaced with a summary or without one.")
	case s.Language != "" && s.Language != "en" && s.Language != "de" && s.Language != "zh":
		return invalid("The window speaks English, German and Chinese.")
	case s.CodeFont != "" && s.CodeFont != "system":
		return invalid("Code is shown in JetBrains Mono or in the system's own font.")
	case s.StopAfterMinutes < 0 || s.StopAfterMinutes > maxIdleMinutes:
		return invalid("A turn can be stopped after 1 to 1440 minutes of work, or never with 0.")
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

// dismiss marks a banner of the transcript as seen.
func (e *engine) dismiss(ctx context.Context, itemID string) error {
	item, err := e.store.Item(ctx, itemID)
	if err != nil {
		return err
	}
	if item.Banner == nil {
		return &backend.Error{Code: backend.CodeInvalid, Message: "Only a banner can be dismissed."}
	}
	item.Banner.Dismissed = true
	e.feed.Publish(backend.Event{Item: &item})
	return nil
}

func notSaved(what string, err error) error {
	return &backend.Error{
		Code:    backend.CodeStorage,
		Message: what + " could not be saved: the database cannot be written. Nothing that was saved before is lost.",
		Detail:  err.Error(),
	}
}
