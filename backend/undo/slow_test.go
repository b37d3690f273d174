package undo_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/backend/undo"
)

// slowFolder is a chat with a Manager. Its limits can be so low that recording the chat's folder exceeds them.
type slowFolder struct {
	t     *testing.T
	chat  backend.Chat
	store *store.Store
	undo  *undo.Manager
	rows  map[string]backend.TurnUndo // published rows, by turn ID
}

func newSlowFolder(t *testing.T, limits func(*undo.Config)) *slowFolder {
	t.Helper()
	f := &slowFolder{t: t, rows: map[string]backend.TurnUndo{}}
	dir := t.TempDir()
	s, _, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f.store = s
	f.chat = backend.Chat{ID: backend.NewID(), Folder: t.TempDir(), ProviderID: "agent"}
	commit := func(ctx context.Context, events ...backend.Event) error {
		for _, e := range events {
			if e.TurnUndo != nil {
				f.rows[e.TurnUndo.TurnID] = *e.TurnUndo
			}
		}
		return s.Apply(context.WithoutCancel(ctx), events, false)
	}
	cfg := undo.Config{
		Dir: dir, LoginPath: func() string { return os.Getenv("PATH") }, Store: s, Log: slog.New(slog.DiscardHandler), Commit: commit,
		Chat:    func(string) (backend.Chat, error) { return f.chat, nil },
		Trusted: func(context.Context, backend.Chat) bool { return true },
		Limits:  func() (int, int) { return 30, 2 },
		Publish: func(events ...backend.Event) {
			if err := commit(context.Background(), events...); err != nil {
				t.Error(err)
			}
		},
	}
	limits(&cfg)
	f.undo = undo.New(t.Context(), cfg)
	t.Cleanup(func() {
		f.undo.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := commit(t.Context(), backend.Event{Chat: &f.chat}); err != nil {
		t.Fatal(err)
	}
	return f
}

// write writes a file in the chat's folder.
func (f *slowFolder) write(name, content string) {
	f.t.Helper()
	path := filepath.Join(f.chat.Folder, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		f.t.Fatal(err)
	}
}

// turnOf returns the turn with the given ID.
func (f *slowFolder) turnOf(id string) backend.Turn {
	f.t.Helper()
	turn, err := f.store.Turn(f.t.Context(), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return turn
}

// turn runs a turn and returns the turn's ID. A command of the turn writes the content to the file named "a". The given
// functions are called while the turn is running.
func (f *slowFolder) turn(content string, during ...func()) (id string) {
	f.t.Helper()
	turn := backend.Turn{ID: backend.NewID(), ChatID: f.chat.ID, Session: backend.SessionMain, State: backend.TurnRunning, StartedAt: backend.Now()}
	commit := func(turn backend.Turn) {
		f.t.Helper()
		if err := f.undo.Commit(f.t.Context(), backend.Event{Turn: &turn}); err != nil {
			f.t.Fatal(err)
		}
	}
	commit(turn)
	r, _ := f.undo.Begin(f.t.Context(), turn, "go")
	turn.SentAt = backend.Now()
	commit(turn)
	f.undo.BeforeTool(f.t.Context(), f.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "bash", Args: []byte(`{"command":"echo"}`)})
	f.write("a", content)
	for _, do := range during {
		do()
	}
	turn.State, turn.EndedAt = backend.TurnDone, backend.Now()
	r.End(turn)
	commit(turn)
	return turn.ID
}

// TestUndo_SlowFolderIsRecordedAtEdges checks that a folder that takes too long to record before each command is
// recorded only before and after the turn. The turn and its preview have EdgesOnly set, and the turn can be undone.
func TestUndo_SlowFolderIsRecordedAtEdges(t *testing.T) {
	f := newSlowFolder(t, func(c *undo.Config) { c.MaxToolCost = time.Nanosecond })
	if first := f.turn("1"); f.rows[first].EdgesOnly { // the first turn reads all files, so its duration isn't typical
		t.Errorf("the first turn is %+v", f.rows[first])
	}
	second := f.turn("2")
	if u := f.rows[second]; u.State != backend.UndoAvailable || !u.EdgesOnly || u.During != u.Before {
		t.Errorf("the second turn is %+v", u)
	}
	if p, err := f.undo.Preview(t.Context(), second); err != nil || !p.EdgesOnly || p.Ready != 1 {
		t.Errorf("the preview is %+v, %v", p, err)
	}
	if err := f.undo.Undo(t.Context(), second, nil); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(f.chat.Folder, "a")); err != nil || string(b) != "1" {
		t.Errorf("the file is %q, %v", b, err)
	}
}

// TestUndo_SlowFolderIsComparedWithGitStatus checks that a folder is recorded before each command if this takes at most
// 1.2 times as long as git status in it, although it takes longer than the limit for a folder without git.
func TestUndo_SlowFolderIsComparedWithGitStatus(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that delays git is a shell script")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git isn't installed")
	}
	bin := t.TempDir()
	late := "#!/bin/sh\nfor arg; do if [ \"$arg\" = status ]; then sleep 5; fi; done\nexec " + git + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(late), 0o700); err != nil {
		t.Fatal(err)
	}
	f := newSlowFolder(t, func(c *undo.Config) {
		c.ToolCosts = undo.ToolCosts{Quick: 1, WithoutGit: 1, Max: 20 * time.Second}
		c.LoginPath = func() string { return bin + string(os.PathListSeparator) + os.Getenv("PATH") }
	})
	if out, err := exec.CommandContext(t.Context(), git, "init", "-q", f.chat.Folder).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	f.turn("0")
	if u := f.rows[f.turn("1")]; !u.EdgesOnly { // the time of git status isn't known yet
		t.Errorf("the turn during git status is %+v", u)
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for n, until := 0, time.Now().Add(time.Minute); f.rows[f.turn(strconv.Itoa(n))].EdgesOnly; n++ {
		if time.Now().After(until) {
			t.Fatal("the folder is still recorded only before and after turns")
		}
		<-look.C
	}
}

// TestToolCosts_Limit checks the limit for recording before tool calls.
func TestToolCosts_Limit(t *testing.T) {
	for status, want := range map[time.Duration]time.Duration{
		0:                      150 * time.Millisecond,
		10 * time.Millisecond:  50 * time.Millisecond,
		100 * time.Millisecond: 120 * time.Millisecond,
		500 * time.Millisecond: 600 * time.Millisecond,
		3 * time.Second:        time.Second,
	} {
		if got := undo.ToolLimit(status); got != want {
			t.Errorf("git status takes %v: got %v, want %v", status, got, want)
		}
	}
}

// TestUndo_FolderThatTakesTooLong checks that if a folder takes longer to record than a message may wait, the turn
// continues but can't be undone, and its undo contains the reason.
func TestUndo_FolderThatTakesTooLong(t *testing.T) {
	f := newSlowFolder(t, func(c *undo.Config) { c.MaxWait = time.Nanosecond })
	id := f.turn("1")
	if u := f.rows[id]; u.State != backend.UndoUnavailable || u.Reason.String() != "Saving copies of the folder's files took too long." {
		t.Errorf("the turn is %+v", u)
	}
	if err := f.undo.Undo(t.Context(), id, nil); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("its undo: %v", err)
	}
}
