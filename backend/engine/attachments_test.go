package engine_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// picture returns a small PNG.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// promptPart is a content block of a prompt that an agent received.
type promptPart struct{ Type, Text, Name, URI, MimeType, Data string }

// promptParts returns the content blocks of each prompt that an agent received. calls is the path of the file in which
// the agent recorded its calls.
func promptParts(t *testing.T, calls string) (all [][]promptPart) {
	t.Helper()
	lines, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		var call struct {
			Method string
			Params struct{ Prompt []promptPart }
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		if call.Method == "session/prompt" {
			all = append(all, call.Params.Prompt)
		}
	}
	return all
}

func TestImage_PastedSavedSentDisplayed(t *testing.T) {
	calls, dir := filepath.Join(t.TempDir(), "calls"), t.TempDir()
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls})
	data := picture(t)
	encoded := base64.StdEncoding.EncodeToString(data)

	w := newAppEnv(t, dir)
	chat := w.Chat(backend.ProviderCopilot)
	pasted, err := w.App.AttachImage(chat.ID, "../evil/shot.txt", encoded)
	if err != nil {
		t.Fatal(err)
	}
	want := backend.Attachment{Kind: backend.AttachmentImage, Name: "shot.txt", ContentID: pasted.ContentID, Mime: "image/png", Size: int64(len(data))}
	if diff := cmp.Diff(want, pasted); diff != "" {
		t.Errorf("attached (-want +got):\n%s", diff)
	}
	lost, err := w.App.AttachImage(chat.ID, "lost.png", encoded)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.SaveDraft(chat.ID, "look", []backend.Attachment{pasted}); err != nil {
		t.Fatal(err)
	}
	w.Close()

	w = newAppEnv(t, dir)
	for _, e := range w.Snapshot("/data/app").Events {
		if e.Chat != nil && e.Chat.ID == chat.ID && (e.Chat.Draft != "look" || len(e.Chat.DraftAttachments) != 1 || e.Chat.DraftAttachments[0] != pasted) {
			t.Errorf("the draft is %q with %+v", e.Chat.Draft, e.Chat.DraftAttachments)
		}
	}
	if _, err := w.App.Send(chat.ID, "", []backend.Attachment{lost}); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an image that was in no draft is sent after a restart: %v", err)
	}
	if _, err := w.App.Send(w.Chat(backend.ProviderCopilot).ID, "", []backend.Attachment{pasted}); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an image of another chat is sent: %v", err)
	}
	id, err := w.App.Send(chat.ID, "", []backend.Attachment{pasted})
	if err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the answer", 1)
	if diff := cmp.Diff([][]promptPart{{{Type: "image", MimeType: "image/png", Data: encoded}}}, promptParts(t, calls)); diff != "" {
		t.Errorf("the agent got (-want +got):\n%s", diff)
	}
	w.Close()

	w = newAppEnv(t, dir)
	shown := false
	for _, e := range w.Snapshot("/data/chat?id=" + chat.ID).Events {
		shown = shown || e.Item != nil && e.Item.ID == id && len(e.Item.Attachments) == 1 && e.Item.Attachments[0] == pasted
	}
	if !shown {
		t.Error("the message does not have its image")
	}
	var body string
	if code := w.Get("/data/content?id="+pasted.ContentID, &body); code != http.StatusOK || body != string(data) {
		t.Errorf("the image is answered with %d and %d bytes", code, len(body))
	}
}

