package engine_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/screens"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// sharedSession is a chat with a session of the real Copilot CLI that a terminal uses, too.
type sharedSession struct {
	*appEnv
	dir, program string
	server       *practice.Server
	chat         backend.Chat
	home, id     string
	env          []string // of the terminal
}

// newSharedSession returns a chat with one answered message, "one".
func newSharedSession(t *testing.T) *sharedSession {
	t.Helper()
	s := &sharedSession{dir: t.TempDir(), program: copilottest.Path(t)}
	t.Setenv(copilot.PathVar, s.program)
	s.appEnv = newAppEnv(t, s.dir)
	var p backend.Provider
	p, s.server = s.addMainAI(func(req practice.Request) practice.Reply {
		_, text := lastPrompt(req)
		answer := "Answer to " + strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:]) + "."
		if strings.Contains(text, "slowly") {
			return practice.Reply{practice.Text(answer+strings.Repeat(" word", 60), practice.Pace{Words: 1, Delay: 50 * time.Millisecond})}
		}
		return practice.Reply{practice.Text(answer)}
	})
	s.chat = s.Chat(p.ID)
	s.Send(s.chat, "one")
	s.WaitForDone("one", 1)
	ids, home := sessionIDs(s.appEnv)
	s.home, s.id = home, ids[backend.SessionMain]
	copilottest.TrustFolder(t, home, s.chat.Folder)
	s.env = append(os.Environ(), "COPILOT_HOME="+home, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+s.server.URL(), "COPILOT_PROVIDER_API_KEY="+s.server.Key(), "COPILOT_MODEL=m")
	return s
}

// texts returns the texts of the messages of the user and the agent in the chat, in order. A banner about messages from
// another program appears as "-- " and the banner's detail.
func (s *sharedSession) texts() []string {
	var order []string
	byItem := map[string]string{}
	for _, e := range s.Snapshot("/data/chat?id=" + s.chat.ID).Events {
		switch {
		case e.Item != nil && (e.Item.Kind == backend.ItemUser || e.Item.Kind == backend.ItemMessage):
			order = append(order, e.Item.ID)
		case e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerOtherProgram:
			order = append(order, e.Item.ID)
			byItem[e.Item.ID] = "-- " + e.Item.Banner.Detail.String()
		case e.Text != nil:
			byItem[e.Text.ItemID] += e.Text.Text
		}
	}
	for i, id := range order {
		order[i] = byItem[id]
	}
	return order
}

// waitForTexts waits until texts returns the given texts.
func (s *sharedSession) waitForTexts(want ...string) {
	s.T.Helper()
	var got []string
	waitUntil(s.T, func() bool { got = s.texts(); return slices.Equal(got, want) }, func() any { return got })
}

// known returns the messages of the user and the agent in the last request to the model.
func (s *sharedSession) known() (texts []string) {
	requests := s.server.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "system" {
			continue
		}
		text := m.Text
		if _, prompt, is := strings.Cut(text, "</current_datetime>"); is {
			text = prompt
		}
		texts = append(texts, strings.TrimSpace(text))
	}
	return texts
}

// expectNoMismatch fails the test if a banner reports that the session differs from the chat.
func (s *sharedSession) expectNoMismatch() {
	s.T.Helper()
	for _, e := range s.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerHistoryMismatch {
			s.T.Errorf("a banner says: %s", e.Item.Banner.Detail)
		}
	}
}

// use returns the last published use of the session.
func (s *sharedSession) use() (use backend.SessionUse) {
	for _, e := range s.Events() {
		if e.SessionUse != nil {
			use = *e.SessionUse
		}
	}
	return use
}

