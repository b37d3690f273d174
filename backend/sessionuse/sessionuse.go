// Package sessionuse coordinates VoxPilot with other programs that use the same sessions of the Copilot CLI, such as
// the CLI in a terminal. The CLI itself lets several processes write to one session; each then knows only a part of the
// conversation.
//
// While another program has a chat's main session open, the chat is read-only and shows what the program does. What
// another program wrote while VoxPilot didn't use the session, or wasn't running, is read before the session's next
// prompt and when the user opens the chat.
package sessionuse

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// Config holds the dependencies of a Manager.
type Config struct {
	// Dir is the folder with a state file for each chat.
	Dir string
	// Main returns the row of a chat's main session, or false if the chat has none or its agent isn't the Copilot CLI.
	Main func(ctx context.Context, chatID string) (backend.Session, bool)
	// Active returns the chats whose agents may have loaded their main sessions.
	Active func() []string
	// Unload closes a chat's main session in its agent, if it is loaded there. It returns an error if the session is
	// in use.
	Unload func(ctx context.Context, chatID string) error
	// Imported returns the size of the part of a session's log that was read into the chat when the session was opened.
	// It returns false if the session wasn't opened in that way. If Imported is nil, no session was.
	Imported func(s backend.Session) (offset int64, ok bool)
	Rows     Rows
	// Publish queues events. It never blocks. Commit returns when the events are durable.
	Publish func(events ...backend.Event)
	Commit  func(ctx context.Context, events ...backend.Event) error
	// Skip reports whether the process with the given PID is VoxPilot's own. If it is nil, the descendants of this
	// process are.
	Skip func(pid int) bool
	Log  *slog.Logger
}

// Part is a part of a session's log that other programs wrote.
type Part struct {
	Log  View  // ends at the end of the part
	From int64 // offset of the start of the part
	// Live reports whether another program has the session open, so that a turn without an end may be running.
	Live bool
}

// To returns the offset of the end of the part.
func (p Part) To() int64 { return p.Log.size }

// Rows stores the rows of a part of the log of a chat's session. It is also called, possibly without new text, when no
// other program has the session open any longer. If Rows fails, or the app is killed before the Manager has recorded
// the call, the next part starts at the same offset. Rows must then not store any row twice.
type Rows func(ctx context.Context, chatID string, session backend.Session, part Part) error

// Manager follows the sessions of the chat that the user views, of chats whose agents are running, and of chats whose
// sessions are open in another program. Its methods are safe for concurrent use.
type Manager struct {
	cfg   Config
	ctx   context.Context
	end   context.CancelFunc
	ended sync.WaitGroup
	wake  chan struct{} // makes the Manager check the sessions now

	mu     sync.Mutex
	viewed string // chat that the user viewed last
	chats  map[string]*chat
}

// chat holds the Manager's state for a chat.
type chat struct {
	id string

	mu      sync.Mutex // held while the log is read
	state   *state     // nil until it is loaded
	stale   bool       // the agent's loaded session lacks messages that another program wrote
	running bool       // VoxPilot's own prompt is being answered
	live    bool       // Part.Live in the last call of Rows

	// Guarded by Manager.mu.
	use     backend.SessionUse // as published last
	closing bool               // TakeOver is waiting
}

// interval is the time between two checks of the sessions.
const interval = time.Second

// New returns a Manager. It follows no sessions until Start is called.
func New(cfg Config) *Manager {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	m := &Manager{cfg: cfg, chats: map[string]*chat{}, wake: make(chan struct{}, 1)}
	m.ctx, m.end = context.WithCancel(context.Background())
	return m
}

// Start follows the sessions in the background.
func (m *Manager) Start() {
	m.ended.Go(func() {
		every := time.NewTicker(interval)
		defer every.Stop()
		for {
			select {
			case <-every.C:
			case <-m.wake:
			case <-m.ctx.Done():
				return
			}
			for _, id := range m.followed() {
				m.look(m.ctx, id)
			}
		}
	})
}

// Close stops all background work.
func (m *Manager) Close() {
	m.end()
	m.ended.Wait()
}

