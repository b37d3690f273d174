package engine_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// TestDelete_RestorableUntilItSucceeds checks that a chat whose deletion fails, because another program has its session
// open, can be restored.
func TestDelete_RestorableUntilItSucceeds(t *testing.T) {
	const id = "0b8ba5c3-70b2-4d2c-9d3f-1f2e3d4c5b6a"
	home := t.TempDir()
	t.Setenv("COPILOT_HOME", home)
	folder := filepath.Join(home, "session-state", id)
	noErr(t, os.MkdirAll(folder, 0o700))
	pid := strconv.Itoa(os.Getppid()) // VoxPilot's own processes don't count
	noErr(t, os.WriteFile(filepath.Join(folder, "inuse."+pid+".lock"), []byte(pid), 0o600))
	w := newAppEnv(t, t.TempDir())
	w.App.SetUndoTime(0)
	chat := w.Chat(backend.ProviderCopilot)
	noErr(t, w.Engine().Bus.Commit(t.Context(), backend.Event{Session: &backend.Session{ChatID: chat.ID, Name: "main", ACPID: id}}))
	noErr(t, w.App.DeleteChat(chat.ID, true))
	said := w.WaitFor("the failure is reported", func(e backend.Event) bool {
		return e.DialogResult != nil && e.DialogResult.Request == "delete "+chat.ID
	})
	if why := said.DialogResult.Message.String(); !strings.Contains(why, "another program has the session open") {
		t.Errorf("the reason is %q", why)
	}
	waitUntil(t, func() bool { return w.App.RestoreChat(chat.ID) == nil }, func() any { return "it can't be restored" })
	if r := chatRow(t, w, chat.ID); r == nil || r.DeletedAt != 0 {
		t.Errorf("the restored chat is %+v", r)
	}
}
