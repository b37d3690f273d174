package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/platform/tray"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const hookFile = ".github/hooks/e.json"

// hook is a file of hooks that run the command.
func hook(command string) string {
	return `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"` + command + `"}]}}`
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// untrusted is a new folder with a hook in it.
func untrusted(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, folder, hookFile, hook("echo hello"))
	return folder
}

// recorded is the script with a file to which its agents write what they are asked.
func recorded(t *testing.T, script fakeagent.Script) (s fakeagent.Script, calls string) {
	t.Helper()
	script.Calls = filepath.Join(t.TempDir(), "calls")
	return script, script.Calls
}

// times is how often the agents were asked for the method.
func times(t *testing.T, calls, method string) int {
	t.Helper()
	b, err := os.ReadFile(calls)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return bytes.Count(b, []byte(`"`+method+`"`))
}

// needsTrust waits until a chat waits for trust, n-th, and returns the request, which
// is another one than those of before.
func (w *window) needsTrust(chatID string, n int, before ...string) backend.TrustRequest {
	w.t.Helper()
	var request backend.TrustRequest
	w.until("the chat waits for trust", func(e backend.Event) bool {
		if e.Trust != nil && slices.Contains(e.Trust.ChatIDs, chatID) && !slices.Contains(before, e.Trust.ID) {
			request = *e.Trust
		}
		if c := e.Connection; c != nil && c.ChatID == chatID && c.State == backend.NeedsTrust {
			n--
			if c.Cause != backend.CauseUntrusted || c.Message == "" || c.PID != 0 {
				w.t.Errorf("got %+v, want no process and why", c)
			}
		}
		return n <= 0 && request.ID != ""
	})
	return request
}

func (w *window) trust(r backend.TrustRequest) {
	w.t.Helper()
	if err := w.app.TrustFolder(r.ID); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) chatIn(folder string) backend.Chat {
	w.t.Helper()
	chat, err := w.app.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		w.t.Fatal(err)
	}
	return chat
}

func TestUntrusted_FolderStartsNoProcess(t *testing.T) {
	script, calls := recorded(t, fakeagent.Script{})
	playing(t, script)
	w := openFirst(t)
	for name, send := range map[string]func(t *testing.T, folder string){
		"a message": func(t *testing.T, folder string) { w.send(w.chatIn(folder), "go") },
		"a chat's own session": func(t *testing.T, folder string) {
			if err := w.app.SendTo(w.chatIn(folder).ID, "helper", "go"); err != nil {
				t.Fatal(err)
			}
		},
		"the quick prompt": func(t *testing.T, folder string) {
			if err := w.app.sendMessage(backend.QuickMessage{Text: "go", Folder: folder}, func(backend.Chat) {}); err != nil {
				t.Fatal(err)
			}
		},
		"voxpilot quick": func(t *testing.T, folder string) {
			if out, errs, code := cli(t, "quick", "--folder", folder, "go"); out+errs != "" || code != 0 {
				t.Errorf("got %d %q %q", code, out, errs)
			}
		},
		"voxpilot ask": func(t *testing.T, folder string) {
			out, errs, code := cli(t, "ask", "--folder", folder, "go")
			if out != "" || code != exitUntrusted || !strings.Contains(errs, "you haven't trusted what this folder can run") || !strings.Contains(errs, "Your question is saved") {
				t.Errorf("got %d %q %q, want a sentence and an exit code of its own", code, out, errs)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			_ = os.Remove(calls)
			folder := untrusted(t)
			seen := len(w.events())
			send(t, folder)
			var chat backend.Chat
			w.until("the chat", func(e backend.Event) bool {
				if e.Chat != nil && e.Chat.Folder == folder {
					chat = *e.Chat
				}
				return chat.ID != ""
			})
			r := w.needsTrust(chat.ID, 1)
			if len(r.Runs) != 1 || r.Runs[0].File != hookFile || r.Folder != folder || r.Agent != "Copilot" {
				t.Errorf("got %+v, want the hook", r)
			}
			if _, err := os.Stat(calls); err == nil {
				t.Error("the agent was started")
			}
			if name != "a message" && name != "a chat's own session" {
				w.until("the window shows the chat", func(e backend.Event) bool {
					return e.Asked != nil && e.Asked.For == backend.AskedChat && e.Asked.ChatID == chat.ID
				})
			} else if slices.ContainsFunc(w.events()[seen:], func(e backend.Event) bool { return e.Asked != nil }) {
				t.Error("the window came to the front for a message of its own")
			}
			w.trust(r)
			w.until("the message is answered", func(e backend.Event) bool {
				return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone
			})
			if n := times(t, calls, "session/prompt"); n != 1 {
				t.Errorf("the agent got %d prompts, want 1", n)
			}
		})
	}
}

