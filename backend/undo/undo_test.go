package undo_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestMain(m *testing.M) { apptest.Main(m) }

// env is an app with a chat whose agent needs no permission.
type env struct {
	*apptest.Window
	chat backend.Chat
}

func newEnv(t *testing.T, files map[string]string, turns ...fakeagent.Turn) *env {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: turns})
	e := &env{Window: apptest.Open(t, t.TempDir())}
	e.chat = e.newChat(t.TempDir())
	for name, content := range files {
		e.write(name, content)
	}
	return e
}

func (e *env) newChat(folder string) backend.Chat {
	e.T.Helper()
	chat, err := e.App.CreateChat(folder, backend.ProviderCopilot)
	if err == nil {
		err = e.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		e.T.Fatal(err)
	}
	return chat
}

func (e *env) write(name, content string) {
	e.T.Helper()
	path := filepath.Join(e.chat.Folder, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		e.T.Fatal(err)
	}
}

// files returns the contents of the files in the chat's folder, by name.
func (e *env) files() map[string]string {
	e.T.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(e.chat.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		rel, _ := filepath.Rel(e.chat.Folder, path)
		all[filepath.ToSlash(rel)] = string(content)
		return err
	})
	if err != nil {
		e.T.Fatal(err)
	}
	return all
}

// run sends a message, waits until its turn has ended, and returns the row of the turn's undo.
func (e *env) run(chat backend.Chat, text string) backend.TurnUndo {
	e.T.Helper()
	id := e.Send(chat, text)
	turn := e.WaitFor("the message", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.ID == id && ev.Item.TurnID != "" }).Item.TurnID
	e.WaitFor("the end of the turn", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ID == turn && ev.Turn.State == backend.TurnDone
	})
	return e.undoOf(turn)
}

// undoOf returns the row of a turn's undo in the database.
func (e *env) undoOf(turn string) (found backend.TurnUndo) {
	e.T.Helper()
	undos, err := e.Engine().Store.TurnUndos(e.T.Context(), "")
	if err != nil {
		e.T.Fatal(err)
	}
	for _, u := range undos {
		if u.TurnID == turn {
			found = u
		}
	}
	return found
}

func (e *env) preview(turn string) (p backend.UndoPreview) {
	e.T.Helper()
	if code := e.Get("/data/undo?turn="+turn, &p); code != http.StatusOK {
		var text string
		e.Get("/data/undo?turn="+turn, &text)
		e.T.Fatalf("the preview is (%d) %s", code, text)
	}
	return p
}

func (e *env) undo(turn string, choices map[string]backend.UndoChoice) error {
	return e.Engine().Undo.Undo(e.T.Context(), turn, choices)
}

func (e *env) redo(turn string, choices map[string]backend.UndoChoice) error {
	return e.Engine().Undo.Redo(e.T.Context(), turn, choices)
}

func (e *env) wantFiles(when string, want map[string]string) {
	e.T.Helper()
	if diff := cmp.Diff(want, e.files()); diff != "" {
		e.T.Errorf("%s, the files differ (-want +got):\n%s", when, diff)
	}
}

// reopen modifies the row of a turn's undo in the database by calling the function change. It then restarts the app, as
// if the app had been killed in that state.
func (e *env) reopen(change func(*backend.TurnUndo), turn string) {
	e.T.Helper()
	u := e.undoOf(turn)
	dir := e.App.Dir
	e.Close()
	db, _, err := store.Open(e.T.Context(), dir)
	if err != nil {
		e.T.Fatal(err)
	}
	change(&u)
	if err := errors.Join(db.Apply(e.T.Context(), []backend.Event{{TurnUndo: &u}}, true), db.Close()); err != nil {
		e.T.Fatal(err)
	}
	e.Window = apptest.Open(e.T, dir)
}

