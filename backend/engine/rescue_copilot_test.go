package engine_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// lastPrompt returns the index and the text of the user's last message in req. The index is -1 if there is none.
func lastPrompt(req practice.Request) (index int, text string) {
	for i, m := range slices.Backward(req.Messages) {
		if m.Role == "user" {
			return i, m.Text
		}
	}
	return -1, ""
}

// TestRescue_DamagedSessionsKeepConversation checks that the model knows each message and each tool result of a session
// after each kind of damage to the session's files, and that VoxPilot doesn't change the files of a session that it
// replaces.
func TestRescue_DamagedSessionsKeepConversation(t *testing.T) {
	program := copilottest.Path(t)
	seed := chaos.Seed(t)
	damages := copilottest.Damages
	result := chaos.Row(t, "Sessions of the real Copilot CLI damaged", len(damages))
	dir := t.TempDir()
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, dir)
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		at, text := lastPrompt(req)
		answered := at < len(req.Messages)-1
		switch {
		case req.Side() || answered:
			return practice.Reply{practice.Text("Fine.")}
		case strings.Contains(text, "all do"):
			var calls practice.Reply
			delegate := req.Tools[slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, "-copilot_agent") })]
			for i := range damages {
				calls = append(calls, practice.ToolCall(delegate, map[string]string{
					"session_name": fmt.Sprintf("s%02d", i), "prompt": fmt.Sprintf("%s number %02d", strings.TrimSpace(strings.SplitN(text, "all do", 2)[1]), i),
				}))
			}
			return calls
		case strings.Contains(text, "Remember"):
			number := text[strings.Index(text, "number ")+7:][:2]
			return practice.Reply{practice.Text("I run it."), practice.ToolCall("bash", map[string]any{"command": "printf 'result-%s' " + number, "description": "print"})}
		}
		return practice.Reply{practice.Text("Done.")}
	})
	chat := w.Chat(p.ID)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	turns := 0
	ask := func(text string) {
		t.Helper()
		w.Send(chat, "all do "+text)
		turns += len(damages) + 1
		w.WaitForDone(text, turns)
	}
	ask("Remember")
	ask("More")
	ids, home := sessionIDs(w)
	w.Close()
	before := map[string]string{}
	for i, d := range damages {
		folder := filepath.Join(home, "session-state", ids[fmt.Sprintf("s%02d", i)])
		d.Apply(t, chaos.Rand(t, seed, i), folder)
		before[d.Name] = treeHash(t, folder)
	}

	w, turns = newAppEnv(t, dir), 0
	ask("Tell")
	now, _ := sessionIDs(w)
	kinds := map[backend.BannerKind]int{}
	banners := bannersBySession(w)
	for i, d := range damages {
		name := fmt.Sprintf("s%02d", i)
		var got []string
		for _, req := range server.Requests() {
			if _, text := lastPrompt(req); !strings.Contains(text, fmt.Sprintf("Tell number %02d", i)) {
				continue
			}
			for _, m := range req.Messages {
				for _, want := range []string{fmt.Sprintf("user Remember number %02d", i), fmt.Sprintf("user More number %02d", i), fmt.Sprintf("tool result-%02d", i)} {
					role, text, _ := strings.Cut(want, " ")
					if m.Role == role && strings.Contains(m.Text, text) && !slices.Contains(got, want) {
						got = append(got, want)
					}
				}
			}
		}
		banner := banners[name]
		kinds[banner]++
		t.Logf("%-36s %-10s knows %q", d.Name, banner, got)
		if len(got) != 3 {
			t.Errorf("%s: the model knows only %q", d.Name, got)
		}
		replaced := now[name] != ids[name]
		if replaced == (d.Loads && !d.Loses) {
			t.Errorf("%s: another session %t", d.Name, replaced)
		}
		want := backend.BannerSessionRepaired
		if d.Loses {
			want = backend.BannerSessionRebuilt
		}
		if replaced && banner != want {
			t.Errorf("%s: banner %q, want %q", d.Name, banner, want)
		}
		if folder := filepath.Join(home, "session-state", ids[name]); replaced && treeHash(t, folder) != before[d.Name] {
			t.Errorf("%s: the damaged session was changed", d.Name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(home, "session-state", ".voxpilot*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %q, %v", left, err)
	}
	result("%d loaded, %d repaired, %d rebuilt; after a rescue, the model knew each message and tool result", len(damages)-kinds[backend.BannerSessionRepaired]-kinds[backend.BannerSessionRebuilt], kinds[backend.BannerSessionRepaired], kinds[backend.BannerSessionRebuilt])
}

// sessionIDs returns the ACP IDs of the sessions by name, and the Copilot CLI's home directory that contains the
// sessions.
func sessionIDs(w *appEnv) (ids map[string]string, home string) {
	ids = map[string]string{}
	for _, e := range w.Events() {
		if e.Session != nil {
			ids[e.Session.Name], home = e.Session.ACPID, e.Session.Home
		}
	}
	return ids, home
}

// bannersBySession returns the kind of the last banner of each session.
func bannersBySession(w *appEnv) map[string]backend.BannerKind {
	kinds := map[string]backend.BannerKind{}
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil {
			kinds[e.Item.Banner.Session] = e.Item.Banner.Kind
		}
	}
	return kinds
}

