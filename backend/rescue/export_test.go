package rescue_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/rescue"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

func noErr(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dot is a PNG image in base64.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// texts holds parts from which random texts are built.
var texts = []string{"word", " ", "\n", "😀", "é\u0301", "\u202e", "\u2028", "\x1b[31m", `"\`, "/allow-all", "</current_datetime>", "\r\n", "漢字", "{}", strings.Repeat("long ", 200)}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(texts[r.IntN(len(texts))])
	}
	return b.String() + "."
}

// writer writes random conversations to the rows of a chat, and notes what an export must contain.
type writer struct {
	r      *rand.Rand
	chat   backend.Chat
	n      int
	events []backend.Event
	want   []string
	images int
}

func (w *writer) item(turnID string, kind backend.ItemKind, text string) *backend.Item {
	w.n++
	item := &backend.Item{ID: fmt.Sprintf("%s-%d", w.chat.ID, w.n), ChatID: w.chat.ID, TurnID: turnID, Session: backend.SessionMain, Kind: kind, CreatedAt: backend.Millis(1000 * w.n), EndedAt: 1}
	w.events = append(w.events, backend.Event{Item: item})
	if text != "" {
		w.events = append(w.events, backend.Event{Text: &backend.Text{ItemID: item.ID, ChatID: w.chat.ID, Text: text, Size: int64(len(text))}})
	}
	return item
}

func (w *writer) content(item *backend.Item, kind backend.ContentType, body []byte) string {
	w.n++
	c := &backend.Content{ID: fmt.Sprintf("%s-%d", w.chat.ID, w.n), ItemID: item.ID, ChatID: w.chat.ID, Type: kind, Mime: "image/png", Size: int64(len(body)), Version: 1, Body: body}
	w.events = append(w.events, backend.Event{Content: c})
	return c.ID
}

// turn writes a turn.
func (w *writer) turn() {
	w.n++
	turn := &backend.Turn{ID: fmt.Sprintf("%s-%d", w.chat.ID, w.n), ChatID: w.chat.ID, Session: backend.SessionMain, State: backend.TurnDone, StartedAt: 1, SentAt: backend.Millis(1000 * w.n), EndedAt: 2}
	w.events = append(w.events, backend.Event{Turn: turn})
	text := randomText(w.r)
	item := w.item(turn.ID, backend.ItemUser, text)
	line := "user: " + text
	for range w.r.IntN(3) {
		data, _ := base64.StdEncoding.DecodeString(dot)
		id := w.content(item, backend.ContentImage, data)
		item.Attachments = append(item.Attachments, backend.Attachment{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: id, Mime: "image/png"})
		line += " [" + dot + "]"
		w.images++
	}
	w.want = append(w.want, line)
	w.item(turn.ID, backend.ItemThought, randomText(w.r)) // isn't exported
	for range w.r.IntN(4) {
		if w.r.IntN(2) == 0 {
			text := randomText(w.r)
			w.item(turn.ID, backend.ItemMessage, text)
			w.want = append(w.want, "assistant: "+text)
			continue
		}
		result := randomText(w.r)
		if w.r.IntN(8) == 0 {
			result = strings.Repeat(result, 2000)
		}
		status := backend.ToolCompleted
		if w.r.IntN(2) == 0 {
			status = backend.ToolFailed
		}
		item := w.item(turn.ID, backend.ItemTool, "")
		item.Tool = &backend.Tool{CallID: item.ID, Title: "Read", Kind: backend.ToolRead, Status: status, Path: "/folder/a b"}
		w.content(item, backend.ContentText, []byte(result))
		w.want = append(w.want, fmt.Sprintf(`tool view {"path":"/folder/a b"} %t: %s`, status == backend.ToolCompleted, result))
	}
}

// conversationIn returns the conversation in a log of the Copilot CLI.
func conversationIn(log string) (all []string) {
	calls := map[string]gjson.Result{}
	for line := range strings.Lines(log) {
		data := gjson.Get(line, "data")
		switch gjson.Get(line, "type").String() {
		case "user.message":
			text := "user: " + data.Get("content").String()
			for _, a := range data.Get("attachments").Array() {
				text += " [" + a.Get("data").String() + "]"
			}
			all = append(all, text)
		case "assistant.message":
			if text := data.Get("content").String(); text != "" {
				all = append(all, "assistant: "+text)
			}
		case "tool.execution_start":
			calls[data.Get("toolCallId").String()] = data
		case "tool.execution_complete":
			call := calls[data.Get("toolCallId").String()]
			all = append(all, fmt.Sprintf("tool %s %s %t: %s%s", call.Get("toolName"), call.Get("arguments").Raw, data.Get("success").Bool(), data.Get("result.content"), data.Get("error.message")))
		}
	}
	return all
}

// TestExport_RealCLIImportsEverything checks that the real CLI imports exports of random chats, and that the imported
// sessions contain the conversations unchanged.
func TestExport_RealCLIImportsEverything(t *testing.T) {
	program := copilottest.Path(t)
	seed, rounds := chaos.Seed(t), chaos.Runs(3, 200)
	result := chaos.Row(t, "Chats exported and imported by the real CLI", rounds)
	db, _, err := store.Open(t.Context(), t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, db.Close()) }()
	rescuer := rescue.New(rescue.Config{Store: db, Temp: filepath.Join(t.TempDir(), "temp")})
	total, archives := 0, 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		w := &writer{r: r, chat: backend.Chat{ID: fmt.Sprintf("chat%d", round), Title: "A chat", Folder: "/folder", ProviderID: backend.ProviderCopilot, CreatedAt: 1, UpdatedAt: 1}}
		for range 1 + r.IntN(5) {
			w.turn()
		}
		noErr(t, db.Apply(t.Context(), append([]backend.Event{{Chat: &w.chat}}, w.events...), true))
		ending, err := rescuer.Ending(t.Context(), w.chat)
		noErr(t, err)
		var file bytes.Buffer
		noErr(t, rescuer.Export(t.Context(), w.chat, ending, &file))
		dir := t.TempDir()
		name := filepath.Join(dir, "conversation.jsonl")
		if want := map[bool]string{true: rescue.EndingArchive, false: rescue.EndingLines}[w.images > 0]; ending != want {
			t.Fatalf("with %d images, the file ends in %q", w.images, ending)
		}
		if ending == rescue.EndingArchive {
			archives++
			unpack(t, file.Bytes(), dir)
		} else {
			noErr(t, os.WriteFile(name, file.Bytes(), 0o600))
		}
		home := t.TempDir()
		cmd := exec.CommandContext(t.Context(), program, "--no-auto-update", "sessions", "import", name, "--output", "json")
		cmd.Env = append(os.Environ(), "COPILOT_HOME="+home, "COPILOT_OFFLINE=true")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, out)
		}
		logs, _ := filepath.Glob(filepath.Join(home, "session-state", "*", "events.jsonl"))
		if len(logs) != 1 {
			t.Fatalf("round %d: logs %v", round, logs)
		}
		log, err := os.ReadFile(logs[0])
		noErr(t, err)
		if diff := cmp.Diff(w.want, conversationIn(string(log))); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff[:min(len(diff), 3000)])
		}
		total += len(w.want)
	}
	result("%d messages and tool calls, all unchanged; %d archives with images", total, archives)
}

// unpack writes the files of an archive to dir.
func unpack(t *testing.T, archive []byte, dir string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	noErr(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		noErr(t, err)
		data, err := io.ReadAll(r)
		noErr(t, err)
		noErr(t, r.Close())
		noErr(t, os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), data, 0o600))
	}
}

// TestExport_WithoutMessageFails checks that exporting a chat without a message fails.
func TestExport_WithoutMessageFails(t *testing.T) {
	db, _, err := store.Open(t.Context(), t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, db.Close()) }()
	chat := backend.Chat{ID: "chat", Folder: "/folder", ProviderID: backend.ProviderCopilot, CreatedAt: 1, UpdatedAt: 1}
	noErr(t, db.Apply(t.Context(), []backend.Event{{Chat: &chat}}, true))
	rescuer := rescue.New(rescue.Config{Store: db, Temp: filepath.Join(t.TempDir(), "temp")})
	if err := rescuer.Export(context.Background(), chat, rescue.EndingLines, io.Discard); backend.MessageOf(err).String() != "This chat has no messages yet." {
		t.Errorf("got %v", err)
	}
}
