package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/internal/need"
)

// answer decides on all requests until the turn ends: it allows those that the given function accepts, and rejects the
// others. It reports a test error unless there are n requests.
func (w *guarded) answer(t *testing.T, n int, allow func(p backend.Permission) bool) (asked []backend.Permission) {
	t.Helper()
	seen := map[string]bool{}
	w.WaitFor("it asks and the turn ends", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen && !seen[p.ID] {
			seen[p.ID] = true
			asked = append(asked, *p)
			if allow(*p) {
				noErr(t, w.App.Answer(p.ID, p.Options[0].ID, false))
			} else {
				noErr(t, w.App.Reject(p.ID, ""))
			}
		}
		return e.Turn != nil && e.Turn.State != backend.TurnRunning
	})
	if len(asked) != n {
		t.Errorf("%d requests, want %d: %+v", len(asked), n, asked)
	}
	return asked
}

// TestSandbox_AskFirstAsksOnce checks that in the mode "Ask first", VoxPilot asks about each command once, shows the
// command as the agent wrote it, and doesn't offer to always allow it.
func TestSandbox_AskFirstAsksOnce(t *testing.T) {
	w := newSandboxed(t, backend.ModeAsk)
	w.calls["go"] = []practice.Step{bash("echo one > one.txt"), bash("echo two > two.txt")}
	w.Send(w.chat, "go")
	asked := w.answer(t, 2, func(p backend.Permission) bool { return strings.Contains(p.Command, "one") })
	for _, p := range asked {
		if p.Sandbox != backend.SandboxInside || p.Scope != nil || !strings.HasPrefix(p.Command, "echo ") {
			t.Errorf("got %+v", p)
		}
	}
	if !exists(t, filepath.Join(w.folder, "one.txt")) || exists(t, filepath.Join(w.folder, "two.txt")) {
		t.Error("the commands didn't run as decided")
	}
	w.noWrapping(t)
}

// TestSandbox_LeavingIsAlwaysAsked checks that a command can leave the sandbox only after a separate request to the
// user, even in the mode "Allow everything".
func TestSandbox_LeavingIsAlwaysAsked(t *testing.T) {
	w := newSandboxed(t, backend.ModeBypass)
	outside, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	file := filepath.Join(outside, "out.txt")
	w.calls["go"] = []practice.Step{
		bash("echo out > " + file), bash("outside-sandbox -- echo out > " + file), bash("outside-sandbox -- rm " + file), bash("outside-sandbox -- echo new > " + file),
	}
	_, err = w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RulePrefix, Command: "rm"}})
	noErr(t, err)
	noErr(t, w.allowAll())
	w.Send(w.chat, "go")
	asked := w.answer(t, 2, func(p backend.Permission) bool { return strings.HasPrefix(p.Command, "echo out") })
	for i, want := range []string{"This command ran in the sandbox less than a minute ago and exited with code 1.", "This command hasn't run in the sandbox since the agent started."} {
		if p := asked[i]; p.Sandbox != backend.SandboxLeaves || p.Earlier.String() != want || strings.Contains(p.Command, "outside-sandbox") || p.Scope != nil {
			t.Errorf("got %+v, want %s", p, want)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "out\n" {
		t.Errorf("the file has %q: %v", text, err)
	}
	rows := w.rows()
	if first := rows[0].Tool; !first.Sandboxed || first.ExitCode == nil || *first.ExitCode != 1 {
		t.Errorf("got %+v", first)
	}
	if second := rows[1].Tool; second.Sandboxed || second.Command != "echo out > "+file {
		t.Errorf("got %+v", second)
	}
	// The user can also request that the command runs outside.
	noErr(t, w.App.RunOutside(rows[0].ID))
	w.WaitForDone("the second turn ends", 2)
	if want := "outside-sandbox -- echo out > " + file; !slices.ContainsFunc(w.server.Requests(), func(r practice.Request) bool { return strings.HasSuffix(r.User(), want) }) {
		t.Error("the agent wasn't asked to run it")
	}
	if err := w.App.RunOutside(rows[1].ID); err == nil {
		t.Error("a command that didn't run in the sandbox can be run outside")
	}
}

// TestSandbox_AsksAboutSites checks that VoxPilot asks once about a site that isn't on the chat's list. If the user
// allows the site, it is added to the list.
func TestSandbox_AsksAboutSites(t *testing.T) {
	w := newSandboxed(t, backend.ModeBypass)
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkSites}))
	_, err := w.App.SaveRule(backend.Rule{Effect: backend.RuleDeny, Scope: backend.Scope{Kind: backend.RuleHost, Command: "denied.test"}})
	noErr(t, err)
	get := "curl -sS -m 20 -o /dev/null http://"
	w.calls["go"] = []practice.Step{
		bash("curl -sS -m 20 https://no.example.test/"), bash(get + "yes.example.test/ & " + get + "yes.example.test/a & wait"), bash(get + "yes.example.test/b"), bash("end=nied.test; " + get + "de$end/"), // the rule would deny a command that names the host
	}
	w.Send(w.chat, "go")
	asked := w.answer(t, 2, func(p backend.Permission) bool { return p.Command == "yes.example.test" })
	for _, p := range asked {
		if p.Sandbox != backend.SandboxAsksSite || p.Kind != backend.ToolFetch || p.ItemID == "" || p.TurnID == "" {
			t.Errorf("got %+v", p)
		}
	}
	var blocked []string
	for _, row := range w.rows() {
		blocked = append(blocked, strings.Join(row.Tool.Blocked, ","))
	}
	if want := []string{"no.example.test:443", "", "", "denied.test:80"}; !slices.Equal(blocked, want) {
		t.Errorf("blocked %q, want %q", blocked, want)
	}
	if requests := w.server.Requests(); !slices.ContainsFunc(requests[len(requests)-1].Messages, func(m practice.Message) bool {
		return m.Role == "tool" && strings.Contains(m.Text, "Blocked sites: no.example.test:443.")
	}) {
		t.Errorf("the model doesn't learn which site was blocked: %+v", requests[len(requests)-1].Messages)
	}
	i := slices.IndexFunc(w.Events(), func(e backend.Event) bool { return e.Chat != nil && len(e.Chat.Sandbox.Sites) > 0 })
	if i < 0 || !slices.Equal(w.Events()[i].Chat.Sandbox.Sites, []string{"yes.example.test"}) {
		t.Error("the allowed site isn't listed")
	}
}

