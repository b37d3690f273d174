package branch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// TestGoBack_WhileNestedFolderInUse checks that while another chat works in a subfolder of the chat's folder or in its
// parent folder, going back and bringing back can change only the conversation.
func TestGoBack_WhileNestedFolderInUse(t *testing.T) {
	for name, folders := range map[string][2]string{"subfolder": {"x", "x/sub"}, "parent": {"x/sub", "x"}} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, write("echo 1 > a"), fakeagent.Turn{fakeagent.Say("working"), fakeagent.Hang()})
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "x", "sub"), 0o700); err != nil {
				t.Fatal(err)
			}
			e.chat = e.newChat(filepath.Join(dir, folders[0]))
			first := e.say(e.chat, "first")
			other := e.newChat(filepath.Join(dir, folders[1]))
			e.Send(other, "go")
			e.WaitFor("it works", func(ev backend.Event) bool { return ev.Text != nil && ev.Text.Text == "working" })
			const reason = "is working in this folder. Wait for it to finish, or stop it."
			if p := e.preview(first); !strings.HasSuffix(p.FilesBlocked.String(), reason) || !p.Blocked.IsZero() {
				t.Errorf("the preview is %+v", p)
			}
			for _, scope := range []backend.BackScope{backend.BackFiles, backend.BackBoth} {
				err := e.App.GoBack(first, backend.GoBackRequest{Scope: scope})
				if backend.CodeOf(err) != backend.CodeUnavailable || !strings.HasSuffix(err.Error(), reason) {
					t.Errorf("going back (%s): %v", scope, err)
				}
			}
			kept := map[string]string{"a": "1\n"}
			e.wantFiles("after it was refused", kept)
			e.wantMessages("after it was refused", "first")
			e.goBack(first, backend.BackConversation)
			e.wantFiles("after only the conversation went back", kept)
			e.wantMessages("after only the conversation went back", "")
			id := e.branches().WentBack.AsideID
			if err := e.App.BringBack(e.chat.ID, id, true); backend.CodeOf(err) != backend.CodeUnavailable || !strings.HasSuffix(err.Error(), reason) {
				t.Errorf("bringing back the files: %v", err)
			}
			e.bringBack(id, false)
			e.wantMessages("after only the conversation came back", "first")
			if err := e.App.Stop(other.ID); err != nil {
				t.Fatal(err)
			}
			e.WaitFor("the stop", func(ev backend.Event) bool {
				return ev.Turn != nil && ev.Turn.ChatID == other.ID && ev.Turn.State == backend.TurnStopped
			})
			e.goBack(first, backend.BackBoth)
			e.wantFiles("after going back", map[string]string{})
			e.wantMessages("after going back", "")
		})
	}
}