func TestUndo_TakesBackEditsAndCommands(t *testing.T) {
	before := map[string]string{"a.txt": "one\n", "gone.txt": "here\n", "dir/b.txt": "b\n", "c.txt": "1\n2\n3\n4\n5\n"}
	e := newEnv(t, before,
		fakeagent.Turn{fakeagent.Edit("a.txt", "one", "two"), fakeagent.Run("rm gone.txt; echo new > new.txt; mv dir/b.txt dir/moved.txt; sed -i s/1/one/ c.txt; git push; true")},
		fakeagent.Turn{fakeagent.Say("heard: $PROMPT")}, fakeagent.Turn{fakeagent.Say("heard: $PROMPT")},
	)
	u := e.run(e.chat, "go")
	if u.State != backend.UndoAvailable || u.Files != 5 || u.Added != 3 || u.Removed != 3 {
		t.Fatalf("after the turn, its undo is %+v", u)
	}
	after := e.files()
	e.write("c.txt", "one\n2\n3\n4\nfive\n") // the user's change
	p := e.preview(u.TurnID)
	if p.Redo || p.Total != 5 || p.Ready != 4 || p.Changed != 1 || !p.Blocked.IsZero() || len(p.NotUndone) != 1 || !strings.Contains(p.NotUndone[0].What, "git push") || !p.NotUndone[0].IsCommand {
		t.Errorf("the preview is %+v", p)
	}
	effects := map[string]backend.UndoEffect{}
	for _, f := range p.Files {
		effects[f.Path] = f.Effect
	}
	want := map[string]backend.UndoEffect{"a.txt": backend.UndoRestores, "gone.txt": backend.UndoReturns, "dir/b.txt": backend.UndoMoves, "c.txt": backend.UndoRestores, "new.txt": backend.UndoRemoves}
	if diff := cmp.Diff(want, effects); diff != "" {
		t.Errorf("the effects differ (-want +got):\n%s", diff)
	}
	c := p.Files[0]
	if c.Path != "c.txt" || !c.Changed || c.Choice != backend.UndoKeep || !c.Merge || c.ChangedLines != 2 || c.ChangedAt == 0 || c.Reason.IsZero() || c.Added != 1 || c.Removed != 1 {
		t.Errorf("the first file is %+v", c)
	}

	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{"c.txt": "one\n2\n3\n4\nfive\n"}
	for name, content := range before {
		if name != "c.txt" {
			kept[name] = content
		}
	}
	e.wantFiles("after the undo", kept)
	if u := e.undoOf(u.TurnID); u.State != backend.UndoUndone || u.Files != 4 || u.At == 0 {
		t.Errorf("after the undo, it is %+v", u)
	}
	item := e.WaitFor("a banner", func(ev backend.Event) bool {
		return ev.Item != nil && ev.Item.Banner != nil && ev.Item.Banner.Kind == backend.BannerUndone
	}).Item
	if item.TurnID != u.TurnID || item.Banner.Detail.String() != "Undid the changes to 4 files." {
		t.Errorf("the banner is %+v %q", item, item.Banner.Detail)
	}
	if err := e.undo(u.TurnID, nil); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a second undo: %v", err)
	}

	// The agent is informed about the undo once.
	e.run(e.chat, "next")
	e.run(e.chat, "and next")
	texts := e.Text(e.chat.ID, backend.ItemMessage)
	if n := len(texts); n < 2 || !strings.Contains(texts[n-2], "the user undid your changes to these files: a.txt, dir/b.txt, dir/moved.txt, gone.txt, new.txt.") || !strings.HasSuffix(texts[n-2], "next") || strings.Contains(texts[n-1], "undid") {
		t.Errorf("the agent heard %q", texts)
	}

	after["c.txt"] = kept["c.txt"]
	if err := e.redo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", after)
	if u := e.undoOf(u.TurnID); u.State != backend.UndoAvailable || u.Files != 5 {
		t.Errorf("after the redo, it is %+v", u)
	}
	if err := e.undo(u.TurnID, map[string]backend.UndoChoice{"c.txt": backend.UndoMerge}); err != nil {
		t.Fatal(err)
	}
	kept["c.txt"] = "1\n2\n3\n4\nfive\n"
	e.wantFiles("after the merge", kept)
}

