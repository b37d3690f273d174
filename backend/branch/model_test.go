package branch_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/branch"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// history is a random history of a chat, with an in-memory model of its shown messages and its files.
type history struct {
	t      *testing.T
	r      *rand.Rand
	store  *store.Store
	undo   *undo.Manager
	branch *branch.Manager
	chats  map[string]backend.Chat
	chat   backend.Chat
	log    []string
	n      int // makes content unique

	turns  []modelTurn // that are shown
	asides map[string]*modelAside
	order  []string       // of asides
	byUser map[string]int // the step in which the user last changed a file
	step   int

	userLines map[string]int // the steps in which the user wrote lines, by the file's name and the line
	merged    int            // number of files that were merged
}

// modelTurn is a turn with the step in which it began and the files before it.
type modelTurn struct {
	id    string
	step  int
	files map[string]string
}

// modelAside holds turns that are set aside, the turn before them, and the step and files when they were set aside.
type modelAside struct {
	after string
	turns []modelTurn
	step  int
	files map[string]string
}

func newHistory(t *testing.T, r *rand.Rand) *history {
	t.Helper()
	h := &history{t: t, r: r, chats: map[string]backend.Chat{}, asides: map[string]*modelAside{}, byUser: map[string]int{}, userLines: map[string]int{}}
	dir := t.TempDir()
	var err error
	if h.store, _, err = store.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	h.chat = backend.Chat{ID: backend.NewID(), Folder: t.TempDir(), ProviderID: "agent"}
	h.chats[h.chat.ID] = h.chat
	h.apply(backend.Event{Chat: &h.chat})
	for _, name := range modelNames {
		path := filepath.Join(h.chat.Folder, filepath.FromSlash(name))
		h.must(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), h.write("the user", name, 12)))
	}
	log := slog.New(slog.DiscardHandler)
	chat := func(id string) (backend.Chat, error) { return h.chats[id], nil }
	h.undo = undo.New(t.Context(), undo.Config{
		Dir: dir, LoginPath: func() string { return os.Getenv("PATH") }, Store: h.store, Chat: chat, Publish: h.apply, Commit: h.commit, Log: log,
		Trusted: func(context.Context, backend.Chat) bool { return true }, Limits: func() (int, int) { return 30, 2 },
	})
	h.branch = branch.New(branch.Config{
		Dir: dir, Store: h.store, Undo: h.undo, Chat: chat, Commit: h.commit, Publish: h.apply, Log: log,
		Change: func(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error {
			c := h.chats[id]
			change(&c)
			h.chats[id] = c
			return h.commit(ctx, append(with, backend.Event{Chat: &c})...)
		},
		Hold: func(string) (func(), error) { return func() {}, nil }, Busy: func(string) bool { return false },
		WithoutAgent: func(_ context.Context, _ string, do func() error) error { return do() },
		Forks:        func(backend.Chat) bool { return false },
		Copy: func(ctx context.Context, _ string, with func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			c := backend.Chat{ID: backend.NewID(), Folder: h.chat.Folder, ProviderID: "agent"}
			h.chats[c.ID] = c
			events, err := with(c)
			return c, errors.Join(err, h.commit(ctx, append([]backend.Event{{Chat: &c}}, events...)...))
		},
	})
	return h
}

func (h *history) close() {
	h.branch.Close()
	h.undo.Close()
	h.must(h.store.Close())
}

func (h *history) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v %s in\n%s", err, backend.AsError(err).Detail, strings.Join(h.log, "\n"))
	}
}

func (h *history) apply(events ...backend.Event) {
	h.must(h.store.Apply(context.Background(), events, false))
}

func (h *history) commit(ctx context.Context, events ...backend.Event) error {
	return h.store.Apply(ctx, events, false)
}

func (h *history) logf(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// files returns the files in a folder, without git's own.
func (h *history) files(skipGit bool) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(h.chat.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && skipGit && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(h.chat.Folder, path)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	h.must(err)
	return all
}

// git returns git's own files.
func (h *history) git() map[string]string {
	all := h.files(false)
	maps.DeleteFunc(all, func(path, _ string) bool { return !strings.HasPrefix(path, ".git/") })
	return all
}

var modelNames = []string{"a", "b", "c", "d/a", "d/b", "e/f/g"}

// edit changes some files; who is "the agent" or "the user".
func (h *history) edit(who string) {
	for range 1 + h.r.IntN(3) {
		name := modelNames[h.r.IntN(len(modelNames))]
		path := filepath.Join(h.chat.Folder, filepath.FromSlash(name))
		names := []string{name}
		h.n++
		var err error
		switch h.r.IntN(10) {
		case 0:
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), h.write(who, name, 6))
		case 1, 2, 3, 4, 5, 6: // a new line before a line, or instead of it
			old, failed := os.ReadFile(path)
			if err = failed; err == nil {
				lines, line := strings.Fields(string(old)), fmt.Sprint(h.n)
				at := h.r.IntN(len(lines) + 1)
				to := min(at+h.r.IntN(2), len(lines))
				err = h.writeLines(who, name, slices.Concat(lines[:at], []string{line}, lines[to:]), line)
			}
		case 7:
			err = os.Remove(path)
		default:
			to := modelNames[h.r.IntN(len(modelNames))]
			target := filepath.Join(h.chat.Folder, filepath.FromSlash(to))
			if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
				err = os.Rename(path, target)
			}
			names = append(names, to)
		}
		h.logf("  %s: %v: %v", who, names, err)
		if err == nil && who == "the user" {
			for _, n := range names {
				h.byUser[n] = h.step
			}
		}
	}
}

