package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// guarded is an app with a chat that uses the real Copilot CLI. The CLI's model makes the tool calls that a test
// specifies.
type guarded struct {
	*appEnv
	chat   backend.Chat
	folder string
	dir    string // the app's data folder
	home   string // the CLI's home folder
	server *practice.Server
	calls  map[string][]practice.Step // the tool calls that the model makes for a message, by the message's text
	// asks maps the text of a message to the arguments of the ask_user calls that the model makes in one reply to it.
	asks map[string][]map[string]any
	// plans maps the text of a message to the arguments of the present_plan call that the model makes first.
	plans map[string]map[string]any
	// answers returns the text with which the model answers a message after its tool calls, if any. If answers is nil
	// or returns "", the model gives a standard answer.
	answers func(message string) string
}

// realCopilot returns the path of the Copilot CLI.
func realCopilot(t *testing.T) string {
	t.Helper()
	return copilottest.Path(t)
}

// newGuarded starts the app with a chat. The function setup prepares the chat's folder.
func newGuarded(t *testing.T, setup func(folder string)) *guarded {
	t.Helper()
	return newGuardedWith(t, realCopilot(t), setup)
}

// newGuardedWith does the same as newGuarded, but starts the given program instead of the Copilot CLI.
func newGuardedWith(t *testing.T, program string, setup func(folder string)) *guarded {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	setup(folder)
	t.Setenv(copilot.PathVar, program)
	t.Setenv("COPILOT_HOME", t.TempDir())
	dir := t.TempDir()
	w := &guarded{appEnv: newAppEnv(t, dir), folder: folder, calls: map[string][]practice.Step{}}
	p, server := w.addMainAI(func(req practice.Request) practice.Reply {
		if req.Side() && req.Interaction() != "conversation-subagent" {
			return practice.Reply{practice.Text("ok")}
		}
		done := 0
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				done = 0
			case "tool":
				done++
			}
		}
		if asks := w.asks[req.User()]; done == 0 && len(asks) > 0 {
			return callOwn(req.Tools, "ask_user", asks...)
		}
		if plan := w.plans[req.User()]; done == 0 && plan != nil {
			return callOwn(req.Tools, "present_plan", plan)
		}
		if calls := w.calls[req.User()]; done < len(calls) {
			return practice.Reply{calls[done]}
		}
		if w.answers != nil {
			if answer := w.answers(req.User()); answer != "" {
				return practice.Reply{practice.Text(answer)}
			}
		}
		return practice.Reply{practice.Text("That is all.")}
	})
	w.server, w.dir, w.home = server, dir, filepath.Join(dir, "models", p.ID)
	w.chat, err = w.App.CreateChat(folder, p.ID)
	noErr(t, err)
	return w
}

// allowAll turns on the CLI's own option to never ask for permission. It tries several times, because on a busy
// computer the CLI may take longer to start than one call waits.
func (w *guarded) allowAll() (err error) {
	for range 10 {
		err = w.App.SetOption(w.chat.ID, backend.SessionMain, "allow_all", "on")
		if err == nil || !strings.Contains(err.Error(), "is still starting") {
			break
		}
	}
	return err
}

func bash(command string) practice.Step {
	return practice.ToolCall("bash", map[string]any{"command": command, "description": "Run it"})
}

func create(path string) practice.Step {
	return practice.ToolCall("create", map[string]any{"path": path, "file_text": "text\n"})
}

// requests returns all requests so far, each in its latest state.
func (w *guarded) requests() (list []backend.Permission) {
	index := map[string]int{}
	for _, e := range w.Events() {
		if e.Permission == nil {
			continue
		}
		i, known := index[e.Permission.ID]
		if !known {
			i = len(list)
			index[e.Permission.ID] = i
			list = append(list, backend.Permission{})
		}
		list[i] = *e.Permission
	}
	return list
}

