package sessionimport_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/eventbus"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// importVar holds the data directory and the home of a process that imports target's session.
const importVar = "VOXPILOT_TEST_SESSION_IMPORT"

func TestMain(m *testing.M) {
	if dir, home, is := strings.Cut(os.Getenv(importVar), "\n"); is {
		sessionimport.SetMaxEvents(50)
		e, err := openEnv(dir)
		if err == nil {
			_, err = e.open(home)
		}
		if err == nil {
			err = e.close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// env is the part of the app that imports need.
type env struct {
	*sessionimport.Manager
	store *store.Store
	bus   *eventbus.Bus
	chats *assistant.Service

	paused atomic.Bool // commits of readers wait
	broken atomic.Bool // commits of readers fail
	mu     sync.Mutex
	states []backend.SessionImport
	marked map[string]bool
}

// openEnv opens the data directory dir and continues imports.
func openEnv(dir string) (*env, error) {
	ctx := context.Background()
	db, _, err := store.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	e := &env{store: db, marked: map[string]bool{}}
	log := slog.New(slog.DiscardHandler)
	e.bus = eventbus.New(eventbus.Config{Run: backend.NewID(), Apply: db.Apply, Emit: func(backend.Batch) {}, OnEvent: e.observe, Log: log})
	var chats []backend.Chat
	err = db.Read(ctx, func(tx *store.ReadTx) error {
		events, err := tx.AppEvents(ctx)
		for _, ev := range events {
			if ev.Chat != nil {
				chats = append(chats, *ev.Chat)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	e.chats = assistant.New(assistant.Config{Chats: chats, Publish: e.bus.Publish, Commit: e.bus.Commit})
	e.Manager = sessionimport.New(sessionimport.Config{
		Dir: filepath.Join(dir, "sessions"), Store: db,
		Provider: func(home string) (string, string, error) { return backend.ProviderCopilot, home, nil },
		Create: func(ctx context.Context, folder, providerID, title string, eventsFor func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			return e.chats.CreateWith(ctx, folder, providerID, title, backend.ModeAsk, eventsFor)
		},
		Chat: e.chats.Get, Change: e.chats.Change, Hold: e.chats.Hold,
		Delete: func(chat backend.Chat) { err = errors.Join(err, e.chats.Delete(ctx, chat.ID)) },
		Mark:   func(_, id string) error { e.marked[id] = true; return nil }, Keep: func(id string) { delete(e.marked, id) },
		Remove: func(home, id string) { delete(e.marked, id); _ = sessionfiles.Delete(home, id) },
		Import: func(ctx context.Context, events []backend.Event) error {
			if e.broken.Load() {
				return errors.New("the disk is full")
			}
			if e.paused.Load() {
				<-ctx.Done()
			}
			return db.Import(ctx, events)
		},
		Publish: e.bus.Publish, Log: log,
	})
	return e, e.Start(ctx)
}

func (e *env) observe(ev backend.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ev.SessionImport != nil {
		e.states = append(e.states, *ev.SessionImport)
	}
}

// open opens target's session and waits until it is read.
func (e *env) open(home string) (backend.Chat, error) {
	chat, err := e.Open(context.Background(), home, target.ACPID)
	for err == nil && e.Writable(chat.ID) != nil {
		time.Sleep(time.Millisecond)
	}
	return chat, err
}

func (e *env) close() error {
	e.Manager.Close()
	return errors.Join(e.bus.Close(context.Background()), e.store.Close())
}

// sessionHome returns a home directory of the CLI with target's session and the given log.
func sessionHome(t *testing.T, log []byte) (home string) {
	t.Helper()
	home = t.TempDir()
	folder := filepath.Join(home, "session-state", target.ACPID)
	noErr(t, os.MkdirAll(folder, 0o700))
	noErr(t, os.WriteFile(filepath.Join(folder, "events.jsonl"), log, 0o600))
	return home
}

// dump returns the rows of all chats, without the IDs and times that differ between two imports.
func dump(t *testing.T, db *store.Store) string {
	t.Helper()
	var out strings.Builder
	ctx := t.Context()
	noErr(t, db.Read(ctx, func(tx *store.ReadTx) error {
		events, err := tx.AppEvents(ctx)
		for _, e := range events {
			if e.Chat == nil || err != nil {
				continue
			}
			fmt.Fprintf(&out, "chat %q %s %s\n", e.Chat.Title, e.Chat.Folder, e.Chat.TurnState)
			turns, _ := db.TurnsOf(ctx, e.Chat.ID)
			for _, turn := range turns {
				turn.ID, turn.ChatID = "", ""
				b, _ := json.Marshal(turn)
				fmt.Fprintf(&out, "turn %s\n", b)
			}
			err = tx.EachItem(ctx, e.Chat.ID, "", func(it backend.Item) error {
				id := it.ID
				it.ID, it.ChatID, it.TurnID, it.Attachments = "", "", "", nil
				if it.Banner != nil {
					it.CreatedAt, it.EndedAt = 0, 0
				}
				b, _ := json.Marshal(it)
				fmt.Fprintf(&out, "%s\n", b)
				_ = tx.WriteText(ctx, &out, id)
				contents, err := tx.ContentsOf(ctx, id)
				var bodies []string
				for _, c := range contents {
					var body bytes.Buffer
					_ = tx.WriteBody(ctx, &body, c.ID)
					bodies = append(bodies, fmt.Sprintf("\n%s %d %q", c.Type, c.Size, body.String()))
				}
				fmt.Fprintln(&out, bodies)
				return err
			})
		}
		return err
	}))
	return out.String()
}

// findAll completes the index for search, and returns the number of messages with a word of the generator.
func findAll(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	noErr(t, s.CatchUp(t.Context()))
	noErr(t, s.Read(t.Context(), func(tx *store.ReadTx) error {
		hits, err := tx.Search(t.Context(), store.Query{Text: "satz", Count: true})
		n = hits.Total
		return err
	}))
	return n
}

// TestManager_KilledImportContinues checks that an import ends with the same rows in one chat, no matter when and how
// often it is killed.
func TestManager_KilledImportContinues(t *testing.T) {
	seed := chaos.Seed(t)
	runs := chaos.Runs(3, 50)
	result := chaos.Row(t, "Imports of Copilot CLI sessions killed", runs)
	log := generate(chaos.Rand(t, seed, 1000), 400)
	home := sessionHome(t, log)
	reference, err := openEnv(t.TempDir())
	noErr(t, err)
	began := time.Now()
	_, err = reference.open(home)
	noErr(t, err)
	took := time.Since(began)
	want, found := dump(t, reference.store), findAll(t, reference.store)
	noErr(t, reference.close())
	kills := 0
	for run := range runs {
		r := chaos.Rand(t, seed, run)
		dir := t.TempDir()
		for range 1 + r.IntN(3) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), importVar+"="+dir+"\n"+home)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			noErr(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-ended:
				if err != nil {
					t.Fatalf("run %d: %v: %s", run, err, &stderr)
				}
			case <-time.After(time.Duration(r.Int64N(int64(2*took) + int64(200*time.Millisecond)))):
				noErr(t, cmd.Process.Kill())
				<-ended
				kills++
			}
		}
		e, err := openEnv(dir)
		noErr(t, err)
		_, err = e.open(home)
		noErr(t, err)
		if diff := cmp.Diff(want, dump(t, e.store)); diff != "" {
			t.Fatalf("run %d: rows (-whole +killed):\n%.3000s", run, diff)
		}
		if n := findAll(t, e.store); n != found || n == 0 {
			t.Errorf("run %d: a search finds %d messages, want %d", run, n, found)
		}
		noErr(t, e.close())
	}
	if left, err := os.ReadFile(filepath.Join(home, "session-state", target.ACPID, "events.jsonl")); err != nil || !bytes.Equal(left, log) {
		t.Errorf("the session changed, %v", err)
	}
	result("%d kills; each session was in one chat with the same rows", kills)
}

// TestManager_OpenedTwiceIsOneChat checks that opening a session several times at once creates only one chat, and that
// no message can be sent until the session has been read.
func TestManager_OpenedTwiceIsOneChat(t *testing.T) {
	home := sessionHome(t, generate(chaos.Rand(t, chaos.Seed(t), 0), 500))
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	var ids [8]string
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			chat, err := e.Open(context.Background(), home, target.ACPID)
			if err != nil {
				t.Error(err)
			}
			ids[i] = chat.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Errorf("chats %q", ids)
		}
	}
	_, err = e.open(home)
	noErr(t, err)
	noErr(t, e.bus.Flush(t.Context()))
	e.mu.Lock()
	defer e.mu.Unlock()
	if last := e.states[len(e.states)-1]; last.State != backend.ImportDone || last.Read != last.Size || last.Size == 0 {
		t.Errorf("states %+v", e.states)
	}
}

// TestManager_CancelKeepsSession checks that a canceled import deletes the chat but not the session, except for a copy
// that was made for the chat.
func TestManager_CancelKeepsSession(t *testing.T) {
	home := sessionHome(t, append(generate(chaos.Rand(t, chaos.Seed(t), 0), 200), event(1, "user.message", `{"content":"the last one"}`)...))
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	e.paused.Store(true)
	for _, open := range []func(context.Context, string, string) (backend.Chat, error){e.Open, e.Fork} {
		chat, err := open(t.Context(), home, target.ACPID)
		noErr(t, err)
		if err := e.Writable(chat.ID); backend.CodeOf(err) != backend.CodeUnavailable {
			t.Errorf("a message could be sent: %v", err)
		}
		noErr(t, e.Cancel(chat.ID))
		if _, err := e.chats.Get(chat.ID); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("the chat is still there: %v", err)
		}
		if _, err := os.Stat(e.StateFile(chat.ID)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the state is still there: %v", err)
		}
		if sessions, err := os.ReadDir(filepath.Join(home, "session-state")); err != nil || len(sessions) != 1 || sessions[0].Name() != target.ACPID {
			t.Errorf("sessions %v, %v", sessions, err)
		}
	}
	e.paused.Store(false)
	chat, err := e.open(home)
	noErr(t, err)
	if err := e.Cancel(chat.ID); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("canceling a complete import: %v", err)
	}
}

