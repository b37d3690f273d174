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

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/branch"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// history is a random history of a chat, with a model in memory of what it shows and of what is in its folder.
type history struct {
	t      *testing.T
	r      *rand.Rand
	store  *store.Store
	undo   *undo.Manager
	branch *branch.Manager
	chats  map[string]backend.Chat
	chat   backend.Chat
	log    []string
	n      int            // makes content unique
	clock  backend.Millis // of the last step

	shown  []modelTurn
	asides map[string]*modelAside
	order  []string       // of asides
	byUser map[string]int // the step in which the user last changed a file
	step   int
}

// modelTurn is a turn with the step in which it began and the files before it.
type modelTurn struct {
	id    string
	step  int
	files map[string]string
}

// modelAside holds turns that are set aside, after another turn, and the step and files of that time.
type modelAside struct {
	after string
	turns []modelTurn
	step  int
	files map[string]string
}

func newHistory(t *testing.T, r *rand.Rand) *history {
	t.Helper()
	h := &history{t: t, r: r, chats: map[string]backend.Chat{}, asides: map[string]*modelAside{}, byUser: map[string]int{}}
	dir := t.TempDir()
	var err error
	if h.store, _, err = store.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	h.chat = backend.Chat{ID: backend.NewID(), Folder: t.TempDir(), ProviderID: "agent"}
	h.chats[h.chat.ID] = h.chat
	h.apply(backend.Event{Chat: &h.chat})
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
		switch op := h.r.IntN(6); op {
		case 0, 1, 2:
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, fmt.Append(nil, h.n, "\n"), 0o644))
		case 3:
			old, failed := os.ReadFile(path)
			if err = failed; err == nil {
				err = os.WriteFile(path, fmt.Append(old, h.n, "\n"), 0o644)
			}
		case 4:
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

// tick waits for the next millisecond, since the order of turns and operations is that of their times.
func (h *history) tick() backend.Millis {
	for h.clock == backend.Now() {
		time.Sleep(100 * time.Microsecond)
	}
	h.clock = backend.Now()
	return h.clock
}

// turn is a message with changes by the agent.
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
	h.shown = append(h.shown, m)
}

// check checks the files after they went back to an earlier state, which they had in a step, from those in was.
func (h *history) check(earlier map[string]string, step int, was map[string]string) (back int) {
	now := h.files(true)
	for _, name := range modelNames {
		user, changed := h.byUser[name]
		switch {
		case !changed || user < step: // only the agent changed it since
			if now[name] != earlier[name] {
				h.t.Errorf("%s is %q, want %q as earlier (was %q)", name, now[name], earlier[name], was[name])
			}
			if was[name] != now[name] {
				back++
			}
		case now[name] != was[name] && now[name] != earlier[name]:
			h.t.Errorf("%s is %q, neither %q as earlier nor %q as it was", name, now[name], earlier[name], was[name])
		}
	}
	return back
}

// wantShown compares what the chat shows with the model.
func (h *history) wantShown() {
	h.t.Helper()
	lines, err := h.store.Lines(h.t.Context(), h.chat.ID)
	h.must(err)
	var got, want []string
	for _, l := range lines {
		if l.Aside == "" {
			got = append(got, l.ID)
		}
	}
	for _, t := range h.shown {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("what is shown (-want +got):\n%s", diff)
	}
}

// setAside moves turns in the model to the newest aside of the store.
func (h *history) setAside(from int, files map[string]string) string {
	all, err := h.store.Asides(h.t.Context(), h.chat.ID)
	h.must(err)
	a := all[len(all)-1]
	h.asides[a.ID] = &modelAside{after: a.AfterTurn, turns: slices.Clone(h.shown[from:]), step: h.step, files: files}
	h.shown, h.order = h.shown[:from], append(h.order, a.ID)
	return a.ID
}

