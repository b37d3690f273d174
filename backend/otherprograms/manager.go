package otherprograms

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/atomicfile"
)

// Config holds the dependencies of a Manager.
type Config struct {
	Dir      string // folder for the records of the chats; created if necessary
	Programs func() map[backend.OtherProgram]Program
	// Create creates a chat in folder together with the events that eventsFor returns for it.
	Create func(ctx context.Context, folder, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error)
	Chat   func(id string) (backend.Chat, error)
	Change func(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error
	// Hold prevents a chat from starting turns until release is called.
	Hold    func(chatID string) (release func(), err error)
	Delete  func(chat backend.Chat) // deletes a chat permanently, and calls Manager.Forget
	Commit  func(ctx context.Context, events ...backend.Event) error
	Publish func(events ...backend.Event)
	Log     *slog.Logger
}

// Manager opens the conversations of other programs in chats. It is safe for concurrent use.
type Manager struct {
	cfg      Config
	programs func() map[backend.OtherProgram]Program
	ctx      context.Context // ends all jobs
	end      context.CancelFunc
	tasks    sync.WaitGroup

	opening sync.Mutex // held while a chat is created

	mu      sync.Mutex
	records map[string]record // by chat ID
	jobs    map[string]*job   // by chat ID
}

// record identifies the conversation of a chat. It is stored as a file in Config.Dir.
type record struct {
	Program  backend.OtherProgram `json:"program"`
	ID       string               `json:"id"`
	ChatID   string               `json:"chatId"`
	Complete bool                 `json:"complete"` // the conversation was read to its end
	// Size and UpdatedAt are those of the conversation when reading it started.
	Size      int64          `json:"size"`
	UpdatedAt backend.Millis `json:"updatedAt"`
}

// New returns a Manager. Start must be called before its other methods.
func New(cfg Config) *Manager {
	m := &Manager{cfg: cfg, programs: sync.OnceValue(cfg.Programs), records: map[string]record{}, jobs: map[string]*job{}}
	m.ctx, m.end = context.WithCancel(context.Background())
	return m
}

// maxRecordFile is the maximum size of a file with a record in bytes.
const maxRecordFile = 16 << 10

// Start reads the records. It deletes the chats whose conversations the app hadn't finished reading when it last
// exited.
func (m *Manager) Start() error {
	all, err := os.ReadDir(m.cfg.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var half []backend.Chat
	for _, e := range all {
		path := filepath.Join(m.cfg.Dir, e.Name())
		var r record
		file, err := os.Open(path)
		if err == nil {
			err = json.NewDecoder(io.LimitReader(file, maxRecordFile)).Decode(&r)
			_ = file.Close()
		}
		chat, gone := m.cfg.Chat(r.ChatID)
		switch {
		case err != nil, gone != nil, path != m.path(r.ChatID):
			_ = os.Remove(path)
			continue
		case !r.Complete && chat.DeletedAt == 0:
			half = append(half, chat)
		}
		m.records[r.ChatID] = r
	}
	for _, chat := range half {
		m.tasks.Go(func() { m.cfg.Delete(chat) })
	}
	return err
}

func (m *Manager) path(chatID string) string {
	return filepath.Join(m.cfg.Dir, filepath.Base(chatID)+".json")
}

// save writes a record.
func (m *Manager) save(r record) error {
	if err := os.MkdirAll(m.cfg.Dir, 0o700); err != nil {
		return err
	}
	err := atomicfile.Write(m.path(r.ChatID), func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
	if err == nil {
		m.mu.Lock()
		m.records[r.ChatID] = r
		m.mu.Unlock()
	}
	return err
}

// Has reports whether a turn is part of the conversation that was read into its chat.
func (m *Manager) Has(turn backend.Turn) bool {
	m.mu.Lock()
	_, is := m.records[turn.ChatID]
	m.mu.Unlock()
	chat, err := m.cfg.Chat(turn.ChatID)
	return is && err == nil && turn.StartedAt < chat.CreatedAt
}

// Stop stops reading a conversation into a chat. After it returns, nothing more is written.
func (m *Manager) Stop(chatID string) {
	m.mu.Lock()
	j := m.jobs[chatID]
	m.mu.Unlock()
	if j != nil {
		j.cancel()
		<-j.done
	}
}

// Resume reads the conversation of a chat again if it wasn't read to its end.
func (m *Manager) Resume(ctx context.Context, chatID string) {
	m.opening.Lock()
	defer m.opening.Unlock()
	m.mu.Lock()
	r, is := m.records[chatID]
	m.mu.Unlock()
	chat, err := m.cfg.Chat(chatID)
	if !is || r.Complete || err != nil {
		return
	}
	if err := m.retry(ctx, chat, r); err != nil {
		m.cfg.Log.Warn("couldn't read a conversation again", "chat", chatID, "err", err)
	}
}

// Forget stops reading a conversation into a chat and removes the chat's record.
func (m *Manager) Forget(chatID string) {
	m.Stop(chatID)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, is := m.records[chatID]; !is {
		return
	}
	delete(m.records, chatID)
	if err := os.Remove(m.path(chatID)); err != nil && !errors.Is(err, os.ErrNotExist) {
		m.cfg.Log.Warn("couldn't remove the record of a conversation", "chat", chatID, "err", err)
	}
}

// Close ends all jobs. The next start deletes their chats.
func (m *Manager) Close() {
	m.end()
	m.tasks.Wait()
}

// Writable returns CodeUnavailable if the chat's conversation hasn't been read to its end.
func (m *Manager) Writable(chatID string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, is := m.records[chatID]
	switch {
	case m.jobs[chatID] != nil:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot is still reading this conversation. Wait until it has read all messages.")}
	case is && !r.Complete:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot couldn't read all of this conversation. Try again before you continue it.")}
	}
	return nil
}

// owner returns the chat that contains a conversation and the chat's record, or zero values if no chat contains it.
func (m *Manager) owner(p backend.OtherProgram, id string) (backend.Chat, record) {
	m.mu.Lock()
	all := slices.Collect(maps.Values(m.records))
	m.mu.Unlock()
	for _, r := range all {
		if r.Program == p && r.ID == id {
			if chat, err := m.cfg.Chat(r.ChatID); err == nil && chat.DeletedAt == 0 {
				return chat, r
			}
		}
	}
	return backend.Chat{}, record{}
}

// List returns the conversations of all programs, newest first.
func (m *Manager) List(ctx context.Context) (backend.OtherConversations, error) {
	all, failures := m.list(ctx, "")
	if err := ctx.Err(); err != nil {
		return backend.OtherConversations{}, err
	}
	chats := map[[2]string]string{}
	m.mu.Lock()
	records := slices.Collect(maps.Values(m.records))
	m.mu.Unlock()
	for _, r := range records {
		if chat, err := m.cfg.Chat(r.ChatID); err == nil && chat.DeletedAt == 0 {
			chats[[2]string{string(r.Program), r.ID}] = chat.ID
		}
	}
	answer := backend.OtherConversations{Conversations: []backend.OtherConversation{}, Programs: []backend.OtherProgramName{}}
	counts := map[backend.OtherProgram]int{}
	for _, c := range all {
		c.ChatID = chats[[2]string{string(c.Program), c.ID}]
		counts[c.Program]++
		answer.Conversations = append(answer.Conversations, c.OtherConversation)
	}
	for _, p := range slices.Sorted(maps.Keys(counts)) {
		answer.Programs = append(answer.Programs, backend.OtherProgramName{Program: p, Name: Names[p], Conversations: counts[p]})
	}
	var names []string
	for _, p := range slices.Sorted(maps.Keys(failures)) {
		names = append(names, Names[p])
		m.cfg.Log.Warn("couldn't list all conversations of a program", "program", p, "err", failures[p])
	}
	if len(names) > 0 {
		answer.Failure = backend.Say("Some conversations may be missing because VoxPilot couldn't read all files of these programs: %s", strings.Join(names, ", "))
	}
	return answer, nil
}

// list returns the conversations of one program or, if only is "", of all, newest first.
func (m *Manager) list(ctx context.Context, only backend.OtherProgram) (all []Conversation, failures map[backend.OtherProgram]error) {
	failures = map[backend.OtherProgram]error{}
	for id, p := range m.programs() {
		if only != "" && id != only {
			continue
		}
		list, err := p.List(ctx)
		if err != nil {
			failures[id] = err
		}
		all = append(all, list...)
	}
	return complete(all), failures
}
