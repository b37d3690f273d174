// Package engine connects everything that needs the open database: chats and their agents, sign-in,
// permissions, trust, settings and updates. Data flows in one direction: chats, agents and permissions
// create events; the event bus commits them to the store, numbers them and emits them to the window.
//
// API is the interface for the rest of the app.
package engine

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agentauth"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/auth"
	"github.com/voxpilot/voxpilot/backend/branch"
	"github.com/voxpilot/voxpilot/backend/commitmessage"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/export"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/limit"
	"github.com/voxpilot/voxpilot/backend/otherprograms"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/backend/question"
	"github.com/voxpilot/voxpilot/backend/repository"
	"github.com/voxpilot/voxpilot/backend/rescue"
	"github.com/voxpilot/voxpilot/backend/sandbox/runs"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/sessionindex"
	"github.com/voxpilot/voxpilot/backend/sessionsearch"
	"github.com/voxpilot/voxpilot/backend/sessionuse"
	"github.com/voxpilot/voxpilot/backend/setup"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/backend/update"
	"github.com/voxpilot/voxpilot/backend/wholeagent"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/keychain"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Engine holds everything that needs the open database. The package comment describes how data flows through it.
type Engine struct {
	*host
	run           string // ID of this run of the app, in snapshots and event batches
	Store         *store.Store
	Bus           *eventbus.Bus
	Permissions   *permission.Broker
	Questions     *question.Broker
	Trust         *trust.Manager
	Chats         *assistant.Service
	Files         *workspace.Files
	PendingImages pendingImages
	Agents        *agents
	Setup         *setup.Manager
	limits        *limit.Turns
	minute        time.Duration // the duration of a minute of Settings.StopAfterMinutes
	warning       time.Duration // time between the warning and the stop of a turn
	router        *turnRouter
	guard         *guard.Server // nil if it couldn't listen
	hookProgram   func() (path string, err error)
	sandbox       *runs.Manager
	wholeAgents   *wholeagent.Manager
	Undo          *undo.Manager
	Branch        *branch.Manager
	rescuer       *rescue.Rescuer
	SessionIndex  *sessionindex.Index
	SessionSearch *sessionsearch.Indexer
	Imports       *sessionimport.Manager
	SessionUse    *sessionuse.Manager
	Others        *otherprograms.Manager
	foreignTurns  sync.Map // IDs of the turns of other programs that were stored during this run of the app
	reviews
	Repository     *repository.Manager
	CommitMessages *commitmessage.Manager
	Auth           *auth.Manager
	agentAuth      *agentauth.Manager
	keys           keychain.Fallback
	trash          trash
	updates        *update.Updater
	installing     atomic.Bool              // an update is being installed; false again if that fails
	Shell          *environment.Environment // from the user's login shell
	exports        export.Jobs

	ctx   context.Context // parent context of background tasks; canceled when the engine closes
	end   context.CancelFunc
	tasks sync.WaitGroup // background tasks

	findMu    sync.Mutex // held while the CLI is being detected
	cliSignIn copilot.SignIn
	versions  copilot.Versions // versions of the custom agents

	mu  sync.Mutex
	cli backend.CLI
}

// openEngine opens the database and creates the engine. It returns the state of the database for the window, even if
// it also returns an error.
func openEngine(ctx context.Context, h *host) (*Engine, backend.Storage, error) {
	db, storage, err := store.Open(ctx, h.Dir)
	if err != nil {
		return nil, storage, err
	}
	process.Reap(h.records(), h.Log) // this process holds the database lock, so the VoxPilot that started the recorded agents has exited
	e := &Engine{host: h, run: backend.NewID(), Store: db, cli: backend.CLI{State: backend.CLIChecking, Min: backend.MinCLIVersion}}
	e.ctx, e.end = context.WithCancel(context.Background())
	e.Shell = environment.New(e.ctx, h.Log)
	if err := e.wire(ctx); err != nil {
		return nil, backend.Storage{
			State: backend.StorageUnusable, Path: storage.Path,
			Message: backend.Say("VoxPilot opened the database but couldn't read its contents."),
		}, errors.Join(err, db.Close())
	}
	return e, storage, nil
}