func TestImage_LargeServedWhole(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	data := append(picture(t), make([]byte, 3<<20)...)
	large, err := w.App.AttachImage(chat.ID, "large.png", base64.StdEncoding.EncodeToString(data))
	if err != nil {
		t.Fatal(err)
	}
	var body string
	if w.Get("/data/content?id="+large.ContentID, &body); len(body) != len(data) {
		t.Errorf("an element of the page gets %d bytes of %d", len(body), len(data))
	}
	if w.Get("/data/content?id="+large.ContentID+"&limit=100", &body); len(body) != 100 {
		t.Errorf("who asks for 100 bytes gets %d", len(body))
	}
	for what, bad := range map[string]struct {
		data string
		code backend.Code
	}{
		"no base64":    {"!!", backend.CodeInvalid},
		"no image":     {base64.StdEncoding.EncodeToString([]byte("<svg/>")), backend.CodeInvalid},
		"over 10 MB":   {base64.StdEncoding.EncodeToString(make([]byte, backend.MaxImageBytes+1)), backend.CodeTooLarge},
		"far too much": {strings.Repeat("A", 40<<20), backend.CodeTooLarge},
	} {
		if _, err := w.App.AttachImage(chat.ID, "x.png", bad.data); backend.CodeOf(err) != bad.code {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := w.App.AttachImage("nobody", "x.png", base64.StdEncoding.EncodeToString(picture(t))); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an image for no chat: %v", err)
	}
}

func TestAttach_FileIsImageIfSupported(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Capabilities: `{"promptCapabilities":{}}`, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	path := filepath.Join(t.TempDir(), "shot.png")
	if err := os.WriteFile(path, picture(t), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := w.App.AttachFile(chat.ID, path) // the agent hasn't declared its capabilities yet
	if err != nil || before.Kind != backend.AttachmentImage || before.ContentID == "" {
		t.Fatalf("attached %+v, %v", before, err)
	}
	w.Send(chat, "hello")
	w.WaitForDone("the first answer", 1)
	after, err := w.App.AttachFile(chat.ID, path)
	if err != nil || after.Kind != backend.AttachmentFile || after.ContentID != "" || after.Mime != "image/png" {
		t.Fatalf("attached %+v, %v", after, err)
	}
	if _, err := w.App.Send(chat.ID, "look", []backend.Attachment{before}); backend.CodeOf(err) != backend.CodeUnavailable || !strings.HasPrefix(err.Error(), "Copilot doesn't accept images.") {
		t.Errorf("it is sent: %v", err)
	}
	if _, err := w.App.Send(chat.ID, "look", []backend.Attachment{after}); err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the second answer", 2)
	if got := promptParts(t, calls)[1]; len(got) != 2 || got[1].Type != "resource_link" || got[1].Name != "shot.png" || !strings.HasPrefix(got[1].URI, "file:///") {
		t.Errorf("the agent got %+v", got)
	}
	p, server := w.addMainAI(func(practice.Request) practice.Reply { return practice.Reply{practice.Text("I see.")} })
	w.choose(chat, p.ID)
	if _, err := w.App.Send(chat.ID, "and you?", []backend.Attachment{before}); err != nil { // the model may accept images
		t.Fatal(err)
	}
	w.WaitForDone("the model's answer", 3)
	messages := server.Requests()[0].Messages
	last := messages[len(messages)-1]
	if len(last.Images) != 1 || !strings.HasPrefix(last.Images[0], "data:image/png;base64,") || !strings.Contains(last.Text, "shot.png") {
		t.Errorf("the model got %q with %d images", last.Text, len(last.Images))
	}
	if !strings.Contains(messages[len(messages)-3].Text, filepath.Base(path)) {
		t.Errorf("the model is not told of the file before: %q", messages[len(messages)-3].Text)
	}
}

func TestQueue_MovesAndSendsNow(t *testing.T) {
	go1 := filepath.Join(t.TempDir(), "go")
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.WaitFor(go1)}}, Calls: calls})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "first")
	w.WaitFor("it is sent", func(e backend.Event) bool { return e.Turn != nil && e.Turn.SentAt > 0 })
	a, b, c := w.Send(chat, "a"), w.Send(chat, "b"), w.Send(chat, "c")
	if err := w.App.MoveQueued(b, a); err != nil {
		t.Fatal(err)
	}
	if err := w.App.SendQueuedNow(c); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("all are answered", func(e backend.Event) bool {
		return e.Chat != nil && e.Chat.TurnState == backend.TurnDone && len(promptParts(t, calls)) == 4
	})
	var order []string
	for _, prompt := range promptParts(t, calls) {
		order = append(order, prompt[0].Text)
	}
	if diff := cmp.Diff([]string{"first", "c", "b", "a"}, order); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

