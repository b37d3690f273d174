package agent_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestPrompt_ImagesOmittedIfUnsupported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Title: "Qwen", Capabilities: `{"promptCapabilities":{}}`, Calls: file}), withDot)
	r := w.expectEnd(w.start(backend.SessionMain, "look", attachedDot), backend.TurnFailed)
	if r.SentAt != 0 || r.Err == nil || !strings.HasPrefix(r.Err.Message.String(), "Qwen doesn't accept images.") {
		t.Errorf("it was sent at %d, and the error is %+v", r.SentAt, r.Err)
	}
	equal(t, "prompts", len(promptBlocks(t, file)), 0)
	w.promptAndExpect("without it", backend.TurnDone)
}

func TestPrompt_UnreadableImagePreventsSend(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file}), withDot)
	lost := attachedDot
	lost.ContentID = "lost"
	r := w.expectEnd(w.start(backend.SessionMain, "look", lost), backend.TurnFailed)
	if r.SentAt != 0 || backend.CodeOf(r.Err) != backend.CodeStorage {
		t.Errorf("it was sent at %d, and the error is %+v", r.SentAt, r.Err)
	}
	equal(t, "prompts", len(promptBlocks(t, file)), 0)
}

func TestPrompt_FilesSentAsURIs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls")
	w := newEnv(t, fake(fakeagent.Script{Calls: file}), withDot)
	name, uri := filepath.Join(w.folder, "Größe 100%#1?.md"), "/Gr%C3%B6%C3%9Fe%20100%25%231%3F.md"
	if runtime.GOOS == "windows" { // Windows doesn't allow question marks in file names
		name, uri = filepath.Join(w.folder, "Größe 100%#1.md"), "/Gr%C3%B6%C3%9Fe%20100%25%231.md"
	}
	shot := attachedDot
	shot.Path = filepath.Join(w.folder, "shot.png")
	w.expectEnd(w.start(backend.SessionMain, "read it",
		backend.Attachment{Kind: backend.AttachmentFile, Name: "Größe", Path: name, Mime: "text/markdown", Size: 7}, shot), backend.TurnDone)
	lines, err := os.ReadFile(file)
	noErr(t, err)
	type block struct {
		Type, Text, Name, URI, MimeType, Data string
		Size                                  int
	}
	var got []block
	for line := range strings.Lines(string(lines)) {
		var call struct {
			Method string
			Params struct{ Prompt []block }
		}
		noErr(t, json.Unmarshal([]byte(line), &call))
		if call.Method == "session/prompt" {
			got = call.Params.Prompt
		}
	}
	if len(got) != 3 {
		t.Fatalf("%d blocks were sent: %+v", len(got), got)
	}
	equal(t, "words", got[0], block{Type: "text", Text: "read it"})
	link := got[1]
	if !strings.HasPrefix(link.URI, "file:///") || !strings.HasSuffix(link.URI, uri) {
		t.Errorf("the address is %s", link.URI)
	}
	link.URI = ""
	equal(t, "link", link, block{Type: "resource_link", Name: "Größe", MimeType: "text/markdown", Size: 7})
	if image := got[2]; image.Type != "image" || image.MimeType != "image/png" || !strings.HasSuffix(image.URI, "/shot.png") || image.Data == "" {
		t.Errorf("the image is %+v", image)
	}
}
