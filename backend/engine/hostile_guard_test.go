package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// TestGuard_RuleDeniesInEveryMode checks that a rule that denies a command applies in every mode of VoxPilot and of
// the Copilot CLI. It covers turns that a message starts, and turns that the CLI starts on a schedule, once (/after)
// or repeatedly (/every). Some of the calls are made by a sub-agent.
func TestGuard_RuleDeniesInEveryMode(t *testing.T) {
	modes := []struct {
		name      string
		mode      backend.PermissionMode
		goOutside bool // "Always ask outside the folder" is off
		allowAll  bool // whether the CLI's option to never ask is on
		autopilot bool // whether the CLI is in its autopilot mode
		sandbox   bool
	}{
		{name: "ask first", mode: backend.ModeAsk},
		{name: "allow edits", mode: backend.ModeAcceptEdits},
		{name: "allow everything", mode: backend.ModeBypass},
		{name: "allow everything, also outside", mode: backend.ModeBypass, goOutside: true},
		{name: "the CLI asks nothing", mode: backend.ModeAsk, allowAll: true},
		{name: "autopilot", mode: backend.ModeAsk, autopilot: true},
		{name: "allow edits, in the sandbox", mode: backend.ModeAcceptEdits, sandbox: true},
		{name: "all of them", mode: backend.ModeBypass, goOutside: true, allowAll: true, autopilot: true},
	}
	origins := []struct {
		text   string // text of the message
		prompt string // prompt that the model receives in the turn that makes the call
		calls  int
	}{
		{"go", "go", 1},
		{"sub", "sub", 1},
		{"/after 10s go", "[Scheduled prompt #1]\ngo", 1},
		{"/every 10s go", "[Scheduled prompt #2]\ngo", 2},
		{"/after 10s sub", "[Scheduled prompt #3]\nsub", 1},
	}
	result := chaos.Row(t, "A command that a rule denies, in every mode, with sub-agents and scheduled turns", len(modes)*len(origins))
	tried := 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(modes))[:chaos.Runs(1, len(modes))] {
		m := modes[i]
		t.Run(m.name, func(t *testing.T) {
			w := newGuarded(t, func(folder string) { writeFile(t, folder, "kept.txt", "kept\n") })
			_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
			noErr(t, err)
			settings := backend.DefaultSettings()
			settings.AskOutside = !m.goOutside
			noErr(t, w.App.SaveSettings(settings))
			w.calls["go"] = []practice.Step{bash("rm kept.txt")}
			w.calls["sub"] = []practice.Step{practice.ToolCall("task", map[string]any{
				"agent_type": "general-purpose", "name": "sub", "description": "sub", "prompt": "go", "mode": "sync",
			})}
			for _, o := range origins {
				w.calls[o.prompt] = w.calls[o.prompt[strings.LastIndexAny(o.prompt, "\n")+1:]]
			}
			w.Send(w.chat, "hello")
			w.waitForEndedTurns(w.chat, 1)
			noErr(t, w.App.SetPermissionMode(w.chat.ID, m.mode))
			if m.allowAll {
				noErr(t, w.allowAll())
			}
			if m.sandbox {
				w.needsSandbox()
				noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
			}
			if m.autopilot {
				noErr(t, w.App.SetMode(w.chat.ID, backend.SessionMain, w.autopilot()))
			}
			denied, want := map[string]bool{}, 0
			for n, o := range origins {
				w.Send(w.chat, o.text)
				w.waitForEndedTurns(w.chat, n+2)
				want += o.calls
				w.WaitFor(fmt.Sprintf("%d calls after %q are denied", o.calls, o.text), func(e backend.Event) bool {
					if p := e.Permission; p != nil && p.Command == "rm kept.txt" && p.Decision == backend.DecisionRejected {
						denied[p.ID] = true
					}
					return len(denied) >= want
				})
				w.waitForResults(o.prompt)
			}
			if !exists(t, filepath.Join(w.folder, "kept.txt")) {
				t.Error("the denied command ran")
			}
		})
		tried += len(origins)
	}
	result("%d tried: none ran", tried)
}

// waitForResults waits until the model has received the result of a call that it made for the prompt. The CLI may add
// the prompt of another scheduled turn before that result.
func (w *guarded) waitForResults(prompt string) {
	w.T.Helper()
	waitFor(w.T, "the model to get the result of a call for "+prompt, func() bool {
		return slices.ContainsFunc(w.server.Requests(), func(r practice.Request) bool {
			at := slices.IndexFunc(r.Messages, func(m practice.Message) bool { return m.Role == "user" && strings.Contains(m.Text, prompt) })
			return at >= 0 && slices.ContainsFunc(r.Messages[at:], func(m practice.Message) bool { return m.Role == "tool" })
		})
	})
}

