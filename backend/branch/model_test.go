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
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/branch"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// history is a random history of two chats in one folder, with an in-memory model of their shown messages and of the
// files.
type history struct {
	t       *testing.T
	r       *rand.Rand
	store   *store.Store
	undo    *undo.Manager
	branch  *branch.Manager
	folder  string
	rows    map[string]backend.Chat // of all chats, by ID
	busy    map[string]bool         // chats with a running turn, by ID
	chats   [2]*modelChat
	isRepo  bool
	log     []string
	clock   int                   // counts turns and operations; see tick
	n       int                   // makes content unique
	author  map[string]*modelChat // by line: the chat that wrote it first, or nil for the user
	first   map[string]bool       // lines of the first files
	edited  []string              // files that the last calls of edit have changed
	written map[string]int        // by line that the user wrote during a turn: the start of the turn
	tally
}

// tally counts the operations in histories, and the files that they changed.
type tally struct {
	steps, back, merged, moved, undone, identities, refused, git, during int
}

func (t *tally) add(o tally) {
	t.steps, t.back, t.merged, t.undone = t.steps+o.steps, t.back+o.back, t.merged+o.merged, t.undone+o.undone
	t.moved, t.identities, t.refused, t.git = t.moved+o.moved, t.identities+o.identities, t.refused+o.refused, t.git+o.git
	t.during += o.during
}

// modelChat is the model of a chat that works in the folder.
type modelChat struct {
	backend.Chat
	turns  []*modelTurn // that are shown
	asides map[string]*modelAside
	order  []string // of asides
	spans  []*span  // in order
}

// modelTurn is a turn. last is the last undo or redo of the turn, and isUndone is true if that was an undo.
type modelTurn struct {
	id string
	*span
	last     *span
	isUndone bool
}

// modelAside holds turns that are set aside, the turn before them, the time at which they were set aside, and the files
// at that time.
type modelAside struct {
	after string
	turns []*modelTurn
	at    int // by history.clock
	files files
}

// files holds the mode and content of each file in a folder, by path.
type files map[string]string

func newHistory(t *testing.T, r *rand.Rand) *history {
	t.Helper()
	h := &history{t: t, r: r, folder: t.TempDir(), rows: map[string]backend.Chat{}, busy: map[string]bool{}, author: map[string]*modelChat{}, written: map[string]int{}, first: map[string]bool{}}
	dir := t.TempDir()
	var err error
	if h.store, _, err = store.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for i := range h.chats {
		row := backend.Chat{ID: backend.NewID(), Folder: h.folder, ProviderID: "agent", Title: fmt.Sprint("chat ", i)}
		h.chats[i] = &modelChat{Chat: row, asides: map[string]*modelAside{}}
		h.rows[row.ID] = row
		h.apply(backend.Event{Chat: &row})
	}
	for _, name := range modelNames {
		h.n++
		h.noErr(errors.Join(os.MkdirAll(filepath.Dir(h.path(name)), 0o755), h.write(name, 12)))
	}
	for _, text := range h.files() {
		maps.Copy(h.first, linesOf(text))
	}
	if h.isRepo = r.IntN(2) == 0; h.isRepo {
		h.initRepo()
	}
	log := slog.New(slog.DiscardHandler)
	chat := func(id string) (backend.Chat, error) { return h.rows[id], nil }
	h.undo = undo.New(t.Context(), undo.Config{
		Dir: dir, LoginPath: func() string { return os.Getenv("PATH") }, Store: h.store, Chat: chat, Publish: h.apply, Commit: h.commit, Log: log,
		Trusted: func(context.Context, backend.Chat) bool { return true }, Limits: func() (int, int) { return 30, 2 },
		Reports: func(backend.Chat) bool { return true }, MaxToolCost: time.Minute,
	})
	h.branch = branch.New(branch.Config{
		Dir: dir, Store: h.store, Undo: h.undo, Chat: chat, Commit: h.commit, Publish: h.apply, Log: log,
		Change: func(ctx context.Context, id string, change func(*backend.Chat), with ...backend.Event) error {
			c := h.rows[id]
			change(&c)
			h.rows[id] = c
			return h.commit(ctx, append(with, backend.Event{Chat: &c})...)
		},
		Hold: func(id string) (func(), error) {
			if h.busy[id] {
				return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This chat is still running. Wait for it to finish, or stop it.")}
			}
			return func() {}, nil
		},
		Busy:         func(id string) bool { return h.busy[id] },
		WithoutAgent: func(_ context.Context, _ string, do func() error) error { return do() },
		Forks:        func(backend.Chat) bool { return false },
		Copy: func(ctx context.Context, _ string, with func(backend.Chat) ([]backend.Event, error)) (backend.Chat, error) {
			c := backend.Chat{ID: backend.NewID(), Folder: h.folder, ProviderID: "agent"}
			h.rows[c.ID] = c
			events, err := with(c)
			return c, errors.Join(err, h.commit(ctx, append([]backend.Event{{Chat: &c}}, events...)...))
		},
	})
	return h
}

