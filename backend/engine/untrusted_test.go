package engine_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

const hookFile = ".github/hooks/e.json"

// hookFileText returns the content of a hooks file that runs the command.
func hookFileText(command string) string {
	return `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"` + command + `"}]}}`
}

func writeFile(t *testing.T, folder, name, text string) {
	t.Helper()
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newUntrustedFolder returns a new folder that contains a hook.
func newUntrustedFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, hookFile, hookFileText("echo hello"))
	return folder
}

// withCallRecord returns a copy of the script that makes agents record the requests that they receive. calls is the
// path of the record.
func withCallRecord(t *testing.T, script fakeagent.Script) (s fakeagent.Script, calls string) {
	t.Helper()
	script.Calls = filepath.Join(t.TempDir(), "calls")
	return script, script.Calls
}

// requestCount returns the number of requests for the method in the record that withCallRecord set up.
func requestCount(t *testing.T, calls, method string) int {
	t.Helper()
	b, err := os.ReadFile(calls)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return bytes.Count(b, []byte(`"`+method+`"`))
}

// waitForTrustRequest waits until the chat's agent needs trust for the nth time, and returns the trust request. It
// ignores requests with the given IDs.
func (w *appEnv) waitForTrustRequest(chatID string, n int, before ...string) backend.TrustRequest {
	w.T.Helper()
	var request backend.TrustRequest
	w.WaitFor("the chat waits for trust", func(e backend.Event) bool {
		if e.TrustRequest != nil && slices.Contains(e.TrustRequest.ChatIDs, chatID) && !slices.Contains(before, e.TrustRequest.ID) {
			request = *e.TrustRequest
		}
		if c := e.Connection; c != nil && c.ChatID == chatID && c.State == backend.ConnectionNeedsTrust {
			n--
			if c.Cause != backend.CauseUntrusted || c.Message.IsZero() || c.PID != 0 {
				w.T.Errorf("got %+v, want no process and why", c)
			}
		}
		return n <= 0 && request.ID != ""
	})
	return request
}

func (w *appEnv) trust(r backend.TrustRequest) {
	w.T.Helper()
	if err := w.App.TrustFolder(r.ID); err != nil {
		w.T.Fatal(err)
	}
}

func (w *appEnv) chatIn(folder string) backend.Chat {
	w.T.Helper()
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		w.T.Fatal(err)
	}
	return chat
}

func TestUntrusted_FolderStartsNoProcess(t *testing.T) {
	script, calls := withCallRecord(t, fakeagent.Script{})
	apptest.UseFakeAgent(t, script)
	w := newAppEnv(t, t.TempDir())
	for name, send := range map[string]func(t *testing.T, folder string){
		"a message": func(t *testing.T, folder string) { w.Send(w.chatIn(folder), "go") },
		"a chat's own session": func(t *testing.T, folder string) {
			if err := w.App.SendTo(w.chatIn(folder).ID, "helper", "go"); err != nil {
				t.Fatal(err)
			}
		},
		"the quick prompt": func(t *testing.T, folder string) {
			if err := w.App.SendMessage(backend.QuickMessage{Text: "go", Folder: folder}, func(backend.Chat) {}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.T = t
			_ = os.Remove(calls)
			folder := newUntrustedFolder(t)
			seen := len(w.Events())
			send(t, folder)
			var chat backend.Chat
			w.WaitFor("the chat", func(e backend.Event) bool {
				if e.Chat != nil && e.Chat.Folder == folder {
					chat = *e.Chat
				}
				return chat.ID != ""
			})
			r := w.waitForTrustRequest(chat.ID, 1)
			if len(r.Runs) != 1 || r.Runs[0].File != hookFile || r.Folder != folder || r.Agent != "Copilot" {
				t.Errorf("got %+v, want the hook", r)
			}
			if _, err := os.Stat(calls); err == nil {
				t.Error("the agent was started")
			}
			if name != "a message" && name != "a chat's own session" {
				w.WaitFor("the window shows the chat", func(e backend.Event) bool {
					return e.Navigation != nil && e.Navigation.For == backend.NavigateChat && e.Navigation.ChatID == chat.ID
				})
			} else if slices.ContainsFunc(w.Events()[seen:], func(e backend.Event) bool { return e.Navigation != nil }) {
				t.Error("the window came to the front for a message of its own")
			}
			w.trust(r)
			w.WaitFor("the message is answered", func(e backend.Event) bool {
				return e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State == backend.TurnDone
			})
			if n := requestCount(t, calls, "session/prompt"); n != 1 {
				t.Errorf("the agent got %d prompts, want 1", n)
			}
		})
	}
}