// TestSandbox_StopEndsCommand checks that Stop ends a command in the sandbox with all of its processes, and that the
// command leaves nothing behind.
func TestSandbox_StopEndsCommand(t *testing.T) {
	w := newSandboxed(t, backend.ModeAcceptEdits)
	mark := fmt.Sprintf("7%d.25", os.Getpid())
	w.calls["go"] = []practice.Step{bash("(setsid sleep " + mark + " &) ; touch started; sleep " + mark)}
	w.Send(w.chat, "go")
	waitFor(t, "the command to start", func() bool { return exists(t, filepath.Join(w.folder, "started")) })
	noErr(t, w.App.Stop(w.chat.ID))
	w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnStopped })
	waitFor(t, "the processes to end", func() bool { return !runsWith(t, mark) })
	leftNothing(t, w.folder, w.dir)
}

// runsWith reports whether a sleep process with the single argument mark is running.
func runsWith(t *testing.T, mark string) bool {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	noErr(t, err)
	return slices.ContainsFunc(all, func(file string) bool {
		line, err := os.ReadFile(file)
		args := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
		return err == nil && len(args) == 2 && args[0] == "sleep" && args[1] == mark
	})
}

// leftNothing waits until the app's data folder contains no more data of sandboxed commands. It then fails the test
// if a mount point is left in the chat's folder.
func leftNothing(t *testing.T, folder, dir string) {
	t.Helper()
	waitFor(t, "the run to be removed", func() bool {
		runs, err := os.ReadDir(filepath.Join(dir, "sandbox", "runs"))
		noErr(t, err)
		return len(runs) == 0
	})
	left, err := os.ReadDir(folder)
	noErr(t, err)
	for _, e := range left {
		if e.Name() != "started" {
			t.Errorf("%s is left in the folder", e.Name())
		}
	}
}