func TestFiles_FoundInChatFolder(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	for name, text := range map[string]string{".gitignore": "*.log", "src/main.go": "", "src/noise.log": "", "Größe.md": ""} {
		path := filepath.Join(chat.Folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	find := func(q, limit string) (found workspace.FileMatches) {
		t.Helper()
		for {
			found = workspace.FileMatches{} // decoding leaves omitted fields unchanged
			if code := w.Get("/data/files?chat="+chat.ID+"&q="+url.QueryEscape(q)+"&limit="+limit, &found); code != http.StatusOK {
				t.Fatalf("%q is answered with %d", q, code)
			}
			if !found.Reading {
				return found
			}
		}
	}
	if diff := cmp.Diff(workspace.FileMatches{Files: []workspace.File{{Path: "src/main.go", Marks: []int{4, 5}}}, Total: 1}, find("ma", "10")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if found := find("", "1"); len(found.Files) != 1 || found.Total != 4 {
		t.Errorf("of %d files %d are shown", found.Total, len(found.Files))
	}
	var none backend.Error
	if code := w.Get("/data/files?chat=nobody&q=x", &none); code != http.StatusNotFound {
		t.Errorf("the files of no chat are answered with %d", code)
	}
}

func TestAttach_BeforeChatSentWithFirstMessage(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Calls: calls})
	data := picture(t)
	encoded := base64.StdEncoding.EncodeToString(data)
	w := newAppEnv(t, t.TempDir())
	pasted, err := w.App.AttachImage("", "shot.png", encoded)
	if err != nil {
		t.Fatal(err)
	}
	var body string
	if code := w.Get("/data/content?id="+pasted.ContentID, &body); code != http.StatusOK || body != string(data) {
		t.Errorf("before it is sent, the image is answered with %d and %d bytes", code, len(body))
	}
	if code := w.Get("/data/content?id="+pasted.ContentID+"&offset=4&limit=3", &body); code != http.StatusOK || body != string(data[4:7]) {
		t.Errorf("a piece of it is answered with %d and %q", code, body)
	}
	if code := w.Get("/data/content?id="+pasted.ContentID+"&offset=99999", &body); code != http.StatusOK || body != "" {
		t.Errorf("behind its end are %d and %q", code, body)
	}
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := w.App.AttachFile("", path)
	if err != nil {
		t.Fatal(err)
	}
	drawing := filepath.Join(t.TempDir(), "drawing.png")
	if err := os.WriteFile(drawing, data, 0o600); err != nil {
		t.Fatal(err)
	}
	drawn, err := w.App.AttachFile("", drawing)
	if err != nil || drawn.Kind != backend.AttachmentImage {
		t.Fatalf("a picture is attached as %+v: %v", drawn, err)
	}
	for name, bad := range map[string]string{"no base64": "%", "no picture": "aGVsbG8="} {
		if _, err := w.App.AttachImage("", "x.png", bad); backend.CodeOf(err) != backend.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}

	with := []backend.Attachment{pasted, file, drawn}
	if _, err := w.App.Send("nobody", "look", with); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("in a chat that doesn't exist: %v", err)
	}
	// The window saves a message that couldn't be sent as the chat's draft, with its attachments.
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.App.SaveDraft(chat.ID, "look", with); err != nil {
		t.Fatal(err)
	}
	if _, err := w.App.Send(chat.ID, "look", with); err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the answer", 1)
	got := promptParts(t, calls)
	if len(got) != 1 || len(got[0]) != 4 || got[0][1].Data != encoded || got[0][2].Name != "notes.txt" || got[0][3].Data != encoded {
		t.Errorf("the agent got %+v", got)
	}
	// From now on, the image belongs to this chat.
	if _, err := w.App.Send(w.Chat(backend.ProviderCopilot).ID, "look", with); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("in another chat: %v", err)
	}
}

func TestImage_FreedWithoutItsChat(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	encoded := base64.StdEncoding.EncodeToString(picture(t))
	attach := func() backend.Attachment {
		t.Helper()
		image, err := w.App.AttachImage("", "shot.png", encoded)
		if err != nil {
			t.Fatal(err)
		}
		return image
	}
	sent, out := attach(), attach()
	if err := w.App.DiscardImage(out.ContentID); err != nil {
		t.Fatal(err)
	}
	var body string
	if code := w.Get("/data/content?id="+out.ContentID, &body); code != http.StatusNotFound {
		t.Errorf("the image that was taken out is answered with %d", code)
	}
	if code := w.Get("/data/content?id="+sent.ContentID, &body); code != http.StatusOK {
		t.Errorf("the other one is answered with %d", code)
	}
	if _, err := w.App.Send(w.Chat(backend.ProviderCopilot).ID, "look", []backend.Attachment{sent}); err != nil {
		t.Fatal(err)
	}
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	if images, bytes := e.PendingSize(); images != 0 || bytes != 0 {
		t.Errorf("%d images are held, of %d bytes", images, bytes)
	}
	if err := w.App.DiscardImage(sent.ContentID); err != nil { // it belongs to the chat
		t.Fatal(err)
	}
	if code := w.Get("/data/content?id="+sent.ContentID, &body); code != http.StatusOK {
		t.Errorf("the image of a message is answered with %d", code)
	}
}

func TestFiles_FoundInFolderWithoutChat(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "main.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := func(folder string) (code int, files []workspace.File) {
		for {
			var answer workspace.FileMatches
			code = w.Get("/data/files?q=main&folder="+url.QueryEscape(folder), &answer)
			if !answer.Reading {
				return code, answer.Files
			}
		}
	}
	if code, files := found(folder); code != http.StatusOK || len(files) != 1 || files[0].Path != "main.go" {
		t.Errorf("answered with %d and %+v", code, files)
	}
	if code, files := found(filepath.Join(folder, "gone")); code == http.StatusOK {
		t.Errorf("a folder that doesn't exist has %+v", files)
	}
}
