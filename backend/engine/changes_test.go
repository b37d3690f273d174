package engine_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/changes"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestChanges_ChatListsFilesAndCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent's shell is bash, which may be another system's here")
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Edit("new.txt", "", "one\ntwo\n"), fakeagent.Edit("old.txt", "a", "b"), fakeagent.Run("echo hello")},
	}})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(chat.Folder, "old.txt")
	if err := os.WriteFile(old, []byte("x\na\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "go")
	w.WaitForDone("the turn", 1)

	var list changes.List
	if code := w.Get("/data/changes?chat="+chat.ID, &list); code != http.StatusOK || len(list.Files) != 2 || list.Files[0].Name != "new.txt" || list.Files[0].Kind != changes.Added || list.Files[1].Kind != changes.Edited || list.Added != 3 || list.Removed != 1 {
		t.Errorf("the changes are (%d) %+v", code, list)
	}
	if w.Get("/data/changes?chat="+chat.ID+"&session=other", &list); len(list.Files) != 0 {
		t.Errorf("another session has changed %+v", list)
	}
	if code := w.Get("/data/changes?chat=nobody", new(string)); code != http.StatusNotFound {
		t.Errorf("of no chat: %d", code)
	}
	var d changes.Diff
	get := "/data/diff?chat=" + chat.ID + "&path=" + url.QueryEscape(old)
	if code := w.Get(get, &d); code != http.StatusOK || !d.Net || d.Name != "old.txt" || !strings.Contains(d.Diff, "\n x\n-a\n+b\n x\n") {
		t.Errorf("the diff is (%d) %+v", code, d)
	}
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	if w.Get(get, &d); d.Net || d.Message.IsZero() || !strings.Contains(d.Diff, "+b") {
		t.Errorf("without the file the diff is %+v", d)
	}
	if code := w.Get("/data/diff?chat="+chat.ID+"&path=/etc/passwd", new(string)); code != http.StatusNotFound {
		t.Errorf("a file that the chat is not about: %d", code)
	}
	var ran struct{ Commands []store.Command }
	if w.Get("/data/commands?chat="+chat.ID, &ran); len(ran.Commands) != 1 || ran.Commands[0].Command != "echo hello" || ran.Commands[0].ContentID == "" {
		t.Errorf("the commands are %+v", ran)
	}
}

func TestOpenEditor_OnlyFilesOfChat(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a shell script")
	}
	dir := t.TempDir()
	opened, editor := filepath.Join(dir, "opened"), filepath.Join(dir, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho \"$@\" >> "+opened+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(dir, "outside.txt")
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.EditOutside(outside, "x")}}})
	w := newAppEnv(t, t.TempDir())
	settings := backend.DefaultSettings()
	settings.Editor = "sh -c {file}"
	if err := w.App.SaveSettings(settings); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a shell as the editor: %v", err)
	}
	settings.Editor = editor + " {line} {file}"
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	chat := w.Chat(backend.ProviderCopilot)
	inside := filepath.Join(chat.Folder, "inside.txt")
	for _, path := range []string{outside, inside} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.App.OpenInEditor(chat.ID, outside, 0); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a file that nothing is about: %v", err)
	}
	if err := w.App.OpenInEditor("nobody", inside, 0); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("of no chat: %v", err)
	}
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}
	settings.AskOutside = false
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "go")
	w.WaitForDone("the turn", 1)
	for _, path := range []string{outside, inside, "inside.txt"} {
		if err := w.App.OpenInEditor(chat.ID, path, 3); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	waitFor(t, "three files to be opened", func() bool {
		text, err := os.ReadFile(opened)
		return err == nil && strings.Count(string(text), "3 ") == 3 && strings.Count(string(text), "inside.txt") == 2
	})
}

// waitFor polls until a condition is true, for conditions that no event announces. It fails the test after a minute.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(time.Minute); !is(); <-time.After(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// TestChanges_WithoutUndoneTurns checks that undoing a turn removes its changes from the list, except changes to files
// that the undo skipped. Redoing the turn adds them to the list again.
func TestChanges_WithoutUndoneTurns(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{
		{fakeagent.Edit("kept.txt", "a", "b"), fakeagent.Edit("back.txt", "a", "b")},
		{fakeagent.Edit("back.txt", "z", "y")},
	}})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	writeFile(t, chat.Folder, "kept.txt", "a\n")
	writeFile(t, chat.Folder, "back.txt", "a\nm\nn\no\nz\n")
	w.Send(chat, "one")
	first := w.WaitFor("the first turn", func(e backend.Event) bool { return e.TurnUndo != nil && e.TurnUndo.State == backend.UndoAvailable }).TurnUndo.TurnID
	w.Send(chat, "two")
	w.WaitFor("the second turn", func(e backend.Event) bool {
		return e.TurnUndo != nil && e.TurnUndo.TurnID != first && e.TurnUndo.State == backend.UndoAvailable
	})
	writeFile(t, chat.Folder, "kept.txt", "c\n")

	names := func() string {
		var list changes.List
		w.Get("/data/changes?chat="+chat.ID, &list)
		text := ""
		for _, f := range list.Files {
			text += fmt.Sprintf("%s +%d -%d ", f.Name, f.Added, f.Removed)
		}
		return strings.TrimSpace(text)
	}
	if got := names(); got != "back.txt +2 -2 kept.txt +1 -1" {
		t.Errorf("listed: %s", got)
	}
	noErr(t, w.App.UndoTurn(first, map[string]backend.UndoChoice{"back.txt": backend.UndoMerge}))
	if got := names(); got != "back.txt +1 -1 kept.txt +1 -1" {
		t.Errorf("listed after the undo: %s", got)
	}
	var d changes.Diff
	w.Get("/data/diff?chat="+chat.ID+"&path="+url.QueryEscape(filepath.Join(chat.Folder, "back.txt")), &d)
	if !d.Net || !strings.Contains(d.Diff, "-z\n+y") || strings.Contains(d.Diff, "-a\n") {
		t.Errorf("the diff after the undo is %+v", d)
	}
	noErr(t, w.App.RedoTurn(first, nil))
	if got := names(); got != "back.txt +2 -2 kept.txt +1 -1" {
		t.Errorf("listed after the redo: %s", got)
	}
}
