package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// newSandboxedAgent does the same as newSandboxed, but runs the whole agent in the sandbox.
func newSandboxedAgent(t *testing.T, mode backend.PermissionMode) *guarded {
	t.Helper()
	w := newSandboxed(t, mode)
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff, WholeAgent: true}))
	return w
}

// spy returns a shell command that counts how often the given text occurs in the environments of all processes that
// the command can see, including its own. The command contains the text only in two parts, so that it doesn't count
// itself.
func spy(text string) string {
	half := len(text) / 2
	return `for f in /proc/[0-9]*/environ; do cat $f 2>/dev/null; done | tr '\000' '\n' | grep -c ` + text[:half] + `''` + text[half:]
}

// TestWholeAgent_CopilotAndItsCommands checks that if the Copilot CLI runs in the sandbox as a whole, its own tools
// and the folder's hooks can't write outside the sandbox. Commands have their own sandbox. Neither hooks nor
// commands find the model's key.
func TestWholeAgent_CopilotAndItsCommands(t *testing.T) {
	w := newSandboxedAgent(t, backend.ModeBypass)
	outside := folderInHome(t)
	key := w.server.Key()
	found := filepath.Join(w.folder, "found-by-hook")
	writeFile(t, w.folder, hookFile, hookFileText(strings.ReplaceAll(strings.ReplaceAll(spy(key), `\`, `\\`), `"`, `\"`)+" > "+found+"; echo x > "+outside+"/hook"))
	w.calls["go"] = []practice.Step{
		bash("echo in > in.txt; cat in.txt"),
		bash("echo out > " + outside + "/command"),
		bash(spy(key) + "; exit 3"),
		create(filepath.Join(w.folder, "created.txt")),
		create(filepath.Join(outside, "created.txt")),
		bash("ps -e | wc -l; cat /dev/stdin </dev/null; cat <(echo sub)"),
	}
	w.Send(w.chat, "go")
	w.trust(w.waitForTrustRequest(w.chat.ID, 1))
	w.waitForEndedTurns(w.chat, 1)
	for path, want := range map[string]bool{
		filepath.Join(w.folder, "in.txt"): true, filepath.Join(w.folder, "created.txt"): true, found: true,
		filepath.Join(outside, "command"): false, filepath.Join(outside, "created.txt"): false, filepath.Join(outside, "hook"): false,
	} {
		if exists(t, path) != want {
			t.Errorf("%s exists: %v, want %v", path, !want, want)
		}
	}
	if count, err := os.ReadFile(found); err != nil || strings.TrimSpace(string(count)) != "0" {
		t.Errorf("the hook found the key %q times (%v), want 0", count, err)
	}
	results := w.results()
	t.Logf("%q", results)
	if len(results) != 6 || !strings.HasPrefix(results[0], "in") || !strings.HasPrefix(results[2], "0") || !strings.Contains(results[2], "exit code 3") || !strings.Contains(results[5], "sub") {
		t.Errorf("the model got %q", results)
	}
	w.noWrapping(t)
}

// TestWholeAgent_RestartsInSandbox checks that if an agent in the sandbox is killed, it starts in the sandbox again
// and restores its session. Turning the sandbox on or off restarts the agent with its next message. Killing the
// agent leaves no process, file or mount point behind.
func TestWholeAgent_RestartsInSandbox(t *testing.T) {
	w := newSandboxedAgent(t, backend.ModeAcceptEdits)
	w.calls["one"] = []practice.Step{bash("sleep 1000 & echo started"), create(filepath.Join(w.folder, "one.txt"))}
	w.Send(w.chat, "one")
	w.WaitForDone("the first turn", 1)
	first := w.waitForProcess(w.chat.ID)
	in := []string{sandboxOf(t, first)}
	if in[0] == "" || len(processesIn(t, in[0])) < 2 {
		t.Fatalf("the process %d has no sandbox", first)
	}
	killProcess(t, first)
	second := w.waitForProcess(w.chat.ID, first)
	w.calls["two"] = []practice.Step{bash("echo two > two.txt")}
	w.Send(w.chat, "two")
	w.WaitForDone("the second turn", 2)
	if in = append(in, sandboxOf(t, second)); in[1] == "" || !exists(t, filepath.Join(w.folder, "two.txt")) {
		t.Error("got the agent restarted outside, or without its commands")
	}
	texts := 0
	for _, m := range w.server.Requests()[len(w.server.Requests())-1].Messages {
		if m.Role == "user" && (strings.Contains(m.Text, "one") || strings.Contains(m.Text, "two")) {
			texts++
		}
	}
	if texts < 2 {
		t.Errorf("the model got %d messages of the conversation, want both", texts)
	}
	noErr(t, w.App.SetSandbox(w.chat.ID, backend.Sandbox{On: true, Network: backend.NetworkOff}))
	w.Send(w.chat, "three")
	w.WaitForDone("the third turn", 3)
	if third := w.waitForProcess(w.chat.ID, first, second); sandboxOf(t, third) != "" {
		t.Error("got the agent in a sandbox after that was turned off")
	}
	w.stopAgent(w.chat)
	for _, namespace := range in {
		if left := processesIn(t, namespace); len(left) > 0 {
			for _, pid := range left {
				stat, _ := os.ReadFile(filepath.Join("/proc", pid, "stat"))
				line, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
				t.Errorf("process %s is left: %q", stat, line)
			}
		}
	}
	runs, err := filepath.Glob(filepath.Join(w.dir, "sandbox", "runs", "*"))
	if err != nil || len(runs) > 0 {
		t.Errorf("got the runs %q left (%v)", runs, err)
	}
	if files := fileNames(t, w.folder); !slices.Equal(files, []string{"one.txt", "two.txt"}) {
		t.Errorf("got the files %q", files)
	}
}

// TestWholeAgent_CommandLeavesOnRequest checks that a command runs outside the sandbox if the user allows this,
// although the whole agent runs in the sandbox.
func TestWholeAgent_CommandLeavesOnRequest(t *testing.T) {
	w := newSandboxedAgent(t, backend.ModeAcceptEdits)
	outside := folderInHome(t)
	w.calls["go"] = []practice.Step{
		bash("outside-sandbox -- echo out > " + outside + "/rejected"),
		bash("outside-sandbox -- echo out > " + outside + "/allowed; exit 7"),
	}
	w.Send(w.chat, "go")
	var asked []string
	w.WaitFor("the turn ends", func(e backend.Event) bool {
		if p := e.Permission; p != nil && p.State == backend.PermissionOpen && !slices.Contains(asked, p.ID) {
			asked = append(asked, p.ID)
			if p.Sandbox != backend.SandboxLeaves {
				t.Errorf("got %+v", p)
			}
			if len(asked) == 1 {
				noErr(t, w.App.Reject(p.ID, ""))
			} else {
				noErr(t, w.App.Answer(p.ID, p.Options[0].ID, false))
			}
		}
		return e.Turn != nil && e.Turn.State != backend.TurnRunning
	})
	if exists(t, outside+"/rejected") || !exists(t, outside+"/allowed") || len(asked) != 2 {
		t.Errorf("got %d requests, and the wrong commands run", len(asked))
	}
	if results := w.results(); len(results) != 2 || !strings.Contains(results[1], "exit code 7") {
		t.Errorf("the model got %q", results)
	}
	w.noWrapping(t)
}

// sandboxOf returns the PID namespace of the sandbox that the process with the given PID started, or "" if there is
// none.
func sandboxOf(t *testing.T, pid int) string {
	t.Helper()
	own, err := os.Readlink("/proc/self/ns/pid")
	noErr(t, err)
	children, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "task", strconv.Itoa(pid), "children"))
	noErr(t, err)
	for _, child := range strings.Fields(string(children)) {
		if ns, err := os.Readlink(filepath.Join("/proc", child, "ns/pid")); err == nil && ns != own {
			return ns
		}
	}
	return ""
}

// processesIn returns the PIDs of the processes in a PID namespace.
func processesIn(t *testing.T, namespace string) (pids []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	noErr(t, err)
	for _, process := range all {
		if ns, err := os.Readlink(filepath.Join(process, "ns/pid")); err == nil && ns == namespace {
			pids = append(pids, filepath.Base(process))
		}
	}
	return pids
}
