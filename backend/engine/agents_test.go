package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestRestore_OpenedChatBeforeNextMessage(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	asked, silent := w.Chat(backend.ProviderCopilot), w.Chat(backend.ProviderCopilot)
	w.Send(asked, "hello")
	w.WaitForDone("the turn", 1)
	w.Close()

	w = newAppEnv(t, dir)
	for _, chat := range []backend.Chat{silent, asked} {
		if err := w.App.ViewChat(chat.ID); err != nil {
			t.Fatal(err)
		}
	}
	w.WaitFor("its session is loaded", func(e backend.Event) bool {
		return e.Session != nil && e.Session.ChatID == asked.ID && e.Session.State == backend.SessionLoaded
	})
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.ChatID == silent.ID {
			t.Errorf("an agent is started for a chat without a message: %+v", *e.Connection)
		}
		if e.Turn != nil {
			t.Errorf("something is sent: %+v", *e.Turn)
		}
	}
	settings := backend.DefaultSettings()
	settings.RestoreOnOpen = false
	if err := w.App.SaveSettings(settings); err != nil {
		t.Fatal(err)
	}
	w.Close()

	w = newAppEnv(t, dir)
	if err := w.App.ViewChat(asked.ID); err != nil {
		t.Fatal(err)
	}
	if e, err := w.App.Engine(); err != nil {
		t.Fatal(err)
	} else if _, err := e.Agents.Running(asked.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("the setting says no, and there is an agent: %v", err)
	}
}

func TestStopAgent_NextMessageRestarts(t *testing.T) {
	w, chat := newRunningAppEnv(t)
	var processes []backend.Process
	if code := w.Get("/data/processes", &processes); code != http.StatusOK || len(processes) == 0 || !processes[0].IsAgent || processes[0].ChatID != chat.ID || processes[0].PID == 0 {
		t.Fatalf("the processes are (%d) %+v", code, processes)
	}
	waits := w.Send(chat, "and then")
	if err := w.App.StopAgent(chat.ID); err != nil {
		t.Fatal(err)
	}
	c := w.WaitFor("it stops", func(e backend.Event) bool { return e.Connection != nil && e.Connection.Cause == backend.CauseStopped }).Connection
	if c.State != backend.ConnectionIdle {
		t.Errorf("the connection is %+v", *c)
	}
	w.WaitFor("the turn is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	w.WaitFor("what waits is paused", func(e backend.Event) bool { return e.Queued != nil && e.Queued.ID == waits && e.Queued.Paused })
	if w.Get("/data/processes", &processes); len(processes) != 0 {
		t.Errorf("after that the processes are %+v", processes)
	}
	if err := w.App.ResumeQueue(chat.ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it works again", func(e backend.Event) bool {
		return e.Turn != nil && e.Turn.State == backend.TurnRunning && e.Turn.SentAt > c.Since
	})
	if err := w.App.StopAgent("nobody"); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("an agent that doesn't exist: %v", err)
	}
}

