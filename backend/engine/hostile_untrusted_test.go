package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/hostile"
)

// unixOnly skips the test on systems without a Unix shell.
func unixOnly(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the canaries are commands of a Unix shell")
	}
}

// useRealCopilot makes the app start the real Copilot CLI with a fake model. If a message contains "run: ", the model
// runs the command that follows; if it contains "look: ", the model calls the tool lsp for the file that follows. The
// folders in roots are on the CLI's own list of trusted folders.
func useRealCopilot(t *testing.T, roots []string) {
	t.Helper()
	program := copilottest.Path(t)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		_, command, runs := strings.Cut(req.User(), "run: ")
		_, file, looks := strings.Cut(req.User(), "look: ")
		switch {
		case req.Side() || req.Last().Role != "user":
		case runs:
			command, _, _ = strings.Cut(command, "\n")
			return practice.Reply{practice.ToolCall("bash", map[string]any{"command": command, "description": "Do it"})}
		case looks:
			file, _, _ = strings.Cut(file, "\n")
			return practice.Reply{practice.ToolCall("lsp", map[string]any{"operation": "documentSymbol", "file": file})}
		}
		return practice.Reply{practice.Text("ok")}
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	home := apptest.UseSignedInHome(t, filepath.Join(t.TempDir(), "home"))
	list, err := json.Marshal(map[string]any{"trustedFolders": roots})
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "config.json"), list, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range append(model.Env(home), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	t.Setenv(copilot.PathVar, program)
}

// assertNoCanary fails the test if a canary of one of the given repositories has run. The error message includes the
// given text, such as "after Not now".
func assertNoCanary(t *testing.T, made []hostile.Made, when string) {
	t.Helper()
	for _, m := range made {
		if m.Fired() {
			t.Errorf("%s: it ran %s", m.Name, when)
		}
	}
}

// expectOnlyTrustRequest sends two messages to a new chat in the repositories' folder: one at once, and one while the
// trust request is still open, as after choosing Not now in the trust dialog. It returns the chat and the trust
// request. It fails the test if a process was started or a canary has run.
func (w *appEnv) expectOnlyTrustRequest(made []hostile.Made, provider string, texts ...string) (backend.Chat, backend.TrustRequest) {
	w.T.Helper()
	chat, err := w.App.CreateChat(made[0].Folder(), provider)
	if err == nil {
		err = w.App.SetPermissionMode(chat.ID, backend.ModeBypass)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	w.Send(chat, texts[0])
	r := w.waitForTrustRequest(chat.ID, 1)
	assertNoCanary(w.T, made, "before it was trusted")
	for _, m := range made {
		if !slices.ContainsFunc(r.Runs, func(e backend.TrustEntry) bool {
			_, ok := m.Files[e.File]
			return ok || len(m.Config) > 0 && e.File == ".git/config"
		}) {
			w.T.Errorf("%s: got %+v, want an entry of it", m.Name, r.Runs)
		}
	}
	w.Send(chat, texts[1])
	if err := w.App.Reconnect(chat.ID); err != nil {
		w.T.Fatal(err)
	}
	w.waitForTrustRequest(chat.ID, 2)
	assertNoCanary(w.T, made, "after Not now")
	for _, e := range w.Events() {
		if e.Connection != nil && e.Connection.ChatID == chat.ID && e.Connection.PID != 0 {
			w.T.Errorf("got the process %+v before anything was trusted", e.Connection)
		}
	}
	return chat, r
}

// waitForEndedTurns waits until n turns of the chat have ended. Meanwhile, it allows
// all permission requests.
func (w *appEnv) waitForEndedTurns(chat backend.Chat, n int) {
	w.T.Helper()
	ended, answered := map[string]bool{}, map[string]bool{}
	w.WaitFor("the turns of the chat end", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.ChatID == chat.ID && p.State == backend.PermissionOpen && !answered[p.ID] {
			answered[p.ID] = true
			_ = w.App.Answer(p.ID, p.Options[0].ID, false) // fails for an earlier event whose request is already decided
		}
		if e.Turn != nil && e.Turn.ChatID == chat.ID && e.Turn.State != backend.TurnRunning {
			ended[e.Turn.ID] = true
			if e.Turn.State == backend.TurnFailed {
				w.T.Errorf("a turn failed: %+v", e.Turn.Error)
			}
		}
		return len(ended) >= n
	})
}

// stopAgent stops the chat's agent and waits until it has stopped.
func (w *appEnv) stopAgent(chat backend.Chat) {
	w.T.Helper()
	before := len(w.Events())
	if err := w.App.StopAgent(chat.ID); err != nil {
		w.T.Fatal(err)
	}
	w.WaitFor("the agent is stopped", func(backend.Event) bool {
		return slices.ContainsFunc(w.Events()[before:], func(e backend.Event) bool {
			return e.Connection != nil && e.Connection.ChatID == chat.ID && e.Connection.State == backend.ConnectionIdle
		})
	})
}

