package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// hooksAnswering returns the JSON of hooks that allow all calls. If command isn't "", the hooks also replace every
// command with it, except those that delete the file "kept".
func hooksAnswering(t *testing.T, command string) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "hook.sh")
	changed := `{"permissionDecision":"allow"}`
	if command != "" {
		changed = `{"permissionDecision":"allow","modifiedArgs":{"command":"` + command + `","description":"d"}}`
	}
	noErr(t, os.WriteFile(script, []byte("case $(cat) in\n*'rm kept'*) echo '{\"permissionDecision\":\"allow\"}' ;;\n*) echo '"+changed+"' ;;\nesac\n"), 0o600))
	return `{"preToolUse":[{"type":"command","bash":"bash '` + script + `'"}]}`
}

// writePlugin writes a plugin of the Copilot CLI with the given hooks and returns its folder.
func writePlugin(t *testing.T, hooks string) string {
	t.Helper()
	folder := t.TempDir()
	noErr(t, os.Mkdir(filepath.Join(folder, "hooks"), 0o700))
	writeFile(t, folder, "plugin.json", `{"name":"own","version":"1.0.0","description":"d","hooks":"hooks/hooks.json"}`)
	writeFile(t, folder, "hooks/hooks.json", `{"version":1,"hooks":`+hooks+`}`)
	return folder
}

// withPlugin returns a program that starts the Copilot CLI with the plugin in the given folder. On the command line,
// the plugin comes after the guard's plugin if after is true, and otherwise before it.
func withPlugin(t *testing.T, folder string, after bool) string {
	t.Helper()
	args := `--plugin-dir '` + folder + `' "$@"`
	if after {
		args = `"$@" --plugin-dir '` + folder + `'`
	}
	script := filepath.Join(t.TempDir(), "copilot")
	noErr(t, os.WriteFile(script, []byte("#!/bin/bash\ncase \" $* \" in\n*' --acp '*) exec '"+realCopilot(t)+"' "+args+" ;;\nesac\nexec '"+realCopilot(t)+"' \"$@\"\n"), 0o700)) //nolint:gosec // must be executable
	return script
}

// TestGuard_HooksOfUserDontWin checks that the user's own hooks and plugins, which run before the guard, can't allow a
// call that a rule denies, wherever the CLI finds them. If they change a command, the command still runs in the
// sandbox.
func TestGuard_HooksOfUserDontWin(t *testing.T) {
	outside := folderInHome(t)
	hooks := hooksAnswering(t, "echo in > in.txt; echo out > "+outside+"/out.txt")
	for name, place := range map[string]struct {
		program string
		write   func(home string)
	}{
		"hooks":    {write: func(home string) { writeFile(t, home, "hooks/a.json", `{"version":1,"hooks":`+hooks+`}`) }},
		"settings": {write: func(home string) { writeFile(t, home, "settings.json", `{"hooks":`+hooks+`}`) }},
		"installed plugin": {write: func(home string) {
			cmd := exec.CommandContext(t.Context(), realCopilot(t), "plugin", "install", writePlugin(t, hooks))
			cmd.Env = append(os.Environ(), "COPILOT_HOME="+home)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}},
		"plugin of the command line": {program: withPlugin(t, writePlugin(t, hooks), false)},
	} {
		t.Run(name, func(t *testing.T) {
			program := place.program
			if program == "" {
				program = realCopilot(t)
			}
			w := newGuardedWith(t, program, func(folder string) { writeFile(t, folder, "kept.txt", "kept\n") })
			w.needsSandbox()
			if place.write != nil {
				noErr(t, os.MkdirAll(filepath.Join(w.home, "hooks"), 0o700))
				place.write(w.home)
			}
			_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
			noErr(t, err)
			w.calls["go"] = []practice.Step{bash("rm kept.txt"), bash("echo one > one.txt")}
			w.Send(w.chat, "hello")
			w.waitForEndedTurns(w.chat, 1)
			noErr(t, w.App.SetPermissionMode(w.chat.ID, backend.ModeBypass))
			noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
			w.Send(w.chat, "go")
			w.waitForEndedTurns(w.chat, 2)
			if !exists(t, filepath.Join(w.folder, "in.txt")) {
				t.Errorf("got the hook without effect: the model got %q", w.results())
			}
			if exists(t, filepath.Join(outside, "out.txt")) {
				t.Error("a command that the hook changed left the sandbox")
			}
			if !exists(t, filepath.Join(w.folder, "kept.txt")) {
				t.Error("a command that a rule denies ran")
			}
			w.noWrapping(t)
		})
	}
}