// treeHash returns a hash of the names and contents of all files in a folder.
func treeHash(t *testing.T, folder string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if os.IsNotExist(err) {
				return nil
			}
			return err
		}
		b, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d %s", path, len(b), b)
		return err
	})
	noErr(t, err)
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// TestRescue_RebuiltSessionHasImagesAndResults checks that a session rebuilt from the transcript contains images,
// emoji, long results and the results of failed and delegated calls.
func TestRescue_RebuiltSessionHasImagesAndResults(t *testing.T) {
	program := copilottest.Path(t)
	dir, folder := t.TempDir(), t.TempDir()
	t.Setenv(copilot.PathVar, program)
	const print = "yes 'long line 😀' | head -n 500; printf 'the end'"
	steps := map[string]practice.Step{
		"image": practice.Text("A dot 😀."), "fail": practice.ToolCall("bash", map[string]any{"command": "printf so; exit 3", "description": "fail"}),
		"edit":     practice.ToolCall("create", map[string]any{"path": filepath.Join(folder, "a.txt"), "file_text": "one 😀\n"}),
		"print":    practice.ToolCall("bash", map[string]any{"command": print, "description": "print"}),
		"delegate": practice.ToolCall("copilot_agent", map[string]any{"session_name": "helper", "prompt": "help me"}),
	}
	w := newAppEnv(t, dir)
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		at, text := lastPrompt(req)
		for name, step := range steps {
			if strings.Contains(text, "please "+name) && at == len(req.Messages)-1 {
				if name == "delegate" {
					tool := req.Tools[slices.IndexFunc(req.Tools, func(name string) bool { return strings.HasSuffix(name, "-copilot_agent") })]
					step = practice.ToolCall(tool, map[string]any{"session_name": "helper", "prompt": "help me"})
				}
				return practice.Reply{step}
			}
		}
		if strings.Contains(text, "help me") {
			return practice.Reply{practice.Text("Helped.")}
		}
		return practice.Reply{practice.Text("Answered.")}
	})
	chat, err := w.App.CreateChat(folder, p.ID)
	noErr(t, err)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	data := picture(t)
	w.Engine().AddPendingImage(backend.Attachment{ContentID: "k", Mime: "image/png"}, data)
	shot := backend.Attachment{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: "k", Mime: "image/png", Size: int64(len(data))}
	_, err = w.App.Send(chat.ID, "please image 😀", []backend.Attachment{shot})
	noErr(t, err)
	w.WaitForDone("image", 1)
	for i, name := range []string{"fail", "edit", "print"} {
		w.Send(chat, "please "+name)
		w.WaitForDone(name, i+2)
	}
	w.Send(chat, "please delegate")
	w.WaitForDone("delegate", 6)
	ids, home := sessionIDs(w)
	w.Close()
	noErr(t, os.Remove(filepath.Join(home, "session-state", ids[backend.SessionMain], "events.jsonl")))

	w = newAppEnv(t, dir)
	w.Send(chat, "what now?")
	w.WaitForDone("what now", 1)
	if got := bannersBySession(w)[backend.SessionMain]; got != backend.BannerSessionRebuilt {
		t.Fatalf("banner %q", got)
	}
	requests := server.Requests()
	got, images := messagesOf(requests[len(requests)-1])
	want := []string{
		"user: please image 😀shot.png", "assistant: A dot 😀.",
		"user: please fail", `call bash {"command":"printf so; exit 3","description":"fail"}`, "assistant: ", "tool: so\n\nExit code: 3", "assistant: Answered.",
		"user: please edit", `call create {"path":"` + filepath.Join(folder, "a.txt") + `"}`, "assistant: ", "tool: --- /dev/null\n+++ " + filepath.Join(folder, "a.txt") + "\n@@ -1,0 +1,1 @@\n+one 😀\n", "assistant: Answered.",
		"user: please print", `call bash {"command":"` + print + `","description":"print"}`, "assistant: ", "tool: " + strings.Repeat("long line 😀\n", 500) + "the end", "assistant: Answered.",
		"user: please delegate", `call copilot_agent {"prompt":"help me","session_name":"helper"}`, "assistant: ", "tool: Helped.", "assistant: Answered.",
		"user: what now?",
	}
	if diff := cmp.Diff(want, got); diff != "" || images != 1 {
		t.Errorf("%d images; messages (-want +got):\n%s", images, diff)
	}
}