func (e *Engine) wire(ctx context.Context) error {
	kept, err := loadPersisted(ctx, e.Store)
	if err != nil {
		return err
	}
	e.Overview.Begin(kept.chats, kept.settings)
	e.Bus = eventbus.New(eventbus.Config{ // nothing is published until everything that observe needs is set
		Run:     e.run,
		Apply:   e.Store.Apply,
		Emit:    e.Config.Emit,
		OnEvent: e.observe,
		Log:     e.Log,
	})
	e.Setup = setup.New(setup.Config{
		Settings: kept.settings, Providers: kept.providers, CustomAgents: kept.profiles,
		Keys: &e.keys, Publish: e.Bus.Publish, Commit: e.Bus.Commit, Redact: e.redact, Log: e.Log,
		Life: e.ctx, Go: e.tasks.Go,
		Check: func(ctx context.Context, p backend.Provider, key string) ([]string, int64, *backend.Error) {
			return e.router.models.Check(ctx, p, key)
		},
		ModelChanged: func(id string) { e.router.orchestrator.ProviderChanged(id) },
	})
	e.Questions = question.NewBroker(question.Config{Publish: e.Bus.Publish, Commit: e.Bus.Commit, IsViewed: e.isViewed, Patience: e.patience})
	e.Permissions = permission.New(permission.Config{
		Publish: e.Bus.Publish, Commit: e.Bus.Commit,
		Rules:      kept.rules,
		Mode:       e.permissionMode,
		AskOutside: func() bool { return e.Setup.Settings().AskOutside },
		Protected:  e.protectionOf,
	})
	e.cliSignIn = copilot.SignIn{Run: e.tryCLISignIn, Publish: e.Bus.Publish, Redacted: e.Redacted, Log: e.Log}
	e.Trust = e.newTrust()
	e.Auth = e.newAuth(kept.logins)
	e.Files = workspace.NewFiles(workspace.FilesConfig{LoginPath: e.LoginPath, Fresh: filesFresh})
	e.Agents, e.limits, e.minute, e.warning = newAgents(e), limit.New(), time.Minute, time.Minute
	e.agentAuth = e.newAgentAuth()
	e.Undo = e.newUndo(ctx)
	e.router = newTurnRouter(e)
	e.hookProgram = sync.OnceValues(e.writeHookProgram)
	e.guard = newGuard(e)
	e.updates = newUpdates(e)
	e.router.models.SetTransport(e.Shell.WrapTransport)
	e.Chats = assistant.New(assistant.Config{
		Chats: kept.chats, Queued: kept.queued,
		Prompt: e.router.prompt, Publish: e.Bus.Publish, Commit: e.Bus.Commit,
		Content: e.content, CheckAttachments: e.CheckAttachments, Sandbox: e.NewChatSandbox,
		Writable: e.writable,
	})
	e.SessionUse = newSessionUse(e)
	e.sandbox = newSandbox(e)
	e.wholeAgents = newWholeAgents(e)
	e.Branch, e.reviews = newBranch(e), e.newReviews()
	e.SessionIndex = e.newSessionIndex()
	e.SessionSearch = e.newSessionSearch()
	e.rescuer = rescue.New(rescue.Config{Store: e.Store, Temp: filepath.Join(e.Dir, "imports"), Mark: e.Branch.Mark, Keep: e.Branch.Keep, Remove: e.Branch.Remove})
	e.Imports, e.Others = newImports(e), newOthers(e)
	e.Repository = e.newRepository()
	e.CommitMessages = e.newCommitMessages()
	if err := errors.Join(e.Undo.Start(ctx), e.Branch.Start(ctx), e.Imports.Start(ctx), e.Others.Start()); err != nil {
		return err
	}
	old := e.Chats.Discarded()
	e.tasks.Go(func() { e.emptyTrash(old) })
	return nil
}

// persisted is the state that was loaded from the database at startup.
type persisted struct {
	chats     []backend.Chat
	queued    []backend.QueuedPrompt
	rules     []backend.Rule
	logins    []backend.Login
	providers map[string]backend.Provider
	profiles  map[string]backend.CustomAgent
	settings  backend.Settings
}

// loadPersisted loads the rows that packages keep in memory. It reads them as events, in the same way as for a new
// window.
func loadPersisted(ctx context.Context, db *store.Store) (persisted, error) {
	k := persisted{providers: map[string]backend.Provider{}, profiles: map[string]backend.CustomAgent{}, settings: backend.DefaultSettings()}
	view, err := db.BeginRead(ctx)
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
		case ev.CustomAgent != nil:
			k.profiles[ev.CustomAgent.ID] = *ev.CustomAgent
		case ev.Settings != nil:
			k.settings = *ev.Settings
		}
	}
	return k, err
}

// start publishes the initial state and starts background tasks such as CLI detection.
func (e *Engine) start(storage backend.Storage) {
	e.endPlan("") // a crash leaves the rules of plans behind
	e.Bus.Publish(backend.Event{Storage: &storage}, backend.Event{CLI: &e.cli})
	e.Config.Opened(e.Bus.Publish)
	e.tasks.Go(func() { e.findCLI() })
	e.tasks.Go(func() { e.Shell.Shell() })
	e.sandbox.Check()
	e.tasks.Go(func() {
		if err := e.Store.Maintain(e.ctx); err != nil {
			e.Log.Error("couldn't update the search index", "err", err)
		}
	})
	e.Auth.Start()
	e.updates.Start()
	e.SessionUse.Start()
	e.SessionSearch.Start()
}

// LoginPath returns the PATH for agents and for program lookup.
func (e *Engine) LoginPath() string { return e.Shell.Path() }

// environ returns the environment for agents, without the login shell's PATH.
func (e *Engine) environ() []string { return e.Shell.Vars() }