// goBack goes back at random. It returns the number of files that went back.
func (h *history) goBack() (back int) {
	if len(h.shown) == 0 {
		return 0
	}
	i := h.r.IntN(len(h.shown))
	t := h.shown[i]
	scope := []backend.BackScope{backend.BackBoth, backend.BackBoth, backend.BackConversation, backend.BackFiles}[h.r.IntN(4)]
	h.logf("back to before %s: %s", t.id, scope)
	h.tick()
	was, git := h.files(true), h.git()
	err := h.branch.GoBack(h.t.Context(), t.id, backend.GoBackRequest{Scope: scope})
	if scope == backend.BackFiles && backend.CodeOf(err) == backend.CodeUnavailable {
		return 0 // no file to change
	}
	h.must(err)
	if diff := cmp.Diff(git, h.git()); diff != "" {
		h.t.Errorf("git's files changed:\n%s", diff)
	}
	id := ""
	if scope == backend.BackConversation {
		if diff := cmp.Diff(was, h.files(true)); diff != "" {
			h.t.Errorf("files changed:\n%s", diff)
		}
	} else {
		back = h.check(t.files, t.step, was)
	}
	if scope == backend.BackFiles {
		id = h.setAside(len(h.shown), was)
	} else {
		id = h.setAside(i, was)
	}
	h.wantShown()
	if h.r.IntN(3) == 0 && !h.t.Failed() { // going back and bringing back are the identity
		h.logf("and forward")
		h.tick()
		h.bring(id, true)
		if diff := cmp.Diff(was, h.files(true)); diff != "" {
			h.t.Errorf("after bringing back (-want +got):\n%s", diff)
		}
	}
	return back
}

// bring brings back what was set aside.
func (h *history) bring(id string, files bool) {
	a := h.asides[id]
	at := slices.IndexFunc(h.shown, func(t modelTurn) bool { return t.id == a.after })
	was := h.files(true)
	err := h.branch.BringBack(h.t.Context(), h.chat.ID, id, files)
	switch {
	case len(a.turns) > 0 && a.after != "" && at < 0:
		if backend.CodeOf(err) != backend.CodeUnavailable {
			h.t.Errorf("after a turn that is set aside: %v", err)
		}
		return
	case len(a.turns) == 0 && backend.CodeOf(err) == backend.CodeUnavailable:
		return // no file to change
	}
	h.must(err)
	if files || len(a.turns) == 0 {
		h.check(a.files, a.step, was)
	} else if diff := cmp.Diff(was, h.files(true)); diff != "" {
		h.t.Errorf("files changed:\n%s", diff)
	}
	delete(h.asides, id)
	h.order = slices.DeleteFunc(h.order, func(o string) bool { return o == id })
	if len(a.turns) > 0 {
		if at+1 < len(h.shown) {
			h.setAside(at+1, was)
		}
		h.shown = append(h.shown, a.turns...)
	}
	h.wantShown()
}

// undoTurn undoes or redoes a turn that is shown.
func (h *history) undoTurn() {
	if len(h.shown) == 0 {
		return
	}
	t := h.shown[h.r.IntN(len(h.shown))]
	h.tick()
	if err := h.undo.Undo(h.t.Context(), t.id, nil); err == nil {
		h.logf("undo %s", t.id)
	} else if err := h.undo.Redo(h.t.Context(), t.id, nil); err == nil {
		h.logf("redo %s", t.id)
	}
}

// newChat branches into a new chat, which must have what is shown before a turn.
func (h *history) newChat() {
	if len(h.shown) == 0 {
		return
	}
	i := h.r.IntN(len(h.shown))
	h.logf("new chat before %s", h.shown[i].id)
	was := h.files(true)
	chat, err := h.branch.NewChat(h.t.Context(), h.shown[i].id)
	h.must(err)
	var texts []string
	h.must(h.store.Read(h.t.Context(), func(v *store.ReadTx) error {
		return v.EachItem(h.t.Context(), chat.ID, "", func(item backend.Item) error {
			text, _, err := h.store.Text(h.t.Context(), item.ID, 0, 0)
			texts = append(texts, string(text))
			return err
		})
	}))
	var want []string
	for _, t := range h.shown[:i] {
		want = append(want, t.id)
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		h.t.Errorf("the new chat has (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(was, h.files(true)); diff != "" {
		h.t.Errorf("files changed:\n%s", diff)
	}
	h.wantShown()
}

// Random histories of turns, changes by the user, undo, redo, going back, bringing back and branching: what the chat
// shows is as in the model, what only the agent changed goes back, nothing of the user's is lost, and git's own files
// never change.
func TestModel_RandomHistories(t *testing.T) {
	seed := chaos.Seed(t)
	rounds := chaos.Runs(15, 1000)
	result := chaos.Row(t, "Random histories of a chat with going back, bringing back and branching", rounds)
	began, steps, back := time.Now(), 0, 0
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
	}
	if back == 0 {
		t.Error("no file went back")
	}
	result("%d steps in %d histories, %d files went back; no byte of the user's lost", steps, rounds, back)
}