// messagesOf returns the messages and tool calls in a request, without system messages, and the number of images.
func messagesOf(req practice.Request) (lines []string, images int) {
	for _, m := range req.Messages {
		images += len(m.Images)
		if m.Role == "system" {
			continue
		}
		for _, c := range m.Calls {
			lines = append(lines, "call "+c.Name+" "+string(c.Args))
		}
		text := m.Text
		if _, prompt, is := strings.Cut(text, "</current_datetime>"); is {
			text = strings.TrimSpace(prompt)
		}
		lines = append(lines, m.Role+": "+text)
	}
	return lines, images
}

// TestRescue_LongConversationFitsContext checks that if a conversation is longer than the model's context, the rebuilt
// session contains only the end of the conversation, so that the CLI can continue.
func TestRescue_LongConversationFitsContext(t *testing.T) {
	program := copilottest.Path(t)
	dir := t.TempDir()
	t.Setenv(copilot.PathVar, program)
	w := newAppEnv(t, dir)
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		return practice.Reply{practice.Text("An answer.")}
	})
	chat := w.Chat(p.ID)
	const turns = 6
	for i := range turns {
		w.Send(chat, fmt.Sprintf("message %d ", i)+strings.Repeat("some words here ", 4000))
		w.WaitForDone("an answer", i+1)
	}
	ids, home := sessionIDs(w)
	w.Close()
	noErr(t, os.Remove(filepath.Join(home, "session-state", ids[backend.SessionMain], "events.jsonl")))
	asked := len(server.Requests())

	w = newAppEnv(t, dir)
	w.Send(chat, "what now?")
	w.WaitForDone("the answer after the rescue", 1)
	req := server.Requests()[asked]
	var got []string
	for _, m := range req.Messages {
		if m.Role == "user" {
			got = append(got, m.Text)
		}
	}
	if len(got) != 3 || !strings.Contains(got[0], "VoxPilot left out 4 earlier messages") || !strings.Contains(got[0], "message 4") || !strings.Contains(got[1], "message 5") {
		t.Errorf("the model gets %d messages", len(got))
	}
	if req.Interaction() != "conversation-user" {
		t.Errorf("the first request is a %s", req.Interaction())
	}
	if note := w.bannerNote(backend.BannerSessionRebuilt); !strings.Contains(note, "the last 2 messages") {
		t.Errorf("the banner says %q; banners %v", note, bannersBySession(w))
	}
}

// bannerNote returns the note of the last banner of the given kind.
func (w *appEnv) bannerNote(kind backend.BannerKind) (note string) {
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == kind {
			note = e.Item.Banner.Note.String()
		}
	}
	return note
}