func TestUndo_SurvivesRestart(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt; echo b > b.txt")})
	u := e.run(e.chat, "go")
	if p := e.preview(u.TurnID); p.EdgesOnly {
		t.Errorf("the preview of a small folder is %+v", p)
	}
	e.reopen(func(u *backend.TurnUndo) { u.EdgesOnly = true }, u.TurnID)
	if p := e.preview(u.TurnID); !p.EdgesOnly {
		t.Errorf("the preview of a large folder is %+v", p)
	}
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "one\n"})
	e.reopen(func(*backend.TurnUndo) {}, u.TurnID)
	if p := e.preview(u.TurnID); !p.Redo || p.Ready != 2 {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.redo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", map[string]string{"a.txt": "two\n", "b.txt": "b\n"})
}

func TestUndo_KilledDuringTurn(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt")})
	u := e.run(e.chat, "go")
	e.reopen(func(u *backend.TurnUndo) { u.State, u.After, u.Files = backend.UndoRecording, "", 0 }, u.TurnID)
	e.WaitFor("the repair", func(ev backend.Event) bool { return ev.TurnUndo != nil && ev.TurnUndo.State == backend.UndoAvailable })
	p := e.preview(u.TurnID)
	if p.Changed != 1 || p.Files[0].Choice != backend.UndoKeep || p.Files[0].Reason.IsZero() {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.undo(u.TurnID, nil); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("an undo that keeps everything: %v", err)
	}
	if err := e.undo(u.TurnID, map[string]backend.UndoChoice{"a.txt": backend.UndoTake}); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "one\n"})
}

func TestUndo_KilledBeforeResultSaved(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt")})
	u := e.run(e.chat, "go")
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.reopen(func(u *backend.TurnUndo) {
		u.State, u.Pending, u.UndoBefore, u.UndoAfter, u.At = backend.UndoAvailable, u.UndoBefore, "", "", 0
	}, u.TurnID)
	e.WaitFor("the repair", func(ev backend.Event) bool { return ev.TurnUndo != nil && ev.TurnUndo.State == backend.UndoUndone })
	if err := e.redo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the redo", map[string]string{"a.txt": "two\n"})
}

func TestUndo_BlockedWhileFolderInUse(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "one\n"}, fakeagent.Turn{fakeagent.Run("echo two > a.txt")}, fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()})
	u := e.run(e.chat, "go")
	other := e.newChat(e.chat.Folder)
	e.Send(other, "go")
	e.WaitFor("it works", func(ev backend.Event) bool { return ev.Text != nil && ev.Text.Text == "working" })
	if p := e.preview(u.TurnID); p.Blocked.IsZero() {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.undo(u.TurnID, nil); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("an undo while another chat works: %v", err)
	}
	if err := e.App.Stop(other.ID); err != nil {
		t.Fatal(err)
	}
	e.WaitFor("the stop", func(ev backend.Event) bool {
		return ev.Turn != nil && ev.Turn.ChatID == other.ID && ev.Turn.State == backend.TurnStopped
	})
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Error(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "one\n"})
}

