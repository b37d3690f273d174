package sessionimport

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Config holds the dependencies of a Manager.
type Config struct {
	Dir   string // folder for the states of the readers; created if necessary
	Store *store.Store
	// Provider returns the model or agent of a chat whose session is in home, and the name of home to store in the
	// chat's row. It returns CodeNotFound if VoxPilot doesn't know this home.
	Provider func(home string) (providerID, known string, err error)
	// Create creates a chat together with the events that eventsFor returns for it.
	Create func(ctx context.Context, folder, providerID, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error)
	Chat   func(id string) (backend.Chat, error)
	Change func(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error
	// Hold prevents a chat from starting turns until release is called.
	Hold   func(chatID string) (release func(), err error)
	Delete func(chat backend.Chat) // deletes a chat permanently
	// Mark records that no chat uses a session yet. If the app is killed before Keep or Remove is called, the next
	// start removes the session. home is the CLI's home directory that contains the session.
	Mark    func(home, id string) error
	Keep    func(id string)
	Remove  func(home, id string)
	Import  func(ctx context.Context, events []backend.Event) error // commits rows that the window doesn't receive (store.Store.Import)
	Publish func(events ...backend.Event)
	Log     *slog.Logger
}

// Manager opens sessions of the Copilot CLI in chats. It is safe for concurrent use.
type Manager struct {
	cfg   Config
	ctx   context.Context // ends all jobs
	end   context.CancelFunc
	tasks sync.WaitGroup
	slot  chan struct{} // limits the number of logs that are read at the same time

	opening sync.Mutex // held while a chat is created

	mu         sync.Mutex
	jobs       map[string]*job // by chat ID
	incomplete map[string]bool // chats whose session hasn't been read completely, by chat ID
}

// New returns a Manager. Start must be called before its other methods.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, slot: make(chan struct{}, 1), jobs: map[string]*job{}, incomplete: map[string]bool{}}
	m.ctx, m.end = context.WithCancel(context.Background())
	return m
}

// StateFile returns the path of the file with the state of the reader for a chat's main session. The file exists for
// each chat that Open created.
func (m *Manager) StateFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, filepath.Base(chatID)+".json")
}

// Start continues the imports that were interrupted when the app last ended.
func (m *Manager) Start(ctx context.Context) error {
	entries, err := os.ReadDir(m.cfg.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		chatID, isState := strings.CutSuffix(e.Name(), ".json")
		if !isState {
			_ = os.Remove(filepath.Join(m.cfg.Dir, e.Name())) // a state that wasn't completely written
			continue
		}
		if _, err := m.cfg.Chat(chatID); err != nil {
			m.Forget(chatID)
			continue
		}
		m.Resume(ctx, chatID)
	}
	return err
}

// Close interrupts the imports. The next start continues them.
func (m *Manager) Close() {
	m.end()
	m.tasks.Wait()
}

// Writable returns CodeUnavailable if the chat's session hasn't been read completely.
func (m *Manager) Writable(chatID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.jobs[chatID] != nil:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is still reading this session. Wait until it has read all messages.")}
	case m.incomplete[chatID]:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot couldn't read all of this session. Try again before you continue it.")}
	}
	return nil
}

// errNoSession is the error for a session that doesn't exist.
func errNoSession(err error) error {
	return &backend.Error{Code: backend.CodeNotFound, Message: backend.Say("Copilot no longer has this session."), Detail: err.Error()}
}

// userError returns the user-facing error for err.
func userError(err error) error {
	var own *backend.Error
	switch {
	case err == nil, errors.As(err, &own):
		return err
	case errors.Is(err, sessionfiles.ErrNoSession):
		return errNoSession(err)
	case errors.Is(err, sessionfiles.ErrUnreadable), errors.Is(err, sessionfiles.ErrNothingEarlier):
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("None of this session's messages can be read."), Detail: err.Error()}
	case errors.Is(err, errReplaced):
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Another program replaced the session while VoxPilot was reading it. Delete this chat, then open the session again."), Detail: err.Error()}
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the session. Check the permissions of its files and free disk space, then try again."), Detail: err.Error()}
}