// write writes a file with a number of new lines.
func (h *history) write(who, name string, n int) error {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprint(h.n, ".", i))
	}
	return h.writeLines(who, name, lines, lines...)
}

// writeLines writes a file, of which some lines are new.
func (h *history) writeLines(who, name string, lines []string, added ...string) error {
	if who == "the user" {
		for _, line := range added {
			h.userLines[name+": "+line] = h.step
		}
	}
	return os.WriteFile(filepath.Join(h.chat.Folder, filepath.FromSlash(name)), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// tick waits for the next millisecond and returns it, because turns and operations are ordered by time.
func (h *history) tick() backend.Millis {
	last := backend.Now()
	for last == backend.Now() {
		time.Sleep(100 * time.Microsecond)
	}
	return backend.Now()
}

// turn runs a turn in which the agent changes files.
func (h *history) turn() {
	turn := backend.Turn{ID: backend.NewID(), ChatID: h.chat.ID, Session: backend.SessionMain, State: backend.TurnRunning, StartedAt: h.tick()}
	m := modelTurn{id: turn.ID, step: h.step, files: h.files(true)}
	h.logf("turn %s", turn.ID)
	item := backend.Item{ID: backend.NewID(), ChatID: h.chat.ID, TurnID: turn.ID, Session: backend.SessionMain, Kind: backend.ItemUser, CreatedAt: turn.StartedAt}
	h.apply(backend.Event{Turn: &turn}, backend.Event{Item: &item}, backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: h.chat.ID, Text: turn.ID}})
	recording, _ := h.undo.Begin(h.t.Context(), turn, "x")
	turn.SentAt = h.tick()
	sent := turn
	h.must(h.undo.Commit(h.t.Context(), backend.Event{Turn: &sent}))
	h.edit("the agent")
	turn.State, turn.EndedAt = backend.TurnDone, h.tick()
	recording.End(turn)
	h.apply(backend.Event{Turn: &turn})
	h.turns = append(h.turns, m)
}

// In random histories of turns, changes by the user, undo, redo, going back, bringing back and branching, the shown
// messages match the model, changes made only by the agent are reverted, no user content is lost, and git's own files
// never change.
func TestModel_RandomHistories(t *testing.T) {
	seed := chaos.Seed(t)
	rounds := chaos.Runs(15, 1000)
	result := chaos.Row(t, "Random histories of a chat with going back, bringing back and branching", rounds)
	began, steps, back, merged := time.Now(), 0, 0, 0
	for round := range rounds {
		if !chaos.Long() && time.Since(began) > time.Minute {
			rounds = round
			break
		}
		h := newHistory(t, chaos.Rand(t, seed, round))
		if h.r.IntN(3) == 0 {
			if out, err := exec.CommandContext(t.Context(), "git", "-C", h.chat.Folder, "init", "-q").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		for range 20 {
			h.step++
			steps++
			switch h.r.IntN(10) {
			case 0, 1, 2:
				h.turn()
			case 3:
				h.logf("user")
				h.edit("the user")
			case 4:
				h.undoTurn()
			case 5, 6, 7:
				back += h.goBack()
			case 8:
				if ids := h.order; len(ids) > 0 {
					id, files := ids[h.r.IntN(len(ids))], h.r.IntN(2) == 0
					h.logf("bring back %s, files %t", id, files)
					h.tick()
					h.bring(id, files)
				}
			default:
				h.newChat()
			}
			if t.Failed() {
				t.Fatalf("in round %d after:\n%s", round, strings.Join(h.log, "\n"))
			}
		}
		h.close()
		merged += h.merged
	}
	if back == 0 || merged == 0 && chaos.Long() { // a slow machine runs too few rounds for a merge in each run
		t.Errorf("%d files went back, and %d were merged", back, merged)
	}
	result("%d steps in %d histories, %d files went back, %d of them by merging; no byte of the user's lost", steps, rounds, back, merged)
}