func (h *history) close() {
	h.branch.Close()
	h.undo.Close()
	h.noErr(h.store.Close())
}

func (h *history) noErr(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v %s in\n%s", err, backend.AsError(err).Detail, strings.Join(h.log, "\n"))
	}
}

func (h *history) apply(events ...backend.Event) {
	h.noErr(h.store.Apply(context.Background(), events, false))
}

func (h *history) commit(ctx context.Context, events ...backend.Event) error {
	return h.store.Apply(ctx, events, false)
}

func (h *history) logf(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) path(name string) string { return filepath.Join(h.folder, filepath.FromSlash(name)) }

// files returns the files in the folder, without git's own.
func (h *history) files() files {
	all := files{}
	err := filepath.WalkDir(h.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(h.folder, path)
		all[filepath.ToSlash(rel)] = info.Mode().String() + "\n" + string(text)
		return err
	})
	h.noErr(err)
	return all
}

// wantFiles fails the test unless the files match the expected ones.
func (h *history) wantFiles(when string, want files) {
	h.t.Helper()
	if diff := cmp.Diff(want, h.files()); diff != "" {
		h.t.Errorf("%s, the files differ (-want +got):\n%s", when, diff)
	}
}

var modelNames = []string{"a", "b", "c", "d/a", "d/b", "e/f/g"}

// edit changes some files as the agent of a chat or, if c is nil, as the user.
func (h *history) edit(c *modelChat) {
	for range 1 + h.r.IntN(3) {
		name := modelNames[h.r.IntN(len(modelNames))]
		names := []string{name}
		h.n++
		var err error
		op := h.r.IntN(12)
		switch op {
		case 0:
			if err = os.MkdirAll(filepath.Dir(h.path(name)), 0o755); err == nil {
				err = h.write(name, 6)
			}
		case 1, 2, 3, 4, 5, 6:
			err = h.editLine(name)
		case 7:
			err = os.Remove(h.path(name))
		case 8:
			err = os.Chmod(h.path(name), []os.FileMode{0o644, 0o755}[h.r.IntN(2)])
		default: // a move, which may come with an edit
			to := modelNames[h.r.IntN(len(modelNames))]
			if err = os.MkdirAll(filepath.Dir(h.path(to)), 0o755); err == nil {
				err = os.Rename(h.path(name), h.path(to))
			}
			if err == nil && op == 9 {
				err = h.editLine(to)
			}
			names = append(names, to)
		}
		if err == nil {
			h.edited = append(h.edited, names...)
		}
		h.logf("  %d %v: %v", op, names, err)
	}
	h.sign(c)
}