// TestManager_FailedImportIsTriedAgain checks that a chat whose session couldn't be read completely accepts no message, and
// that opening the session again, or resuming it, completes it.
func TestManager_FailedImportIsTriedAgain(t *testing.T) {
	home := sessionHome(t, generate(chaos.Rand(t, chaos.Seed(t), 0), 50))
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	e.broken.Store(true)
	chat, err := e.Open(t.Context(), home, target.ACPID)
	noErr(t, err)
	state := func() backend.SessionImportState {
		noErr(t, e.bus.Flush(t.Context()))
		e.mu.Lock()
		defer e.mu.Unlock()
		if len(e.states) == 0 {
			return ""
		}
		return e.states[len(e.states)-1].State
	}
	for state() != backend.ImportFailed {
		time.Sleep(time.Millisecond)
	}
	if err := e.Writable(chat.ID); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a message could be sent: %v", err)
	}
	e.broken.Store(false)
	e.paused.Store(true)
	again, err := e.Open(t.Context(), home, target.ACPID)
	if err != nil || again.ID != chat.ID {
		t.Errorf("chat %s, %v", again.ID, err)
	}
	e.Stop(chat.ID)
	if err := e.Writable(chat.ID); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a message could be sent: %v", err)
	}
	e.paused.Store(false)
	e.Resume(t.Context(), chat.ID)
	for e.Writable(chat.ID) != nil {
		time.Sleep(time.Millisecond)
	}
	if got := state(); got != backend.ImportDone {
		t.Errorf("state %s", got)
	}
	e.Forget(chat.ID)
	if _, err := os.Stat(e.StateFile(chat.ID)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state is still there: %v", err)
	}
}
