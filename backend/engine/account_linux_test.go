package engine_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// TestCopilot_HidesTokenFromCommands checks, with the real CLI and a scripted model,
// that a command run by the CLI doesn't inherit the token.
func TestCopilot_HidesTokenFromCommands(t *testing.T) {
	program := copilottest.Path(t)
	gh := fakeGitHub(t)
	gh.Grant(oldToken, octocat)
	t.Setenv("GITHUB_TOKEN", oldToken)
	vars := filepath.Join(t.TempDir(), "environment")
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		if req.Side() || req.Last().Role != "user" {
			return practice.Reply{practice.Text("I did it.")}
		}
		return practice.Reply{practice.ToolCall("bash", map[string]any{"command": "env > " + apptest.Quote(vars), "description": "Note it"})}
	}))
	noErr(t, err)
	defer model.Close()
	home := t.TempDir()
	w := newAppEnv(t, t.TempDir())
	env, names := map[string]string{}, []string(nil)
	for _, v := range model.Env(home) {
		if name, value, _ := strings.Cut(v, "="); value != "" && name != "COPILOT_HOME" {
			if _, twice := env[name]; !twice {
				names = append(names, name)
			}
			env[name] = value
		}
	}
	p, err := w.App.SaveProfile(backend.CustomAgent{Name: "Copilot", Command: program, Args: copilot.Args(), Env: names, Home: home, GitHub: true}, env)
	noErr(t, err)
	t.Cleanup(func() { _ = w.App.DeleteProfile(p.ID) }) // leaves nothing in the keychain
	chat := w.Chat(p.ID)
	w.Send(chat, "Do it.")
	asked := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	for _, o := range asked.Options {
		if o.Kind == backend.OptionAllowOnce {
			noErr(t, w.App.Answer(asked.ID, o.ID, false))
		}
	}
	w.WaitForDone("the turn", 1)
	c, _ := w.waitForConnection(chat, 0, "it is ready", func(c backend.Connection) bool { return c.State == backend.ConnectionReady })
	its, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.PID), "environ"))
	noErr(t, err)
	if !strings.Contains(string(its), environment.TokenVar+"="+oldToken) || !c.TokenChecked {
		t.Errorf("the agent has not got the token: %+v", c)
	}
	line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(c.PID), "cmdline"))
	noErr(t, err)
	if !strings.Contains(string(line), "\x00"+engine.KeepToken+"\x00") || strings.Contains(string(line), oldToken) {
		t.Errorf("it was started as %q", line)
	}
	inherited, err := os.ReadFile(vars)
	noErr(t, err)
	if !strings.Contains(string(inherited), "PATH=") || strings.Contains(string(inherited), oldToken) {
		t.Error("its command has the token")
	}
}