// TestUntrusted_CopilotRunsNothingOfTheCorpus checks that a repository's code for the Copilot CLI doesn't run before
// the user trusts the folder or after the user chooses Not now. Once the folder is trusted, the code runs.
func TestUntrusted_CopilotRunsNothingOfTheCorpus(t *testing.T) {
	unixOnly(t)
	var all []hostile.Repository
	for _, r := range hostile.Repositories() {
		if r.Agents == trust.Copilot && len(r.Config) == 0 && r.Fires != hostile.ByGit && r.Name != "hooks switched off" {
			all = append(all, r)
		}
	}
	result := chaos.Row(t, "Repositories of the Copilot CLI, with the whole app and the real CLI", len(all))
	groups := hostile.Groups(all)
	var made [][]hostile.Made
	var roots []string
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(groups))[:chaos.Runs(1, len(groups))] {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		made, roots = append(made, hostile.Build(t, root, groups[i]...)), append(roots, root)
	}
	useRealCopilot(t, roots)
	w := newAppEnv(t, t.TempDir())
	tried, fired := 0, 0
	for _, group := range made {
		message := "run: echo hello"
		if group[0].Tool == "lsp" {
			message = "look: " + filepath.Join(group[0].Root, "a.ts")
		}
		chat, r := w.expectOnlyTrustRequest(group, backend.ProviderCopilot, "hello", message)
		w.trust(r)
		n := 2
		w.waitForEndedTurns(chat, n)
		for _, m := range group {
			if m.Agent == "" {
				continue
			}
			if err := w.App.SetOption(chat.ID, backend.SessionMain, "agent", m.Agent); err != nil {
				t.Fatal(err)
			}
			w.Send(chat, message)
			n++
			w.waitForEndedTurns(chat, n)
		}
		w.stopAgent(chat)
		for _, m := range group {
			tried++
			if want := m.Fires != hostile.Never; m.Fired() != want {
				t.Errorf("%s: got it run %v once trusted, want %v", m.Name, m.Fired(), want)
			}
			if m.Fired() {
				fired++
			}
		}
	}
	result("%d tried: none ran before trust, none after Not now, %d once trusted", tried, fired)
}

// TestUntrusted_GitRunsNothingOfTheCorpus checks that code that git would execute in a repository doesn't run before
// the user trusts the folder, although the app runs git there. Once the folder is trusted, the code runs when the agent
// runs git.
func TestUntrusted_GitRunsNothingOfTheCorpus(t *testing.T) {
	unixOnly(t)
	var all []hostile.Repository
	for _, r := range hostile.Repositories() {
		if len(r.Config) > 0 || r.Fires == hostile.ByGit || r.Name == "hooks switched off" {
			all = append(all, r)
		}
	}
	result := chaos.Row(t, "Repositories of git, with the whole app and the real CLI", len(all))
	useRealCopilot(t, []string{})
	w := newAppEnv(t, t.TempDir())
	tried, fired := 0, 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(all))[:chaos.Runs(len(all)/10, len(all))] {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		m := hostile.Build(t, root, all[i])
		if _, ok := m[0].Files["a.txt"]; ok {
			writeFile(t, root, "a.txt", "another\n")
		}
		tried++
		chat, r := w.expectOnlyTrustRequest(m, backend.ProviderCopilot, "hello", "run: git "+strings.Join(m[0].Git, " "))
		if m[0].Fires == hostile.ByGit {
			w.trust(r)
			w.waitForEndedTurns(chat, 2)
			off := m[0].Name == "git core.fsmonitor" // the CLI turns this setting off in the environment of commands
			if m[0].Fired() == off {
				t.Errorf("%s: got it run %v once trusted, want %v", m[0].Name, m[0].Fired(), !off)
			}
			if !off {
				fired++
			}
		}
		w.stopAgent(chat)
	}
	result("%d tried: none ran before trust, none after Not now, %d once trusted", tried, fired)
}

// TestUntrusted_OthersRunNothingOfTheCorpus checks that files for agents other than the Copilot CLI require trust,
// too: no agent starts before the folder is trusted.
func TestUntrusted_OthersRunNothingOfTheCorpus(t *testing.T) {
	unixOnly(t)
	all := slices.DeleteFunc(hostile.Repositories(), func(r hostile.Repository) bool { return r.Agents != trust.Others })
	result := chaos.Row(t, "Repositories of other agents, with the whole app and a custom agent", len(all))
	script, calls := withCallRecord(t, fakeagent.Script{})
	w := newAppEnv(t, t.TempDir())
	other, err := w.App.SaveProfile(backend.CustomAgent{Name: "Other", Command: apptest.FakeAgentProgram(t, script)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(all))[:chaos.Runs(len(all)/10, len(all))] {
		m := hostile.Build(t, t.TempDir(), all[i])
		started := requestCount(t, calls, "initialize")
		chat, r := w.expectOnlyTrustRequest(m, other.ID, "hello", "hello again")
		if requestCount(t, calls, "initialize") != started {
			t.Errorf("%s: the agent was started", m[0].Name)
		}
		tried++
		w.trust(r)
		w.waitForEndedTurns(chat, 2)
		if requestCount(t, calls, "initialize") != started+1 {
			t.Errorf("%s: the agent was not started once trusted", m[0].Name)
		}
		w.stopAgent(chat)
	}
	result("%d tried: the agent started in none before trust or after Not now, and in each once trusted", tried)
}