func TestStopProcess_StopsTurnAndPausesQueue(t *testing.T) {
	w, chat := newRunningAppEnv(t)
	var processes []backend.Process
	if w.Get("/data/processes", &processes); len(processes) == 0 || !processes[0].IsAgent || processes[0].ID == "" || !processes[0].Works {
		t.Fatalf("the processes are %+v", processes)
	}
	waits := w.Send(chat, "and then")
	for _, id := range []string{"", "another", strconv.Itoa(processes[0].PID)} {
		if err := w.App.StopProcess(chat.ID, id); backend.CodeOf(err) != backend.CodeNotFound {
			t.Errorf("stopping %q: got %v, want not found", id, err)
		}
	}
	if err := w.App.StopProcess("nobody", processes[0].ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("in a chat without an agent: got %v, want not found", err)
	}
	if err := w.App.StopProcess(chat.ID, processes[0].ID); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("it stops", func(e backend.Event) bool { return e.Connection != nil && e.Connection.Cause == backend.CauseStopped })
	w.WaitFor("the turn is stopped", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	w.WaitFor("what waits is paused", func(e backend.Event) bool { return e.Queued != nil && e.Queued.ID == waits && e.Queued.Paused })
	if w.Get("/data/processes", &processes); len(processes) != 0 {
		t.Errorf("after that the processes are %+v", processes)
	}
}

func TestProtocolLog_RedactsSecretsEverywhere(t *testing.T) {
	secret := "gh" + "o_" + strings.Repeat("A1b2", 9)
	t.Setenv("VOXPILOT_DEBUG", "acp")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("hello " + secret)}})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "my key is marked-secret")
	w.WaitForDone("the turn", 1)
	w.App.Redact("marked-secret")

	var answer struct{ Frames []backend.ProtocolMessage }
	if code := w.Get("/data/protocol?chat="+chat.ID+"&filter=session/prompt", &answer); code != http.StatusOK || len(answer.Frames) != 1 {
		t.Fatalf("the protocol is (%d) %+v", code, answer)
	}
	if f := answer.Frames[0]; f.Method != "session/prompt" || !f.Out || f.Seq == 0 || f.Session == "" {
		t.Errorf("the prompt is %+v", f)
	}
	for query, want := range map[string]int{"&limit=1": 1, fmt.Sprintf("&after=%d&filter=session/prompt", answer.Frames[0].Seq): 0} {
		if w.Get("/data/protocol?chat="+chat.ID+query, &answer); len(answer.Frames) != want {
			t.Errorf("%s gives %d frames", query, len(answer.Frames))
		}
	}
	if w.Get("/data/protocol?chat=nobody", &answer); answer.Frames == nil || len(answer.Frames) != 0 {
		t.Errorf("a chat without an agent has the protocol %+v", answer.Frames)
	}

	path := filepath.Join(t.TempDir(), "protocol.ndjson")
	if err := os.WriteFile(path, []byte("of before"), 0o644); err != nil {
		t.Fatal(err)
	}
	var offered string
	w.OnSaveFile(func(name string) (string, error) {
		offered = name
		return path, nil
	})
	if err := w.App.SaveProtocol(chat.ID); err != nil {
		t.Fatal(err)
	}
	e := w.WaitFor("it is saved", func(e backend.Event) bool { return e.DialogResult != nil })
	if *e.DialogResult != (backend.DialogResult{Request: "protocol " + chat.ID, Path: path}) || offered != "VoxPilot protocol, My key is marked-secret.ndjson" {
		t.Errorf("it was saved as %+v, %q was offered", *e.DialogResult, offered)
	}
	w.Close()
	for _, path := range []string{path, filepath.Join(dir, "logs", engine.TraceName)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be used by others: %v", path, info.Mode())
		}
		text, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(text), secret) || !strings.Contains(string(text), "session/prompt") {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
		for line := range strings.Lines(string(text)) {
			var frame struct {
				ChatID string
				backend.ProtocolMessage
			}
			if err := json.Unmarshal([]byte(line), &frame); err != nil || frame.ChatID != chat.ID || frame.Seq == 0 {
				t.Errorf("a line is %s, %v", line, err)
			}
		}
	}
}

func TestProtocolLog_SaveFailureReported(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	if err := w.App.SaveProtocol(chat.ID); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("without an agent: %v", err)
	}
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 1)
	w.OnSaveFile(func(string) (string, error) { return filepath.Join(t.TempDir(), "none", "x"), nil })
	if err := w.App.SaveProtocol(chat.ID); err != nil {
		t.Fatal(err)
	}
	if e := w.WaitFor("it is said", func(e backend.Event) bool { return e.DialogResult != nil }); e.DialogResult.Message.IsZero() {
		t.Errorf("it says %+v", *e.DialogResult)
	}
}

// newEditRequest returns a chat whose agent requests permission to edit a file.
func newEditRequest(t *testing.T) (w *appEnv, chat backend.Chat, file string) {
	t.Helper()
	folder := t.TempDir()
	file = filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Edit(file, "old", "new"), fakeagent.Say("done")}})
	w = newAppEnv(t, t.TempDir())
	chat, err := w.App.CreateChat(folder, backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	return w, chat, file
}