func exists(t *testing.T, path string) bool {
	t.Helper()
	_, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// results returns the tool results in the last request to the model.
func (w *guarded) results() (list []string) {
	all := w.server.Requests()
	for _, m := range all[len(all)-1].Messages {
		if m.Role == "tool" {
			list = append(list, m.Text)
		}
	}
	return list
}

// TestGuard_DecidesWhereCopilotAsksNothing checks that the guard decides if the CLI's own permission requests are off:
// ordinary calls in the folder are allowed, a deny rule applies, and calls outside the folder or on protected files
// need permission.
func TestGuard_DecidesWhereCopilotAsksNothing(t *testing.T) {
	w := newGuarded(t, func(string) {})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	_, err = w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
	noErr(t, err)
	w.calls["go"] = []practice.Step{
		bash("echo one > one.txt"),
		create(filepath.Join(w.folder, "two.txt")),
		bash("rm one.txt"),
		create(filepath.Join(outside, "out.txt")),
		create(filepath.Join(w.folder, ".vscode", "tasks.json")),
		practice.ToolCall("view", map[string]any{"path": "/etc/hostname"}),
		practice.ToolCall("view", map[string]any{"path": filepath.Join(w.folder, "two.txt")}),
		practice.ToolCall("task", map[string]any{"agent_type": "general-purpose", "name": "sub", "description": "sub", "prompt": "go below"}),
	}
	w.calls["go below"] = []practice.Step{bash("rm two.txt"), create(filepath.Join(outside, "sub.txt"))}
	noErr(t, w.allowAll())
	w.Send(w.chat, "go")
	seen := map[string]bool{}
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen && !seen[p.ID] {
			seen[p.ID] = true
			noErr(t, w.App.Reject(p.ID, ""))
		}
		return e.Turn != nil && e.Turn.State != backend.TurnRunning
	})
	for path, want := range map[string]bool{
		filepath.Join(w.folder, "one.txt"):               true,
		filepath.Join(w.folder, "two.txt"):               true,
		filepath.Join(outside, "out.txt"):                false,
		filepath.Join(outside, "sub.txt"):                false,
		filepath.Join(w.folder, ".vscode", "tasks.json"): false,
	} {
		if exists(t, path) != want {
			t.Errorf("%s exists: %v, want %v", path, !want, want)
		}
	}
	type decision struct {
		what string
		by   backend.Decision
	}
	var got []decision
	for _, p := range w.requests() {
		what := p.Command
		if what == "" {
			what = filepath.Base(p.Path)
		}
		got = append(got, decision{what, p.Decision})
	}
	want := []decision{
		{"echo one > one.txt", backend.DecisionAutoAllowed},
		{"two.txt", backend.DecisionAutoAllowed},
		{"rm one.txt", backend.DecisionRejected},
		{"out.txt", backend.DecisionRejected},
		{"tasks.json", backend.DecisionRejected},
		{"hostname", backend.DecisionRejected},
		{"rm two.txt", backend.DecisionRejected},
		{"sub.txt", backend.DecisionRejected},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	told := w.results()
	if len(told) != 8 || !strings.Contains(told[2], "A rule that the user set in VoxPilot denies this.") || !strings.Contains(told[3], "The user rejected this.") {
		t.Errorf("the model was told %q", told)
	}
}

// TestGuard_StopEndsWaitingCall checks that a turn ends at once if it is stopped while the guard waits for the user,
// and that nothing runs.
func TestGuard_StopEndsWaitingCall(t *testing.T) {
	w := newGuarded(t, func(string) {})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	w.calls["go"] = []practice.Step{create(filepath.Join(outside, "out.txt"))}
	noErr(t, w.allowAll())
	stops := chaos.Runs(1, 5)
	result := chaos.Row(t, "A turn stopped while the guard waits for the user", stops)
	var times []time.Duration
	for n := 1; n <= stops; n++ {
		w.Send(w.chat, "go")
		w.WaitFor("it asks", func(e backend.Event) bool {
			list := w.requests()
			return len(list) == n && list[n-1].State == backend.PermissionOpen
		})
		began := time.Now()
		noErr(t, w.App.Stop(w.chat.ID))
		w.waitForTurns(n)
		times = append(times, time.Since(began))
		if got := w.requests(); len(got) != n || got[n-1].Decision != backend.DecisionClosed || exists(t, filepath.Join(outside, "out.txt")) {
			t.Errorf("the file exists: %v, got %+v", exists(t, filepath.Join(outside, "out.txt")), got)
		}
	}
	for _, e := range w.Events() {
		if e.Turn != nil && e.Turn.State != backend.TurnRunning && e.Turn.State != backend.TurnStopped {
			t.Errorf("a turn is %s", e.Turn.State)
		}
	}
	slices.Sort(times)
	if median := times[stops/2]; chaos.Long() && median > 200*time.Millisecond {
		t.Errorf("the turns ended after %v, want at most 200 ms", times)
	}
	result("ended after %d ms, nothing ran", times[stops/2].Milliseconds())
}

