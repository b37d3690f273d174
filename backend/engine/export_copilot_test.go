package engine_test

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestExport_ContinuesInCopilotCLI checks that the Copilot CLI imports the export of a chat with an image, and that the
// model receives the conversation and the image when the imported session is continued.
func TestExport_ContinuesInCopilotCLI(t *testing.T) {
	program := copilottest.Path(t)
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, t.TempDir())
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		if at, text := lastPrompt(req); at == len(req.Messages)-1 && strings.Contains(text, "please print") {
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "printf result", "description": "print"})}
		}
		return practice.Reply{practice.Text("Done.")}
	})
	chat := w.Chat(p.ID)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	data := picture(t)
	w.Engine().AddPendingImage(backend.Attachment{ContentID: "k", Mime: "image/png"}, data)
	_, err := w.App.Send(chat.ID, "please print 😀", []backend.Attachment{{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: "k", Mime: "image/png", Size: int64(len(data))}})
	noErr(t, err)
	w.WaitForDone("the turn", 1)

	dir := t.TempDir()
	w.OnSaveFile(func(name string) (string, error) { return filepath.Join(dir, name), nil })
	noErr(t, w.App.ExportChat(chat.ID, "copilot"))
	e := w.WaitFor("the export", func(e backend.Event) bool { return e.DialogResult != nil && !e.DialogResult.Writing })
	if e.DialogResult.Message.String() != "" || filepath.Ext(e.DialogResult.Path) != ".zip" {
		t.Fatalf("the export is %+v", e.DialogResult)
	}
	z, err := zip.OpenReader(e.DialogResult.Path)
	noErr(t, err)
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		noErr(t, err)
		data, err := io.ReadAll(r)
		noErr(t, err)
		noErr(t, os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), data, 0o600))
	}
	_, home := sessionIDs(w)
	cmd := exec.CommandContext(t.Context(), program, "--no-auto-update", "sessions", "import", filepath.Join(dir, "conversation.jsonl"), "--output", "json")
	cmd.Env = append(os.Environ(), "COPILOT_HOME="+home, "COPILOT_OFFLINE=true")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	opened, err := w.App.OpenCLISession(home, gjson.GetBytes(out, "sessionId").String())
	noErr(t, err)
	w.WaitFor("the session is read", func(e backend.Event) bool {
		return e.SessionImport != nil && e.SessionImport.ChatID == opened.ID && e.SessionImport.State == backend.ImportDone
	})
	w.Send(opened, "what now?")
	w.waitForOwnTurn(opened.ID)
	got := strings.Join(lastConversation(server), "\n")
	for _, want := range []string{"user: please print 😀", `call bash {"command":"printf result"`, "tool: result", "assistant: Done.", "user: what now?"} {
		if !strings.Contains(got, want) {
			t.Errorf("the model has no %q in\n%s", want, got)
		}
	}
	images := 0
	for _, req := range server.Requests() {
		if !req.Side() {
			_, images = messagesOf(req)
		}
	}
	if images != 1 {
		t.Errorf("the model has %d images, want 1", images)
	}
}