// View makes the Manager follow the session of the chat that the user opened.
func (m *Manager) View(chatID string) {
	m.mu.Lock()
	m.viewed = chatID
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Forget deletes the state of a deleted chat.
func (m *Manager) Forget(chatID string) {
	m.mu.Lock()
	delete(m.chats, chatID)
	if m.viewed == chatID {
		m.viewed = ""
	}
	m.mu.Unlock()
	for _, path := range []string{m.statePath(chatID), m.RowsPath(chatID)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.cfg.Log.Warn("couldn't delete the state of a session", "chat", chatID, "err", err)
		}
	}
}

// readTime is the time limit for reading the messages of other programs before a message is sent. If reading takes
// longer, they appear after the sent message.
const readTime = 5 * time.Second

// RowsPath returns the path of a file in which Config.Rows can store its state for a chat.
func (m *Manager) RowsPath(chatID string) string {
	return filepath.Join(m.cfg.Dir, chatID+".rows.json")
}

// MayStart returns an error if another program has the chat's main session open. Otherwise it reads what other programs
// wrote to the session, so that these messages come before the next one.
func (m *Manager) MayStart(ctx context.Context, chatID string) error {
	s, ok := m.cfg.Main(ctx, chatID)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	_, err := m.Check(ctx, s, true)
	return err
}

