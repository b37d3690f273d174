package engine_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
)

// writeCLISession writes a session with a message in a home of the Copilot CLI, and returns its ID.
func writeCLISession(t *testing.T, home, folder, text string) (id string) {
	t.Helper()
	id = sessionfiles.NewID()
	dir := filepath.Join(home, "session-state", id)
	noErr(t, os.MkdirAll(dir, 0o700))
	const end = `,"id":"0cd2575d-d593-4ec5-bc0e-fc0862cc248f","timestamp":"2026-11-30T03:28:04.000Z","parentId":null}` + "\n"
	log := fmt.Sprintf(`{"type":"session.start","data":{"sessionId":%q,"version":1,"producer":"copilot-agent","copilotVersion":"1","startTime":"2026-11-30T03:28:03.000Z","context":{"cwd":%q}}`+end, id, folder) +
		fmt.Sprintf(`{"type":"user.message","data":{"content":%q}`+end, text)
	noErr(t, os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(log), 0o600))
	return id
}

// TestCLISessions_RoutesOfThePage checks that the page gets the Copilot CLI's sessions in all homes, except temporary
// sessions, and the chats to which the sessions belong. The preview must find only sessions in the requested home.
func TestCLISessions_RoutesOfThePage(t *testing.T) {
	home, chosen, agents := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("COPILOT_HOME", home)
	dir, folder := t.TempDir(), t.TempDir()
	w := newAppEnv(t, dir)
	id := writeCLISession(t, home, folder, "in the default home")
	other := writeCLISession(t, chosen, folder, "in the chosen home")
	writeCLISession(t, agents, folder, "in the agent's home")
	temporary := writeCLISession(t, home, folder, "temporary")
	e := w.Engine()
	noErr(t, e.Branch.Mark(home, temporary))
	_, err := e.Setup.Change(t.Context(), func(s *backend.Settings) { s.CopilotHome = chosen })
	noErr(t, err)
	_, err = e.Setup.SaveProfile(t.Context(), backend.CustomAgent{Name: "Another", Command: "copilot", Home: agents}, nil)
	noErr(t, err)

	list := func(query string) (l backend.CLISessions) {
		t.Helper()
		if code := w.Get("/data/cli-sessions?"+query, &l); code != http.StatusOK {
			t.Fatalf("got %d, %+v", code, l)
		}
		return l
	}
	waitForList := func(what string, wanted func(l backend.CLISessions) bool) backend.CLISessions {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if l := list(""); !l.Reading && wanted(l) {
				return l
			} else if time.Now().After(end) {
				t.Fatalf("%s: got %+v", what, l)
			}
		}
	}
	all := waitForList("all homes", func(l backend.CLISessions) bool { return len(l.Sessions) == 3 && l.Known == 0 })
	if again := list(fmt.Sprint("since=", all.Revision)); again.Sessions != nil || again.Revision != all.Revision {
		t.Errorf("got %+v", again)
	}
	if found := list("q=CHOSEN&folder=" + url.QueryEscape(folder)); len(found.Sessions) != 1 || found.Sessions[0].ID != other || found.Sessions[0].Home != chosen {
		t.Errorf("got %+v", found)
	}
	if found := list("to=1"); len(found.Sessions) != 0 || found.Sessions == nil {
		t.Errorf("got %+v", found)
	}
	var p backend.CLISessionPreview
	if code := w.Get("/data/cli-session?id="+id, &p); code != http.StatusOK || p.First != "in the default home" || p.Session.Messages != 1 {
		t.Errorf("got %d, %+v", code, p)
	}
	for query, want := range map[string]int{
		"/data/cli-sessions?since=x": http.StatusBadRequest, "/data/cli-session?id=" + other: http.StatusNotFound, "/data/cli-session?id=" + temporary: http.StatusNotFound,
		"/data/cli-session?id=" + id + "&home=" + url.QueryEscape(dir): http.StatusNotFound,
	} {
		var answer string
		if code := w.Get(query, &answer); code != want {
			t.Errorf("%s: got %d, %s", query, code, answer)
		}
	}

	chat := w.Chat(backend.ProviderCopilot)
	for range 30 { // the new chat is noticed before it gets the session
		list("")
		time.Sleep(10 * time.Millisecond)
	}
	noErr(t, e.Bus.Commit(t.Context(), backend.Event{Session: &backend.Session{ChatID: chat.ID, Name: backend.SessionMain, ACPID: id, State: backend.SessionUnloaded, HadPrompt: true}}))
	hasChat := func(l backend.CLISessions) bool {
		for _, s := range l.Sessions {
			if s.ChatID != "" && (s.ID != id || s.ChatID != chat.ID) {
				t.Errorf("got %+v", s)
			}
		}
		return l.Known == 1
	}
	waitForList("a chat", hasChat)
	noErr(t, w.App.DeleteChat(chat.ID, false))
	waitForList("the chat is in the trash", func(l backend.CLISessions) bool { return !hasChat(l) })
	noErr(t, w.App.RestoreChat(chat.ID))
	waitForList("the chat is restored", hasChat)
	w.Close()
	if _, err := os.Stat(filepath.Join(dir, "cli-sessions.json")); err != nil {
		t.Error(err)
	}
}

// TestSessionImport_NothingGoesBackMeanwhile checks that while a chat's session is being read, going back is refused
// with an error that gives this reason, and that reading a huge log can be canceled.
func TestSessionImport_NothingGoesBackMeanwhile(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	t.Setenv("COPILOT_HOME", home)
	w := newAppEnv(t, t.TempDir())
	id := writeCLISession(t, home, folder, "first")
	log := filepath.Join(home, "session-state", id, "events.jsonl")
	text, err := os.ReadFile(log)
	noErr(t, err)
	noErr(t, os.WriteFile(log, bytes.Repeat(text, 8000), 0o600)) // more than one commit
	if err := os.Truncate(log, 1<<40); err != nil {
		t.Skip(err) // the file system has no sparse files of this size
	}
	chat, err := w.App.OpenCLISession(home, id)
	noErr(t, err)
	var turn string
	for end := time.Now().Add(time.Minute); turn == ""; time.Sleep(10 * time.Millisecond) { // imported rows aren't published
		turns, err := w.Engine().Store.TurnsOf(t.Context(), chat.ID)
		noErr(t, err)
		if len(turns) > 0 {
			turn = turns[len(turns)-1].ID
		} else if time.Now().After(end) {
			t.Fatal("no turn was imported")
		}
	}
	err = w.App.GoBack(turn, backend.GoBackRequest{Scope: backend.BackConversation})
	if got := backend.MessageOf(err).String(); !strings.Contains(got, "still reading this session") {
		t.Errorf("going back: %q", got)
	}
	noErr(t, w.App.CancelSessionImport(chat.ID))
	if _, err := w.Engine().Chats.Get(chat.ID); err == nil {
		t.Error("the chat is still there")
	}
	if info, err := os.Stat(log); err != nil || info.Size() != 1<<40 {
		t.Errorf("the session changed: %v", err)
	}
}