func TestMode_DecidesAndIsAudited(t *testing.T) {
	w, chat, file := newEditRequest(t)
	if chat.PermissionMode != backend.ModeAsk {
		t.Errorf("the chat begins with %s", chat.PermissionMode)
	}
	w.Send(chat, "change it")
	w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen })
	if err := w.App.SetPermissionMode(chat.ID, "nonsense"); backend.CodeOf(err) != backend.CodeInvalid {
		t.Errorf("a mode that there is not: %v", err)
	}
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeAcceptEdits); err != nil {
		t.Fatal(err)
	}
	w.WaitForDone("the turn goes on", 1)
	if text, err := os.ReadFile(file); err != nil || string(text) != "new\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
	var audit struct{ Permissions []backend.Permission }
	if code := w.Get("/data/audit", &audit); code != http.StatusOK || len(audit.Permissions) != 1 {
		t.Fatalf("the audit is (%d) %+v", code, audit)
	}
	if p := audit.Permissions[0]; p.Decision != backend.DecisionAutoAllowed || p.Mode != backend.ModeAcceptEdits || p.Path != file {
		t.Errorf("the row is %+v", p)
	}
	if w.Get(fmt.Sprintf("/data/audit?before=%d&limit=5", audit.Permissions[0].CreatedAt), &audit); len(audit.Permissions) != 0 {
		t.Errorf("before it there is %+v", audit.Permissions)
	}
}

func TestRules_SavedAndAllRemoved(t *testing.T) {
	w, chat, file := newEditRequest(t)
	rule, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RuleEdits, Folder: chat.Folder}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.App.SetPermissionMode(chat.ID, backend.ModeBypass); err != nil {
		t.Fatal(err)
	}
	w.Send(chat, "change it")
	p := w.WaitFor("it is denied", func(e backend.Event) bool {
		return e.Permission != nil && e.Permission.State == backend.PermissionDecided
	}).Permission
	if p.Decision != backend.DecisionRejected || p.RuleID != rule.ID {
		t.Errorf("the request is %+v", *p)
	}
	w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	if text, err := os.ReadFile(file); err != nil || string(text) != "old\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := w.App.RemoveAllRules(); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the rule is deleted", func(e backend.Event) bool { return e.RuleDeleted != nil && e.RuleDeleted.ID == rule.ID })
}

func TestOptions_ModesAndModelsSelected(t *testing.T) {
	apptest.UseFakeAgent(t, fakeagent.Script{Answer: map[string]string{"session/set_mode": "{}"}})
	w := newAppEnv(t, t.TempDir())
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "hello")
	w.WaitForDone("the turn", 1)
	s := w.WaitFor("its modes are known", func(e backend.Event) bool { return e.Session != nil && len(e.Session.Modes) > 1 }).Session
	next := s.Modes[1].ID
	if err := w.App.SetMode(chat.ID, backend.SessionMain, next); err != nil {
		t.Fatal(err)
	}
	w.WaitFor("the mode is another one", func(e backend.Event) bool { return e.Session != nil && e.Session.Mode == next })
	if err := w.App.SetOption(chat.ID, backend.SessionMain, "no such option", "x"); err == nil {
		t.Error("an option that there is not is set")
	}
	if err := w.App.SetMode("nobody", backend.SessionMain, next); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("a chat that doesn't exist: %v", err)
	}
}

func TestRestore_LostSessionGetsRecap(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	apptest.UseFakeAgent(t, fakeagent.Script{Rest: fakeagent.Turn{fakeagent.Say("I did what you said.")}, Calls: calls})
	dir := t.TempDir()
	w := newAppEnv(t, dir)
	chat := w.Chat(backend.ProviderCopilot)
	w.Send(chat, "the first request")
	w.WaitForDone("the turn", 1)
	w.Close()
	home := os.Getenv("COPILOT_HOME")
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	apptest.UseSignedInHome(t, home)
	if err := os.Remove(calls); err != nil {
		t.Fatal(err)
	}

	w = newAppEnv(t, dir)
	w.Send(chat, "go on")
	banner := w.WaitFor("it is said", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerSessionLost
	}).Item.Banner
	w.WaitForDone("the turn", 1)
	got := promptTexts(t, calls)
	if len(got) != 1 || len(got[0]) != 2 || got[0][0] != banner.Recap || got[0][1] != "go on" {
		t.Errorf("the agent got %q, and the user is told %q", got, banner.Recap)
	}
	if !strings.Contains(banner.Recap, "> the first request") || !strings.Contains(banner.Recap, "> I did what you said.") {
		t.Errorf("the summary is %s", banner.Recap)
	}
	// The new session's history contains only the messages sent to it.
	e, err := w.App.Engine()
	if err != nil {
		t.Fatal(err)
	}
	if past, err := e.Store.History(context.Background(), chat.ID, backend.SessionMain); err != nil || len(past) != 1 || past[0].Prompt != "go on" {
		t.Errorf("its past is %+v, %v", past, err)
	}
}