// followed returns the chats to check: the viewed one, those whose agents may have their sessions loaded, and those
// whose sessions are open in another program.
func (m *Manager) followed() []string {
	ids := map[string]bool{}
	for _, id := range m.cfg.Active() {
		ids[id] = true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, c := range m.chats {
		if c.use.Holder != nil {
			ids[id] = true
		}
	}
	if m.viewed != "" {
		ids[m.viewed] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// chat returns the state of the chat with the given ID.
func (m *Manager) chat(id string) *chat {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.chats[id]
	if c == nil {
		c = &chat{id: id, use: backend.SessionUse{ChatID: id}}
		m.chats[id] = c
	}
	return c
}

// look updates the state of a chat: the program that has its session open, and the messages that other programs wrote.
func (m *Manager) look(ctx context.Context, chatID string) {
	s, ok := m.cfg.Main(ctx, chatID)
	if !ok || !sessionfiles.IsID(s.ACPID) {
		return
	}
	c := m.chat(chatID)
	holder := m.holder(s)
	if holder != nil {
		m.publishHolder(c, holder)
		unload, cancel := context.WithTimeout(ctx, unloadTime)
		err := m.cfg.Unload(unload, chatID)
		cancel()
		if err != nil {
			m.cfg.Log.Debug("a session that is open in another program is still in use here", "chat", chatID, "err", err)
			return
		}
	}
	if !c.mu.TryLock() {
		return // the log is being read
	}
	defer c.mu.Unlock()
	if c.running {
		return // other programs' messages are read when the turn has ended
	}
	if err := m.read(ctx, c, s, holder != nil); err != nil && ctx.Err() == nil {
		m.cfg.Log.Warn("couldn't read what another program wrote to a session", "chat", chatID, "id", s.ACPID, "err", err)
	}
	if holder == nil { // after its last messages
		m.publishHolder(c, nil)
	}
}

// unloadTime is the time limit for closing a session in VoxPilot's agent.
const unloadTime = 10 * time.Second

// holder returns the program that has the session open, except VoxPilot's own agents, or nil if there is none.
func (m *Manager) holder(s backend.Session) *backend.SessionHolder {
	home := sessionfiles.HomeOf(s)
	var list []backend.SessionHolder
	if m.cfg.Skip != nil {
		list = sessionfiles.HoldersExcept(home, s.ACPID, m.cfg.Skip)
	} else {
		list = sessionfiles.OtherHolders(home, s.ACPID)
	}
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

// publishHolder publishes which program has a chat's session open, if that has changed.
func (m *Manager) publishHolder(c *chat, holder *backend.SessionHolder) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if was := c.use.Holder; was == nil && holder == nil || was != nil && holder != nil && *was == *holder {
		return
	}
	c.use = backend.SessionUse{ChatID: c.id, Holder: holder}
	c.publish(m)
}

// publish publishes c.use. The caller must hold m.mu.
func (c *chat) publish(m *Manager) {
	use := c.use
	m.cfg.Publish(backend.Event{SessionUse: &use})
}

// inUse returns the error for a session that the given program has open, or nil if holder is nil.
func inUse(holder *backend.SessionHolder) error {
	if holder == nil {
		return nil
	}
	where := backend.Say("This session is also open in another program. To send messages from VoxPilot, take over the session or fork it. Two programs writing to the same session would damage it.")
	if holder.Terminal != "" {
		where = backend.Say("This session is also open in a terminal. To send messages from VoxPilot, take over the session or fork it. Two programs writing to the same session would damage it.")
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: where}
}

// Check is called before a session is loaded (loaded is false) and before each prompt to a loaded session. It returns
// an error if another program has the session open. Otherwise, Check reads what other programs wrote to the session if
// it is the chat's main session. changed reports whether they wrote something that the loaded session lacks.
func (m *Manager) Check(ctx context.Context, s backend.Session, loaded bool) (changed bool, err error) {
	if !sessionfiles.IsID(s.ACPID) {
		return false, nil
	}
	holder := m.holder(s)
	// A session that is being read into the chat, or is only being tested, isn't the chat's main session yet.
	if main, ok := m.cfg.Main(ctx, s.ChatID); !ok || s.Name != main.Name || s.ACPID != main.ACPID {
		return false, inUse(holder)
	}
	c := m.chat(s.ChatID)
	if holder != nil {
		m.publishHolder(c, holder)
		return false, inUse(holder)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return false, nil
	}
	if err := m.read(ctx, c, s, false); err != nil && ctx.Err() == nil {
		// The session is usable without these rows.
		m.cfg.Log.Warn("couldn't read what another program wrote to a session", "chat", c.id, "id", s.ACPID, "err", err)
	}
	m.publishHolder(c, nil)
	if !loaded {
		c.stale = false
	}
	return c.stale, nil
}

// Begin is called before VoxPilot sends a prompt with the given text to a session. The function end must be called when
// the agent has answered the prompt.
func (m *Manager) Begin(s backend.Session, text string) (end func()) {
	if s.Name != backend.SessionMain || !sessionfiles.IsID(s.ACPID) {
		return func() {}
	}
	c := m.chat(s.ChatID)
	c.mu.Lock()
	defer c.mu.Unlock()
	m.load(c, s)
	c.running = true
	c.state.Pending, c.state.Banner = newPending(text), nil
	m.saveState(c.id, c.state)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running = false
		if err := m.read(m.ctx, c, s, m.holder(s) != nil); err != nil && m.ctx.Err() == nil {
			m.cfg.Log.Warn("couldn't read what was written to a session during a turn", "chat", c.id, "id", s.ACPID, "err", err)
		}
	}
}

// load loads the state of a chat's session. If none is stored for the session yet, everything already in the log counts
// as read or, if the session was read into the chat when it was opened, only that part. If the session hasn't had a
// prompt, nothing does. The caller must hold c.mu.
func (m *Manager) load(c *chat, s backend.Session) {
	if c.state == nil {
		c.state = m.loadState(c.id)
	}
	if c.state != nil && c.state.ID == s.ACPID {
		return
	}
	c.state = &state{ID: s.ACPID}
	if !s.HadPrompt {
		return
	}
	if m.cfg.Imported != nil {
		if offset, ok := m.cfg.Imported(s); ok {
			c.state.Offset = offset
			m.saveState(c.id, c.state)
			return
		}
	}
	err := withLog(s, func(log *os.File, size int64) error { return skipTo(log, size, c.state) })
	if err != nil && !errors.Is(err, sessionfiles.ErrNoSession) {
		m.cfg.Log.Warn("couldn't read the log of a session", "chat", c.id, "id", s.ACPID, "err", err)
	}
	m.saveState(c.id, c.state)
}

// withLog calls do with the log of a session and its size.
func withLog(s backend.Session, do func(log *os.File, size int64) error) error {
	log, err := sessionfiles.OpenLog(sessionfiles.HomeOf(s), s.ACPID)
	if err != nil {
		return err
	}
	defer log.Close()
	size, err := log.Seek(0, io.SeekEnd)
	if err == nil {
		err = do(log, size)
	}
	return err
}