func TestUntrusted_FolderFromPreviousRunWaits(t *testing.T) {
	script, calls := withCallRecord(t, fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Say("first answer")}, {fakeagent.Say("second answer")}}})
	apptest.UseFakeAgent(t, script)
	dir, folder := t.TempDir(), newUntrustedFolder(t)
	w := newAppEnv(t, dir)
	chat := w.chatIn(folder)
	w.Send(chat, "one")
	w.trust(w.waitForTrustRequest(chat.ID, 1))
	w.WaitForDone("the first answer", 1)
	w.Close()

	writeFile(t, folder, hookFile, hookFileText("echo other"))
	started := requestCount(t, calls, "initialize")
	w = newAppEnv(t, dir)
	if err := w.App.ViewChat(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.waitForTrustRequest(chat.ID, 1)
	w.Send(chat, "two")
	r := w.waitForTrustRequest(chat.ID, 2)
	if !r.Changed || len(r.Runs) != 1 || r.Runs[0].Value != "echo other" || r.Runs[0].Before != "echo hello" {
		t.Errorf("got %+v, want what has changed", r)
	}
	if got := w.Text(chat.ID, backend.ItemMessage); len(got) != 1 || got[0] != "first answer" {
		t.Errorf("got %q, want a chat that can be read", got)
	}
	if n := requestCount(t, calls, "initialize"); n != started {
		t.Error("the agent was started")
	}
	w.trust(r)
	w.WaitForDone("the second answer", 1)
	if got := w.Text(chat.ID, backend.ItemMessage); len(got) != 2 || got[1] != "second answer" {
		t.Errorf("got %q, want both answers", got)
	}
	if n := requestCount(t, calls, "session/load"); n != 1 {
		t.Errorf("the session was loaded %d times, want once", n)
	}
}

func TestUntrusted_ChangeDuringStartStops(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the CLI is no shell script, which could change the folder")
	}
	folder := newUntrustedFolder(t)
	script, calls := withCallRecord(t, fakeagent.Script{})
	program := apptest.FakeAgentProgram(t, script)
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	// The script changes the folder once the process has started.
	changed := strings.Replace(string(text), "\nexec ", "\n[ -f .mcp.json ] || { echo '{\"servers\":{\"x\":{\"command\":\"evil\"}}}' >.mcp.json; }\nexec ", 1)
	if err := os.WriteFile(program, []byte(changed), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(copilot.PathVar, program)
	t.Setenv("COPILOT_HOME", apptest.UseSignedInHome(t, t.TempDir()))
	w := newAppEnv(t, t.TempDir())
	chat := w.chatIn(folder)
	w.Send(chat, "go")
	first := w.waitForTrustRequest(chat.ID, 1)
	w.trust(first)
	r := w.waitForTrustRequest(chat.ID, 2, first.ID)
	if len(r.Runs) != 1 || r.Runs[0].File != ".mcp.json" || !r.Changed {
		t.Errorf("got %+v, want what is new", r)
	}
	if n := requestCount(t, calls, "session/prompt"); n != 0 {
		t.Error("the message was sent")
	}
	w.trust(r)
	w.WaitForDone("the answer", 1)
	if n := requestCount(t, calls, "session/prompt"); n != 1 {
		t.Errorf("the agent got %d prompts, want 1", n)
	}
}

func TestUntrusted_RequestEndsWithChat(t *testing.T) {
	script, _ := withCallRecord(t, fakeagent.Script{})
	apptest.UseFakeAgent(t, script)
	w := newAppEnv(t, t.TempDir())
	other, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: apptest.FakeAgentProgram(t, script)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(chat backend.Chat) error{
		"deleted":        func(chat backend.Chat) error { return w.App.DeleteChat(chat.ID, false) },
		"stopped":        func(chat backend.Chat) error { return w.App.StopAgent(chat.ID) },
		"another folder": func(chat backend.Chat) error { return w.App.LocateFolder(chat.ID, t.TempDir()) },
	} {
		t.Run(name, func(t *testing.T) {
			w.T = t
			chat := w.chatIn(newUntrustedFolder(t))
			w.Send(chat, "go")
			r := w.waitForTrustRequest(chat.ID, 1)
			if err := end(chat); err != nil {
				t.Fatal(err)
			}
			w.WaitFor("the request goes", func(e backend.Event) bool { return e.TrustRequestDeleted != nil && e.TrustRequestDeleted.ID == r.Key })
		})
	}
	t.Run("another agent", func(t *testing.T) {
		w.T = t
		chat := w.chatIn(newUntrustedFolder(t))
		w.Send(chat, "go")
		w.waitForTrustRequest(chat.ID, 1)
		if err := w.App.SetProvider(chat.ID, other.ID); err != nil {
			t.Fatal(err)
		}
		w.WaitFor("the other agent asks", func(e backend.Event) bool {
			return e.TrustRequest != nil && slices.Contains(e.TrustRequest.ChatIDs, chat.ID) && e.TrustRequest.Agent == "Other"
		})
	})
}

// TestReviewTrust_AsksWhileTheAgentRuns checks that the user can trust code that was added to the folder of a running
// agent, without a restart of the agent. A commit needs that trust.
func TestReviewTrust_AsksWhileTheAgentRuns(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("done")}})
	w := newAppEnv(t, t.TempDir())
	folder := t.TempDir()
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	noErr(t, err)
	w.Send(chat, "start")
	w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	writeFile(t, folder, hookFile, hookFileText("echo hello"))
	e, err := w.App.Engine()
	noErr(t, err)
	if e.Trust.Trusted(t.Context(), e.StarterOf(chat)) {
		t.Fatal("the new hook is trusted")
	}
	noErr(t, w.App.ReviewTrust(chat.ID))
	request := w.WaitFor("it asks", isTrust).TrustRequest
	if !slices.Contains(request.ChatIDs, chat.ID) {
		t.Errorf("the request lists %v", request.ChatIDs)
	}
	noErr(t, w.App.TrustFolder(request.ID))
	if !e.Trust.Trusted(t.Context(), e.StarterOf(chat)) {
		t.Error("the hook isn't trusted")
	}
	if a, err := e.Agents.Running(chat.ID); err != nil || a.Connection().State != backend.ConnectionReady {
		t.Errorf("the agent isn't connected: %v", err)
	}
}