// TestSessionUse_TerminalOpensLoadedSession checks that if a terminal opens a session that VoxPilot has loaded,
// VoxPilot unloads the session and shows the messages from the terminal. After taking the session over, VoxPilot
// continues it. The CLI in the terminal warns that the session is in use.
func TestSessionUse_TerminalOpensLoadedSession(t *testing.T) {
	s := newSharedSession(t)
	noErr(t, s.App.ViewChat(s.chat.ID))
	term := copilottest.OpenTerminal(t, s.program, s.chat.Folder, s.env, "--resume="+s.id)
	term.WaitForText("Session in use") // VoxPilot's agent uses it
	term.Type("")                      // Resume anyway
	term.WaitForText("may already be in use")
	term.Type("two, from the terminal")
	s.waitForTexts("one", "Answer to one.", "-- 2 messages", "two, from the terminal", "Answer to two, from the terminal.")
	use := s.use()
	if use.Holder == nil || use.Holder.PID != term.PID || use.Holder.Program != "copilot" || !strings.HasPrefix(use.Holder.Terminal, "pts/") {
		t.Errorf("the holder is %+v, want the process %d", use.Holder, term.PID)
	}
	waitUntil(t, func() bool { return len(sessionfiles.Holders(s.home, s.id)) == 1 }, func() any { return sessionfiles.Holders(s.home, s.id) })
	_, err := s.App.Send(s.chat.ID, "not now", nil)
	var own *backend.Error
	if !errors.As(err, &own) || own.Code != backend.CodeUnavailable || !strings.Contains(own.Message.String(), "also open in a terminal") {
		t.Errorf("sending a message: %v", err)
	}
	term.Type("three, from the terminal")
	s.waitForTexts("one", "Answer to one.", "-- 4 messages", "two, from the terminal", "Answer to two, from the terminal.", "three, from the terminal", "Answer to three, from the terminal.")

	noErr(t, screens.NewSessions(s.App).TakeOverSession(s.chat.ID))
	s.WaitFor("the terminal to close", func(e backend.Event) bool { return e.SessionUse != nil && e.SessionUse.Holder == nil })
	waitUntil(t, func() bool { return !term.Runs() }, func() any { return term.Shown() })
	s.Send(s.chat, "four")
	s.waitForTexts("one", "Answer to one.", "-- 4 messages", "two, from the terminal", "Answer to two, from the terminal.", "three, from the terminal", "Answer to three, from the terminal.", "four", "Answer to four.")
	want := []string{"one", "Answer to one.", "two, from the terminal", "Answer to two, from the terminal.", "three, from the terminal", "Answer to three, from the terminal.", "four"}
	if got := s.known(); !slices.Equal(got, want) {
		t.Errorf("the model knows %q", got)
	}
	s.expectNoMismatch()
}

// TestSessionUse_WrittenBetweenPrompts checks that messages from another program are shown, and are known to the model,
// if that program used the session between two prompts, with and without a restart of VoxPilot.
func TestSessionUse_WrittenBetweenPrompts(t *testing.T) {
	s := newSharedSession(t)
	var news atomic.Int32 // number of ended turns that were reported as new
	s.Engine().Overview.Follow(func(_ overview.State, e backend.Event) {
		if e.Turn != nil && e.Turn.State == backend.TurnDone {
			news.Add(1)
		}
	})
	copilottest.Prompt(t, s.program, s.chat.Folder, s.env, s.id, "two, from a script")
	s.Send(s.chat, "three")
	s.waitForTexts("one", "Answer to one.", "-- 2 messages", "two, from a script", "Answer to two, from a script.", "three", "Answer to three.")
	if got, want := s.known(), []string{"one", "Answer to one.", "two, from a script", "Answer to two, from a script.", "three"}; !slices.Equal(got, want) {
		t.Errorf("the model knows %q", got)
	}
	s.expectNoMismatch()
	waitUntil(t, func() bool { return news.Load() > 0 }, func() any { return news.Load() })
	s.Close()
	if news.Load() != 1 {
		t.Errorf("%d turns are reported as new, want only VoxPilot's", news.Load())
	}

	copilottest.Prompt(t, s.program, s.chat.Folder, s.env, s.id, "four, from a script")
	s.appEnv = newAppEnv(t, s.dir)
	noErr(t, s.App.ViewChat(s.chat.ID))
	shown := []string{
		"one", "Answer to one.", "-- 2 messages", "two, from a script", "Answer to two, from a script.", "three", "Answer to three.",
		"-- 2 messages", "four, from a script", "Answer to four, from a script.",
	}
	s.waitForTexts(shown...)
	s.Send(s.chat, "five")
	s.waitForTexts(append(shown, "five", "Answer to five.")...)
	s.expectNoMismatch()
}

// TestSessionUse_ImportedSessionIsFollowed checks that if a terminal has a session open while VoxPilot imports it,
// VoxPilot follows the session from the end of the imported part.
func TestSessionUse_ImportedSessionIsFollowed(t *testing.T) {
	s := newSharedSession(t)
	id := sessionfiles.NewID()
	term := copilottest.OpenTerminal(t, s.program, s.chat.Folder, s.env, "--session-id="+id, "-i", "first, in the terminal")
	log := filepath.Join(s.home, "session-state", id, "events.jsonl")
	waitUntil(t, func() bool { b, _ := os.ReadFile(log); return strings.Contains(string(b), "Answer to first") }, func() any { return term.Shown() })
	chat, err := screens.NewSessions(s.App).OpenCLISession(s.home, id)
	noErr(t, err)
	s.chat = chat
	noErr(t, s.App.ViewChat(chat.ID))
	s.WaitFor("the use of the session", func(e backend.Event) bool {
		return e.SessionUse != nil && e.SessionUse.ChatID == chat.ID && e.SessionUse.Holder != nil
	})
	s.waitForTexts("first, in the terminal", "Answer to first, in the terminal.")
	term.Type("second, in the terminal")
	s.waitForTexts("first, in the terminal", "Answer to first, in the terminal.", "-- 2 messages", "second, in the terminal", "Answer to second, in the terminal.")
	term.Kill() // its lock stays
	s.WaitFor("the end of the use", func(e backend.Event) bool {
		return e.SessionUse != nil && e.SessionUse.ChatID == chat.ID && e.SessionUse.Holder == nil
	})
	s.Send(chat, "third")
	s.waitForTexts("first, in the terminal", "Answer to first, in the terminal.", "-- 2 messages", "second, in the terminal", "Answer to second, in the terminal.", "third", "Answer to third.")
	if got, want := s.known(), []string{"first, in the terminal", "Answer to first, in the terminal.", "second, in the terminal", "Answer to second, in the terminal.", "third"}; !slices.Equal(got, want) {
		t.Errorf("the model knows %q", got)
	}
	s.expectNoMismatch()
}