func TestUntrusted_FolderOfAnEarlierRunWaits(t *testing.T) {
	script, calls := recorded(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("first answer")}, {fakeagent.Say("second answer")}}})
	playing(t, script)
	dir, folder := t.TempDir(), untrusted(t)
	w := openWindow(t, dir)
	chat := w.chatIn(folder)
	w.send(chat, "one")
	w.trust(w.needsTrust(chat.ID, 1))
	w.done("the first answer", 1)
	w.close()

	put(t, folder, hookFile, hook("echo other"))
	started := times(t, calls, "initialize")
	w = openWindow(t, dir)
	if err := w.app.ViewChat(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.needsTrust(chat.ID, 1)
	w.send(chat, "two")
	r := w.needsTrust(chat.ID, 2)
	if !r.Changed || len(r.Runs) != 1 || r.Runs[0].Value != "echo other" || r.Runs[0].Before != "echo hello" {
		t.Errorf("got %+v, want what has changed", r)
	}
	if got := w.text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != "first answer" {
		t.Errorf("got %q, want a chat that can be read", got)
	}
	if n := times(t, calls, "initialize"); n != started {
		t.Error("the agent was started")
	}
	w.trust(r)
	w.done("the second answer", 1)
	if got := w.text(chat.ID, backend.ItemMessage); len(got) != 2 || got[1] != "second answer" {
		t.Errorf("got %q, want both answers", got)
	}
	if n := times(t, calls, "session/load"); n != 1 {
		t.Errorf("the session was loaded %d times, want once", n)
	}
}

func TestUntrusted_ChangeDuringTheStartStops(t *testing.T) {
	folder := untrusted(t)
	script, calls := recorded(t, fakeagent.Script{})
	program := player(t, script)
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	// The folder changes when the process has been started.
	changed := strings.Replace(string(text), "\nexec ", "\n[ -f .mcp.json ] || { echo '{\"servers\":{\"x\":{\"command\":\"evil\"}}}' >.mcp.json; }\nexec ", 1)
	if err := os.WriteFile(program, []byte(changed), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(copilot.PathVar, program)
	t.Setenv("COPILOT_HOME", cliSignedIn(t, t.TempDir()))
	w := openWindow(t, t.TempDir())
	chat := w.chatIn(folder)
	w.send(chat, "go")
	first := w.needsTrust(chat.ID, 1)
	w.trust(first)
	r := w.needsTrust(chat.ID, 2, first.ID)
	if len(r.Runs) != 1 || r.Runs[0].File != ".mcp.json" || !r.Changed {
		t.Errorf("got %+v, want what is new", r)
	}
	if n := times(t, calls, "session/prompt"); n != 0 {
		t.Error("the message was sent")
	}
	w.trust(r)
	w.done("the answer", 1)
	if n := times(t, calls, "session/prompt"); n != 1 {
		t.Errorf("the agent got %d prompts, want 1", n)
	}
}

func TestUntrusted_RequestEndsWithItsChat(t *testing.T) {
	script, _ := recorded(t, fakeagent.Script{})
	playing(t, script)
	w := openWindow(t, t.TempDir())
	other, err := w.app.SaveProfile(backend.Profile{Name: "Other", Command: player(t, script)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(chat backend.Chat) error{
		"deleted":        func(chat backend.Chat) error { return w.app.DeleteChat(chat.ID, false) },
		"stopped":        func(chat backend.Chat) error { return w.app.StopAgent(chat.ID) },
		"another folder": func(chat backend.Chat) error { return w.app.LocateFolder(chat.ID, t.TempDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			chat := w.chatIn(untrusted(t))
			w.send(chat, "go")
			r := w.needsTrust(chat.ID, 1)
			if err := end(chat); err != nil {
				t.Fatal(err)
			}
			w.until("the request goes", func(e backend.Event) bool { return e.TrustGone != nil && e.TrustGone.ID == r.Key })
		})
	}
	t.Run("another agent", func(t *testing.T) {
		w.t = t
		chat := w.chatIn(untrusted(t))
		w.send(chat, "go")
		w.needsTrust(chat.ID, 1)
		if err := w.app.SetProvider(chat.ID, other.ID); err != nil {
			t.Fatal(err)
		}
		w.until("the other agent asks", func(e backend.Event) bool {
			return e.Trust != nil && slices.Contains(e.Trust.ChatIDs, chat.ID) && e.Trust.Agent == "Other"
		})
	})
}

func TestUntrusted_ChatNeedsTheUser(t *testing.T) {
	chat := backend.Chat{ID: "c", Title: "Fix it", Folder: "/code/api"}
	now := view{
		chats:       map[string]backend.Chat{"c": chat},
		connections: map[string]backend.Connection{"c": {ChatID: "c", State: backend.NeedsTrust, Since: 7}},
	}
	if got := quickState(now, chat); got != backend.QuickTrust {
		t.Errorf("got %q in the quick prompt, want %q", got, backend.QuickTrust)
	}
	var s trayState
	s.see(now)
	want := tray.State{Chats: []tray.Chat{{ID: "c", Title: "Fix it", Status: tray.NeedsYou, Since: 7}}, Copilot: tray.NotRunning}
	if diff := cmp.Diff(want, s.now); diff != "" {
		t.Errorf("got another tray (-want +got):\n%s", diff)
	}
	if id := s.needsYou(); id != "c" {
		t.Errorf("got %q, want a click to lead to the chat", id)
	}
}
