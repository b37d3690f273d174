package undo_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// linkedFolder returns a folder and a symbolic link to it.
func linkedFolder(t *testing.T) (folder, link string) {
	t.Helper()
	dir := t.TempDir()
	folder, link = filepath.Join(dir, "folder"), filepath.Join(dir, "link")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(folder, link); err != nil {
		t.Skip("links aren't possible: ", err)
	}
	return folder, link
}

// TestUndo_LinkedFolderHasFilesByTheirOtherPath checks that a chat whose folder is a symbolic link recognizes files
// that the agent names without that link, in the preview, in the list of edits and when one change is undone.
func TestUndo_LinkedFolderHasFilesByTheirOtherPath(t *testing.T) {
	folder, link := linkedFolder(t)
	path := filepath.Join(folder, "a.txt")
	wait, resume := pause(t)
	e := newEnv(t, nil, append(wait, fakeagent.Edit(path, "one", "two")))
	e.chat = e.newChat(link)
	e.write("a.txt", "one\n")
	id := e.start(e.chat)
	e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{
		Event: guard.ToolCall, SessionID: "x", Tool: "edit", Args: []byte(`{"path":"` + path + `","old_str":"one","new_str":"two"}`),
	})
	resume()
	e.waitForEnd(id)
	if p := e.preview(id); p.Ready != 1 || p.Changed != 0 || len(p.NotUndone) > 0 {
		t.Errorf("the preview is %+v", p)
	}
	if edits := e.Engine().Undo.Edits(e.chat.ID); len(edits) != 1 || edits[0].Path != "a.txt" {
		t.Errorf("the edits are %+v", edits)
	}
	var list any
	if code := e.Get("/data/changes?chat="+e.chat.ID, &list); code != http.StatusOK {
		t.Fatal(code, list)
	}
	if _, err := e.putBack(backend.UndoPart{Path: path, Diff: "@@ -1 +1 @@\n-one\n+two\n"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "one\n" {
		t.Errorf("after the undo, the file is %q, %v", text, err)
	}
}

// TestUndo_LinkedFolderKeepsIgnoredFile checks that an ignored file is recorded before an edit, whatever path the agent
// uses for it.
func TestUndo_LinkedFolderKeepsIgnoredFile(t *testing.T) {
	folder, link := linkedFolder(t)
	for form, path := range map[string]string{"relative": ".env", "link": filepath.Join(link, ".env"), "real": filepath.Join(folder, ".env")} {
		t.Run(form, func(t *testing.T) {
			wait, resume := pause(t)
			e := newEnv(t, nil, append(wait, fakeagent.Run("true")))
			e.chat = e.newChat(link)
			e.write(".gitignore", ".env\n")
			e.write(".env", "KEY=1\n")
			id := e.start(e.chat)
			e.Engine().Undo.BeforeTool(t.Context(), e.chat.ID, guard.Call{Event: guard.ToolCall, SessionID: "x", Tool: "edit", Args: []byte(`{"path":"` + path + `"}`)})
			e.write(".env", "KEY=2\n")
			resume()
			e.waitForEnd(id)
			if err := e.undo(id, map[string]backend.UndoChoice{".env": backend.UndoTake}); err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(filepath.Join(folder, ".env")); err != nil || string(text) != "KEY=1\n" {
				t.Errorf("after the undo, the file is %q, %v", text, err)
			}
		})
	}
}