// hold starts a program that has the session open, as the CLI does, until end is called.
func (s *sharedSession) hold() (end func()) {
	s.T.Helper()
	stop := filepath.Join(s.T.TempDir(), "stop")
	script := `cd "$1"; exec 9>inuse.$$.hold; echo $$ >inuse.$$.lock; while ! [ -e "$2" ]; do sleep 0.05; done; rm inuse.$$.*`
	folder := filepath.Join(s.home, "session-state", s.id)
	cmd := exec.CommandContext(s.T.Context(), "/bin/sh", "-c", `setsid sh -c "$1" sh "$2" "$3" >/dev/null 2>&1 &`, "sh", script, folder, stop)
	noErr(s.T, cmd.Run())
	end = func() { noErr(s.T, os.WriteFile(stop, nil, 0o600)) }
	s.T.Cleanup(end)
	return end
}

// TestSessionUse_QueueWaits checks that a queued message isn't sent while another program has the session open, even if
// VoxPilot is restarted meanwhile, and that the answer in progress isn't interrupted. If the chat is deleted, its
// session isn't deleted before the other program closes it.
func TestSessionUse_QueueWaits(t *testing.T) {
	s := newSharedSession(t)
	s.Send(s.chat, "two, slowly")
	waitUntil(t, func() bool {
		texts := s.texts()
		return len(texts) == 4 && strings.HasPrefix(texts[3], "Answer")
	}, func() any { return s.texts() })
	s.Send(s.chat, "three, queued")
	end := s.hold()
	s.WaitFor("the use of the session", func(e backend.Event) bool { return e.SessionUse != nil && e.SessionUse.Holder != nil })
	s.WaitForDone("two", 2)
	s.WaitFor("the queue to pause", func(e backend.Event) bool { return e.Queued != nil && e.Queued.Paused })
	shown := []string{"one", "Answer to one.", "two, slowly", "Answer to two, slowly." + strings.Repeat(" word", 60)}
	s.waitForTexts(shown...)
	waitUntil(t, func() bool { return len(sessionfiles.Holders(s.home, s.id)) == 1 }, func() any { return sessionfiles.Holders(s.home, s.id) })
	asked := len(s.server.Requests())
	s.Close()

	s.appEnv = newAppEnv(t, s.dir)
	noErr(t, s.App.ViewChat(s.chat.ID))
	s.WaitFor("the use of the session", func(e backend.Event) bool { return e.SessionUse != nil && e.SessionUse.Holder != nil })
	if err := s.App.ResumeQueue(s.chat.ID); err == nil {
		t.Error("the queue continues while another program has the session open")
	}
	end()
	s.WaitFor("the end of the use", func(e backend.Event) bool { return e.SessionUse != nil && e.SessionUse.Holder == nil })
	if n := len(s.server.Requests()); n != asked {
		t.Errorf("the model got %d requests meanwhile", n-asked)
	}
	noErr(t, s.App.ResumeQueue(s.chat.ID))
	s.waitForTexts(append(shown, "three, queued", "Answer to three, queued.")...)
	s.expectNoMismatch()

	end = s.hold()
	s.App.SetUndoTime(0)
	noErr(t, s.App.DeleteChat(s.chat.ID, true))
	waitUntil(t, func() bool {
		log, _ := os.ReadFile(s.App.LogPath())
		return strings.Contains(string(log), "couldn't delete the sessions of a deleted chat") || !sessionfiles.Exists(s.home, s.id)
	}, func() any { return "nothing was deleted" })
	s.Close()
	if !sessionfiles.Exists(s.home, s.id) {
		t.Error("a session was deleted while another program had it open")
	}
	end()
	waitUntil(t, func() bool { return len(sessionfiles.Holders(s.home, s.id)) == 0 }, func() any { return sessionfiles.Holders(s.home, s.id) })
	s.appEnv = newAppEnv(t, s.dir)
	waitUntil(t, func() bool { return !sessionfiles.Exists(s.home, s.id) }, func() any { return "it exists" })
}

// waitUntil waits until is returns true. If that takes too long, it fails the test with the result of now.
func waitUntil(t *testing.T, is func() bool, now func() any) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("timed out; now %q", now())
		}
	}
}