// editLine adds a new line before a line of a file, or instead of it.
func (h *history) editLine(name string) error {
	old, err := os.ReadFile(h.path(name))
	if err != nil {
		return err
	}
	lines, line := strings.Fields(string(old)), fmt.Sprint(h.n)
	at := h.r.IntN(len(lines) + 1)
	to := min(at+h.r.IntN(2), len(lines))
	return h.writeLines(name, slices.Concat(lines[:at], []string{line}, lines[to:]))
}

// sign records the author of all lines that have none yet: the agent of a chat or, if c is nil, the user.
func (h *history) sign(c *modelChat) {
	for _, text := range h.files() {
		for line := range linesOf(text) {
			if _, is := h.author[line]; !is {
				h.author[line] = c
			}
		}
	}
}

// write writes a file with the given number of new lines.
func (h *history) write(name string, n int) error {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprint(h.n, ".", i))
	}
	return h.writeLines(name, lines)
}

func (h *history) writeLines(name string, lines []string) error {
	return os.WriteFile(h.path(name), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// tick waits for the next millisecond and returns it. Each turn and each operation needs its own time, because
// they are ordered by time.
func (h *history) tick() backend.Millis {
	h.clock++
	last := backend.Now()
	for last == backend.Now() {
		time.Sleep(100 * time.Microsecond)
	}
	return backend.Now()
}

// TestModel_RandomHistories checks random histories of two chats in one folder against a model of the shown messages
// and all files. The histories consist of turns with edits and commands, changes and git operations by the user, undo,
// redo, going back, bringing back and branching. Changes that only the chat made are reverted, changes by the user or
// the other chat stay, and an undo with its redo changes nothing. VoxPilot never changes a byte of git's own files.
func TestModel_RandomHistories(t *testing.T) {
	isolateGit(t)
	seed := chaos.Seed(t)
	const rounds = 1000
	result := chaos.Row(t, "Random histories of two chats: edits, commands, Git operations, undo, redo, going back, bringing back and branching", chaos.Runs(25, rounds))
	began := time.Now()
	var sum tally
	done := 0
	for round := range chaos.Rounds(25, rounds) {
		if !chaos.Long() && time.Since(began) > time.Minute {
			break
		}
		h := newHistory(t, chaos.Rand(t, seed, round))
		for range 24 {
			h.steps++
			h.randomStep(h.chats[h.r.IntN(2)])
			if t.Failed() {
				t.Fatalf("in round %d after:\n%s", round, strings.Join(h.log, "\n"))
			}
		}
		h.close()
		sum.add(h.tally)
		done++
	}
	// On a slow machine, only a few rounds run, so an operation such as a merge may not occur.
	few := sum.back*sum.undone*sum.identities*sum.refused == 0 || sum.git*sum.during == 0
	if few && done >= 10 || chaos.Long() && sum.merged*sum.moved == 0 {
		t.Errorf("the histories had %+v", sum)
	}
	t.Logf("%+v in %d histories", sum, done)
	result("%d steps in %d histories with %d git commands: %d files went back or came back, %d of them by merging; %d were undone or redone; "+
		"%d operations reversed at once changed no byte; %d refused while a chat worked; the user changed files %d times during turns; "+
		"no byte of the user's lost, none of Git's files changed",
		sum.steps, done, sum.git, sum.back, sum.merged, sum.undone, sum.identities, sum.refused, sum.during)
}

// randomStep carries out a random operation of a chat or of the user.
func (h *history) randomStep(c *modelChat) {
	switch h.r.IntN(16) {
	case 0, 1, 2, 3:
		h.end(h.begin(c))
	case 4:
		h.both()
	case 5:
		h.logf("the user")
		h.edit(nil)
	case 6, 7:
		h.gitOperation(nil)
	case 8, 9:
		h.undoTurn(c)
	case 10, 11, 12:
		h.goBack(c)
	case 13:
		if len(c.order) > 0 {
			h.bring(c, c.order[h.r.IntN(len(c.order))], h.r.IntN(2) == 0)
		}
	case 14:
		h.whileRunning(c)
	default:
		h.newChat(c)
	}
}