// close first saves all data, in case the system soon kills the process. It then ends turns and agents, which can
// take a while, and finally saves their last events.
func (e *Engine) close(ctx context.Context) error {
	e.save()
	e.Config.Closed()
	err := e.Chats.Close(ctx)
	e.mu.Lock()
	e.end() // also cancels a detection of the CLI that a starting agent may be waiting for
	e.mu.Unlock()
	e.agentAuth.Close(ctx)
	e.CommitMessages.Close()
	e.SessionSearch.Close()
	e.SessionIndex.Close()
	e.Imports.Close()
	e.Others.Close()
	err = errors.Join(err, e.Agents.close(ctx))
	e.SessionUse.Close()
	e.router.close()
	if e.guard != nil {
		e.guard.Close()
	}
	e.sandbox.Close()
	e.Repository.Close()
	e.Branch.Close()
	e.Undo.Close()
	err = errors.Join(err, e.Files.Close(ctx))
	e.Auth.Close()
	e.updates.Close()
	e.tasks.Wait()
	e.exports.Close()
	return errors.Join(err, e.Bus.Close(ctx), e.Store.Close())
}

// Snapshot returns a snapshot. It calls read in a read transaction to add the events. The transaction starts while the
// event bus can't number events, so it sees exactly the rows that belong to the snapshot's Seq. If also isn't nil, it
// is called just before the transaction starts.
func (e *Engine) Snapshot(ctx context.Context, read func(context.Context, *store.ReadTx, *backend.Snapshot) error, also func()) (backend.Snapshot, error) {
	s := backend.Snapshot{Run: e.run}
	var view *store.ReadTx
	err := e.Bus.Snapshot(ctx, func(seq uint64) (err error) {
		s.Seq = seq
		if also != nil {
			also()
		}
		view, err = e.Store.BeginRead(ctx)
		return err
	})
	if err != nil {
		return s, err
	}
	defer view.Close()
	err = read(ctx, view, &s)
	if s.Events == nil {
		s.Events = []backend.Event{} // the page expects a list, not null
	}
	return s, err
}

// filesFresh is the time during which the cached list of a folder's files is reused.
const filesFresh = 3 * time.Second

// EndTime is the time limit for stopping an agent. It is long enough for every step: a
// CLI with a running turn needs two seconds, and one that doesn't react is killed.
const EndTime = 15 * time.Second

// observe passes an event to all components that follow chats (eventbus.Config.OnEvent). It is called for every event
// that the window receives, except streamed text, in order, after the event is saved and before the window receives it.
// If a state changes several times within one tick of the event bus, observe receives only the last change.
//
// The event bus waits for observe to return. Anything that could block, or that takes a lock held during commits,
// therefore runs in the background.
func (e *Engine) observe(ev backend.Event) {
	if ev.Turn == nil || e.checkRead(ev.Turn.ChatID) == nil && !e.isForeignTurn(ev.Turn.ID) { // imported turns aren't news
		e.Overview.Observe(ev)
	}
	e.Branch.Observe(ev)
	e.Undo.Observe(ev)
	e.Comments.Observe(ev)
	if changesOwners(ev) {
		e.SessionIndex.OwnersChanged()
	}
	switch it := ev.Item; {
	case ev.Permission != nil:
		asks := e.Overview.Asks(ev.Permission.ChatID)
		e.limits.SetWaiting(ev.Permission.ChatID, len(asks) > 0)
		e.Chats.Observe(ev, asks)
	case it != nil:
		e.Chats.Observe(ev, nil)
		if it.Tool != nil && (it.Tool.Status == backend.ToolCompleted || it.Tool.Status == backend.ToolFailed) {
			e.takeEdits(it.ChatID)
		}
	case ev.Turn != nil && ev.Turn.State != backend.TurnRunning:
		e.takeEdits(ev.Turn.ChatID)
	case ev.Session != nil:
		e.takeTitle(*ev.Session)
	case ev.Connection != nil:
		e.inBackground(func() { e.Agents.followConnection(*ev.Connection) })
	}
}

// inBackground runs the function do in the background, unless the engine is closing.
func (e *Engine) inBackground(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() == nil {
		e.tasks.Go(do)
	}
}

// followConnection reacts to a new connection state of a chat's agent, unless the state has changed again in the
// meantime.
func (g *agents) followConnection(c backend.Connection) {
	a, err := g.Running(c.ChatID)
	switch {
	case err == nil && a.Connection().State != c.State:
	case c.State == backend.ConnectionIdle: // the user stopped the agent, the chat was deleted, or the agent was replaced
		g.e.Trust.RemoveChat(c.ChatID)
	case err != nil:
	// The reason for waiting was removed before the agent started to wait.
	case c.State == backend.ConnectionNeedsTrust && !g.e.Trust.IsWaiting(c.ChatID),
		c.State == backend.ConnectionNeedsLogin && !g.e.Auth.HasWaitingAgents() && g.usesGitHub(c.ChatID):
		a.Retry()
	}
}