func TestUndo_IgnoredFileOfEditTool(t *testing.T) {
	before := map[string]string{".gitignore": ".env\n*.log\n", ".env": "KEY=1\n"}
	e := newEnv(t, before, fakeagent.Turn{fakeagent.Edit(".env", "KEY=1", "KEY=2"), fakeagent.Run("echo x > build.log")})
	if err := os.Mkdir(filepath.Join(e.chat.Folder, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	u := e.run(e.chat, "go")
	if u.Files != 1 {
		t.Errorf("after the turn, its undo is %+v", u)
	}
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	before["build.log"] = "x\n" // ignored by Git, and created only by a command
	e.wantFiles("after the undo", before)
}

func TestUndo_LaterMessageIsNamed(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")}, fakeagent.Turn{fakeagent.Run("echo 3 > a.txt")}, fakeagent.Turn{fakeagent.Say("nothing")})
	first := e.run(e.chat, "go")
	second := e.run(e.chat, "go")
	if third := e.run(e.chat, "go"); third.State != backend.UndoNothing {
		t.Errorf("the undo of a turn without changes is %+v", third)
	}
	p := e.preview(first.TurnID)
	if len(p.Files) != 1 || p.Files[0].ByChatID != e.chat.ID || p.Files[0].Reason.String() != "Changed in a later turn of this chat." {
		t.Errorf("the preview is %+v", p)
	}
	for _, turn := range []string{second.TurnID, first.TurnID} {
		if err := e.undo(turn, nil); err != nil {
			t.Fatal(err)
		}
	}
	e.wantFiles("after both undos", map[string]string{"a.txt": "1\n"})
}

func TestUndo_ChatDeletionRemovesSnapshots(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")})
	e.run(e.chat, "go")
	dir := filepath.Join(e.App.Dir, "snapshots", e.chat.ID)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("the snapshots: %v, %v", info, err)
	}
	if err := e.App.DeleteChat(e.chat.ID, false); err != nil {
		t.Fatal(err)
	}
	e.reopen(func(*backend.TurnUndo) {}, "") // the next start deletes the chat permanently
	e.WaitFor("the deletion", func(ev backend.Event) bool { return ev.ChatDeleted != nil })
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after the deletion, the snapshots are there: %v", err)
	}
}

func TestUndo_OverlappingTurnsKeepUnclearFiles(t *testing.T) {
	hold := filepath.Join(t.TempDir(), "hold")
	wait := fakeagent.Run("until [ -e " + hold + " ]; do sleep 0.05; done")
	e := newEnv(t, map[string]string{"a.txt": "1\n", "b.txt": "1\n"},
		fakeagent.Turn{fakeagent.Edit("a.txt", "1", "2"), fakeagent.Say("working"), wait}, fakeagent.Turn{fakeagent.Run("echo 2 > b.txt")})
	e.Send(e.chat, "go")
	first := e.WaitFor("it works", func(ev backend.Event) bool { return ev.Item != nil && ev.Item.Kind == backend.ItemMessage }).Item.TurnID
	e.run(e.newChat(e.chat.Folder), "go")
	if err := os.WriteFile(hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.WaitForDone("both turns", 2)
	p := e.preview(first)
	if p.Ready != 1 || p.Changed != 1 || p.Files[0].Path != "b.txt" || p.Files[0].Choice != backend.UndoKeep || p.Files[0].Reason.IsZero() {
		t.Errorf("the preview is %+v", p)
	}
	if err := e.undo(first, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "1\n", "b.txt": "2\n"})
}

func TestUndo_TaskOfUserHasItsOwn(t *testing.T) {
	e := newEnv(t, map[string]string{"a.txt": "1\n"}, fakeagent.Turn{fakeagent.Say("hello")}, fakeagent.Turn{fakeagent.Run("echo 2 > a.txt")})
	e.run(e.chat, "go")
	if err := e.App.SendTo(e.chat.ID, "helper", "go"); err != nil {
		t.Fatal(err)
	}
	u := e.WaitFor("the task's undo", func(ev backend.Event) bool { return ev.TurnUndo != nil && ev.TurnUndo.State == backend.UndoAvailable }).TurnUndo
	e.WaitForDone("both turns", 2)
	if err := e.undo(u.TurnID, nil); err != nil {
		t.Fatal(err)
	}
	e.wantFiles("after the undo", map[string]string{"a.txt": "1\n"})
}