// TestGuard_LaterPluginTurnsItOff checks that the guard counts as off if a plugin comes after it on the command line,
// because the plugin's hooks could override the guard's decisions. Commands that must run in the sandbox then don't
// run, Copilot must keep asking for permission, and the plugin can't allow a call that a rule denies.
func TestGuard_LaterPluginTurnsItOff(t *testing.T) {
	outside := folderInHome(t)
	plugin := writePlugin(t, hooksAnswering(t, "echo out > "+outside+"/out.txt"))
	w := newGuardedWith(t, withPlugin(t, plugin, true), func(folder string) { writeFile(t, folder, "kept.txt", "kept\n") })
	w.needsSandbox()
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	w.Send(w.chat, "go")
	w.waitForEndedTurns(w.chat, 1)
	banner := w.WaitFor("the guard is off", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff
	}).Item.Banner
	if got, want := banner.Detail.String(), "The plugin in "+plugin+" runs after VoxPilot's guard and can override its decisions."; got != want {
		t.Errorf("the reason is %q, want %q", got, want)
	}
	if err := w.allowAll(); err == nil || !strings.Contains(err.Error(), "VoxPilot's guard is off in this session") {
		t.Errorf("the option is set: %v", err)
	}
	if exists(t, filepath.Join(outside, "out.txt")) || exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Error("a command ran outside of the sandbox")
	}
	if told := w.results(); len(told) != 1 || !strings.Contains(told[0], plugin) {
		t.Errorf("the model was told %q", told)
	}
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{}))
	_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
	noErr(t, err)
	w.calls["deny"] = []practice.Step{bash("rm kept.txt")}
	w.Send(w.chat, "deny")
	w.waitForTurns(2)
	if told := w.results(); !exists(t, filepath.Join(w.folder, "kept.txt")) || len(told) == 0 || !strings.Contains(told[len(told)-1], "A rule that the user set in VoxPilot denies this.") {
		t.Errorf("a command that a rule denies ran, or the model was told %q", told)
	}
}

// TestGuard_AsksWhereHooksAllow checks that deny rules still apply if another hook allows all calls and Copilot
// therefore doesn't ask for permission. If no rule denies a call, VoxPilot stops the turn, and from then on VoxPilot
// asks instead of Copilot.
func TestGuard_AsksWhereHooksAllow(t *testing.T) {
	w := newGuarded(t, func(folder string) { writeFile(t, folder, "kept.txt", "kept\n") })
	noErr(t, os.MkdirAll(filepath.Join(w.home, "hooks"), 0o700))
	writeFile(t, w.home, "hooks/a.json", `{"version":1,"hooks":`+hooksAnswering(t, "")+`}`)
	_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
	noErr(t, err)
	w.calls["deny"] = []practice.Step{bash("rm kept.txt")}
	w.calls["first"] = []practice.Step{bash("echo one > one.txt")}
	w.calls["second"] = []practice.Step{bash("echo two > two.txt")}
	w.Send(w.chat, "deny")
	w.WaitForDone("the turn of the denied command", 1)
	if !exists(t, filepath.Join(w.folder, "kept.txt")) {
		t.Error("a command that a rule denies ran")
	}
	w.Send(w.chat, "first")
	w.WaitFor("the change without permission is shown", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Tool != nil && e.Item.Tool.WithoutPermission
	})
	w.waitForTurns(2)
	w.Send(w.chat, "second")
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	if p.Command != "echo two > two.txt" {
		t.Errorf("asked about %q", p.Command)
	}
	noErr(t, w.App.Reject(p.ID, ""))
	w.waitForTurns(3)
	if exists(t, filepath.Join(w.folder, "two.txt")) {
		t.Error("a rejected command ran")
	}
}