// Open returns the chat that contains a session. If no chat contains it, or only a deleted chat does, Open creates a
// chat and reads the session's log into it in the background. home is the CLI's home directory that contains the
// session, or "" for the default one.
func (m *Manager) Open(ctx context.Context, home, id string) (backend.Chat, error) {
	return m.open(ctx, home, id, false, nil)
}

// open is like Open. isCopy means that VoxPilot made the session for the chat. banners are added at the top of the chat.
func (m *Manager) open(ctx context.Context, home, id string, isCopy bool, banners []backend.Banner) (chat backend.Chat, err error) {
	if !sessionfiles.IsID(id) {
		return chat, errNoSession(errors.New("not a session ID"))
	}
	providerID, home, err := m.cfg.Provider(home)
	if err != nil {
		return chat, err
	}
	m.opening.Lock()
	defer m.opening.Unlock()
	if chat, err := m.owner(ctx, home, id); err != nil || chat.ID != "" {
		m.Resume(ctx, chat.ID)
		return chat, err
	}
	dir := sessionfiles.HomeOf(backend.Session{Home: home})
	log, err := sessionfiles.OpenLog(dir, id)
	if err != nil {
		return chat, userError(err)
	}
	h := headOf(log)
	if err := log.Close(); err != nil {
		return chat, userError(err)
	}
	if h.folder == "" {
		if h.folder, err = os.UserHomeDir(); err != nil {
			return chat, userError(err)
		}
	}
	if err := os.MkdirAll(m.cfg.Dir, 0o700); err != nil {
		return chat, userError(err)
	}
	// The chat is found by the title that the list of sessions shows, so an agent's shorter one doesn't replace it.
	title := cmp.Or(sessionfiles.Title(dir, id), excerpt.FirstLine(h.title, 200))
	var r *Reader
	chat, err = m.cfg.Create(ctx, h.folder, providerID, title, func(chat backend.Chat) ([]backend.Event, error) {
		now := backend.Now()
		r = NewReader(m.StateFile(chat.ID), Target{ChatID: chat.ID, Name: backend.SessionMain, ACPID: id, Home: home, Folder: h.folder})
		r.s.Copy = isCopy
		if err := r.Save(); err != nil { // first, so that the next start knows the import
			return nil, userError(err)
		}
		events := []backend.Event{{Session: &backend.Session{
			ChatID: chat.ID, Name: backend.SessionMain, ACPID: id, Cwd: h.folder, Home: home, HadPrompt: true, State: backend.SessionUnloaded,
			CreatedAt: min(max(h.startedAt, 1), now), UsedAt: now,
		}}}
		for _, b := range append([]backend.Banner{{Kind: backend.BannerImported, Session: backend.SessionMain, Copy: isCopy}}, banners...) {
			events = append(events, backend.Event{Item: bannerItem(chat.ID, now, b)})
		}
		return events, nil
	})
	if err != nil {
		if r != nil {
			m.Forget(r.s.Target.ChatID)
		}
		return chat, err
	}
	if title != "" {
		if err := m.cfg.Change(ctx, chat.ID, func(c *backend.Chat) { c.TitleByUser = true }); err != nil {
			m.cfg.Log.Warn("couldn't keep the title of a session", "chat", chat.ID, "err", err)
		}
	}
	m.begin(r)
	return chat, nil
}

// bannerItem returns the item of a banner at the top of a chat. Its ID depends only on the chat and the kind.
func bannerItem(chatID string, at backend.Millis, b backend.Banner) *backend.Item {
	sum := sha256.Sum256([]byte(chatID + "\x00" + string(b.Kind)))
	return &backend.Item{
		ID: idOf(sum[:]), ChatID: chatID, Session: backend.SessionMain, Kind: backend.ItemBanner, CreatedAt: at, EndedAt: at, Banner: &b,
	}
}

// owner returns the chat that contains a session of home, or the zero Chat if there is none.
func (m *Manager) owner(ctx context.Context, home, id string) (backend.Chat, error) {
	owners, err := m.cfg.Store.SessionOwners(ctx, []string{id})
	if err != nil {
		return backend.Chat{}, userError(err)
	}
	for _, o := range owners {
		if chat, err := m.cfg.Chat(o.ChatID); err == nil && chat.DeletedAt == 0 && sessionfiles.SameHome(o.Home, home) {
			return chat, nil
		}
	}
	return backend.Chat{}, nil
}