// TestGuard_HooksTurnedOff checks that if a trusted folder turns off all hooks, the session reports that the guard is
// off, and Copilot must keep asking for permission.
func TestGuard_HooksTurnedOff(t *testing.T) {
	w := newGuarded(t, func(folder string) {
		file := filepath.Join(folder, ".github", "copilot", "settings.json")
		noErr(t, os.MkdirAll(filepath.Dir(file), 0o700))
		noErr(t, os.WriteFile(file, []byte(`{"disableAllHooks":true}`), 0o600))
	})
	// The CLI reads the folder's settings only if the CLI itself trusts the folder.
	noErr(t, os.MkdirAll(w.home, 0o700))
	noErr(t, os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"trustedFolders":["`+w.folder+`"]}`), 0o600))
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	w.Send(w.chat, "hello")
	r := w.WaitFor("it asks for trust", isTrust).TrustRequest
	w.trust(*r)
	w.WaitForDone("the first turn ends", 1)
	banner := w.WaitFor("the guard is off", func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff
	}).Item.Banner
	if got := banner.Detail.String(); !strings.Contains(got, ".github/copilot/settings.json in this folder turns off all hooks") {
		t.Errorf("the reason is %q", got)
	}
	if err := w.allowAll(); err == nil || !strings.Contains(err.Error(), "VoxPilot's guard is off in this session") {
		t.Errorf("the option is set: %v", err)
	}
	w.Send(w.chat, "go")
	w.waitAndAllow(1, false)
	w.WaitForDone("both turns end", 2)
	if !exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Error("the allowed command didn't run")
	}
	n := 0
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d banners, want one per session", n)
	}
}

// TestGuard_DecidesOnWhatAnotherHookChanged checks that if a hook of a trusted folder changes a call before the guard's
// hook runs, the guard decides on the changed call, and the request shows that call.
func TestGuard_DecidesOnWhatAnotherHookChanged(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	changed := "echo changed > " + filepath.Join(outside, "out.txt")
	w := newGuarded(t, func(folder string) {
		file := filepath.Join(folder, ".github", "hooks", "a.json")
		noErr(t, os.MkdirAll(filepath.Dir(file), 0o700))
		noErr(t, os.WriteFile(file, []byte(`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"echo '{\"permissionDecision\":\"allow\",\"modifiedArgs\":{\"command\":\"`+changed+`\",\"description\":\"d\"}}'"}]}}`), 0o600))
	})
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	w.Send(w.chat, "hello")
	w.trust(*w.WaitFor("it asks for trust", isTrust).TrustRequest)
	w.WaitForDone("the first turn ends", 1)
	noErr(t, w.allowAll())
	w.Send(w.chat, "go")
	p := w.WaitFor("it asks", func(e backend.Event) bool { return e.Permission != nil && e.Permission.State == backend.PermissionOpen }).Permission
	if p.Command != changed {
		t.Errorf("the request shows %q, want what would run: %q", p.Command, changed)
	}
	noErr(t, w.App.Reject(p.ID, ""))
	w.WaitForDone("the second turn ends", 2)
	if exists(t, filepath.Join(outside, "out.txt")) || exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Error("a rejected call ran")
	}
}

// TestGuard_ReportsLoadedSession checks that the guard also works in a session that a new process has loaded.
func TestGuard_ReportsLoadedSession(t *testing.T) {
	w := newGuarded(t, func(string) {})
	w.Send(w.chat, "hello")
	w.WaitForDone("the first turn ends", 1)
	w.Close()

	w.appEnv = newAppEnv(t, w.dir)
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	noErr(t, w.allowAll())
	w.Send(w.chat, "go")
	w.WaitForDone("the second turn ends", 1)
	for _, e := range w.Events() {
		if e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff {
			t.Errorf("got %+v", e.Item.Banner)
		}
	}
	if got := w.requests(); len(got) != 1 || got[0].Decision != backend.DecisionAutoAllowed || !exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Errorf("got %+v", got)
	}
}

// waitForTurns waits until n turns have ended, in any state.
func (w *guarded) waitForTurns(n int) {
	w.T.Helper()
	ended := map[string]bool{}
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		if e.Turn != nil && e.Turn.State != backend.TurnRunning {
			ended[e.Turn.ID] = true
		}
		return len(ended) == n
	})
}