// TestSandbox_KilledAppLeavesNothing checks that a command ends when VoxPilot is killed. At its next start, VoxPilot
// must remove the files that the command left behind.
func TestSandbox_KilledAppLeavesNothing(t *testing.T) {
	const child = "VOXPILOT_TEST_SANDBOX_MARK"
	if mark := os.Getenv(child); mark != "" {
		w := newSandboxed(t, backend.ModeAcceptEdits)
		w.calls["go"] = []practice.Step{bash("touch started; sleep " + mark)}
		w.Send(w.chat, "go")
		noErr(t, os.WriteFile(os.Getenv(child+"_FILE"), []byte(w.folder+"\n"+w.dir), 0o600))
		<-t.Context().Done() // ends when the test kills this process
	}
	realCopilot(t)
	need.Programs(t, "bwrap")
	mark, file := fmt.Sprintf("8%d.25", os.Getpid()), filepath.Join(t.TempDir(), "file")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	app := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestSandbox_KilledAppLeavesNothing$")
	app.Env = append(os.Environ(), child+"="+mark, child+"_FILE="+file, "TMPDIR="+t.TempDir())
	noErr(t, app.Start())
	var folder, dir string
	waitFor(t, "the command to start", func() bool {
		text, err := os.ReadFile(file)
		folder, dir, _ = strings.Cut(string(text), "\n")
		return err == nil && dir != "" && exists(t, filepath.Join(folder, "started")) && runsWith(t, mark)
	})
	if left, err := os.ReadDir(folder); err != nil || len(left) < 3 {
		t.Errorf("no mount points in %v: %v", left, err)
	}
	noErr(t, app.Process.Kill())
	_ = app.Wait() // returns the signal as an error
	waitFor(t, "the command to end", func() bool { return !runsWith(t, mark) })
	w := newAppEnv(t, dir)
	w.WaitFor("the sandbox is tested", func(e backend.Event) bool { return e.Sandbox != nil && e.Sandbox.State == backend.SandboxReady })
	leftNothing(t, folder, dir)
}

// TestSandbox_NotReadyRunsNothing checks that no command runs if the sandbox isn't ready, and that the model and the
// user receive the reason.
func TestSandbox_NotReadyRunsNothing(t *testing.T) {
	realCopilot(t)
	programs := t.TempDir()
	for _, name := range []string{"bash", "sh", "env", "git"} {
		if path, err := exec.LookPath(name); err == nil {
			noErr(t, os.Symlink(path, filepath.Join(programs, name)))
		}
	}
	t.Setenv("PATH", programs)
	t.Setenv("SHELL", "")
	w := newGuarded(t, func(string) {})
	s := w.WaitFor("the sandbox is tested", func(e backend.Event) bool { return e.Sandbox != nil && e.Sandbox.State != backend.SandboxChecking }).Sandbox
	if s.State == backend.SandboxReady {
		t.Fatal("bubblewrap was found")
	}
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true}))
	noErr(t, w.App.SetPermissionMode(w.chat.ID, backend.ModeBypass))
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	w.Send(w.chat, "go")
	w.WaitForDone("the turn ends", 1)
	if exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Error("the command ran")
	}
	if got := w.results(); len(got) != 1 || !strings.Contains(got[0], "Commands in this chat must run in VoxPilot's sandbox, which isn't available: "+s.Problem.String()) {
		t.Errorf("the model got %q", got)
	}
	if got := w.rows()[0].Tool.ResultSummary.String(); !strings.HasPrefix(got, "VoxPilot didn't run this command. ") {
		t.Errorf("the row shows %q", got)
	}
}

// TestSandbox_GuardOffRunsNothing checks that no command runs if a trusted folder turns off the guard, and with it the
// sandbox. This applies even in the mode "Allow everything".
func TestSandbox_GuardOffRunsNothing(t *testing.T) {
	w := newGuarded(t, func(folder string) {
		file := filepath.Join(folder, ".github", "copilot", "settings.json")
		noErr(t, os.MkdirAll(filepath.Dir(file), 0o700))
		noErr(t, os.WriteFile(file, []byte(`{"disableAllHooks":true}`), 0o600))
	})
	noErr(t, os.MkdirAll(w.home, 0o700))
	noErr(t, os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"trustedFolders":["`+w.folder+`"]}`), 0o600))
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true}))
	noErr(t, w.App.SetPermissionMode(w.chat.ID, backend.ModeBypass))
	w.calls["go"] = []practice.Step{bash("echo one > one.txt")}
	w.Send(w.chat, "go")
	w.trust(*w.WaitFor("it asks for trust", isTrust).TrustRequest)
	w.WaitFor("the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State != backend.TurnRunning })
	if exists(t, filepath.Join(w.folder, "one.txt")) {
		t.Error("the command ran outside of the sandbox")
	}
	if got := w.rows()[0].Tool; got.Sandboxed || got.ResultSummary.String() != "VoxPilot didn't run this command because Copilot didn't pass it to the sandbox." {
		t.Errorf("got %+v", got)
	}
	if !slices.ContainsFunc(w.Events(), func(e backend.Event) bool {
		return e.Item != nil && e.Item.Banner != nil && e.Item.Banner.Kind == backend.BannerGuardOff
	}) {
		t.Error("no banner says that the guard is off")
	}
}
