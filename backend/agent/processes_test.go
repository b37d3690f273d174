package agent_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

func TestTheProcessesAreTheAgentAndWhatItRuns(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its commands are for a Unix shell")
	}
	begin := backend.Now()
	w := newWorld(t, func(w *world) agent.Launch {
		l := fake(fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Run("sleep 1000 & echo $! > pid; wait")}}})(w)
		l.Args = []string{"--acp", "--github-token", "secret-1", "--api-key=secret-2", "--user=sesame", strings.Repeat("long", 100)}
		l.Redact = func(s string) string { return strings.ReplaceAll(s, "sesame", "•••") }
		return l
	}, nil)
	w.setPolicy("allow_once")
	equal(t, "processes before the start", len(w.agent.Processes()), 0)
	w.start(backend.SessionMain, "go")
	pid := w.waitPID("pid")
	own := w.agent.Connection().PID
	poll(t, "what the shell has begun to be the command", func() bool {
		return slices.ContainsFunc(w.agent.Processes(), func(p backend.Process) bool { return p.PID == pid && p.Command == "sleep 1000" })
	})
	list := w.agent.Processes()
	seen := map[int]backend.Process{}
	for _, p := range list {
		seen[p.PID] = p
		if p.ChatID != "chat" || p.Memory <= 0 || p.StartedAt < begin-2000 || p.StartedAt > backend.Now()+2000 || p.Command == "" || len(p.Command) > 300 {
			t.Errorf("a process says too little: %+v", p)
		}
		equal(t, "is the agent", p.IsAgent, p.PID == own)
	}
	equal(t, "processes", len(list), 3) // the agent, the shell, what the shell runs
	equal(t, "the agent is above all", seen[seen[pid].ParentPID].ParentPID, own)
	if c := seen[own].Command; !strings.Contains(c, "--acp") || strings.Contains(c, "secret-") || strings.Contains(c, "sesame") {
		t.Errorf("the agent's command: %s", c)
	}
	w.close()
	equal(t, "processes at the end", len(w.agent.Processes()), 0)
}
