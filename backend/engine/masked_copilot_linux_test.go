package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/trust"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/hostile"
)

// output returns the output of all commands in the chat.
func (w *appEnv) output(chat backend.Chat) string {
	w.T.Helper()
	var all strings.Builder
	for _, e := range w.Events() {
		if e.Content != nil && e.Content.ChatID == chat.ID {
			all.Write(e.Content.Body)
			all.WriteString("\n")
		}
	}
	return all.String()
}

// TestMasked_CopilotRunsNothingOfTheCorpus checks that after the user opens a hostile repository without running its
// code, no message, command or custom agent makes the Copilot CLI run that code, and git commands report no changed
// files. The folders are on the CLI's own list of trusted folders.
func TestMasked_CopilotRunsNothingOfTheCorpus(t *testing.T) {
	var all []hostile.Repository
	for _, r := range hostile.Repositories() {
		if r.Agents == trust.Copilot && len(r.Config) == 0 && r.Fires != hostile.ByGit && r.Name != "hooks switched off" {
			all = append(all, r)
		}
	}
	result := chaos.Row(t, "Repositories of the Copilot CLI, opened without running their code", len(all))
	groups := hostile.Groups(all)
	var made [][]hostile.Made
	var roots []string
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(groups))[:chaos.Runs(2, len(groups))] {
		root := folderInHome(t)
		made, roots = append(made, hostile.Build(t, root, groups[i]...)), append(roots, root)
	}
	useRealCopilot(t, roots)
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	tried := 0
	for _, group := range made {
		message := "run: git status --porcelain && echo is-clean; git diff --stat"
		if group[0].Tool == "lsp" {
			message = "look: " + filepath.Join(group[0].Root, "a.ts")
		}
		chat, r := w.expectOnlyTrustRequest(group, backend.ProviderCopilot, "hello", message)
		noErr(t, w.App.OpenWithoutRunning(r.ID))
		n := 2
		w.waitForEndedTurns(chat, n)
		for _, m := range group {
			if m.Agent == "" {
				continue
			}
			if err := w.App.SetOption(chat.ID, backend.SessionMain, "agent", m.Agent); err != nil {
				continue // the CLI doesn't find the agent
			}
			w.Send(chat, message)
			n++
			w.waitForEndedTurns(chat, n)
		}
		w.stopAgent(chat)
		tried += len(group)
		assertNoCanary(t, group, "although it was opened without running")
		if group[0].Tool == "" {
			if out := w.output(chat); !strings.Contains(out, "is-clean") || strings.Contains(out, "M ") || strings.Contains(out, "D ") || strings.Contains(out, "|") {
				t.Errorf("%s: git says %q", group[0].Root, out)
			}
		}
		if out, err := hostile.Git(t, group[0].Root, "status", "--porcelain", "--ignored").CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("git finds %q (%v) afterward", out, err)
		}
	}
	result("%d tried: none ran, and git saw no change", tried)
}

// TestMasked_GitRunsNothingOfTheCorpus checks that after the user opens a hostile repository without running its code,
// git commands in it run none of the programs that its configuration and hooks specify.
func TestMasked_GitRunsNothingOfTheCorpus(t *testing.T) {
	all := slices.DeleteFunc(hostile.Repositories(), func(r hostile.Repository) bool {
		// Aliases, also those in included files, run only if they are called by name.
		return r.Fires != hostile.ByGit || strings.HasPrefix(r.Name, "git alias.") || strings.HasPrefix(r.Name, "git include")
	})
	result := chaos.Row(t, "Repositories of git, opened without running their code", len(all))
	useRealCopilot(t, []string{})
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	tried := 0
	for _, i := range chaos.Rand(t, chaos.Seed(t), 0).Perm(len(all))[:chaos.Runs(len(all)/4, len(all))] {
		root, err := filepath.EvalSymlinks(t.TempDir())
		noErr(t, err)
		m := hostile.Build(t, root, all[i])
		if text, ok := m[0].Files["a.txt"]; ok && text != "" {
			writeFile(t, root, "a.txt", "another\n")
		}
		chat, r := w.expectOnlyTrustRequest(m, backend.ProviderCopilot, "hello", "run: git "+strings.Join(m[0].Git, " "))
		noErr(t, w.App.OpenWithoutRunning(r.ID))
		w.waitForEndedTurns(chat, 2)
		w.stopAgent(chat)
		tried++
		assertNoCanary(t, m, "although it was opened without running")
	}
	result("%d tried: none ran", tried)
}

// TestMasked_NewHookIsMaskedToo checks that a hook that is added after the user opened the folder without running its
// code doesn't run either: the agent is stopped and starts again without the hook. Once the user reviews and trusts the
// folder, the hook runs.
func TestMasked_NewHookIsMaskedToo(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	hook := func(name string) {
		writeFile(t, folder, ".github/hooks/"+name+".json", strings.Replace(hookFileText("echo x > "+filepath.Join(folder, name+"-ran")), "sessionStart", "userPromptSubmitted", 1))
	}
	hook("first")
	useRealCopilot(t, []string{folder})
	w := newAppEnv(t, t.TempDir())
	w.needsSandbox()
	chat := w.chatIn(folder)
	w.Send(chat, "hello")
	r := w.waitForTrustRequest(chat.ID, 1)
	noErr(t, w.App.OpenWithoutRunning(r.ID))
	w.waitForEndedTurns(chat, 1)
	if now := w.chatNow(chat.ID); !now.Sandbox.On || !now.Sandbox.Masked {
		t.Errorf("got %+v, want a masked chat", now.Sandbox)
	}
	pid := w.waitForProcess(chat.ID)
	hook("second")
	noErr(t, w.App.SendTo(chat.ID, "helper", "hello")) // a new session reads the folder
	w.waitForEndedTurns(chat, 2)
	w.waitForProcess(chat.ID, pid)
	w.stopAgent(chat)
	noErr(t, w.App.ReviewTrust(chat.ID))
	again := w.waitForTrustRequest(chat.ID, 2, r.ID)
	if len(again.Runs) != 2 {
		t.Errorf("got %+v, want both hooks", again.Runs)
	}
	if exists(t, filepath.Join(folder, "first-ran")) || exists(t, filepath.Join(folder, "second-ran")) {
		t.Error("a hook ran")
	}
	w.trust(again)
	w.Send(chat, "hello")
	w.waitForEndedTurns(chat, 3)
	if !exists(t, filepath.Join(folder, "first-ran")) || !exists(t, filepath.Join(folder, "second-ran")) {
		t.Error("the hooks didn't run once trusted")
	}
}

// chatNow returns the chat in its latest state.
func (w *appEnv) chatNow(id string) (chat backend.Chat) {
	w.T.Helper()
	for _, e := range w.Events() {
		if e.Chat != nil && e.Chat.ID == id {
			chat = *e.Chat
		}
	}
	return chat
}