// autopilot returns the ID of the CLI's autopilot mode.
func (w *guarded) autopilot() (id string) {
	for _, e := range w.Events() {
		if e.Session == nil {
			continue
		}
		for _, m := range e.Session.Modes {
			if strings.HasSuffix(m.ID, "#autopilot") {
				id = m.ID
			}
		}
	}
	return id
}

// TestGuard_SwitchedOffIsNoticed checks that VoxPilot notices that the guard isn't active, however it was turned off:
// the session shows the reason, Copilot must ask for permission again, and the turn ends.
func TestGuard_SwitchedOffIsNoticed(t *testing.T) {
	unixOnly(t)
	ways := []struct {
		name   string
		file   string // a file in the chat's folder with a setting that turns off all hooks
		before string // a shell command that runs before the CLI starts; $plugin is the plugin's folder
	}{
		{name: "settings.json of the repository", file: ".github/copilot/settings.json"},
		{name: "settings.local.json of the repository", file: ".github/copilot/settings.local.json"},
		{name: "settings.json for Claude Code", file: ".claude/settings.json"},
		{name: "settings.local.json for Claude Code", file: ".claude/settings.local.json"},
		{name: "the CLI ignores the plugin", before: `plugin=`},
		{name: "the plugin's hooks are deleted", before: `rm "$plugin/hooks/hooks.json"`},
		{name: "the plugin's hooks are replaced", before: `echo '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"echo {\\"permissionDecision\\":\\"allow\\"}"}]}}' >"$plugin/hooks/hooks.json"`},
		{name: "the key of the hooks is deleted", before: `rm "$plugin/key.json"`},
	}
	result := chaos.Row(t, "The guard switched off: settings of the folder, the CLI, the plugin", len(ways))
	tried := 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(ways))[:chaos.Runs(2, len(ways))] {
		way := ways[i]
		t.Run(way.name, func(t *testing.T) {
			program := realCopilot(t)
			if way.before != "" {
				program = wrapped(t, program, way.before)
			}
			w := newGuardedWith(t, program, func(folder string) {
				if way.file != "" {
					noErr(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(way.file)), 0o700))
					writeFile(t, folder, way.file, `{"disableAllHooks":true}`)
				}
			})
			if way.file != "" { // the CLI reads these settings only in a folder that it trusts
				noErr(t, os.MkdirAll(w.home, 0o700))
				writeFile(t, w.home, "config.json", `{"trustedFolders":["`+w.folder+`"]}`)
				w.Send(w.chat, "hello")
				w.trust(*w.WaitFor("it asks for trust", isTrust).TrustRequest)
				w.WaitForDone("the first turn ends", 1)
			}
			outside, err := filepath.EvalSymlinks(t.TempDir())
			noErr(t, err)
			file := filepath.Join(outside, "ran.txt")
			w.calls["go"] = []practice.Step{bash("sleep 1; echo ran > " + file), bash("echo again >> " + file)}
			if err := w.allowAll(); err == nil { // from now on the CLI doesn't ask for permission
				w.Send(w.chat, "go")
			}
			w.WaitFor("the banner", func(e backend.Event) bool {
				return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff
			})
			w.WaitFor("the CLI asks again", func(backend.Event) bool { return !w.asksNothing() })
			if err := w.allowAll(); err == nil {
				t.Error("the CLI may still be told to ask nothing")
			}
			w.waitForEndedTurns(w.chat, 1)
			if exists(t, file) {
				t.Error("a command of more than a second ran to its end")
			}
		})
		tried++
	}
	result("%d tried: all noticed, the first command stopped", tried)
}

// wrapped returns a program that runs a shell command before the CLI's ACP server starts.
func wrapped(t *testing.T, program, before string) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "copilot")
	noErr(t, os.WriteFile(script, []byte(`#!/bin/bash
plugin= args=()
while [ $# -gt 0 ]; do
	if [ "$1" = --plugin-dir ]; then plugin=$2; shift; else args+=("$1"); fi
	shift
done
if [ -n "$plugin" ]; then
	`+before+`
	[ -z "$plugin" ] || args+=(--plugin-dir "$plugin")
fi
exec '`+program+`' "${args[@]}"
`), 0o700))
	return script
}

// asksNothing reports whether the CLI was last set to never ask for permission.
func (w *guarded) asksNothing() (nothing bool) {
	for _, e := range w.Events() {
		if e.Session != nil {
			nothing = e.Session.AllowAll
		}
	}
	return nothing
}
