package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// newBoxedCustom starts an app with a chat whose custom agent runs in the sandbox. The agent performs the given turn
// for every prompt.
func newBoxedCustom(t *testing.T, turn fakeagent.Turn) (*appEnv, backend.Chat) {
	t.Helper()
	path, args, env := fakeagent.Command(fakeagent.Script{ThroughClient: true, Rest: turn})
	program, err := os.ReadFile(path)
	noErr(t, err)
	dir := folderInHome(t) // in the sandbox, /tmp contains only the chat's folder
	path = filepath.Join(dir, "program")
	noErr(t, os.WriteFile(path, program, 0o700)) //nolint:gosec // must be executable
	script := "#!/bin/sh\n"
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		script += "export " + name + "=" + apptest.Quote(value) + "\n"
	}
	script += "exec " + path
	for _, arg := range args {
		script += " " + apptest.Quote(arg)
	}
	path = filepath.Join(dir, "agent")
	noErr(t, os.WriteFile(path, []byte(script+"\n"), 0o700)) //nolint:gosec // must be executable
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	profile, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: path}, nil)
	noErr(t, err)
	chat, err := w.App.CreateChat(folderInHome(t), profile.ID)
	noErr(t, err)
	noErr(t, w.App.SetPermissionMode(chat.ID, backend.ModeBypass))
	noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
	return w, chat
}

// TestSandbox_CommandsOfCustomAgent checks that a custom agent runs in the sandbox as a whole, and that the commands
// that VoxPilot runs for it also run in the sandbox.
func TestSandbox_CommandsOfCustomAgent(t *testing.T) {
	outside := folderInHome(t)
	w, chat := newBoxedCustom(t, fakeagent.Turn{fakeagent.Run("echo in > in.txt; echo out > " + outside + "/out.txt")})
	w.Send(chat, "go")
	w.waitForEndedTurns(chat, 1)
	if sandboxOf(t, w.waitForProcess(chat.ID)) == "" {
		t.Error("the agent isn't in a sandbox")
	}
	if !exists(t, filepath.Join(chat.Folder, "in.txt")) || exists(t, filepath.Join(outside, "out.txt")) {
		t.Errorf("got the wrong files written; the command says %q", w.output(chat))
	}
	sandboxed := false
	for _, e := range w.Events() {
		sandboxed = sandboxed || e.Item != nil && e.Item.Tool != nil && e.Item.Tool.Sandboxed
	}
	if !sandboxed {
		t.Error("no row says that the command ran in the sandbox")
	}
}

// TestSandbox_CommandsHaveNoKeyOfAModel checks that commands in the sandbox don't get variables whose values contain
// secrets that VoxPilot knows, whatever the names of the variables are.
func TestSandbox_CommandsHaveNoKeyOfAModel(t *testing.T) {
	const key = "canary-key-of-a-model"
	t.Setenv("BACKEND", "https://model.test/?k="+key)
	t.Setenv("HARMLESS", "kept")
	w, chat := newBoxedCustom(t, fakeagent.Turn{fakeagent.Run("env > env.txt")})
	_, err := w.App.SaveProvider(backend.Provider{Name: "Model", BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, key)
	noErr(t, err)
	w.Send(chat, "go")
	w.waitForEndedTurns(chat, 1)
	env, err := os.ReadFile(filepath.Join(chat.Folder, "env.txt"))
	noErr(t, err)
	if !strings.Contains(string(env), "HARMLESS=kept") || strings.Contains(string(env), key) {
		t.Errorf("got %s", env)
	}
}

// TestSandbox_OtherPlacesRestartAgent checks that changing the settings for files and folders restarts a sandboxed
// agent with its next message, because these settings apply when the agent starts. Changing settings that concern only
// commands doesn't restart it.
func TestSandbox_OtherPlacesRestartAgent(t *testing.T) {
	w, chat := newBoxedCustom(t, fakeagent.Turn{fakeagent.Run("true")})
	change := func(do func(s *backend.SandboxSettings)) {
		settings := backend.DefaultSettings()
		do(&settings.Sandbox)
		noErr(t, w.App.SaveSettings(settings))
	}
	w.Send(chat, "one")
	w.waitForEndedTurns(chat, 1)
	first := w.waitForProcess(chat.ID)
	change(func(s *backend.SandboxSettings) { s.Sites = []string{"example.com"} })
	w.Send(chat, "two")
	w.waitForEndedTurns(chat, 2)
	if again := w.waitForProcess(chat.ID); again != first {
		t.Errorf("got the process %d after another site, want %d", again, first)
	}
	change(func(s *backend.SandboxSettings) { s.Hidden = []string{"~/voxpilot-hidden"} })
	w.Send(chat, "three")
	w.waitForEndedTurns(chat, 3)
	if again := w.waitForProcess(chat.ID, first); sandboxOf(t, again) == "" {
		t.Error("got the agent outside of the sandbox")
	}
}

// TestSandbox_AgentElsewhereIsRefused checks that the sandbox can't be turned on for an agent that VoxPilot only
// connects to. If the chat's agent is changed to such an agent, VoxPilot doesn't connect to it.
func TestSandbox_AgentElsewhereIsRefused(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	profile, err := w.App.SaveProfile(backend.CustomAgent{Name: "Elsewhere", Address: "127.0.0.1:9"}, nil)
	noErr(t, err)
	chat := w.Chat(profile.ID)
	err = w.App.SetSandbox(chat.ID, backend.Sandbox{On: true, WholeAgent: true})
	if err == nil || !strings.Contains(err.Error(), "Elsewhere can't run in the sandbox") {
		t.Errorf("got %v, want a refusal", err)
	}
	noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{Network: backend.NetworkOff}))
	profile.Address, profile.Command = "", "true"
	profile, err = w.App.SaveProfile(profile, nil)
	noErr(t, err)
	noErr(t, w.App.SetSandbox(chat.ID, backend.Sandbox{On: true}))
	profile.Address, profile.Command = "127.0.0.1:9", ""
	_, err = w.App.SaveProfile(profile, nil)
	noErr(t, err)
	w.Send(chat, "go")
	c := w.WaitFor("it isn't started", func(e backend.Event) bool {
		return e.Connection != nil && e.Connection.State == backend.ConnectionFailed
	}).Connection
	if c.Cause != backend.CauseNoSandbox || !strings.Contains(c.Message.String(), "Turn off the sandbox") {
		t.Errorf("got %s: %s", c.Cause, c.Message)
	}
}
