package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLauncher_RunsEachCommandOnce(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{})
	p := w.policy
	p.In = a.Agent
	r, err := w.s.Command(t.Context(), p, "echo out; echo err >&2; cat; exit 7", nil)
	if err != nil {
		t.Fatal(err)
	}
	out := a.run("( " + r.Shell + " ) <<< in")
	if !strings.HasPrefix(out, "out\nerr\nin\n") || !strings.HasSuffix(out, "=== 7\n") {
		t.Errorf("got %q", out)
	}
	if out := a.run("( " + r.Shell + " )"); !strings.HasSuffix(out, "=== 125\n") || strings.Contains(out, "out\n") {
		t.Errorf("got %q for the second run", out)
	}
	key := strings.Fields(r.Shell)[3]
	for _, bad := range []string{"", "x", strings.Repeat("a", len(key)), key + key} {
		if out := a.run("( exec " + insideProgram + " sandbox-launch '" + bad + "' )"); !strings.HasSuffix(out, "=== 125\n") {
			t.Errorf("%q: got %q", bad, out)
		}
	}
	r, err = w.s.Command(t.Context(), p, "echo out", nil)
	if err != nil {
		t.Fatal(err)
	}
	w.s.Discard(r.ID)
	w.until(func() bool {
		a.launcher.mu.Lock()
		defer a.launcher.mu.Unlock()
		return len(a.launcher.commands) == 0
	})
	if out := a.run("( " + r.Shell + " )"); !strings.HasSuffix(out, "=== 125\n") {
		t.Errorf("got %q for a discarded command", out)
	}
}

func TestLauncher_EndsCommandWithItsClient(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{})
	p := w.policy
	p.In = a.Agent
	for name, end := range map[string]string{"SIGTERM": "kill $!; wait $!", "SIGKILL": "kill -9 $!; wait $!"} {
		started, ended := filepath.Join(w.folder, "started-"+name), make(chan struct{})
		r, err := w.s.Command(t.Context(), p, "touch "+started+"; sleep 1000", func() { close(ended) })
		if err != nil {
			t.Fatal(err)
		}
		out := a.run("( " + r.Shell + " ) & until [ -e " + started + " ]; do sleep 0.01; done; " + end)
		if strings.HasSuffix(out, "=== 0\n") {
			t.Errorf("%s: got %q", name, out)
		}
		w.wait(ended)
	}
	if out := a.run("echo still here"); out != "still here\n\n=== 0\n" && out != "still here\n=== 0\n" {
		t.Errorf("got %q", out)
	}
}

func TestLauncher_RunsOutsideOnRequest(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{})
	env := []string{"PATH=" + os.Getenv("PATH"), "NAME=value"}
	line, _, err := a.Outside("echo x > "+w.outside+"/allowed; echo $NAME; pwd; exit 3", w.folder, env)
	if err != nil {
		t.Fatal(err)
	}
	if out := a.run("( " + line + " )"); !strings.HasPrefix(out, "value\n"+w.folder+"\n") || !strings.HasSuffix(out, "=== 3\n") || !exists(w.outside+"/allowed") {
		t.Errorf("got %q", out)
	}
	if _, _, err = a.Outside("true", w.folder, nil); err == nil {
		t.Error("got a command without a shell")
	}
	line, discard, err := a.Outside("echo x > "+w.outside+"/discarded", w.folder, env)
	if err != nil {
		t.Fatal(err)
	}
	discard()
	if out := a.run("( " + line + " )"); !strings.HasSuffix(out, "=== 125\n") || exists(w.outside+"/discarded") {
		t.Errorf("got %q", out)
	}
}

// TestAgent_HidesMemory checks that HideMemory hides the agent's memory from the other processes in its sandbox, but
// not the memory of its child processes.
func TestAgent_HidesMemory(t *testing.T) {
	const look = `n=$(bash -c 'cat /proc/$PPID/environ /proc/1/environ 2>/dev/null' | tr '\0' '\n' | grep -c AGENT_TOKEN=); echo found $n`
	for hides, want := range map[bool]string{false: "found 1\n", true: "found 0\n"} {
		w := newComputer(t)
		a := w.agent(AgentPolicy{HideMemory: hides})
		if out := a.run(look); !strings.HasPrefix(out, want) {
			t.Errorf("hidden %v: got %q, want %q", hides, out, want)
		}
		if out := a.run(`bash -c 'cat /proc/self/environ' | tr '\0' '\n' | grep -c AGENT_TOKEN=`); !strings.HasPrefix(out, "1\n") {
			t.Errorf("hidden %v: a child can't read its own environment: %q", hides, out)
		}
	}
}

// TestAgent_KillLeavesNothing checks that killing the process that VoxPilot started (SIGKILL) ends the whole agent,
// including its commands.
func TestAgent_KillLeavesNothing(t *testing.T) {
	w := newComputer(t)
	a := w.agent(AgentPolicy{})
	p := w.policy
	p.In = a.Agent
	r, err := w.s.Command(t.Context(), p, "touch started; sleep 1001", nil)
	if err != nil {
		t.Fatal(err)
	}
	a.run("sleep 1001 & ( " + r.Shell + " ) & until [ -e started ]; do sleep 0.01; done; echo")
	if err := a.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.wait(a.ended)
	w.until(func() bool {
		out, _ := exec.CommandContext(t.Context(), "pgrep", "-f", "^sleep 1001").Output()
		return len(out) == 0 && len(w.leftovers()) == 0
	})
}
